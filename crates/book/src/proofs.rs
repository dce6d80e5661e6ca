//! Proofs: checked on the way in, kept by their content, the only thing that proves a position.

use std::fmt;
use std::panic;
use std::str::FromStr;
use std::thread;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use tengen_checker::{Limits, Report, Verdict, check_partial_claim};
use tengen_rules::{Position, Side, Turn, notation};

use crate::place::Place;
use crate::{Book, Error, PositionId, Result, fields};

/// Which checker it is.
pub const CHECKER: &str = concat!("tengen-checker ", env!("CARGO_PKG_VERSION"));

/// The checker walks down the proof, which may be deep.
const STACK: usize = 64 << 20;

/// No proof is larger; what claims to be is not unpacked.
const MOST_BYTES: usize = 1 << 30;

/// Names a proof by its content: 128 bits of FNV-1a of the text form.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProofId(pub [u8; 16]);

impl ProofId {
    /// The name of the proof with this text.
    pub fn of(text: &str) -> Self {
        Self(fields::digest(text.as_bytes()))
    }
}

impl fmt::Display for ProofId {
    /// 32 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&fields::hex(&self.0))
    }
}

impl FromStr for ProofId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = fields::from_hex(text.trim());
        name.map(Self).ok_or_else(|| {
            let text = fields::shortened(text);
            Error::Fact(format!(
                "`{text}` names no proof, expected 32 hexadecimal digits"
            ))
        })
    }
}

/// What the checker said.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum ProofState {
    /// The attacker wins, whatever the defender does.
    Verified,
    /// The attacker wins against all replies but those that the proof leaves open.
    VerifiedExcept,
    /// The proof is wrong.
    Rejected,
    /// The checker gave up.
    Undecided,
}

impl ProofState {
    const ALL: [Self; 4] = [
        Self::Verified,
        Self::VerifiedExcept,
        Self::Rejected,
        Self::Undecided,
    ];

    /// `verified`, `verified-except`, `rejected` or `undecided`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::VerifiedExcept => "verified-except",
            Self::Rejected => "rejected",
            Self::Undecided => "undecided",
        }
    }

    pub(crate) fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == text)
    }
}

/// A proof that the checker has seen, with its verdict. There is no other way to make one.
#[derive(Debug, Clone)]
pub struct CheckedProof {
    id: ProofId,
    text: String,
    position: Position,
    attacker: Side,
    first: Option<Turn>,
    verdict: Verdict,
    /// When.
    pub(crate) checked: i64,
}

impl CheckedProof {
    /// Has a proof checked, without limits.
    pub fn check(text: impl Into<String>) -> Result<Self> {
        Self::check_within(text, &Limits::default())
    }

    /// Has a proof checked, on a stack that is large enough. An error says that no claim about a position can be read;
    /// a proof that is wrong is an answer.
    pub fn check_within(text: impl Into<String>, limits: &Limits) -> Result<Self> {
        let text = text.into();
        let claim = Claimed::read(&text)?;
        let rules = claim.position.rules().to_string();
        let setup = notation::setup_text(&claim.position.to_setup());
        // The claim as this crate understands it, not as the file words it: what is stored is what was verified.
        let check = || {
            check_partial_claim(
                &text,
                &rules,
                &setup,
                fields::side_text(claim.attacker),
                limits,
            )
        };
        let verdict = thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(STACK);
            let started = builder.spawn_scoped(scope, check);
            let thread = started.map_err(|error| {
                Error::Proof(format!("no thread could be started to check it: {error}"))
            })?;
            Ok::<_, Error>(
                thread
                    .join()
                    .unwrap_or_else(|bug| panic::resume_unwind(bug)),
            )
        })?;
        Ok(Self {
            id: ProofId::of(&text),
            text,
            position: claim.position,
            attacker: claim.attacker,
            first: claim.first,
            verdict,
            checked: fields::now(),
        })
    }

    /// Its name.
    pub const fn id(&self) -> ProofId {
        self.id
    }

    /// The text form.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it is about.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Who wins, if it is right.
    pub const fn attacker(&self) -> Side {
        self.attacker
    }

    /// What the checker said.
    pub const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// What was verified, with or without exceptions.
    pub const fn report(&self) -> Option<&Report> {
        match &self.verdict {
            Verdict::Verified(report) | Verdict::VerifiedExcept(report) => Some(report),
            Verdict::Rejected(_) | Verdict::Undecided(_) => None,
        }
    }

    /// Whether it is verified that this side wins from this position or an image of it, whatever the other one does.
    pub fn proves(&self, position: &Position, winner: Side) -> bool {
        self.verdict.is_verified()
            && self.attacker == winner
            && Place::of(position).canonical.setup == Place::of(&self.position).canonical.setup
    }

    /// The state in one word.
    pub const fn state(&self) -> ProofState {
        match self.verdict {
            Verdict::Verified(_) => ProofState::Verified,
            Verdict::VerifiedExcept(_) => ProofState::VerifiedExcept,
            Verdict::Rejected(_) => ProofState::Rejected,
            Verdict::Undecided(_) => ProofState::Undecided,
        }
    }

    /// Why it was not verified; empty if it was.
    pub fn reason(&self) -> String {
        match &self.verdict {
            Verdict::Verified(_) | Verdict::VerifiedExcept(_) => String::new(),
            Verdict::Rejected(reason) | Verdict::Undecided(reason) => reason.to_string(),
        }
    }

    /// Replies that it leaves open.
    fn open(&self) -> Vec<String> {
        let open = self.report().map(|report| report.except.as_slice());
        let name = |set: &Vec<(i32, i32)>| -> String {
            let cells = set.iter();
            let turn: Turn = cells
                .map(|&(x, y)| tengen_rules::Cell::new(x as i16, y as i16))
                .collect();
            turn.to_string()
        };
        open.unwrap_or_default().iter().map(name).collect()
    }
}

/// What the head of a proof says it is about.
struct Claimed {
    position: Position,
    attacker: Side,
    first: Option<Turn>,
}

impl Claimed {
    fn read(text: &str) -> Result<Self> {
        let mut lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        if lines
            .next()
            .is_none_or(|line| !line.starts_with("tengen-proof"))
        {
            let reason = "it does not begin with `tengen-proof 1`; see docs/proof-format.md";
            return Err(Error::Proof(reason.to_owned()));
        }
        let mut field = |name: &str| {
            let line = lines.next().unwrap_or("");
            let value = line.strip_prefix(name).map(str::trim);
            value.ok_or_else(|| {
                let found = fields::shortened(line);
                Error::Proof(format!("expected a line `{name} ...`, found `{found}`"))
            })
        };
        let (rules, position, attacker) = (field("rules")?, field("position")?, field("attacker")?);
        let attacker = fields::side(attacker).ok_or_else(|| {
            let found = fields::shortened(attacker);
            Error::Proof(format!(
                "the attacker is `{found}`, expected black or white"
            ))
        })?;
        let position =
            fields::position(rules, position).map_err(|error| Error::Proof(error.to_string()))?;
        let root = lines.skip_while(|line| !line.starts_with("nodes")).nth(1);
        let turn = root.and_then(|line| line.split_ascii_whitespace().nth(1));
        // Nothing is concluded from it but what to show.
        let first = turn.and_then(|turn| turn.replace(',', " ").parse::<Turn>().ok());
        Ok(Self {
            first: first.filter(|turn| !turn.is_empty() && position.to_move() == attacker),
            position,
            attacker,
        })
    }
}

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
            let proof = summary_of(transaction, proof.id)?
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
        let text = zstd::bulk::compress(proof.text.as_bytes(), 3)
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
        let known = summary_of(connection, proof.id)?;
        let place = Place::of(&proof.position);
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
                proof.id.0,
                position.0,
                notation::setup_text(&proof.position.to_setup()),
                fields::side_text(proof.attacker),
                open,
                first.unwrap_or_default(),
                proof.state().name(),
                proof.reason(),
                report.map_or(0, |report| report.nodes as i64),
                report.map_or(0, |report| report.depth),
                CHECKER,
                proof.checked,
                added,
                proof.text.len() as i64,
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
