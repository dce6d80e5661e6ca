//! Dependency-based search: every win is verified by the checker, small boards agree with brute
//! force, limits are kept, and tree search finds much the same.

mod games;
mod small_boards;
mod soundness;
mod tree_search;
