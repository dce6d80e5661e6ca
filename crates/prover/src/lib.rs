//! Search that proves: wins by continuous threats, with the strategy as a proof file.
//!
//! [`Solver`] looks for a win of one side by Λ-search (Wu and Lin, "Relevance-Zone-Oriented Proof
//! Search for Connect6", sections III-D and IV): order 1 uses only turns that need a whole turn to
//! be answered (VCDT in Connect6, fours in Go-Moku), order 2 also turns that leave the defender one
//! stone (VCST, threes), orders 3 and 4 also quiet turns. [`verify`] lists the replies to a turn that
//! are not proved to lose. A win comes as a [`Proof`]; `docs/proof-format.md` says what it means, and
//! `tengen-checker`, which shares no code with this crate, verifies it.
//!
//! [`Value::Win`] is only as good as its proof: callers that tell a user "won" check it first.
//! [`Value::None`] says that no win of that order exists; it says nothing about other wins.
//!
//! ```
//! use tengen_prover::{Request, Solver, Value};
//! use tengen_rules::{Rules, notation};
//!
//! let position = "B:C5,D5,E5,F2,F3,F4 W:B5,F1,C8,E8,G7,H3 to-move:B";
//! let position = notation::parse_position(position, Rules::GOMOKU).expect("a legal set-up");
//! let solution = Solver::new(16).solve(&position, &Request::new(position.to_move(), 1));
//! let Value::Win(proof) = solution.value else { panic!("F5 wins") };
//! assert_eq!(tengen_checker::check(&proof.to_text(), &Default::default()).exit_code(), 0);
//! ```

mod best_first;
mod cover;
pub mod dependency;
mod matrix;
mod order;
pub mod play;
pub mod pn;
mod progress;
mod proof;
mod quiet;
mod ranking;
mod refuter;
mod region;
mod replay;
mod search;
mod set_map;
pub mod small_boards;
mod solver;
mod table;
mod tactics;
mod tree;
mod verifier;
mod zones;

pub use progress::Progress;
pub use proof::{CompactError, Proof, ProofNode, ProofTextError, Reply, ReplyKind};
pub use ranking::{RankedTurn, Ranking, rank_turns};
pub use replay::{replay, zones};
pub use solver::{Limits, Request, Solution, Solver, Value};
pub use tactics::{Effort, Look, SeenWin, Tactics};
pub use verifier::{STAGES, Verification, VerifyError, VerifyProgress, VerifyRequest, verify};
pub use zones::Zones;
