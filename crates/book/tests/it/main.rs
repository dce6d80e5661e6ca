//! The book from outside: files that are none, symmetry, proofs, trees, merging.

mod crashes;
mod files;
mod lines;
mod merging;
mod proofs;
mod sample;
mod symmetry;
mod trees;
