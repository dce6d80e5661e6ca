//! Games, studies and proofs together, in a database of their own.

mod importing;
mod known;
mod statistics;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use tengen_rules::notation::Format;
use tengen_rules::{Position, Rules, Symmetry, Turn};

use super::position_of;
use crate::api::JobOutcome;
use crate::database::Database;
use crate::database::games::{self, NewCollection};

/// A database in a folder that goes away with it.
struct Fresh {
    database: Database,
    folder: PathBuf,
}

impl Fresh {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tengen-games-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        Self {
            database: Database::open(&folder).expect("a new database"),
            folder,
        }
    }

    /// Keeps a file of moves.
    fn upload(&self, text: &str) -> u32 {
        let new = NewCollection {
            name: "a file".into(),
            format: Format::Moves,
            rules: None,
            charset: None,
            file: text.as_bytes().to_vec(),
        };
        let created = self
            .database
            .write_now(|transaction| games::create(transaction, &new));
        created.expect("stored")
    }

    fn import(&self, text: &str) -> JobOutcome {
        let collection = self.upload(text);
        super::import(&self.database, collection, &mut |_, _| true).expect("imported")
    }

    fn count(&self, table: &str) -> u32 {
        let query = format!("SELECT count(*) FROM {table}");
        let counted = |connection: &rusqlite::Connection| {
            Ok(connection.query_row(&query, [], |row| row.get(0))?)
        };
        self.database.read_now(counted).expect("counted")
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.folder);
    }
}

fn position(moves: &str) -> Position {
    position_of("connect6", moves).expect("legal")
}

/// Random games to the end or to a random turn, as a file of moves.
fn random_games(rules: Rules, games: usize, seed: u64) -> Vec<Vec<Turn>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = || {
        let mut position = Position::new(rules);
        let mut turns = Vec::new();
        let most = random.usize(0..8);
        while turns.len() < most && position.outcome().is_none() {
            let mut free: Vec<_> = position.grid().cells().collect();
            free.retain(|&cell| position.stone(cell).is_none());
            random.shuffle(&mut free);
            let stones = free.len().min(position.left().into());
            let turn: Turn = free[..stones].iter().copied().collect();
            // What follows a win in the same turn is not written.
            let before = position.history().count();
            position.play(&turn).expect("the cells are free");
            turns.push(
                position
                    .history()
                    .skip(before)
                    .filter_map(|(_, cell)| cell)
                    .collect(),
            );
        }
        turns
    };
    (0..games).map(|_| game()).collect()
}

fn file_of(rules: Rules, games: &[Vec<Turn>]) -> String {
    let mut text = format!("rules {rules}\n");
    for game in games {
        let turns: Vec<String> = game.iter().map(Turn::to_string).collect();
        text.push_str(if turns.is_empty() { "-" } else { "" });
        text.push_str(&turns.join(" "));
        text.push('\n');
    }
    text
}

fn image(symmetry: Symmetry, rules: Rules, turn: &Turn) -> Turn {
    turn.cells()
        .iter()
        .map(|&cell| symmetry.apply(rules, cell))
        .collect()
}
