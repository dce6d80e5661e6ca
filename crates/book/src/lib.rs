//! The book: what is known about positions, for ever.
//!
//! One SQLite file holds positions up to symmetry, turns, verdicts with the proofs that back them, names, comments,
//! sources, statistics of games, and the journals of searches. `docs/book.md` has the schema and the rules of merging.
//!
//! Nothing here is called proved because somebody says so: the only thing that proves a position is a stored proof that
//! the checker has verified, without exceptions, for exactly this position ([`CheckedProof`] is the only way in).
//!
//! ```
//! use tengen_book::Book;
//!
//! let book = Book::in_memory().expect("an empty book");
//! let proof = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
//!              attacker black\nnodes 1\n0 D2\nend\n";
//! let stored = book.add_proof(proof).expect("a proof");
//! assert!(stored.proof.is_win());
//! ```

mod check;
mod error;
mod facts;
mod fields;
mod file;
mod games;
mod journal;
mod lines;
mod lookup;
mod marks;
pub mod names;
mod place;
mod proofs;
mod trees;
mod words;

pub use check::{Checked, Info};
pub use error::{Error, Result};
pub use facts::{Claim, Comment, Name, Opinion, Source};
pub use file::Book;
pub use games::{Game, Stats};
pub use journal::{Command, Events, Lease, NewSearch, Owner, Search, SearchId, Wanted};
pub use lines::{Exported, Merged, Unreadable};
pub use lookup::{Entry, TurnEntry};
pub use marks::Marks;
pub use place::{PositionId, start};
pub use proofs::{CHECKER, CheckedProof, ProofId, ProofState, ProofSummary, StoredProof};
pub use trees::{ImportOptions, Imported};
pub use words::{Hit, HitKind};
