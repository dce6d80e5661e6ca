//! What a picture of a position shows, whether drawn with characters or as SVG: which part of the
//! board, which stones belong to which turn, and what the caption says.

use std::collections::BTreeMap;

use tengen_rules::{Cell, Outcome, Overline, Position, Rules, Side};

/// The rectangle of cells that is drawn.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The lower left cell.
    pub(crate) low: Cell,
    /// The upper right cell.
    pub(crate) high: Cell,
    /// Whether the board goes on outside.
    pub(crate) cut: bool,
}

impl Frame {
    /// The whole board; of an infinite one the box around the stones with a margin of `k`.
    pub(crate) fn of(position: &Position) -> Self {
        let rules = position.rules();
        if let Some((width, height)) = rules.size() {
            return Self {
                low: Cell::new(0, 0),
                high: Cell::new(i16::from(width) - 1, i16::from(height) - 1),
                cut: false,
            };
        }
        let centre = Cell::new(9, 9);
        let stones = || position.stones().map(|stone| stone.cell);
        let margin = i16::from(rules.line());
        let bound = |pick: fn(Cell) -> i16, home: i16| {
            let low = stones().map(pick).min().unwrap_or(home) - margin;
            let high = stones().map(pick).max().unwrap_or(home) + margin;
            (low, high)
        };
        let (left, right) = bound(|cell| cell.x, centre.x);
        let (bottom, top) = bound(|cell| cell.y, centre.y);
        Self {
            low: Cell::new(left, bottom),
            high: Cell::new(right, top),
            cut: true,
        }
    }

    /// The columns from left to right.
    pub(crate) fn columns(self) -> impl DoubleEndedIterator<Item = i16> {
        self.low.x..=self.high.x
    }

    /// The rows from the bottom up.
    pub(crate) fn rows(self) -> impl DoubleEndedIterator<Item = i16> {
        self.low.y..=self.high.y
    }

    /// Whether the board draws a star point here: guides for the eye, without meaning.
    pub(crate) fn is_star(self, cell: Cell) -> bool {
        let on = |value: i16, size: i16| {
            let inset = match size {
                0..7 => return false,
                7 | 8 => size, // the centre only
                9..13 => 2,
                _ => 3,
            };
            (size % 2 == 1 && value == size / 2) || value == inset || value == size - 1 - inset
        };
        !self.cut && on(cell.x, self.high.x + 1) && on(cell.y, self.high.y + 1)
    }
}

/// What must be said below a picture that shows a part of the board only.
pub(crate) fn cut_in_words(position: &Position) -> Option<String> {
    let k = position.rules().line();
    Frame::of(position).cut.then(|| {
        format!("The board is infinite; shown is what lies within {k} cells of the stones")
    })
}

/// The column's letters; left of column A, on an infinite board, its number.
pub(crate) fn column_label(x: i16) -> String {
    Cell::column_name(x).unwrap_or_else(|| (i32::from(x) + 1).to_string())
}

/// The row's number.
pub(crate) fn row_label(y: i16) -> String {
    (i32::from(y) + 1).to_string()
}

/// One turn of the game, or the first part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayedTurn {
    /// Who played.
    pub(crate) side: Side,
    /// The stones in the order they were placed; none for a null turn.
    pub(crate) cells: Vec<Cell>,
}

/// The turns since the set-up. A side never plays two turns in a row, so a change of side is a
/// change of turn.
pub(crate) fn played_turns(position: &Position) -> Vec<PlayedTurn> {
    let mut turns: Vec<PlayedTurn> = Vec::new();
    for (side, cell) in position.history() {
        if turns.last().is_none_or(|turn| turn.side != side) {
            let cells = Vec::new();
            turns.push(PlayedTurn { side, cells });
        }
        if let Some(turn) = turns.last_mut() {
            turn.cells.extend(cell);
        }
    }
    turns
}

/// The number of its turn for each stone that was played; stones of the set-up have none.
pub(crate) fn turn_numbers(turns: &[PlayedTurn]) -> BTreeMap<Cell, usize> {
    let numbered = turns.iter().zip(1..);
    numbered
        .flat_map(|(turn, number)| turn.cells.iter().map(move |&cell| (cell, number)))
        .collect()
}

/// "Connect6: 6 in a row on 19x19, 2 stones a turn, 1 in the first".
pub(crate) fn rules_in_words(rules: Rules) -> String {
    let name = match rules {
        Rules::CONNECT6 => "Connect6".to_owned(),
        Rules::GOMOKU => "Gomoku".to_owned(),
        Rules::GOMOKU_STANDARD => "Standard Gomoku".to_owned(),
        Rules::TIC_TAC_TOE => "Tic-tac-toe".to_owned(),
        _ => format!("Connect({})", rules.to_string().trim_end_matches(",exact")),
    };
    let exactly = match rules.overline() {
        Overline::Wins => "",
        Overline::DoesNotWin => "exactly ",
    };
    let board = size_in_words(rules).unwrap_or_else(|| "an infinite board".to_owned());
    let (line, per_turn) = (rules.line(), u32::from(rules.per_turn()));
    let first = match u32::from(rules.first_turn()) {
        first if first == per_turn => String::new(),
        first => format!(", {first} in the first"),
    };
    let stones = stones(per_turn);
    format!("{name}: {exactly}{line} in a row on {board}, {stones} a turn{first}")
}

/// "19x19", unless the board is infinite.
fn size_in_words(rules: Rules) -> Option<String> {
    let (width, height) = rules.size()?;
    Some(format!("{width}x{height}"))
}

/// Where a win holds: "19x19", "every board that contains C4-P17" or "the infinite board".
pub(crate) fn boards_in_words(rules: Rules, region: Option<(Cell, Cell)>) -> String {
    let size = || size_in_words(rules).unwrap_or_else(|| "the infinite board".to_owned());
    region.map_or_else(size, |(low, high)| {
        format!("every board that contains {low}-{high}")
    })
}

/// "1 stone", "2 stones".
pub(crate) fn stones(count: u32) -> String {
    format!("{count} stone{}", if count == 1 { "" } else { "s" })
}

/// "Turn 4: Black to play, 2 stones left", or how the game ended.
pub(crate) fn state_in_words(position: &Position, turns: &[PlayedTurn]) -> String {
    match position.outcome() {
        Some(Outcome::Win { side, cells }) => {
            let number = if from_empty(position) {
                format!(" in turn {}", turns.len())
            } else {
                String::new()
            };
            return format!("{side} has won{number} with {cells}");
        }
        Some(Outcome::Draw) => return "Draw: the board is full".to_owned(),
        None => {}
    }
    let left = stones(u32::from(position.left()));
    let side = position.to_move();
    let inside = turns.last().is_some_and(|turn| turn.side == side);
    let number = if from_empty(position) {
        format!("Turn {}: ", turns.len() + usize::from(!inside))
    } else {
        String::new()
    };
    format!("{number}{side} to play, {left} left")
}

/// Whether all stones were played: only then do turns have numbers that mean something.
fn from_empty(position: &Position) -> bool {
    let played = position
        .history()
        .filter(|(_, cell)| cell.is_some())
        .count();
    played == (position.count(Side::Black) + position.count(Side::White)) as usize
        && position
            .history()
            .next()
            .map_or(position.to_move(), |(side, _)| side)
            == Side::Black
}

/// "Black K11 L10", or "Black passes".
pub(crate) fn turn_in_words(turn: &PlayedTurn) -> String {
    if turn.cells.is_empty() {
        return format!("{} passes", turn.side);
    }
    format!("{} {}", turn.side, cells_in_words(&turn.cells))
}

/// "K11 L10".
pub(crate) fn cells_in_words(cells: &[Cell]) -> String {
    let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rules: &str, cells: &str) -> Position {
        let cells: Vec<Cell> = cells
            .split_whitespace()
            .map(|cell| cell.parse().expect("a cell"))
            .collect();
        Position::replay(rules.parse().expect("rules"), &cells).expect("legal")
    }

    #[test]
    fn captions_say_who_plays_what() {
        for (cells, caption) in [
            ("", "Turn 1: Black to play, 1 stone left"),
            ("J10", "Turn 2: White to play, 2 stones left"),
            ("J10 I8", "Turn 2: White to play, 1 stone left"),
            ("J10 I8 H9", "Turn 3: Black to play, 2 stones left"),
        ] {
            let position = game("connect6", cells);
            let turns = played_turns(&position);
            assert_eq!(state_in_words(&position, &turns), caption);
        }
        let won = game("tic-tac-toe", "A1 B1 A2 B2 A3");
        assert_eq!(
            state_in_words(&won, &played_turns(&won)),
            "Black has won in turn 5 with A1 A2 A3"
        );
    }

    #[test]
    fn rules_have_words() {
        for (rules, words) in [
            (
                "connect6",
                "Connect6: 6 in a row on 19x19, 2 stones a turn, 1 in the first",
            ),
            (
                "gomoku-standard",
                "Standard Gomoku: exactly 5 in a row on 15x15, 1 stone a turn",
            ),
            (
                "inf,inf,6,2,3",
                "Connect(inf,inf,6,2,3): 6 in a row on an infinite board, 2 stones a turn, 3 in the first",
            ),
        ] {
            assert_eq!(rules_in_words(rules.parse().expect("rules")), words);
        }
    }

    #[test]
    fn a_null_turn_is_a_turn() {
        let mut position = game("connect6", "J10");
        position.pass();
        let turns = played_turns(&position);
        assert_eq!(turns.len(), 2);
        assert_eq!(turn_in_words(&turns[1]), "White passes");
        assert_eq!(turn_numbers(&turns).len(), 1);
    }

    #[test]
    fn infinite_boards_are_cut_out() {
        let frame = Frame::of(&game("inf,inf,6,2,3", "J10 K10 (-3,12)"));
        assert_eq!(
            (frame.low, frame.high),
            (Cell::new(-10, 3), Cell::new(16, 17))
        );
        assert!(frame.cut);
    }
}
