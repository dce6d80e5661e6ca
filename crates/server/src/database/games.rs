//! Collections, games and their positions in the database.
