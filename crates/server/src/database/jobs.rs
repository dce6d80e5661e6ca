//! Jobs in the database.
