//! Where games begin: a file with one opening a line, or openings made at random.

use tengen_rules::notation::{self, Format, NotationError, ReadOptions};
use tengen_rules::{Cell, Position, Rules};

/// The beginning of a game: whole turns from the empty board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Its stones in the order of play.
    pub stones: Vec<Cell>,
}

/// Why a file of openings cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OpeningError {
    /// It is not a list of games.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The openings are of different games.
    #[error("opening {number} is of the game {other}, the ones before it of {rules}")]
    Mixed {
        /// Which, from 1.
        number: usize,
        /// Its game.
        other: Rules,
        /// The game of the first.
        rules: Rules,
    },
    /// Nothing is left to play.
    #[error("opening {0} is a finished game")]
    Finished(usize),
    /// A turn is incomplete.
    #[error("opening {number} ends within a turn: {left} more stones needed")]
    Partial {
        /// Which, from 1.
        number: usize,
        /// How many stones are missing.
        left: u8,
    },
}

/// Reads a file of openings and says of which game they are: stones in the order of play, one opening a
/// line, `-` for the empty board, `#` comments; a line `rules RULES` names the game, unless it is `given`.
///
/// # Errors
///
/// If the text is no such file, or an opening is no beginning.
pub fn read_openings(
    text: &str,
    given: Option<Rules>,
) -> Result<(Rules, Vec<Opening>), OpeningError> {
    let options = ReadOptions {
        rules: given,
        charset: None,
    };
    let records = notation::read(Format::Moves, text.as_bytes(), &options)?;
    let rules = records[0].rules();
    let mut openings = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let number = index + 1;
        if record.rules() != rules {
            return Err(OpeningError::Mixed {
                number,
                other: record.rules(),
                rules,
            });
        }
        let stones = record.main_moves();
        let position =
            Position::replay(rules, &stones).expect("move lists are replayed while they are read");
        if position.outcome().is_some() {
            return Err(OpeningError::Finished(number));
        }
        let whole = if stones.is_empty() {
            rules.first_turn()
        } else {
            rules.per_turn()
        };
        if position.left() != whole {
            return Err(OpeningError::Partial {
                number,
                left: position.left(),
            });
        }
        openings.push(Opening { stones });
    }
    Ok((rules, openings))
}

/// Openings for a game nobody has made any for: `turns` turns at random near the centre. They are not
/// even, but each is played from both sides. Fewer turns, down to none, where the board is too small.
pub fn random_openings(rules: Rules, count: usize, turns: u32, seed: u64) -> Vec<Opening> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut one = || {
        (0..=turns)
            .rev()
            .flat_map(|turns| [turns; 20])
            .find_map(|turns| random_opening(rules, turns, &mut random))
            .unwrap_or(Opening { stones: Vec::new() })
    };
    (0..count).map(|_| one()).collect()
}

/// One try; `None` when it ends the game.
fn random_opening(rules: Rules, turns: u32, random: &mut fastrand::Rng) -> Option<Opening> {
    let (width, height) = rules.size().unwrap_or((1, 1));
    let centre = Cell::new(i16::from(width) / 2, i16::from(height) / 2);
    let mut position = Position::new(rules);
    let mut stones = Vec::new();
    for _ in 0..turns {
        for _ in 0..position.left() {
            let reach = 1 + (stones.len() as f64).sqrt() as i16;
            let near = |random: &mut fastrand::Rng| {
                let mut offset = || random.i16(-reach..=reach);
                Cell::new(centre.x + offset(), centre.y + offset())
            };
            let free = |cell: &Cell| rules.contains(*cell) && position.stone(*cell).is_none();
            let cell = (0..100).map(|_| near(random)).find(free)?;
            position.place(cell).ok()?;
            stones.push(cell);
            if position.outcome().is_some() {
                return None;
            }
        }
    }
    Some(Opening { stones })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_and_refused() {
        let text = "# three turns\nJ10 I8 H9 K11 L10  # a comment\n-\n";
        let (rules, openings) = read_openings(text, None).expect("openings");
        assert_eq!((rules, openings.len()), (Rules::CONNECT6, 2));
        assert_eq!((openings[0].stones.len(), openings[1].stones.len()), (5, 0));
        let refused = |text: &str| read_openings(text, None).expect_err(text).to_string();
        assert_eq!(
            refused("J10\nJ10 I8\n"),
            "opening 2 ends within a turn: 1 more stones needed"
        );
        assert!(refused("J10 J10\n").contains("already occupied"));
        assert!(refused("# nothing\n").contains("no game"));
        assert_eq!(
            refused("rules tic-tac-toe\nA1 B1 A2 B2 A3\n"),
            "opening 1 is a finished game"
        );
        assert!(refused("J10\nrules gomoku\nH8\n").starts_with("opening 2 is of the game gomoku"));
    }

    #[test]
    fn random_openings_are_playable_on_every_board() {
        for rules in [
            "connect6",
            "gomoku",
            "3,3,3,1,1",
            "2,1,2,1,1",
            "inf,inf,6,2,1",
            "5,5,5,3,2",
        ] {
            let rules: Rules = rules.parse().expect("rules");
            let openings = random_openings(rules, 10, 3, 7);
            assert_eq!(openings, random_openings(rules, 10, 3, 7), "seeded");
            for opening in openings {
                let text = match notation::moves_text(&opening.stones) {
                    text if text.is_empty() => "-".to_owned(),
                    text => text,
                };
                read_openings(&text, Some(rules)).expect("a playable opening");
            }
        }
    }
}
