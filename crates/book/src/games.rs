//! Games: each counts once, however often it is imported, and its turns make the statistics.

use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use tengen_rules::notation::{self, Format, moves_text};
use tengen_rules::{Action, Cell, Outcome, Position, Record, Rules, Side, Turn};

use crate::facts::{Stored, put_source};
use crate::{Error, PositionId, Result, Source, fields};

/// Names and dates are shorter; hostile ones are cut.
const LONGEST_FACT: usize = 200;

/// After so many turns LittleGolem calls a game drawn.
const LITTLE_GOLEM_DRAW: usize = 150;

/// A game. Empty texts mean "not known".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Game {
    /// The rules, by name.
    pub rules: String,
    /// The stones in play order, from the empty board.
    pub moves: String,
    /// Black's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub black: String,
    /// White's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub white: String,
    /// In SGF's words: `B+R`, `0`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub result: String,
    /// When.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The tournament.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// Where.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Where the record comes from, and the game's name there.
    pub sources: Vec<(Source, String)>,
}

/// How often, and who won.
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Won by Black.
    pub black: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// The first and the last year, if known.
    pub years: Option<(i32, i32)>,
}

impl Game {
    /// The main line of a record, or why it is no game.
    pub fn of(record: &Record, format: Format, source: &Source) -> Result<Self> {
        let refused = |reason: String| Error::Notation(reason);
        let start = Position::from_setup(&record.start).map_err(|e| refused(e.to_string()))?;
        if start != Position::new(record.rules()) {
            return Err(refused("it does not start from the empty board".to_owned()));
        }
        let last = record.main_end();
        let is_pass = |id| matches!(record.node(id).action, Action::Pass(_));
        if record.path(last).into_iter().any(is_pass) {
            return Err(refused("a player passes".to_owned()));
        }
        let end = record.position(last).map_err(|e| refused(e.to_string()))?;
        let cells: Vec<Cell> = end.history().filter_map(|(_, cell)| cell).collect();
        let cut = |text: &str| -> String { text.trim().chars().take(LONGEST_FACT).collect() };
        let info = &record.info;
        let mut result = cut(&info.result);
        if format == Format::LittleGolem && end.outcome().is_none() && result.is_empty() {
            result = resignation(&end, turns_of(record.rules(), &cells).len());
        }
        let named = if info.event.is_empty() {
            &info.name
        } else {
            &info.event
        };
        Ok(Self {
            rules: record.rules().to_string(),
            moves: moves_text(&cells),
            black: cut(&info.black),
            white: cut(&info.white),
            result,
            date: cut(&info.date),
            event: cut(named),
            place: cut(&info.place),
            sources: vec![(source.clone(), cut(&info.source))],
        })
    }

    /// What makes it this game. A game that nobody has put a name or a date to is told by what its source calls it.
    fn digest(&self) -> [u8; 16] {
        let texts = [
            &self.rules,
            &self.moves,
            &self.black,
            &self.white,
            &self.date,
            &self.event,
        ];
        let mut parts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let nameless = texts[2..].iter().all(|text| text.is_empty());
        if let Some((_, origin)) = self.sources.first().filter(|_| nameless) {
            parts.push(origin.as_bytes());
        }
        fields::digest_of(&parts)
    }
}

/// Stores a game; whether the book did not have it.
pub(crate) fn put_game(connection: &Connection, game: &Game) -> Result<bool> {
    let digest = game.digest();
    let known: Option<(i64, String, String)> = connection
        .prepare_cached("SELECT id, result, place FROM games WHERE digest = ?")?
        .query_row([digest], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let id = match &known {
        Some((id, result, place)) => {
            // Whoever knows more is right; of two that differ, the same one whichever came first.
            let (result, place) = (result.max(&game.result), place.max(&game.place));
            let rules = rules(&game.rules)?;
            let end = replayed(rules, &game.moves)?.1;
            connection
                .prepare_cached("UPDATE games SET result = ?, place = ?, winner = ? WHERE id = ?")?
                .execute(params![result, place, winner(&end, result), id])?;
            *id
        }
        None => insert(connection, game, &digest)?,
    };
    for (source, origin) in &game.sources {
        let source = put_source(connection, source)?;
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO game_sources (game, source, origin) VALUES (?, ?, ?)",
            )?
            .execute(params![id, source, origin])?;
    }
    Ok(known.is_none())
}

fn insert(connection: &Connection, game: &Game, digest: &[u8; 16]) -> Result<i64> {
    let rules = rules(&game.rules)?;
    let (cells, end) = replayed(rules, &game.moves)?;
    connection
        .prepare_cached(
            "INSERT INTO games (digest, rules, moves, winner, year, black, white, result, date, event, place) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            digest,
            rules.to_string(),
            moves_text(&cells),
            winner(&end, &game.result),
            year(&game.date),
            game.black,
            game.white,
            game.result,
            game.date,
            game.event,
            game.place,
        ])?;
    let id = connection.last_insert_rowid();
    let mut played =
        connection.prepare_cached("INSERT OR IGNORE INTO plays (turn, game) VALUES (?, ?)")?;
    let mut at = Some(Stored::of(connection, Position::new(rules))?);
    for cells in turns_of(rules, &cells) {
        let Some(before) = at.as_ref().filter(|at| is_whole(&at.position, cells)) else {
            break;
        };
        let turn: Turn = cells.iter().copied().collect();
        let (number, after) = before.play(connection, &turn)?;
        played.execute([number, id])?;
        at = after;
    }
    Ok(id)
}

fn rules(text: &str) -> Result<Rules> {
    text.parse()
        .map_err(|error: tengen_rules::ParseRulesError| Error::Fact(error.to_string()))
}

fn replayed(rules: Rules, moves: &str) -> Result<(Vec<Cell>, Position)> {
    let cells =
        notation::parse_moves(moves, rules).map_err(|error| Error::Fact(error.to_string()))?;
    let end = Position::replay(rules, &cells).map_err(|(_, e)| Error::Fact(e.to_string()))?;
    Ok((cells, end))
}

/// The cells turn by turn; the last turn may lack stones.
fn turns_of(rules: Rules, cells: &[Cell]) -> Vec<&[Cell]> {
    let (first, rest) = cells.split_at(cells.len().min(rules.first_turn().into()));
    let first = (!first.is_empty()).then_some(first);
    let others = rest.chunks(rules.per_turn().into());
    first.into_iter().chain(others).collect()
}

/// Whether these are all stones of a turn. Half a turn at the end of a record is no choice yet.
fn is_whole(position: &Position, cells: &[Cell]) -> bool {
    let mut after = position.clone();
    let placed = cells.iter().try_for_each(|&cell| after.place(cell));
    placed.is_ok() && (after.outcome().is_some() || after.to_move() != position.to_move())
}

/// LittleGolem's text has no results. Its games end with a line, as draws after many turns, or when the side to move
/// resigns.
fn resignation(end: &Position, turns: usize) -> String {
    let whole = end.to_setup().left.is_none();
    if whole && (1..LITTLE_GOLEM_DRAW).contains(&turns) {
        format!("{}+R", (!end.to_move()).letter())
    } else {
        String::new()
    }
}

/// `black`, `white`, `draw`, or nothing.
fn winner(end: &Position, result: &str) -> &'static str {
    match end.outcome() {
        Some(Outcome::Win { side, .. }) => return fields::side_text(*side),
        Some(Outcome::Draw) => return "draw",
        None => {}
    }
    let result = result.trim().to_ascii_uppercase();
    let won_by = |side: &Side| {
        let words = [format!("{}+", side.letter()), format!("{side}+")];
        words
            .iter()
            .any(|word| result.starts_with(&word.to_ascii_uppercase()))
    };
    match Side::BOTH.into_iter().find(won_by) {
        Some(side) => fields::side_text(side),
        None if result == "0" || result == "DRAW" => "draw",
        None => "",
    }
}

/// The first number in a date that can be a year.
fn year(date: &str) -> Option<i32> {
    let numbers = date.split(|c: char| !c.is_ascii_digit());
    let mut years = numbers.filter(|number| number.len() == 4);
    years.find_map(|number| {
        number
            .parse()
            .ok()
            .filter(|year| (1800..2200).contains(year))
    })
}

/// The columns of [`stats`], over `games`.
pub(crate) const STATS: &str = "count(games.id), count(CASE winner WHEN 'black' THEN 1 END), \
     count(CASE winner WHEN 'white' THEN 1 END), count(CASE winner WHEN 'draw' THEN 1 END), min(year), max(year)";

/// What stands in a row from column `at` on.
pub(crate) fn stats(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Stats> {
    let number = |index: usize| row.get::<_, i64>(at + index).map(|number| number as u64);
    let years: (Option<i32>, Option<i32>) = (row.get(at + 4)?, row.get(at + 5)?);
    Ok(Stats {
        games: number(0)?,
        black: number(1)?,
        white: number(2)?,
        draws: number(3)?,
        years: years.0.zip(years.1),
    })
}

/// Games that went on from this position.
pub(crate) fn stats_of(connection: &Connection, position: PositionId) -> Result<Stats> {
    let mut query = connection.prepare_cached(&format!(
        "SELECT {STATS} FROM games WHERE id IN \
         (SELECT game FROM plays JOIN turns ON turns.id = turn WHERE parent = ?)"
    ))?;
    Ok(query.query_row([position.0], |row| stats(row, 0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Book, ImportOptions};

    fn import(book: &Book, format: Format, text: &str) -> crate::Imported {
        let options = ImportOptions {
            source: Source::named("a test"),
            ..ImportOptions::default()
        };
        book.import(text.as_bytes(), format, &options)
            .expect("games")
    }

    fn stats_at(book: &Book, moves: &str) -> Stats {
        let position = crate::start("connect6", moves).expect("legal");
        book.lookup(&position).expect("readable").stats
    }

    #[test]
    fn a_game_counts_once_and_turned_games_are_one_opening() {
        let book = Book::in_memory().expect("a book");
        let text = "1 j10 i8h9 k11l10\n2 j10 k12l11 i9h10\n3 j10 i8h8\n";
        let first = import(&book, Format::LittleGolem, text);
        assert_eq!((first.games, first.known_games), (3, 0));
        let again = import(&book, Format::LittleGolem, text);
        assert_eq!((again.games, again.known_games), (0, 3));
        let stats = stats_at(&book, "J10 I8 H9");
        assert_eq!(
            (stats.games, stats.black, stats.white),
            (2, 2, 0),
            "White resigns"
        );
        assert_eq!(stats_at(&book, "J10").games, 3);
        let first = crate::start("connect6", "J10").expect("legal");
        let turns = book.lookup(&first).expect("readable").turns;
        let counts: Vec<u64> = turns.iter().map(|turn| turn.stats.games).collect();
        assert_eq!(counts, [2, 1]);
        // As the names of openings have them.
        assert_eq!(turns[0].turn.to_string(), "H9 I8");
        assert_eq!(turns[0].opening.as_deref(), Some("TX-d21"));
    }

    #[test]
    fn half_a_turn_is_no_turn() {
        let book = Book::in_memory().expect("a book");
        import(&book, Format::Moves, "J10 I8 H9 K11\n");
        let end = crate::start("connect6", "J10 I8 H9").expect("legal");
        let entry = book.lookup(&end).expect("readable");
        assert!(entry.known && entry.turns.is_empty());
        assert_eq!(stats_at(&book, "J10").games, 1);
    }

    #[test]
    fn games_are_told_apart_by_players_date_and_event() {
        let book = Book::in_memory().expect("a book");
        let game = |black: &str, date: &str| {
            format!("(;GM[511]PB[{black}]PW[b]DT[{date}]RE[B+];B[JJ];W[IH];W[HI])")
        };
        let text = [
            game("a", "2009-01-02"),
            game("a", "2011"),
            game("c", "2009-01-02"),
        ]
        .concat();
        assert_eq!(import(&book, Format::Sgf, &text).games, 3);
        assert_eq!(import(&book, Format::Sgf, &text).games, 0);
        let stats = stats_at(&book, "J10");
        assert_eq!((stats.games, stats.black), (3, 3));
        assert_eq!(stats.years, Some((2009, 2011)));
    }

    #[test]
    fn years_and_results_are_understood() {
        assert_eq!(year("2009-01-02"), Some(2009));
        assert_eq!(year("12.5.1999"), Some(1999));
        assert_eq!(year("0000"), None);
        let end = Position::new(Rules::CONNECT6);
        for (text, expected) in [
            ("B+R", "black"),
            ("White+", "white"),
            ("0", "draw"),
            ("?", ""),
        ] {
            assert_eq!(winner(&end, text), expected, "{text}");
        }
    }
}
