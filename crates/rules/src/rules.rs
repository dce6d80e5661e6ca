//! `Rules`: which Connect(m,n,k,p,q) is played, on which board, and whether an overline wins.

use std::fmt;
use std::str::FromStr;

use crate::{Cell, Side};

/// The largest width and height of a finite board, so that a row fits into a machine word with room
/// to spare.
pub const MAX_SIDE: u8 = 63;

/// How far the board reaches.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// `width` columns and `height` rows.
    Finite {
        /// Columns, at most [`MAX_SIDE`].
        width: u8,
        /// Rows, at most [`MAX_SIDE`].
        height: u8,
    },
    /// The whole plane.
    Infinite,
}

/// What more than `k` stones in a row are worth.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Overline {
    /// `k` or more in a row win, as in all Connect games of the paper.
    Wins,
    /// Exactly `k` win, as in standard Go-Moku.
    DoesNotWin,
}

/// The parameters of one game of the family Connect(m,n,k,p,q).
///
/// A value of this type has been validated: the line fits the board and no player can win with the
/// stones of a single turn alone.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rules {
    extent: Extent,
    line: u8,
    per_turn: u8,
    first_turn: u8,
    overline: Overline,
}

/// One reason why parameters make no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The width or height is 0 or too large.
    #[error("the board is {0}x{1}, expected 1 to {MAX_SIDE} columns and rows")]
    BoardSize(u32, u32),
    /// `k` is longer than the longest row and column.
    #[error("a line of {line} does not fit on a {width}x{height} board")]
    LineTooLong {
        /// The line length `k`.
        line: u32,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// `k` is below 2 or above what an infinite board supports.
    #[error("a line of {0} makes no game, expected 2 to {1}")]
    LineLength(u32, u32),
    /// `p` is 0.
    #[error("0 stones per turn make no game, expected at least 1")]
    NoStonesPerTurn,
    /// `q` is 0.
    #[error("0 stones in the first turn make no game, expected at least 1")]
    NoStonesInFirstTurn,
    /// `p` or `q` stones already make a line.
    #[error(
        "{what} of {stones} stones completes a line of {line} at once, expected fewer than {line}"
    )]
    TurnWinsAtOnce {
        /// "a turn" or "a first turn".
        what: &'static str,
        /// How many stones it has.
        stones: u32,
        /// The line length `k`.
        line: u32,
    },
}

/// Why a text does not name rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseRulesError {
    /// It has not the form of rules.
    #[error(
        "`{0}` names no rules; expected connect6, gomoku, gomoku-standard, tic-tac-toe, or m,n,k,p,q \
         such as 19,19,6,2,1 (`inf` for an infinite board, a sixth word `exact` when overlines do not win)"
    )]
    Form(String),
    /// It has the form of rules but makes no game.
    #[error("`{text}` is no game: {}", reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Refused {
        /// The text that was read.
        text: String,
        /// All reasons.
        reasons: Vec<Refusal>,
    },
}

/// The longest line on an infinite board: stones live on a patch of [`MAX_SIDE`] cells, and every
/// window through a stone must lie inside it (see [`crate::Grid`]).
const MAX_INFINITE_LINE: u32 = 16;

impl Rules {
    /// Connect6: Connect(19,19,6,2,1).
    pub const CONNECT6: Self = Self::known(19, 6, 2, Overline::Wins);
    /// Free-style Go-Moku: Connect(15,15,5,1,1), five or more win.
    pub const GOMOKU: Self = Self::known(15, 5, 1, Overline::Wins);
    /// Standard Go-Moku: exactly five win.
    pub const GOMOKU_STANDARD: Self = Self::known(15, 5, 1, Overline::DoesNotWin);
    /// Tic-tac-toe: Connect(3,3,3,1,1).
    pub const TIC_TAC_TOE: Self = Self::known(3, 3, 1, Overline::Wins);

    /// The rules that have a name of their own.
    pub const NAMED: [(&'static str, Self); 4] = [
        ("connect6", Self::CONNECT6),
        ("gomoku", Self::GOMOKU),
        ("gomoku-standard", Self::GOMOKU_STANDARD),
        ("tic-tac-toe", Self::TIC_TAC_TOE),
    ];

    const fn known(size: u8, line: u8, per_turn: u8, overline: Overline) -> Self {
        let extent = Extent::Finite {
            width: size,
            height: size,
        };
        Self {
            extent,
            line,
            per_turn,
            first_turn: 1,
            overline,
        }
    }

    /// Validates the parameters of a finite board; reports *all* reasons for a refusal.
    pub fn finite(
        width: u32,
        height: u32,
        line: u32,
        per_turn: u32,
        first_turn: u32,
        overline: Overline,
    ) -> Result<Self, Vec<Refusal>> {
        let mut reasons = Vec::new();
        let size = 1..=u32::from(MAX_SIDE);
        if !size.contains(&width) || !size.contains(&height) {
            reasons.push(Refusal::BoardSize(width, height));
        } else if line > width.max(height) {
            reasons.push(Refusal::LineTooLong {
                line,
                width,
                height,
            });
        }
        let extent = Extent::Finite {
            width: width as u8,
            height: height as u8,
        };
        Self::validated(
            extent,
            line,
            u32::from(MAX_SIDE),
            per_turn,
            first_turn,
            overline,
            reasons,
        )
    }

    /// Validates the parameters of an infinite board; reports *all* reasons for a refusal.
    pub fn infinite(
        line: u32,
        per_turn: u32,
        first_turn: u32,
        overline: Overline,
    ) -> Result<Self, Vec<Refusal>> {
        Self::validated(
            Extent::Infinite,
            line,
            MAX_INFINITE_LINE,
            per_turn,
            first_turn,
            overline,
            Vec::new(),
        )
    }

    fn validated(
        extent: Extent,
        line: u32,
        longest: u32,
        per_turn: u32,
        first_turn: u32,
        overline: Overline,
        mut reasons: Vec<Refusal>,
    ) -> Result<Self, Vec<Refusal>> {
        if line < 2 || (reasons.is_empty() && line > longest) {
            reasons.push(Refusal::LineLength(line, longest));
        }
        if per_turn == 0 {
            reasons.push(Refusal::NoStonesPerTurn);
        }
        if first_turn == 0 {
            reasons.push(Refusal::NoStonesInFirstTurn);
        }
        for (what, stones) in [("a turn", per_turn), ("a first turn", first_turn)] {
            if stones >= line && line >= 2 {
                reasons.push(Refusal::TurnWinsAtOnce { what, stones, line });
            }
        }
        if !reasons.is_empty() {
            return Err(reasons);
        }
        // All three are below MAX_SIDE now.
        Ok(Self {
            extent,
            line: line as u8,
            per_turn: per_turn as u8,
            first_turn: first_turn as u8,
            overline,
        })
    }

    /// How far the board reaches.
    pub const fn extent(self) -> Extent {
        self.extent
    }

    /// Width and height of a finite board, `None` on an infinite one.
    pub const fn size(self) -> Option<(u8, u8)> {
        match self.extent {
            Extent::Finite { width, height } => Some((width, height)),
            Extent::Infinite => None,
        }
    }

    /// `k`: how many in a row win.
    pub const fn line(self) -> u8 {
        self.line
    }

    /// `p`: how many stones a turn has.
    pub const fn per_turn(self) -> u8 {
        self.per_turn
    }

    /// `q`: how many stones Black's first turn has.
    pub const fn first_turn(self) -> u8 {
        self.first_turn
    }

    /// Whether more than `k` in a row win.
    pub const fn overline(self) -> Overline {
        self.overline
    }

    /// `k - p`: a window with so many stones of one side and none of the other is a threat.
    pub const fn threat_stones(self) -> u8 {
        self.line - self.per_turn
    }

    /// Whether the cell exists on this board.
    pub fn contains(self, cell: Cell) -> bool {
        match self.extent {
            Extent::Finite { width, height } => {
                (0..i16::from(width)).contains(&cell.x) && (0..i16::from(height)).contains(&cell.y)
            }
            Extent::Infinite => true,
        }
    }

    /// Whose the stone number `index` (from 0) of a game from the empty board is.
    pub fn side_of_stone(self, index: usize) -> Side {
        let first = usize::from(self.first_turn);
        if index < first || ((index - first) / usize::from(self.per_turn)) % 2 == 1 {
            Side::Black
        } else {
            Side::White
        }
    }
}

impl fmt::Display for Rules {
    /// The name if the rules have one, otherwise `m,n,k,p,q`; [`FromStr`] reads both.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = Self::NAMED.iter().find(|(_, rules)| rules == self) {
            return f.pad(name);
        }
        let board = match self.extent {
            Extent::Finite { width, height } => format!("{width},{height}"),
            Extent::Infinite => "inf,inf".to_owned(),
        };
        let exact = if self.overline == Overline::DoesNotWin {
            ",exact"
        } else {
            ""
        };
        f.pad(&format!(
            "{board},{},{},{}{exact}",
            self.line, self.per_turn, self.first_turn
        ))
    }
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, ParseRulesError> {
        let lower = text.trim().to_ascii_lowercase();
        if let Some((_, rules)) = Self::NAMED.iter().find(|(name, _)| *name == lower) {
            return Ok(*rules);
        }
        let form = || ParseRulesError::Form(text.chars().take(60).collect());
        let mut fields: Vec<&str> = lower.split(',').map(str::trim).collect();
        let overline = if fields.len() == 6 && fields[5] == "exact" {
            fields.pop();
            Overline::DoesNotWin
        } else {
            Overline::Wins
        };
        let [width, height, line, per_turn, first_turn] = fields[..] else {
            return Err(form());
        };
        let number = |field: &str| -> Result<u32, ParseRulesError> {
            // Too many digits for a u32 is still a number, only a nonsensical one.
            let digits = !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
            if digits {
                Ok(field.parse().unwrap_or(u32::MAX))
            } else {
                Err(form())
            }
        };
        let (line, per_turn, first_turn) = (number(line)?, number(per_turn)?, number(first_turn)?);
        let rules = if width == "inf" && height == "inf" {
            Self::infinite(line, per_turn, first_turn, overline)
        } else {
            Self::finite(
                number(width)?,
                number(height)?,
                line,
                per_turn,
                first_turn,
                overline,
            )
        };
        rules.map_err(|reasons| ParseRulesError::Refused {
            text: text.to_owned(),
            reasons,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_read_the_same() {
        assert_eq!("19,19,6,2,1".parse(), Ok(Rules::CONNECT6));
        assert_eq!("Connect6".parse(), Ok(Rules::CONNECT6));
        assert_eq!("15, 15, 5, 1, 1, exact".parse(), Ok(Rules::GOMOKU_STANDARD));
        for text in [
            "connect6",
            "gomoku",
            "gomoku-standard",
            "tic-tac-toe",
            "inf,inf,6,2,3",
            "6,7,4,3,1",
            "9,9,5,1,1,exact",
            "inf,inf,5,1,1,exact",
        ] {
            assert_eq!(text.parse::<Rules>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn all_reasons_are_given() {
        let reasons = Rules::finite(3, 64, 1, 0, 5, Overline::Wins).expect_err("nonsense");
        assert_eq!(
            reasons,
            [
                Refusal::BoardSize(3, 64),
                Refusal::LineLength(1, 63),
                Refusal::NoStonesPerTurn
            ]
        );
        let reasons = Rules::finite(5, 4, 6, 6, 0, Overline::Wins).expect_err("nonsense");
        assert_eq!(
            reasons,
            [
                Refusal::LineTooLong {
                    line: 6,
                    width: 5,
                    height: 4
                },
                Refusal::NoStonesInFirstTurn,
                Refusal::TurnWinsAtOnce {
                    what: "a turn",
                    stones: 6,
                    line: 6
                },
            ]
        );
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "chess",
            "19,19,6,2",
            "19,inf,6,2,1",
            "0,0,0,0,0",
            "19,19,6,0,1",
            "3,3,4,1,1",
            "99999999999,3,3,1,1",
            "19,19,6,2,1,x",
            "inf,inf,60,2,1",
            "-1,3,3,1,1",
        ] {
            assert!(text.parse::<Rules>().is_err(), "{text}");
        }
    }

    #[test]
    fn stones_belong_to_turns() {
        let sides: String = (0..9)
            .map(|i| Rules::CONNECT6.side_of_stone(i).letter())
            .collect();
        assert_eq!(sides, "BWWBBWWBB");
        let sides: String = (0..5)
            .map(|i| Rules::GOMOKU.side_of_stone(i).letter())
            .collect();
        assert_eq!(sides, "BWBWB");
    }
}
