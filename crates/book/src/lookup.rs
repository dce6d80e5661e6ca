//! What the book knows of a position, in the orientation in which it is asked.

use rusqlite::Connection;
use tengen_rules::{Cell, Position, Rules, Side, Turn, notation};

use crate::facts::{Claim, Comment, Name, Opinion, Source};
use crate::games::{self, STATS, Stats};
use crate::place::{self, Place, parsed_turn};
use crate::{Book, Error, Marks, PositionId, ProofId, ProofSummary, Result, fields, names, proofs};

/// What is known of a position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    /// Whether the book has the position at all.
    pub known: bool,
    /// The name of its opening, computed: `TX-d21`.
    pub opening: Option<String>,
    /// Traditional names.
    pub names: Vec<Name>,
    /// Who wins for certain, with a verified proof.
    pub proved: Option<(Side, ProofId)>,
    /// All proofs about it, verified ones first.
    pub proofs: Vec<ProofSummary>,
    /// Who is said to win; not checked.
    pub claims: Vec<Claim>,
    /// What is thought of it, the newest first.
    pub opinions: Vec<Opinion>,
    /// Comments, the oldest first.
    pub comments: Vec<Comment>,
    /// Games that went on from here.
    pub stats: Stats,
    /// Known turns: proved wins of the side to move first, then the most played. Of turns that a symmetry of the
    /// position exchanges there is one.
    pub turns: Vec<TurnEntry>,
}

/// A turn and what is known of the position after it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEntry {
    /// In the orientation of the position that was asked about. Fewer stones than a whole turn lead into the middle of
    /// one.
    pub turn: Turn,
    /// Whether it ends the game.
    pub ends: bool,
    /// The name of the opening after it.
    pub opening: Option<String>,
    /// Traditional names of the position after it.
    pub names: Vec<Name>,
    /// Who wins after it for certain.
    pub proved: Option<(Side, ProofId)>,
    /// Who is said to win after it; not checked.
    pub claims: Vec<Claim>,
    /// What is thought of the position after it, the newest first.
    pub opinions: Vec<Opinion>,
    /// How many comments there are on the position after it.
    pub comments: u64,
    /// How many turns are known after it.
    pub turns: u64,
    /// Games in which it was played.
    pub stats: Stats,
}

impl Book {
    /// What is known of a position or an image of it, in this orientation.
    pub fn lookup(&self, position: &Position) -> Result<Entry> {
        self.read(|connection| lookup(connection, position))
    }

    /// All positions of a game in the order in which they came, in the stored orientation.
    pub fn positions(&self, rules: Rules) -> Result<Vec<Position>> {
        self.read(|connection| {
            let sql = "SELECT id FROM positions WHERE rules = ? ORDER BY id";
            let mut query = connection.prepare_cached(sql)?;
            let rows = query.query_map([rules.to_string()], |row| row.get(0).map(PositionId))?;
            rows.map(|id| place::stored(connection, id?)).collect()
        })
    }

    /// The positions that have this name: computed or traditional, of either case.
    pub fn named(&self, name: &str) -> Result<Vec<Position>> {
        if let Some(position) = names::position_of(name) {
            return Ok(vec![position]);
        }
        self.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT DISTINCT positions.id FROM names JOIN positions ON positions.id = position \
                 WHERE lower(name) = lower(?) ORDER BY rules, setup",
            )?;
            let rows = query.query_map([name.trim()], |row| row.get(0).map(PositionId))?;
            rows.map(|id| place::stored(connection, id?)).collect()
        })
    }
}

fn lookup(connection: &Connection, position: &Position) -> Result<Entry> {
    let place = Place::of(position);
    let opening = names::name_of(position);
    let Some(id) = place.find(connection)? else {
        return Ok(Entry {
            opening,
            ..Entry::default()
        });
    };
    Ok(Entry {
        known: true,
        opening,
        names: names_of(connection, id)?,
        proved: proofs::proved_at(connection, id)?,
        proofs: proofs::proofs_at(connection, id)?,
        claims: claims_of(connection, id)?,
        opinions: opinions_of(connection, id)?,
        comments: comments_of(connection, id, &place)?,
        stats: games::stats_of(connection, id)?,
        turns: turns_of(connection, id, &place, position)?,
    })
}

fn turns_of(
    connection: &Connection,
    id: PositionId,
    place: &Place,
    position: &Position,
) -> Result<Vec<TurnEntry>> {
    let mut query = connection.prepare_cached(&format!(
        "SELECT stones, child, {STATS} FROM turns LEFT JOIN plays ON plays.turn = turns.id \
         LEFT JOIN games ON games.id = plays.game WHERE parent = ? GROUP BY turns.id"
    ))?;
    let rows = query.query_map([id.0], |row| {
        let child: Option<i64> = row.get(1)?;
        let stones: String = row.get(0)?;
        Ok((stones, child.map(PositionId), games::stats(row, 2)?))
    })?;
    let mut turns = Vec::new();
    for row in rows {
        let (stones, child, stats) = row?;
        let stored = parsed_turn(&stones)?;
        let turn = place.turn_back(&stored, None);
        let turn = place.turn_back(&stored, as_named(position, &turn).as_ref());
        turns.push(turn_entry(connection, position, turn, child, stats)?);
    }
    let mover = position.to_move();
    let rank = |entry: &TurnEntry| match entry.proved {
        Some((winner, _)) if winner == mover => 0,
        Some(_) => 2,
        None => 1,
    };
    turns.sort_by(|a, b| {
        let order = |entry: &TurnEntry| (!entry.ends, rank(entry), u64::MAX - entry.stats.games);
        (order(a), &a.turn).cmp(&(order(b), &b.turn))
    });
    Ok(turns)
}

/// White's first turn as the name of the opening has it.
fn as_named(position: &Position, turn: &Turn) -> Option<Turn> {
    let setup = position.to_setup();
    let centre = position.rules() == names::RULES && setup.black == [names::CENTRE];
    let white = <[Cell; 2]>::try_from(turn.cells()).ok()?;
    let named = (centre && setup.white.is_empty()).then(|| names::named(white))??;
    Some(named.white.into_iter().collect())
}

fn turn_entry(
    connection: &Connection,
    position: &Position,
    turn: Turn,
    child: Option<PositionId>,
    stats: Stats,
) -> Result<TurnEntry> {
    let mut entry = TurnEntry {
        turn,
        ends: child.is_none(),
        opening: None,
        names: Vec::new(),
        proved: None,
        claims: Vec::new(),
        opinions: Vec::new(),
        comments: 0,
        turns: 0,
        stats,
    };
    let Some(child) = child else {
        return Ok(entry);
    };
    let mut after = position.clone();
    let placed = entry
        .turn
        .into_iter()
        .try_for_each(|cell| after.place(cell));
    placed.map_err(|error| Error::Damaged(error.to_string()))?;
    let first_three = after.count(Side::Black) + after.count(Side::White) == 3;
    entry.opening = first_three.then(|| names::name_of(&after)).flatten();
    entry.names = names_of(connection, child)?;
    entry.proved = proofs::proved_at(connection, child)?;
    entry.claims = claims_of(connection, child)?;
    entry.opinions = opinions_of(connection, child)?;
    let count = |query: &str| -> Result<u64> {
        let number: i64 = connection
            .prepare_cached(query)?
            .query_row([child.0], |row| row.get(0))?;
        Ok(number as u64)
    };
    entry.comments = count("SELECT count(*) FROM comments WHERE position = ?")?;
    entry.turns = count("SELECT count(*) FROM turns WHERE parent = ?")?;
    Ok(entry)
}

/// The source in a row from column `at` on.
pub(crate) fn source(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Source> {
    Ok(Source {
        name: row.get(at)?,
        url: row.get(at + 1)?,
        licence: row.get(at + 2)?,
    })
}

pub(crate) fn names_of(connection: &Connection, id: PositionId) -> Result<Vec<Name>> {
    let mut query = connection.prepare_cached(
        "SELECT names.name, language, at, sources.name, url, licence FROM names \
         JOIN sources ON sources.id = source WHERE position = ? ORDER BY language, names.name, sources.name",
    )?;
    let rows = query.query_map([id.0], |row| {
        Ok(Name {
            name: row.get(0)?,
            language: row.get(1)?,
            at: row.get(2)?,
            source: source(row, 3)?,
        })
    })?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

pub(crate) fn claims_of(connection: &Connection, id: PositionId) -> Result<Vec<Claim>> {
    let mut query = connection.prepare_cached(
        "SELECT winner, at, name, url, licence FROM claims JOIN sources ON sources.id = source \
         WHERE position = ? ORDER BY at, winner, name",
    )?;
    let rows = query.query_map([id.0], |row| {
        Ok((row.get::<_, String>(0)?, row.get(1)?, source(row, 2)?))
    })?;
    rows.map(|row| {
        let (winner, at, source) = row?;
        let winner = fields::side(&winner)
            .ok_or_else(|| Error::Damaged(format!("`{winner}` is no side")))?;
        Ok(Claim { winner, source, at })
    })
    .collect()
}

pub(crate) fn opinions_of(connection: &Connection, id: PositionId) -> Result<Vec<Opinion>> {
    let mut query = connection.prepare_cached(
        "SELECT verdict, score, at, name, url, licence FROM opinions JOIN sources ON sources.id = source \
         WHERE position = ? ORDER BY at DESC, name, verdict, score",
    )?;
    let rows = query.query_map([id.0], |row| {
        Ok(Opinion {
            verdict: row.get(0)?,
            score: row.get(1)?,
            at: row.get(2)?,
            source: source(row, 3)?,
        })
    })?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

/// Comments with marks turned into the orientation of `place`'s original.
fn comments_of(connection: &Connection, id: PositionId, place: &Place) -> Result<Vec<Comment>> {
    let mut comments = written(connection, id)?;
    for comment in &mut comments {
        if !comment.marks.is_empty() {
            let rules = place.rules().to_string();
            let written = Place::of(&place::parsed(&rules, &comment.written_for)?);
            let moved = |cell| place.canonical.map_back(written.canonical.map(cell));
            comment.marks = comment.marks.moved(moved);
        }
    }
    Ok(comments)
}

/// Comments with marks as they were written.
pub(crate) fn written(connection: &Connection, id: PositionId) -> Result<Vec<Comment>> {
    let mut query = connection.prepare_cached(
        "SELECT text, language, marks, written_for, at, name, url, licence FROM comments \
         JOIN sources ON sources.id = source WHERE position = ? ORDER BY at, language, text, name",
    )?;
    let rows = query.query_map([id.0], |row| {
        let marks: String = row.get(2)?;
        let comment = Comment {
            text: row.get(0)?,
            language: row.get(1)?,
            marks: Marks::default(),
            written_for: row.get(3)?,
            at: row.get(4)?,
            source: source(row, 5)?,
        };
        Ok((comment, marks))
    })?;
    rows.map(|row| {
        let (mut comment, marks) = row?;
        comment.marks = marks_of(&marks)?;
        Ok(comment)
    })
    .collect()
}

/// Stored marks.
pub(crate) fn marks_of(text: &str) -> Result<Marks> {
    if text.is_empty() {
        return Ok(Marks::default());
    }
    serde_json::from_str(text).map_err(|error| Error::Damaged(format!("marks: {error}")))
}

impl Comment {
    /// Whether the text speaks of cells as this position has them.
    pub fn speaks_of(&self, position: &Position) -> bool {
        self.written_for == notation::setup_text(&position.to_setup())
    }
}
