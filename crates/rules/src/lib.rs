//! The game itself: every Connect(m,n,k,p,q) of Wu and Huang, "A New Family of k-in-a-row Games".
//!
//! Two players alternately place `p` stones on an `m` x `n` board, the first turn has `q` stones,
//! and `k` in a row win. [`Rules`] is a run-time value; a [`Setup`] is anything one can describe, a
//! [`Position`] is something one can play; a [`Record`] is a tree of games with comments, as files
//! keep it; [`notation`] reads and writes all of these as text.
//!
//! This crate knows what is legal. It does not know what is good or forced: that is
//! `tengen-threats` and above.
//!
//! ```
//! use tengen_rules::{Rules, Side, notation};
//!
//! let position = notation::parse_position("J10 I8 H9", Rules::CONNECT6).expect("a legal game");
//! assert_eq!((position.to_move(), position.left()), (Side::Black, 2));
//! ```

mod cell;
mod grid;
mod key;
pub mod notation;
mod perft;
mod position;
mod record;
mod rules;
mod setup;
mod side;
mod symmetry;
mod turn;
mod zobrist;

pub use cell::{Cell, ParseCellError};
pub use grid::Grid;
pub use key::{PositionKey, position_key};
pub use perft::perft;
pub use position::{Outcome, PlaceError, Position};
pub use record::{Action, Info, Mark, Node, NodeId, Notes, Record, RecordError};
pub use rules::{Extent, MAX_SIDE, Overline, ParseRulesError, Refusal, Rules};
pub use setup::{Setup, SetupError, SetupRefusal};
pub use side::{BySide, Placement, Side};
pub use symmetry::{Canonical, Symmetry};
pub use turn::Turn;
pub use zobrist::{Key, stone_key, turn_key};
