//! Proofs in the database.
