//! The opening rule swap2, judged by the engine's score.
//!
//! The first player puts three stones, black, white and black. The second takes either side or puts two more stones
//! and leaves the choice to the first. With nothing on the board we offer what the engine thinks is most even
//! among a few openings near a corner, where black's first move is worth least. With three or five stones we take
//! the side the engine likes. Two more stones are never put: whoever thinks he sees who is better gains nothing by
//! asking the other.

use std::time::Duration;

use tengen_rules::{Cell, Overline, Position};

use super::board::{Board, Stone, Whose};
use crate::protocol::Question;
use crate::{Answer, Limits, Verdict};

/// Black, white, black, counted from a corner.
const OFFERS: [[(i64, i64); 3]; 5] = [
    [(1, 1), (2, 4), (5, 2)],
    [(0, 2), (2, 2), (4, 5)],
    [(2, 0), (3, 3), (6, 1)],
    [(1, 2), (4, 1), (2, 6)],
    [(3, 1), (1, 3), (5, 5)],
];

/// An opening that is being judged.
#[derive(Debug)]
pub(super) struct Swap2 {
    empty: Board,
    /// Openings not yet judged, the present one last.
    open: Vec<(Vec<Cell>, Position)>,
    /// How many there were.
    all: u32,
    /// The most even so far, and how far from even.
    best: Option<(u64, Vec<Cell>)>,
    /// Whether these are our own offers.
    offers: bool,
}

/// What we answer, and the board afterwards.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) text: String,
    pub(super) board: Board,
}

impl Swap2 {
    pub(super) fn new(board: &Board, stones: &[Cell], overline: Overline) -> Result<Self, String> {
        let empty = board.set_up(&[])?;
        let openings = match stones.len() {
            0 => offers(&empty),
            3 | 5 => vec![stones.to_vec()],
            other => return Err(format!("{other} stones, expected none, 3 or 5")),
        };
        let mut open = Vec::new();
        for cells in openings {
            let position = with_white_to_move(&empty, &cells)?.position(overline)?;
            open.push((cells, position));
        }
        Ok(Self {
            empty,
            all: open.len() as u32,
            open,
            best: None,
            offers: stones.is_empty(),
        })
    }

    /// The next question: how good is the present opening for white?
    pub(super) fn question(&self, limits: Limits) -> Question {
        let share = |time: Option<Duration>| time.map(|time| time / self.all.max(1));
        let mut limits = limits;
        limits.clock.per_turn = share(limits.clock.per_turn);
        limits.clock.left = share(limits.clock.left);
        limits.nodes = limits
            .nodes
            .map(|nodes| (nodes / u64::from(self.all.max(1))).max(1));
        let (_, position) = self.open.last().expect("asked only while one is open");
        Question::new(position.clone(), limits)
    }

    /// Hears the answer; `None` if there is another question.
    pub(super) fn judge(&mut self, answer: &Answer) -> Result<Option<Choice>, String> {
        let (cells, _) = self.open.pop().ok_or("no opening was asked about")?;
        let value = match answer.best().verdict {
            Verdict::Win(_) => i64::MAX,
            Verdict::Loss(_) => i64::MIN,
            _ => i64::from(answer.best().score.0),
        };
        if !self.offers {
            return self.choose(&cells, value, answer).map(Some);
        }
        let uneven = value.unsigned_abs();
        if self.best.as_ref().is_none_or(|(least, _)| uneven < *least) {
            self.best = Some((uneven, cells));
        }
        if !self.open.is_empty() {
            return Ok(None);
        }
        let (_, cells) = self.best.take().ok_or("there was no opening")?;
        let points: Vec<String> = cells.iter().map(|&cell| self.empty.text(cell)).collect();
        Ok(Some(Choice {
            text: points.join(" "),
            board: self.empty.clone(),
        }))
    }

    /// White if the engine likes it, otherwise black.
    fn choose(&self, cells: &[Cell], value: i64, answer: &Answer) -> Result<Choice, String> {
        let mut board = with_white_to_move(&self.empty, cells)?;
        if value < 0 {
            for stone in &mut board.stones {
                stone.whose = match stone.whose {
                    Whose::Ours => Whose::Theirs,
                    Whose::Theirs => Whose::Ours,
                };
            }
            let text = "SWAP".to_owned();
            return Ok(Choice { text, board });
        }
        let cell = super::only_cell(answer)?;
        board.add(Stone {
            cell,
            whose: Whose::Ours,
        })?;
        let text = board.text(cell);
        Ok(Choice { text, board })
    }
}

/// The stones in turn, black first; white is us.
fn with_white_to_move(empty: &Board, cells: &[Cell]) -> Result<Board, String> {
    let mut board = empty.clone();
    for (index, &cell) in cells.iter().enumerate() {
        let whose = if index % 2 == 0 {
            Whose::Theirs
        } else {
            Whose::Ours
        };
        board.add(Stone { cell, whose })?;
    }
    Ok(board)
}

/// Openings that fit the board; at least one, for a board with room for a line.
fn offers(board: &Board) -> Vec<Vec<Cell>> {
    let cells = |points: &[(i64, i64)]| -> Option<Vec<Cell>> {
        let cell = |&(x, y): &(i64, i64)| board.cell(&format!("{x},{y}")).ok();
        points.iter().map(cell).collect()
    };
    let mut offers: Vec<Vec<Cell>> = OFFERS.iter().filter_map(|points| cells(points)).collect();
    if offers.is_empty() {
        let (row, column) = ([(0, 0), (2, 0), (4, 0)], [(0, 0), (0, 2), (0, 4)]);
        offers.extend(cells(&row).or_else(|| cells(&column)));
    }
    offers
}
