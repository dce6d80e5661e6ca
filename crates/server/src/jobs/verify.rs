//! Replies to a turn that are not proved to lose.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tengen_prover::play::ProofPlayer;
use tengen_prover::{Limits, Proof, STAGES, VerifyProgress, VerifyRequest};
use tengen_rules::{Cell, Position};

use super::checking;
use super::find_win::zones;
use super::worker::Desk;
use crate::api::{JobOutcome, JobProgress, Survivor};
use crate::convert;
use crate::error::Failure;

/// Proof nodes that are looked at for zones.
const MOST_VISITS: u64 = 1_000_000;

/// What the checker gets for the proof of a verification that was stopped.
const MOMENT: Duration = Duration::from_secs(2);

/// Tries all replies; what is said of them is what the checker says of the proof.
pub(super) fn verify(
    desk: &Desk<'_>,
    position: &Position,
    order: u8,
) -> Result<Option<JobOutcome>, Failure> {
    let attacker = !position.to_move();
    let progress = Arc::new(VerifyProgress::default());
    let watched = Arc::clone(&progress);
    desk.watch(move |progress| show(progress, &watched));
    let request = VerifyRequest {
        limits: Limits {
            nodes: None,
            time: desk.time,
        },
        stop: Some(desk.stop()),
        progress: Some(&progress),
        ..VerifyRequest::new(order)
    };
    let found = tengen_prover::verify(position, &request)
        .map_err(|error| Failure::BadRequest(error.to_string()))?;
    let was_stopped = desk.is_stopped();
    let mut survivors = vec![Vec::new()];
    let mut stored = None;
    if let Some(proof) = &found.proof {
        if !was_stopped {
            desk.checking();
        }
        // What was proved before somebody stopped it is worth a moment.
        let patience = Instant::now() + MOMENT;
        let accepted = checking::accepted(desk.database(), position, attacker, proof, &|| {
            desk.is_stopped() && (!was_stopped || Instant::now() >= patience)
        })?;
        let Some(accepted) = accepted else {
            return Ok(None);
        };
        desk.library_changed();
        let open = accepted.report.except.iter();
        survivors = open.map(|set| convert::checker_cells(set)).collect();
        stored = Some(accepted);
    }
    desk.progress(|progress| progress.open = Some(survivors.len() as u64));
    let (replies, open) = counts(position, &survivors);
    let survivor = |cells: &Vec<Cell>| Survivor {
        stones: convert::names(cells),
    };
    Ok(Some(JobOutcome::Verified {
        attacker: attacker.into(),
        survivors: survivors.iter().map(survivor).collect(),
        open,
        replies,
        proof: stored.as_ref().map(|accepted| accepted.summary.id),
        zones: match (&stored, found.proof) {
            (Some(accepted), _) if !accepted.report.zones.is_empty() => {
                zones(&accepted.report.zones)
            }
            (Some(_), Some(proof)) => null_zones(*proof),
            _ => Vec::new(),
        },
        finished: found.finished,
    }))
}

/// Where a stone of the defender could matter at all.
fn null_zones(proof: Proof) -> Vec<Vec<String>> {
    let player = ProofPlayer::new(proof, MOST_VISITS);
    let zones = player.and_then(|mut player| player.zones_against_the_null_turn());
    let zones = zones.unwrap_or_default();
    zones.iter().map(|zone| convert::names(zone)).collect()
}

fn show(progress: &mut JobProgress, watched: &VerifyProgress) {
    let open = watched.open.load(Ordering::Relaxed) as u64;
    let failed = watched.failed.load(Ordering::Relaxed) as u64;
    let met = watched.met.load(Ordering::Relaxed);
    progress.nodes = watched.nodes.load(Ordering::Relaxed);
    progress.stage = Some(watched.stage.load(Ordering::Relaxed) as u32);
    progress.stages = Some(STAGES.len() as u32);
    progress.refuted = Some(met.saturating_sub(open + failed));
    progress.open = Some(open + failed);
}

/// How many replies there are, and how many of them contain one of the sets: all that can be counted without
/// listing them.
pub(crate) fn counts(position: &Position, sets: &[Vec<Cell>]) -> (u64, Option<u64>) {
    let Some(empty) = position.empty_cells().map(u64::from) else {
        return (0, sets.is_empty().then_some(0));
    };
    let stones = u64::from(position.left()).min(empty);
    let replies = choose(empty, stones);
    if sets.iter().any(Vec::is_empty) {
        return (replies, Some(replies));
    }
    let single = |cell: &Cell| sets.iter().any(|set| set[..] == [*cell]);
    let singles = sets.iter().filter(|set| set.len() == 1).count() as u64;
    let pairs = sets
        .iter()
        .filter(|set| set.len() == 2 && !set.iter().any(single));
    let open = match stones {
        1 => Some(singles),
        2 => Some(replies - choose(empty - singles, 2) + pairs.count() as u64),
        _ => sets.is_empty().then_some(0),
    };
    (replies, open)
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1_u64, |product, i| product.saturating_mul(n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::{Rules, notation};

    #[test]
    fn replies_are_counted_as_if_they_were_listed() {
        let position = notation::parse_position("A1 B2 C3", "4,4,4,2,1".parse().expect("rules"));
        let position = position.expect("legal");
        let empty: Vec<Cell> = (0..16)
            .map(|n| Cell::new(n % 4, n / 4))
            .filter(|&cell| position.stone(cell).is_none())
            .collect();
        let set = |text: &str| -> Vec<Cell> {
            text.split(' ')
                .map(|cell| cell.parse().expect("a cell"))
                .collect()
        };
        for sets in [
            vec![],
            vec![set("A2")],
            vec![set("A2"), set("A3 A4"), set("D1")],
            vec![set("A3 A4"), set("A4 D1"), set("D2")],
        ] {
            let mut open = 0;
            let mut replies = 0;
            for (i, &a) in empty.iter().enumerate() {
                for &b in &empty[i + 1..] {
                    replies += 1;
                    let has = |set: &Vec<Cell>| set.iter().all(|&cell| cell == a || cell == b);
                    open += u64::from(sets.iter().any(has));
                }
            }
            assert_eq!(counts(&position, &sets), (replies, Some(open)), "{sets:?}");
        }
        assert_eq!(counts(&position, &[Vec::new()]), (78, Some(78)));
        let start = notation::parse_position("J10", Rules::CONNECT6).expect("legal");
        assert_eq!(counts(&start, &[]).0, 360 * 359 / 2);
    }
}
