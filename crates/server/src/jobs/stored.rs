//! Work on what is stored: proofs to be checked, games to be imported.

use tengen_prover::Proof;

use super::checking;
use super::worker::Desk;
use crate::api::JobOutcome;
use crate::database::proofs;
use crate::error::Failure;
use crate::games;

/// The checker reads a stored proof.
pub(super) fn check(desk: &Desk<'_>, id: u32) -> Result<Option<JobOutcome>, Failure> {
    let database = desk.database();
    let file = database.read_now(|connection| proofs::file(connection, id))?;
    let proof = Proof::from_compact(&file)
        .map_err(|error| Failure::Internal(format!("the stored proof is damaged: {error}")))?;
    // The row keeps what is known until there is something new: pages see the job at work.
    desk.checking();
    let Some(checked) = checking::any(proof.to_text(), &|| desk.is_stopped()) else {
        return Ok(None);
    };
    let row = checked.to_row();
    database.write_now(|connection| proofs::set_check(connection, id, &row))?;
    desk.library_changed();
    let proof = database.read_now(|connection| proofs::get(connection, id))?;
    Ok(Some(JobOutcome::Checked { proof }))
}

/// Games of a collection are stored and indexed.
pub(super) fn import(desk: &Desk<'_>, collection: u32) -> Result<Option<JobOutcome>, Failure> {
    let mut progress = |done: u64, total: u64| {
        desk.progress(|progress| {
            progress.nodes = done;
            progress.total = Some(total);
        });
        !desk.is_stopped()
    };
    let outcome = games::import(desk.database(), collection, &mut progress)?;
    desk.library_changed();
    Ok(Some(outcome))
}
