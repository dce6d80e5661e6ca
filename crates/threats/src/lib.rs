//! What is forced: windows, threats and critical defences of any Connect(m,n,k,p,q) position.
//!
//! A *window* is `k` consecutive cells of a line. A side *threatens* with every window that holds at
//! least `k - p` of its stones and none of the opponent's: the rest can be filled in one turn. The
//! *number of threats* is the number of stones the opponent needs to hit all of these windows, a
//! minimum hitting set over all lines at once, because one stone on a crossing answers two lines.
//! The *critical defences* are all inclusion-minimal sets of at most `p` stones that hit every
//! window. (Wu and Huang, "A New Family of k-in-a-row Games", sections 4.1 and 4.2; Wu and Lin,
//! "Relevance-Zone-Oriented Proof Search for Connect6", section III.)
//!
//! [`LineBoard`] keeps the windows of both sides up to date while stones come and go; everything
//! here is exact, and each routine has a naive twin in `tests/`. Nothing here looks ahead: whether
//! the defender can win first is a question for the search.

mod cell_set;
mod counting;
mod geometry;
mod hitting;
mod kernel;
mod line_board;
mod shapes;
mod small_defences;
mod turns;

pub use cell_set::CellSet;
pub use counting::{Defences, Window};
pub use line_board::{Index, LineBoard};
pub use shapes::{Shape, ShapeKind};
pub use small_defences::SmallDefences;
pub use turns::SmallThreatTurns;
