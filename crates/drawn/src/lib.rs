//! Drawn k-in-a-row games.
pub mod position;
pub mod canonical;
pub mod turns;
pub mod solver;
pub mod drawer {}
