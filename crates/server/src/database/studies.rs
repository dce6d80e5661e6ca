//! Studies in the database.
