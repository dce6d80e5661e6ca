//! Proofs in the file.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use tengen_rules::{Position, Side, Turn, notation};

use super::{CHECKER, CheckedProof, ProofId, ProofState};
use crate::place::Place;
use crate::{Book, Error, PositionId, Result, fields};

/// No proof is larger; what claims to be is not unpacked.
const MOST_BYTES: usize = 1 << 30;

/// A stored proof without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofSummary {
    /// Its name.
    pub id: ProofId,
    /// The rules.
    pub rules: String,
    /// The set-up that it is about, as it has it.
    pub position: String,
    /// Who wins, if it is right.
    pub attacker: Side,
    /// What the checker said.
    pub state: ProofState,
    /// Why it was not verified; empty if it was.
    pub reason: String,
    /// Replies that it leaves open.
    pub open: Vec<String>,
    /// The attacker's first turn, if the attacker is to move.
    pub first: Option<Turn>,
    /// Nodes.
    pub nodes: u64,
    /// The attacker's turns against the longest defence.
    pub depth: u32,
    /// Which checker it was.
    pub checker: String,
    /// When; milliseconds since 1970.
    pub checked: i64,
    /// When it came into the book.
    pub added: i64,
    /// The size of the text.
    pub bytes: u64,
}

impl ProofSummary {
    /// Whether it is verified that the attacker wins, whatever the defender does.
    pub fn is_win(&self) -> bool {
        self.state == ProofState::Verified
    }
}

/// What became of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredProof {
    /// The proof.
    pub proof: ProofSummary,
    /// Whether the book did not have it.
    pub new: bool,
}

impl Book {
    /// Has a proof checked and stores it with what the checker said, whatever that is.
    pub fn add_proof(&self, text: &str) -> Result<StoredProof> {
        self.add_checked(&CheckedProof::check(text)?)
    }

    /// Stores a proof that was checked before. What an older check of the same proof said is replaced.
    pub fn add_checked(&self, proof: &CheckedProof) -> Result<StoredProof> {
        let packed = Packed::of(proof)?;
        self.write(|transaction| {
            let new = packed.store(transaction)?;
            let proof = summary_of(transaction, proof.id())?
                .ok_or_else(|| Error::Damaged("a proof has just vanished".to_owned()))?;
            Ok(StoredProof { proof, new })
        })
    }

    /// A proof without its text.
    pub fn proof(&self, id: ProofId) -> Result<Option<ProofSummary>> {
        self.read(|connection| summary_of(connection, id))
    }

    /// The text form of a proof.
    pub fn proof_text(&self, id: ProofId) -> Result<Option<String>> {
        self.read(|connection| text_of(connection, id))
    }

    /// All proofs about a position or an image of it: the verified ones first, then the short ones.
    pub fn proofs_of(&self, position: &Position) -> Result<Vec<ProofSummary>> {
        self.read(|connection| match Place::of(position).find(connection)? {
            Some(id) => proofs_at(connection, id),
            None => Ok(Vec::new()),
        })
    }

    /// Who wins for certain, with a proof that the checker has verified for this position or an image of it.
    pub fn proved(&self, position: &Position) -> Result<Option<(Side, ProofId)>> {
        self.read(|connection| match Place::of(position).find(connection)? {
            Some(id) => proved_at(connection, id),
            None => Ok(None),
        })
    }
}

/// A proof ready to be stored: packing a large one takes a while and is done before a transaction begins.
pub(crate) struct Packed<'a> {
    proof: &'a CheckedProof,
    text: Vec<u8>,
    pub(crate) added: i64,
}

impl<'a> Packed<'a> {
    pub(crate) fn of(proof: &'a CheckedProof) -> Result<Self> {
        let text = zstd::bulk::compress(proof.text().as_bytes(), 3)
            .map_err(|error| Error::Proof(format!("it cannot be packed: {error}")))?;
        Ok(Self {
            proof,
            text,
            added: proof.checked,
        })
    }

    /// Whether the book did not have it.
    pub(crate) fn store(&self, connection: &Connection) -> Result<bool> {
        let proof = self.proof;
        let known = summary_of(connection, proof.id())?;
        if proof.state() == ProofState::Undecided
            && known.as_ref().is_some_and(|known| known.checker == CHECKER)
        {
            // Giving up says nothing against what was found out before.
            return Ok(false);
        }
        let place = Place::of(proof.position());
        let position = place.put(connection)?;
        let first = proof.first.as_ref().map(Turn::to_string);
        let open = serde_json::to_string(&proof.open()).unwrap_or_default();
        let report = proof.report();
        // An earlier arrival is the true one.
        let added = known
            .as_ref()
            .map_or(self.added, |known| known.added.min(self.added));
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO proofs (id, position, stated, attacker, open, first, state, reason, nodes, \
                 depth, checker, checked, added, bytes, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![
                proof.id().0,
                position.0,
                notation::setup_text(&proof.position().to_setup()),
                fields::side_text(proof.attacker()),
                open,
                first.unwrap_or_default(),
                proof.state().name(),
                proof.reason(),
                report.map_or(0, |report| report.nodes as i64),
                report.map_or(0, |report| report.depth),
                CHECKER,
                proof.checked,
                added,
                proof.text().len() as i64,
                self.text,
            ])?;
        Ok(known.is_none())
    }
}

const COLUMNS: &str = "proofs.id, rules, stated, attacker, state, reason, open, first, nodes, depth, checker, checked, \
     added, bytes";

fn summary_of(connection: &Connection, id: ProofId) -> Result<Option<ProofSummary>> {
    let mut query = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM proofs JOIN positions ON positions.id = position WHERE proofs.id = ?"
    ))?;
    let found = query.query_row([id.0], |row| Ok(summary(row))).optional()?;
    found.transpose()
}

pub(crate) fn proofs_at(connection: &Connection, id: PositionId) -> Result<Vec<ProofSummary>> {
    let mut query = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM proofs JOIN positions ON positions.id = position WHERE position = ? \
         ORDER BY state <> 'verified', state <> 'verified-except', depth, proofs.id"
    ))?;
    let rows = query.query_map([id.0], |row| Ok(summary(row)))?;
    rows.map(|row| row?).collect()
}

pub(crate) fn proved_at(
    connection: &Connection,
    id: PositionId,
) -> Result<Option<(Side, ProofId)>> {
    let mut query = connection.prepare_cached(
        "SELECT attacker, id FROM proofs WHERE position = ? AND state = 'verified' ORDER BY depth, id",
    )?;
    let found: Option<(String, [u8; 16])> = query
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    found
        .map(|(attacker, id)| Ok((stored_side(&attacker)?, ProofId(id))))
        .transpose()
}

/// Whether this checker has seen the proof here before; then it need not again, and only the times are brought together:
/// the earliest are the true ones. A proof whose text is damaged here was not seen: what comes now is whole.
pub(crate) fn seen_before(connection: &Connection, id: ProofId, told: &Told<'_>) -> Result<bool> {
    match text_of(connection, id) {
        Ok(_) => {}
        Err(Error::Damaged(_)) => return Ok(false),
        Err(other) => return Err(other),
    }
    let known = connection
        .prepare_cached("UPDATE proofs SET added = min(added, ?) WHERE id = ? AND checker = ?")?
        .execute(params![told.added, id.0, CHECKER])?;
    connection
        .prepare_cached(
            "UPDATE proofs SET checked = min(checked, ?) WHERE id = ? AND checker = ?3 AND ?3 = ?4 AND state = ?5",
        )?
        .execute(params![told.checked, id.0, CHECKER, told.checker, told.state])?;
    Ok(known == 1)
}

/// What another copy says of a proof.
pub(crate) struct Told<'a> {
    pub(crate) state: &'a str,
    pub(crate) checker: &'a str,
    pub(crate) checked: i64,
    pub(crate) added: i64,
}

/// The names of all proofs, in order.
pub(crate) fn all(connection: &Connection) -> Result<Vec<ProofId>> {
    let mut query = connection.prepare_cached("SELECT id FROM proofs ORDER BY id")?;
    let rows = query.query_map([], |row| row.get(0).map(ProofId))?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

pub(crate) fn text_of(connection: &Connection, id: ProofId) -> Result<Option<String>> {
    let mut query = connection.prepare_cached("SELECT bytes, text FROM proofs WHERE id = ?")?;
    let found: Option<(i64, Vec<u8>)> = query
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    found
        .map(|(bytes, text)| unpacked(id, bytes, &text))
        .transpose()
}

fn unpacked(id: ProofId, bytes: i64, packed: &[u8]) -> Result<String> {
    let damaged = |reason: &str| Error::Damaged(format!("proof {id} {reason}"));
    let size = usize::try_from(bytes)
        .ok()
        .filter(|&size| size <= MOST_BYTES);
    let size = size.ok_or_else(|| damaged("has an impossible size"))?;
    let text = zstd::bulk::decompress(packed, size).map_err(|_| damaged("cannot be unpacked"))?;
    let text = String::from_utf8(text).map_err(|_| damaged("is no text"))?;
    if ProofId::of(&text) == id {
        Ok(text)
    } else {
        Err(damaged("is not what its name says"))
    }
}

fn stored_side(text: &str) -> Result<Side> {
    fields::side(text).ok_or_else(|| Error::Damaged(format!("`{text}` is no side")))
}

fn summary(row: &Row<'_>) -> Result<ProofSummary> {
    let state: String = row.get(4)?;
    let open: String = row.get(6)?;
    let first: String = row.get(7)?;
    Ok(ProofSummary {
        id: ProofId(row.get(0)?),
        rules: row.get(1)?,
        position: row.get(2)?,
        attacker: stored_side(&row.get::<_, String>(3)?)?,
        state: ProofState::named(&state)
            .ok_or_else(|| Error::Damaged(format!("`{state}` is no state of a proof")))?,
        reason: row.get(5)?,
        open: serde_json::from_str(&open).map_err(|error| Error::Damaged(error.to_string()))?,
        first: first.parse().ok().filter(|turn: &Turn| !turn.is_empty()),
        nodes: row.get::<_, i64>(8)? as u64,
        depth: row.get(9)?,
        checker: row.get(10)?,
        checked: row.get(11)?,
        added: row.get(12)?,
        bytes: row.get::<_, i64>(13)? as u64,
    })
}
