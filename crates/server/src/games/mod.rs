//! Reading collections of games.

use crate::api::JobOutcome;
use crate::database::Database;
use crate::error::Failure;

/// Stores and indexes the games of a collection's file. `progress` hears how many games are done of how many, and
/// says whether to go on; what was stored before stays, and a second call goes on after it.
pub(crate) fn import(
    _database: &Database,
    _collection: u32,
    _progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<JobOutcome, Failure> {
    Err(Failure::Internal("games cannot be imported yet".into()))
}
