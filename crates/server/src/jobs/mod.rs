//! Long work on worker threads.

use crate::database::Database;
use crate::live::Hub;

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    _database: Database,
    _hub: Hub,
}

impl Jobs {
    /// Starts the workers, and again the jobs that were running when the server stopped.
    pub(crate) fn start(database: Database, hub: Hub, _workers: usize) -> Self {
        Self {
            _database: database,
            _hub: hub,
        }
    }
}
