//! Dependency-based search: every win is verified by the checker, small boards agree with brute
//! force, limits are kept, and `speed` compares it with the depth-first solver.

mod games;
mod small_boards;
mod soundness;
mod speed;
