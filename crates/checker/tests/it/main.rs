//! Tests of the checker: proofs in `suites/proofs`, every trap of the theory with a proof built for
//! it, brute force on tiny boards, damaged files and hostile ones.

#![expect(clippy::print_stdout, reason = "counts are shown with --nocapture")]

mod brute;
mod generate;
mod gomoku;
mod hostile;
mod mutants;
mod partial;
mod program;
mod region;
mod soundness;
mod suite;
mod traps;
