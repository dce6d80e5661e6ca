//! One record as the database keeps it: its main line, and the key of every position.

use tengen_rules::notation::{Format, moves_text};
use tengen_rules::{Action, Cell, Outcome, Position, Record, Rules, Side, Turn};

use crate::api::GameInfo;
use tengen_rules::{PositionKey, position_key};

/// Names and dates are shorter; hostile ones are cut.
const LONGEST_FACT: usize = 200;

/// After so many turns LittleGolem calls a game drawn.
const LITTLE_GOLEM_DRAW: usize = 150;

/// A game, ready to be stored.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) rules: Rules,
    pub(crate) moves: String,
    pub(crate) turns: u32,
    pub(crate) winner: Option<Side>,
    pub(crate) info: GameInfo,
    /// The start and the position after each whole turn.
    pub(crate) positions: Vec<Passed>,
}

/// A position that a game passed through.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) key: PositionKey,
    /// The turn played here, as the canonical image has it.
    pub(crate) next: Option<Turn>,
}

impl Line {
    /// The main line of a record, or why it is left out.
    pub(crate) fn of(record: &Record, format: Format) -> Result<Self, String> {
        let (cells, end) = main_line(record)?;
        let turns = turns_of(record.rules(), &cells);
        let mut info = info_of(record);
        let unfinished = end.outcome().is_none();
        if format == Format::LittleGolem && unfinished && info.result.is_empty() {
            info.result = resignation(&end, turns.len());
        }
        Ok(Self {
            rules: record.rules(),
            moves: moves_text(&cells),
            turns: turns.len() as u32,
            winner: winner(&end, &info.result),
            info,
            positions: positions(record.rules(), &turns),
        })
    }
}

/// The stones in play order, without those that follow the win in the same turn, and the last position.
fn main_line(record: &Record) -> Result<(Vec<Cell>, Position), String> {
    let start = Position::from_setup(&record.start).map_err(|error| error.to_string())?;
    if start != Position::new(record.rules()) {
        return Err("it does not start from the empty board".to_owned());
    }
    let end = record.main_end();
    let is_pass = |id| matches!(record.node(id).action, Action::Pass(_));
    if record.path(end).into_iter().any(is_pass) {
        return Err("a player passes".to_owned());
    }
    let position = record.position(end).map_err(|error| error.to_string())?;
    let cells = position.history().filter_map(|(_, cell)| cell).collect();
    Ok((cells, position))
}

/// The cells turn by turn; the last turn may lack stones.
fn turns_of(rules: Rules, cells: &[Cell]) -> Vec<&[Cell]> {
    let (first, rest) = cells.split_at(cells.len().min(rules.first_turn().into()));
    let first = (!first.is_empty()).then_some(first);
    let others = rest.chunks(rules.per_turn().into());
    first.into_iter().chain(others).collect()
}

fn positions(rules: Rules, turns: &[&[Cell]]) -> Vec<Passed> {
    let mut position = Position::new(rules);
    let mut passed = Vec::with_capacity(turns.len() + 1);
    for turn in turns {
        let (key, canonical) = position_key(&position);
        let side = position.to_move();
        for &cell in *turn {
            position.place(cell).expect("the record was replayed");
        }
        let whole = position.outcome().is_some() || position.to_move() != side;
        let next = whole.then(|| turn.iter().map(|&cell| canonical.map(cell)).collect());
        passed.push(Passed { key, next });
        if !whole {
            return passed;
        }
    }
    let (key, _) = position_key(&position);
    passed.push(Passed { key, next: None });
    passed
}

/// LittleGolem's text has no results. Its games end with a line, as draws after many turns, or when the side to
/// move resigns.
fn resignation(end: &Position, turns: usize) -> String {
    let whole = end.to_setup().left.is_none();
    if whole && (1..LITTLE_GOLEM_DRAW).contains(&turns) {
        format!("{}+R", (!end.to_move()).letter())
    } else {
        String::new()
    }
}

fn winner(end: &Position, result: &str) -> Option<Side> {
    if let Some(Outcome::Win { side, .. }) = end.outcome() {
        return Some(*side);
    }
    let result = result.trim_start().to_ascii_uppercase();
    let named = |side: &Side| {
        let words = [format!("{}+", side.letter()), format!("{side}+")];
        words
            .iter()
            .any(|word| result.starts_with(&word.to_ascii_uppercase()))
    };
    Side::BOTH.into_iter().find(named)
}

fn info_of(record: &Record) -> GameInfo {
    let cut = |text: &str| -> String { text.trim().chars().take(LONGEST_FACT).collect() };
    let info = &record.info;
    GameInfo {
        black: cut(&info.black),
        white: cut(&info.white),
        result: cut(&info.result),
        date: cut(&info.date),
        place: cut(&info.place),
        event: cut(if info.event.is_empty() {
            &info.name
        } else {
            &info.event
        }),
        source: cut(&info.source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::notation::{self, ReadOptions};
    use tengen_rules::{Placement, Setup};

    fn lines(format: Format, text: &str) -> Vec<Result<Line, String>> {
        let records = notation::read(format, text.as_bytes(), &ReadOptions::default());
        let records = records.expect("readable");
        records
            .iter()
            .map(|record| Line::of(record, format))
            .collect()
    }

    fn line(format: Format, text: &str) -> Line {
        lines(format, text).remove(0).expect("a legal game")
    }

    #[test]
    fn positions_are_those_after_whole_turns() {
        let whole = line(Format::Moves, "J10 I8 H9");
        assert_eq!((whole.turns, whole.positions.len()), (2, 3));
        assert_eq!(whole.positions[2].next, None);
        let half = line(Format::Moves, "J10 I8 H9 K11");
        assert_eq!(
            (half.turns, half.positions.len()),
            (3, 3),
            "a half-turn has no position"
        );
        assert_eq!(
            half.positions[2], whole.positions[2],
            "nor is it a next turn"
        );
        let empty = line(Format::Moves, "-");
        assert_eq!((empty.turns, empty.positions.len()), (0, 1));
        let turned = line(Format::Moves, "J10 K12 L11");
        assert_eq!(turned.positions[2].key, whole.positions[2].key);
    }

    #[test]
    fn winners_come_from_lines_results_and_resignations() {
        let won = "1 a1 b2c2 d1e1 b3c3 f1g1 b4c4 h1i1";
        let mut game = line(
            Format::LittleGolem,
            &won.replace("d1e1", "b1c1")
                .replace("f1g1", "d1e1")
                .replace("h1i1", "f1k9"),
        );
        assert_eq!(game.winner, Some(Side::Black));
        assert!(
            game.moves.ends_with("F1"),
            "what follows the win is left out: {}",
            game.moves
        );
        assert_eq!(game.info.result, "");
        game = line(Format::LittleGolem, "7 j10 k10k11");
        assert_eq!(
            (game.winner, game.info.result.as_str()),
            (Some(Side::White), "W+R")
        );
        assert_eq!(game.info.source, "littlegolem 7");
        let sgf = |result| {
            line(
                Format::Sgf,
                &format!("(;GM[511]RE[{result}];B[JJ];W[II];W[HH])"),
            )
            .winner
        };
        assert_eq!(sgf("B+R"), Some(Side::Black));
        assert_eq!(sgf("White+12"), Some(Side::White));
        assert_eq!((sgf("0"), sgf("Void"), sgf("")), (None, None, None));
        assert_eq!(line(Format::Moves, "J10 K10 K11").winner, None);
    }

    #[test]
    fn what_is_no_game_from_the_empty_board_is_left_out() {
        let reason = |format, text| lines(format, text).remove(0).expect_err("left out");
        assert!(reason(Format::Setup, "B:J10 to-move:W").contains("empty board"));
        assert!(reason(Format::Sgf, "(;GM[511];B[JJ];W[JJ])").contains("occupied"));
        let mut passing = Record::new(Setup::empty(Rules::GOMOKU));
        let cell = Cell::new(7, 7);
        let stone = Placement {
            side: Side::Black,
            cell,
        };
        let first = passing.add(Record::ROOT, Action::Place(stone));
        passing.add(first, Action::Pass(Side::White));
        assert!(
            Line::of(&passing, Format::Sgf)
                .expect_err("a pass")
                .contains("passes")
        );
    }

    #[test]
    fn long_names_are_cut_and_variations_are_ignored() {
        let name = "x".repeat(5000);
        let text = format!("(;GM[511]PB[{name}];B[JJ](;W[II];W[HH])(;W[KK];W[KK]))");
        let game = line(Format::Sgf, &text);
        assert_eq!(game.info.black.len(), LONGEST_FACT);
        assert_eq!(game.moves, "J10 I9 H8");
    }
}
