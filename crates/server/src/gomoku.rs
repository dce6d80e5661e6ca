//! A proof of Go-Moku to play against, read at the start. It is believed here: whether it is right, `tengen check` says.

use std::fmt;

use tengen_prover::pn::{Database, DatabaseError, Fives, Play};
use tengen_rules::{Cell, Outcome, Overline, Position, Rules, Setup, Side};

use crate::api::{GomokuAnswer, GomokuProof};
use crate::convert;
use crate::error::Failure;

/// Longer texts are no games: no board has more cells than a third of it.
const LONGEST: usize = 2_000;

/// A proof that Black, to move, wins a position.
#[derive(Debug)]
pub struct Gomoku {
    database: Database,
    /// The position that is won.
    root: Position,
}

/// Why a file is no proof to play against.
#[derive(Debug, thiserror::Error)]
pub enum GomokuError {
    /// It cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Nobody plays on from there.
    #[error("the position that it proves is none to play on from: {0}")]
    Root(String),
    /// It does not say what to play first.
    #[error("it has no record of the position that it proves")]
    NoRecord,
}

impl Gomoku {
    /// Reads a file that is not packed.
    pub fn read(bytes: Vec<u8>) -> Result<Self, GomokuError> {
        let database = Database::read(bytes)?;
        let (width, height) = database.size();
        let overline = match database.wins() {
            Fives::OrMore => Overline::Wins,
            Fives::Exactly => Overline::DoesNotWin,
        };
        let rules = Rules::finite(width as u32, height as u32, 5, 1, 1, overline);
        // The sizes that a database may have are sizes of boards.
        let rules = rules.map_err(|_| GomokuError::Root(format!("{width}x{height}")))?;
        let mut setup = Setup::empty(rules);
        for (side, at) in database.root() {
            setup.stones_of_mut(side).push(cell(at));
        }
        let root = Position::from_setup(&setup).map_err(|e| GomokuError::Root(e.to_string()))?;
        if database.play(&[]).is_none() {
            return Err(GomokuError::NoRecord);
        }
        Ok(Self { database, root })
    }

    /// What it is.
    pub(crate) fn proof(&self) -> GomokuProof {
        let (width, height) = self.database.size();
        let setup = self.root.to_setup();
        let counts = self.database.depths().into_iter();
        GomokuProof {
            rules: self.root.rules().to_string(),
            width: width as u32,
            height: height as u32,
            black: convert::names(&setup.black),
            white: convert::names(&setup.white),
            records: self.database.len() as u32,
            by_stones: counts.map(|count| count as u32).collect(),
        }
    }

    /// What Black plays after these moves, `H8,I9` from the root.
    pub(crate) fn answer(&self, text: &str) -> Result<GomokuAnswer, Failure> {
        if text.len() > LONGEST {
            let length = text.len();
            let message = format!("{length} characters of moves, expected at most {LONGEST}");
            return Err(Failure::TooLarge(message));
        }
        let separated = text.split([',', ' ']).filter(|name| !name.is_empty());
        let cells = convert::cells(&separated.map(str::to_owned).collect::<Vec<_>>())?;
        let mut position = self.root.clone();
        for &cell in &cells {
            let bad = |error: tengen_rules::PlaceError| Failure::BadRequest(error.to_string());
            position.place(cell).map_err(bad)?;
        }
        if let Some(outcome) = position.outcome() {
            let (winner, line) = row(outcome);
            return Ok(GomokuAnswer::Over { winner, line });
        }
        if position.to_move() == Side::White {
            let message =
                "White is to move: expected moves of Black and White in turn, White's last";
            return Err(Failure::BadRequest(message.to_owned()));
        }
        // All of them are on the board.
        let moves: Vec<(usize, usize)> = cells
            .iter()
            .map(|cell| (cell.x as usize, cell.y as usize))
            .collect();
        let Some(play) = self.database.play(&moves) else {
            return Ok(GomokuAnswer::Left);
        };
        let cell = cell(play.cell());
        let name = cell.to_string();
        Ok(match play {
            Play::Known { .. } => GomokuAnswer::Known { cell: name },
            Play::Threat { .. } => GomokuAnswer::Threat { cell: name },
            Play::Five { .. } => {
                let placed = position.place(cell);
                let (_, line) = placed
                    .ok()
                    .and_then(|()| position.outcome().map(row))
                    .unwrap_or_default();
                GomokuAnswer::Five { cell: name, line }
            }
        })
    }
}

/// Rules, root and records in a line.
impl fmt::Display for Gomoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = self.root.to_setup();
        write!(f, "rules {}, Black wins ", self.root.rules())?;
        if setup.black.is_empty() {
            write!(f, "the empty board")?;
        } else {
            let [black, white] =
                [&setup.black, &setup.white].map(|stones| convert::names(stones).join(","));
            write!(f, "B:{black} W:{white}")?;
        }
        write!(f, ", {} positions", self.database.len())
    }
}

fn cell((x, y): (usize, usize)) -> Cell {
    Cell::new(x as i16, y as i16)
}

/// Who has won, and with which stones.
fn row(outcome: &Outcome) -> (Option<crate::api::Side>, Vec<String>) {
    match outcome {
        Outcome::Win { side, cells } => (Some((*side).into()), convert::turn(cells)),
        Outcome::Draw => (None, Vec::new()),
    }
}
