//! Proofs in the database: the compact file, and what the independent checker says of it.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use tengen_prover::Proof;
use tengen_rules::{Cell, Position};

use super::jobs::{json, parsed, word};
use super::now;
use crate::api::{ProofState, ProofSummary, Side, Turn};
use crate::convert;
use crate::error::Failure;
use tengen_rules::position_key;

/// A proof to be stored. Made outside of transactions: packing a large one takes a while.
pub(crate) struct NewProof {
    title: String,
    rules: String,
    position: String,
    moves: String,
    attacker: Side,
    to_move: Side,
    nodes: u32,
    except: Vec<Turn>,
    /// The attacker's first turn.
    first: Vec<Cell>,
    check: Check,
    key: tengen_rules::PositionKey,
    file: Vec<u8>,
}

impl NewProof {
    /// The proof with its start, which must be the proof's position.
    pub(crate) fn new(title: String, proof: &Proof, position: &Position, check: Check) -> Self {
        Self {
            title,
            rules: position.rules().to_string(),
            position: convert::setup(&position.to_setup()),
            moves: convert::moves(position),
            attacker: proof.attacker.into(),
            to_move: position.to_move().into(),
            nodes: proof.nodes.len() as u32,
            except: names(&proof.except),
            first: first(proof),
            check,
            key: position_key(position).0,
            file: proof.to_compact(),
        }
    }
}

/// What the checker has said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Check {
    pub(crate) state: ProofState,
    pub(crate) reason: Option<String>,
    /// The winner's turns against the longest defence.
    pub(crate) turns: Option<u32>,
    pub(crate) seconds: Option<f64>,
}

impl Check {
    /// Nobody has looked at it.
    pub(crate) const NONE: Self = Self {
        state: ProofState::Unverified,
        reason: None,
        turns: None,
        seconds: None,
    };
}

/// Which checker it is.
const CHECKER: &str = concat!("tengen-checker ", env!("CARGO_PKG_VERSION"));

const COLUMNS: &str = "id, title, rules, position, moves, attacker, to_move, nodes, length(file), turns, state, \
     reason, \"except\", checked, check_seconds, checker, created";

/// Stores a proof. The same file, or one about the same position and attacker that the checker has found as good,
/// is not stored again: then that one is the answer.
pub(crate) fn insert(connection: &Connection, new: &NewProof) -> Result<ProofSummary, Failure> {
    if let Some(known) = as_good(connection, new)? {
        return Ok(known);
    }
    let checked = new.check.seconds.map(|_| now());
    connection.execute(
        "INSERT INTO proofs (title, rules, position, moves, attacker, to_move, nodes, turns, state, reason, \
         \"except\", checked, check_seconds, checker, created, key, file) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            new.title,
            new.rules,
            new.position,
            new.moves,
            word(&new.attacker)?,
            word(&new.to_move)?,
            new.nodes,
            new.check.turns,
            word(&new.check.state)?,
            new.check.reason,
            json(&new.except)?,
            checked,
            new.check.seconds,
            checked.map(|_| CHECKER),
            now(),
            new.key,
            new.file,
        ],
    )?;
    get(connection, connection.last_insert_rowid() as u32)
}

/// The stored proof that makes another one superfluous.
fn as_good(connection: &Connection, new: &NewProof) -> Result<Option<ProofSummary>, Failure> {
    let mut same = connection.prepare_cached(&format!(
        "SELECT {COLUMNS}, file FROM proofs WHERE key = ? AND rules = ? AND position = ? AND attacker = ?"
    ))?;
    let attacker = word(&new.attacker)?;
    let about = params![new.key, new.rules, new.position, attacker];
    let rows = same.query_map(about, |row| Ok((summary(row), row.get::<_, Vec<u8>>(17)?)))?;
    for row in rows {
        let (known, file) = row?;
        let known = known?;
        if file == new.file {
            if new.check.seconds.is_some() {
                set_check(connection, known.id, &new.check)?;
            }
            return get(connection, known.id).map(Some);
        }
        if covers(&known, &new.check, &new.except) && begins_with(&file, &new.first) {
            return Ok(Some(known));
        }
    }
    Ok(None)
}

/// Whether a known proof shows at least as much.
fn covers(known: &ProofSummary, check: &Check, except: &[Turn]) -> bool {
    match known.state {
        // A shorter win says more.
        ProofState::Verified => check.turns.is_some() && known.turns <= check.turns,
        ProofState::VerifiedExcept => {
            check.state == ProofState::VerifiedExcept && known.except == *except
        }
        _ => false,
    }
}

/// Whether the attacker begins with this turn: another one is worth keeping.
fn begins_with(file: &[u8], turn: &[Cell]) -> bool {
    Proof::from_compact(file).is_ok_and(|proof| first(&proof) == turn)
}

fn first(proof: &Proof) -> Vec<Cell> {
    let root = proof.nodes.first();
    root.map_or_else(Vec::new, |node| node.turn.clone())
}

/// One proof.
pub(crate) fn get(connection: &Connection, id: u32) -> Result<ProofSummary, Failure> {
    let query = format!("SELECT {COLUMNS} FROM proofs WHERE id = ?");
    let found = connection.query_row(&query, [id], |row| Ok(summary(row)));
    found.optional()?.ok_or_else(|| missing(id))?
}

/// All proofs, newest first.
pub(crate) fn all(connection: &Connection) -> Result<Vec<ProofSummary>, Failure> {
    let query = format!("SELECT {COLUMNS} FROM proofs ORDER BY id DESC");
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map([], |row| Ok(summary(row)))?;
    let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
    rows.into_iter().collect()
}

/// The compact file.
pub(crate) fn file(connection: &Connection, id: u32) -> Result<Vec<u8>, Failure> {
    let query = "SELECT file FROM proofs WHERE id = ?";
    let found = connection.query_row(query, [id], |row| row.get(0));
    found.optional()?.ok_or_else(|| missing(id))
}

/// Stores what the checker says.
pub(crate) fn set_check(connection: &Connection, id: u32, check: &Check) -> Result<(), Failure> {
    let checked = check.seconds.map(|_| now());
    connection.execute(
        "UPDATE proofs SET state = ?, reason = ?, turns = ?, checked = ?, check_seconds = ?, checker = ? \
         WHERE id = ?",
        params![
            word(&check.state)?,
            check.reason,
            check.turns,
            checked,
            check.seconds,
            checked.map(|_| CHECKER),
            id
        ],
    )?;
    Ok(())
}

/// Gives it another name.
pub(crate) fn rename(connection: &Connection, id: u32, title: &str) -> Result<(), Failure> {
    match connection.execute(
        "UPDATE proofs SET title = ? WHERE id = ?",
        params![title, id],
    )? {
        0 => Err(missing(id)),
        _ => Ok(()),
    }
}

/// Deletes it.
pub(crate) fn delete(connection: &Connection, id: u32) -> Result<(), Failure> {
    match connection.execute("DELETE FROM proofs WHERE id = ?", [id])? {
        0 => Err(missing(id)),
        _ => Ok(()),
    }
}

fn missing(id: u32) -> Failure {
    Failure::NotFound(format!("there is no proof {id}; it may have been deleted"))
}

fn summary(row: &Row<'_>) -> Result<ProofSummary, Failure> {
    let side = |column| -> Result<Side, Failure> {
        parsed(&format!("\"{}\"", row.get::<_, String>(column)?))
    };
    Ok(ProofSummary {
        id: row.get(0)?,
        title: row.get(1)?,
        rules: row.get(2)?,
        position: row.get(3)?,
        moves: row.get(4)?,
        attacker: side(5)?,
        to_move: side(6)?,
        nodes: row.get(7)?,
        bytes: row.get(8)?,
        turns: row.get(9)?,
        state: parsed(&format!("\"{}\"", row.get::<_, String>(10)?))?,
        reason: row.get(11)?,
        except: parsed(&row.get::<_, String>(12)?)?,
        checked: row.get(13)?,
        check_seconds: row.get(14)?,
        checker: row.get(15)?,
        created: row.get(16)?,
    })
}

fn names(sets: &[Vec<Cell>]) -> Vec<Turn> {
    sets.iter().map(|set| convert::names(set)).collect()
}
