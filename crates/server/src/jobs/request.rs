//! What a job is asked to do, read and found possible.

use std::time::Duration;

use tengen_player::Level;
use tengen_rules::{Position, Turn};

use crate::api::JobRequest;
use crate::convert;
use crate::error::Failure;

/// No job works longer.
const MOST_SECONDS: f64 = 86_400.0;

/// Work that can be begun.
#[derive(Debug)]
pub(super) enum Work {
    Analyze(Analysis),
    Turn { position: Position, level: Level },
    FindWin { position: Position, order: u8 },
    Verify { position: Position, order: u8 },
    Check { proof: u32 },
    ImportGames { collection: u32 },
}

/// The best turns are wanted.
#[derive(Debug)]
pub(super) struct Analysis {
    pub(super) position: Position,
    pub(super) lines: u8,
    pub(super) exclude: Vec<Turn>,
}

impl Work {
    /// Reads a request; also says how long it may take.
    pub(super) fn read(request: &JobRequest) -> Result<(Self, Option<Duration>), Failure> {
        Ok(match request {
            JobRequest::Analyze {
                rules,
                position,
                lines,
                exclude,
                seconds,
            } => {
                let position = convert::open_position(rules, position)?;
                within("lines", *lines, 1, 8)?;
                let exclude = excluded(&position, exclude)?;
                let analysis = Analysis {
                    position,
                    lines: *lines,
                    exclude,
                };
                (Self::Analyze(analysis), limit(*seconds, 600.0)?)
            }
            JobRequest::Turn {
                rules,
                position,
                level,
                seconds,
            } => {
                let position = convert::open_position(rules, position)?;
                within("level", *level, 1, 10)?;
                let level = Level::new(*level).expect("the levels are 1 to 10");
                (Self::Turn { position, level }, limit(*seconds, 5.0)?)
            }
            JobRequest::FindWin {
                rules,
                position,
                order,
                seconds,
            } => {
                let (position, order) = (convert::open_position(rules, position)?, *order);
                within("order", order, 1, 4)?;
                (Self::FindWin { position, order }, limit(*seconds, 60.0)?)
            }
            JobRequest::Verify {
                rules,
                position,
                order,
                seconds,
            } => {
                let (position, order) = (convert::open_position(rules, position)?, *order);
                within("order", order, 1, 2)?;
                (Self::Verify { position, order }, limit(*seconds, 120.0)?)
            }
            JobRequest::Check { proof } => (Self::Check { proof: *proof }, None),
            JobRequest::ImportGames { collection } => {
                let collection = *collection;
                (Self::ImportGames { collection }, None)
            }
        })
    }
}

fn within(what: &str, number: u8, least: u8, most: u8) -> Result<(), Failure> {
    if (least..=most).contains(&number) {
        return Ok(());
    }
    Err(Failure::BadRequest(format!(
        "{what}: {number}, expected {least} to {most}"
    )))
}

fn limit(seconds: Option<f64>, usual: f64) -> Result<Option<Duration>, Failure> {
    let seconds = seconds.unwrap_or(usual);
    if seconds > 0.0 && seconds <= MOST_SECONDS {
        return Ok(Some(Duration::from_secs_f64(seconds)));
    }
    Err(Failure::BadRequest(format!(
        "seconds: {seconds}, expected more than 0 and at most {MOST_SECONDS}"
    )))
}

/// Turns to leave out: each has at least one stone and no more than are left of the turn, on empty cells.
fn excluded(position: &Position, turns: &[Vec<String>]) -> Result<Vec<Turn>, Failure> {
    const MOST: usize = 1_000;
    if turns.len() > MOST {
        return Err(Failure::BadRequest(format!(
            "exclude: {} turns, expected at most {MOST}",
            turns.len()
        )));
    }
    let turn = |names: &Vec<String>| {
        let cells = convert::cells(names)?;
        let turn: Turn = cells.iter().copied().collect();
        let wrong = |why: String| Failure::BadRequest(format!("exclude `{turn}`: {why}"));
        if turn.is_empty() || turn.len() > usize::from(position.left()) {
            let (stones, left) = (turn.len(), position.left());
            return Err(wrong(format!("{stones} stones, expected 1 to {left}")));
        }
        for &cell in turn.cells() {
            if !position.rules().contains(cell) {
                return Err(wrong(format!("{cell} is off the board")));
            }
            if let Some(side) = position.stone(cell) {
                return Err(wrong(format!("{cell} is already occupied by {side}")));
            }
        }
        Ok(turn)
    };
    turns.iter().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analyze(position: &str, lines: u8, exclude: &[&str]) -> Result<Work, String> {
        let turn = |text: &&str| text.split(' ').map(str::to_owned).collect();
        let request = JobRequest::Analyze {
            rules: "connect6".into(),
            position: position.into(),
            lines,
            exclude: exclude.iter().map(turn).collect(),
            seconds: None,
        };
        Work::read(&request)
            .map(|(work, _)| work)
            .map_err(|failure| failure.to_string())
    }

    #[test]
    fn bad_requests_say_what_would_be_right() {
        assert!(analyze("J10 I8 H9", 3, &["K9 L8", "K10"]).is_ok());
        let message = |result: Result<Work, String>| result.expect_err("refused");
        assert_eq!(message(analyze("J10", 9, &[])), "lines: 9, expected 1 to 8");
        assert_eq!(
            message(analyze("J10", 1, &["J10 K9"])),
            "exclude `J10 K9`: J10 is already occupied by Black"
        );
        assert!(message(analyze("J10", 1, &["A1 A2 A3"])).contains("3 stones, expected 1 to 2"));
        assert!(message(analyze("J10", 1, &["A1 Z99"])).contains("Z99"));
        assert!(message(analyze("J10 J10", 1, &[])).contains("occupied"));
        let won = "A1 A2 A3 B1 C1 G2 G3 D1 E1 G4 G5 F1";
        assert!(message(analyze(won, 1, &[])).contains("the game is over"));
        assert!(limit(Some(f64::NAN), 1.0).is_err() && limit(Some(-1.0), 1.0).is_err());
    }
}
