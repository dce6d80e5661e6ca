//! The book: what is known about positions, for ever.
//!
//! One SQLite file holds positions up to symmetry, turns, verdicts with the proofs that back them, names, comments,
//! sources, statistics of games, and the journals of searches.
