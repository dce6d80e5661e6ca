//! A win of the side to move, found, checked and stored.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tengen_prover::{Limits, Progress, Request, Solver, Value};
use tengen_rules::{Cell, Position};

use super::worker::Desk;
use super::{checking, tree};
use crate::api::{JobOutcome, ProofState};
use crate::convert;
use crate::error::Failure;

/// The table has so many entries, as a power of two, of 16 bytes.
const TABLE_BITS: u32 = 21;

/// Searches for a win of this order.
pub(super) fn find_win(
    desk: &Desk<'_>,
    position: &Position,
    order: u8,
) -> Result<Option<JobOutcome>, Failure> {
    let attacker = position.to_move();
    let progress = Arc::new(Progress::default());
    let watched = Arc::clone(&progress);
    desk.watch(move |progress| progress.nodes = watched.nodes.load(Ordering::Relaxed));
    let request = Request {
        limits: Limits {
            nodes: None,
            time: desk.time,
        },
        stop: Some(desk.stop()),
        progress: Some(&progress),
        ..Request::new(attacker, order)
    };
    let solution = Solver::new(TABLE_BITS).solve(position, &request);
    progress.nodes.store(solution.nodes, Ordering::Relaxed);
    desk.progress(|progress| progress.nodes = solution.nodes);
    let proof = match solution.value {
        Value::Win(proof) => proof,
        _ if desk.is_stopped() => return Ok(None),
        Value::None => return Ok(Some(JobOutcome::None)),
        Value::Unknown => return Ok(Some(JobOutcome::Unknown)),
    };
    desk.checking();
    let stopped = || desk.is_stopped();
    let accepted = checking::accepted(desk.database(), position, attacker, &proof, &stopped)?;
    let Some(accepted) = accepted else {
        return Ok(None);
    };
    desk.library_changed();
    let summary = &accepted.summary;
    if summary.state != ProofState::Verified {
        return Err(Failure::Internal(
            "the proof leaves replies open; nothing is known of the position, and a report of it would help".into(),
        ));
    }
    let first: Vec<Cell> = proof
        .nodes
        .first()
        .map_or_else(Vec::new, |node| node.turn.clone());
    Ok(Some(JobOutcome::Win {
        side: attacker.into(),
        turn: convert::names(&first),
        turns: summary.turns.unwrap_or(accepted.report.depth),
        proof: summary.id,
        zones: zones(&accepted.report.zones),
        tree: tree::of(&proof),
    }))
}

/// Zones as the checker has found them.
pub(super) fn zones(zones: &[Vec<(i32, i32)>]) -> Vec<Vec<String>> {
    let names = |zone: &Vec<(i32, i32)>| convert::names(&convert::checker_cells(zone));
    zones.iter().map(names).collect()
}
