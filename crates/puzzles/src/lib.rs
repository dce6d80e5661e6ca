//! Puzzles: positions with exactly one winning turn, or exactly one turn that does not lose.
//!
//! [`Miner`] takes positions through the stages of [`Stage`]: a win by turns that each need a whole turn to be
//! answered (VCDT, order 1 of `tengen-prover`), its shortest length, stones taken off as long as the solution
//! stays the only one, everything else exhausted, a proof that `tengen-checker` has verified, and a second,
//! naive search ([`recheck`]) that shares nothing with the first. [`Collection`] keeps what survives in one SQLite
//! file; [`Rating`] says how hard it is for machines. `docs/puzzles.md` says what each word means.
//!
//! With [`Options::order`] 2 wins are looked for in which one turn makes a single threat.
//!
//! Not guaranteed: that a puzzle is unique beyond its order. Another first turn may win by (further) single threats or
//! a quiet turn, which nobody has looked for.

mod attack;
mod collection;
mod defence;
mod examine;
mod fill;
mod judge;
mod ladder;
mod looks;
mod mine;
mod mine_quiet;
mod mine_second;
mod minimal;
mod puzzle;
mod quiet;
mod rating;
pub mod recheck;
mod run;
mod second;
mod self_play;
mod shape;
mod solution;
mod stage;
mod stand;
mod starter;
mod table;

pub use attack::{Answer, Attack, FreeStones, LONGEST, LimitReached, Stones, WinningTurn, suits};
pub use collection::{Collection, CollectionError, Selection, Summary};
pub use examine::Examination;
pub use judge::{Judgement, judge, judge_defence, judge_quiet, judge_second};
pub use ladder::{Ladder, RUNGS};
pub use mine::{Miner, Options};
pub use minimal::{Effort, Failure};
pub use puzzle::{Features, Kind, Puzzle, Step, Theme, Try};
pub use rating::{Calibration, GRADES, Rating, calibrate, grade_of, spearman};
pub use run::{Found, Plan, SelfPlay, Source, Thrown, in_parallel, run};
pub use self_play::self_play;
pub use shape::shape_key;
pub use stage::{Counts, Stage};
pub use stand::{Stand, Workshop};
pub use starter::starter;
