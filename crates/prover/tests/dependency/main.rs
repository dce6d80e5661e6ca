//! Dependency-based search: every win is verified by the checker, small boards agree with brute
//! force, and limits are kept.

mod games;
mod small_boards;
mod soundness;
