//! Drawn k-in-a-row games: Maker-Breaker boards, tilings of the plane, and the least k known to be
//! drawn for every p. After Chiang, Wu and Lin, *Drawn k-in-a-row games* (2011); `docs/drawn.md` has
//! the statements and the format of certificates.
//!
//! | file | what it does |
//! |---|---|
//! | `board.rs` | cells and lines, and their text |
//! | `position.rs`, `canonical.rs` | what is left of a board, up to names |
//! | `turns.rs` | which turns need an answer, which answers are worth trying |
//! | `solver.rs` | who wins, exactly |
//! | `strategy.rs` | White's answers, written down |
//! | `tiling.rs` | copies of boards fill the plane; certificates |
//! | `known.rs` | tilings that prove something |
//! | `drawer.rs` | plays White on the plane |
//! | `strips.rs`, `exclusive.rs`, `induction.rs` | Theorem 2: endless boards, exclusive squares, the lemmas |
//! | `family.rs` | Connect games that are not drawn, or open |
//! | `search/` | looks for tiles |
//! | `picture.rs` | boards and tilings as SVG |
//!
//! Nothing here is believed: what is called drawn is what `tengen-checker`, which shares no code with this
//! crate, has verified.
//!
//! ```
//! use tengen_drawn::{Board, Position, Solver};
//!
//! // Two lines of three cells that cross: with one stone a turn White stops both.
//! let board: Board = "cells 0,0 1,0 2,0 1,1 1,2\nline 0,0 1,0 2,0\nline 1,0 1,1 1,2".parse()?;
//! let position = Position::from_board(&board);
//! assert_eq!(Solver::new(1).is_drawn(&position), Some(true));
//! assert_eq!(Solver::new(2).is_drawn(&position), Some(false));
//! # Ok::<(), tengen_drawn::BoardError>(())
//! ```

mod board;
mod canonical;
mod drawer;
mod exclusive;
pub mod family;
pub mod induction;
pub mod known;
pub mod picture;
mod position;
pub mod search;
mod solver;
mod strategy;
pub mod strips;
mod tiling;
mod turns;

pub use board::{Board, BoardError, MOST_CELLS, MOST_LINES, Point};
pub use drawer::{Drawer, DrawerError};
pub use exclusive::ExclusiveSolver;
pub use position::{Class, Lines, Position, Stones};
pub use solver::{Solver, Value};
pub use strategy::{Cells, Part, Strategy};
pub use tiling::{
    DIRECTIONS, Image, LETTERS, Place, Plane, Tile, Tiling, TilingError, certificate,
};
pub use turns::Answer;
