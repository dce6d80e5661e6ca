//! Certificates of draws: `docs/drawn.md`, after Chiang, Wu and Lin, *Drawn k-in-a-row games*.
//!
//! | file | what it does |
//! |---|---|
//! | `text.rs` | reads the file; refuses what is malformed |
//! | `plane.rs` | copies of the boards fill the plane; every window contains a line |
//! | `position.rs` | what is left of a board when Black is to play |
//! | `isomorphism.rs` | whether two positions differ in names only |
//! | `turns.rs` | which turns of Black need an answer of their own |
//! | `boards.rs` | follows White's answers through all positions |

mod boards;
mod isomorphism;
mod plane;
mod position;
mod text;
mod turns;

use std::fmt;

use crate::verdict::{Budget, Limits, Reason, Stop};

/// The first word of a certificate.
const MAGIC: &str = "tengen-draw";

/// Whether a file says that it is a certificate of a draw. Nothing else of it is looked at.
pub fn is_draw_certificate(text: &str) -> bool {
    let first = text
        .lines()
        .find(|line| !line.starts_with('#') && !line.trim_ascii().is_empty());
    first.is_some_and(|line| line.split_ascii_whitespace().next() == Some(MAGIC))
}

/// What a check of a certificate found out.
#[derive(Debug, Clone, PartialEq)]
pub enum DrawVerdict {
    /// Connect(k,p) is drawn: on every board and for every q <= p neither player can force a win.
    Verified(DrawReport),
    /// The file is malformed or does not prove its claim. The claim may be true all the same.
    Rejected(Reason),
    /// A limit was reached.
    Undecided(Reason),
}

/// What was proved, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawReport {
    /// k
    pub line: usize,
    /// p
    pub per_turn: usize,
    /// Boards, and their cells together.
    pub tiles: usize,
    /// Cells of all boards.
    pub cells: usize,
    /// Lines of all boards.
    pub lines: usize,
    /// Positions visited, up to isomorphism.
    pub positions: u64,
    /// Turns of Black that have an answer of their own.
    pub answers: u64,
}

impl DrawVerdict {
    /// 0 for VERIFIED, 1 for REJECTED, 2 for UNDECIDED.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Verified(_) => 0,
            Self::Rejected(_) => 1,
            Self::Undecided(_) => 2,
        }
    }
}

impl fmt::Display for DrawVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified(report) => write!(f, "VERIFIED {report}"),
            Self::Rejected(reason) => write!(f, "REJECTED {reason}"),
            Self::Undecided(reason) => write!(f, "UNDECIDED {reason}"),
        }
    }
}

impl fmt::Display for DrawReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connect({},{}) is drawn", self.line, self.per_turn)
    }
}

/// Checks a certificate of a draw.
///
/// ```
/// // Black cannot get two in a row of its own pairs... with one cell a line there is nothing to
/// // answer with: this claim is false, and refused.
/// let text = "tengen-draw 1\nclaim 1 1\nlattice 1,0 0,1\ntile\ncells 0,0\nline 0,0\n\
///             image 1,0,0,1 0,0\nanswers 0\nend\n";
/// let verdict = tengen_checker::check_draw(text, &tengen_checker::Limits::default());
/// assert_eq!(verdict.exit_code(), 1);
/// ```
pub fn check_draw(text: &str, limits: &Limits) -> DrawVerdict {
    match check(text, &mut Budget::new(limits)) {
        Ok(report) => DrawVerdict::Verified(report),
        Err(Stop::Rejected(reason)) => DrawVerdict::Rejected(reason),
        Err(Stop::Undecided(reason)) => DrawVerdict::Undecided(reason),
    }
}

fn check(text: &str, budget: &mut Budget) -> Result<DrawReport, Stop> {
    let certificate = text::read(text).map_err(Stop::Rejected)?;
    plane::check_plane(&certificate).map_err(Stop::Rejected)?;
    plane::check_windows(&certificate, budget)?;
    let mut report = DrawReport {
        line: certificate.line,
        per_turn: certificate.per_turn,
        tiles: certificate.tiles.len(),
        cells: certificate.tiles.iter().map(|tile| tile.cells.len()).sum(),
        lines: certificate.tiles.iter().map(|tile| tile.lines.len()).sum(),
        positions: 0,
        answers: 0,
    };
    for tile in &certificate.tiles {
        let (positions, answers) = boards::check_board(tile, certificate.per_turn, budget)?;
        report.positions += positions;
        report.answers += answers;
    }
    Ok(report)
}
