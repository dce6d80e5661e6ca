//! An independent checker of proofs: a small program that believes nobody.
//!
//! It reads the text form of `docs/proof-format.md`, plays the attacker's turns on a naive board of
//! its own and recomputes everything else: threats, critical defences, relevance zones and which
//! replies must be answered. The mathematics is that of I-Chen Wu and Ping-Hung Lin,
//! *Relevance-Zone-Oriented Proof Search for Connect6* (RZOP); each file names the part it
//! implements. The crate depends on nothing, in particular not on the programs that write proofs.
//!
//! | file | what it does |
//! |---|---|
//! | `text.rs`, `tokens.rs` | reads the file; refuses what is malformed |
//! | `board.rs` | stones and windows on coordinates |
//! | `threats.rs` | threat windows and critical defences, from the definitions |
//! | `zones.rs` | sequences of zones; EP-1 and Tp1-1 |
//! | `cover.rs` | which replies a node answers: Par-1 to Par-6 |
//! | `check.rs` | walks over the nodes: AT-1 and Tp-1 |
//! | `verdict.rs` | what is said at the end; limits |
//! | `draw/` | certificates of draws, which are another matter: `docs/drawn.md` |
//! | `gomoku/` | databases of wins of Go-Moku, yet another: `docs/gomoku-format.md` |
//!
//! ```
//! let proof = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
//!              attacker black\nnodes 1\n0 D2\nend\n";
//! let verdict = tengen_checker::check(proof, &tengen_checker::Limits::default());
//! assert!(matches!(verdict, tengen_checker::Verdict::Verified(_)));
//! ```

#![forbid(unsafe_code)]

mod board;
mod check;
mod cover;
mod draw;
mod gomoku;
mod text;
mod threats;
mod tokens;
mod verdict;
mod zones;

pub use check::{check, check_claim, check_partial_claim};
pub use draw::{DrawReport, DrawVerdict, check_draw, is_draw_certificate};
pub use gomoku::{
    GomokuDatabase, GomokuFault, GomokuLimits, GomokuReadError, GomokuReport, GomokuVerdict,
    is_gomoku_database,
};
pub use verdict::{Limits, Reason, Report, Verdict};
