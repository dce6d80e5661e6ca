//! Which quiet turns are worth a verification, the best first.
//!
//! A turn is worth something if the attacker wins after it when the defender does nothing, and the smaller the zones of
//! that win the fewer replies the defender has. Static ranks failed: of the turns that win openings, some are not among
//! the first hundred by any count of lines.

use std::sync::atomic::AtomicBool;

use tengen_rules::{Overline, Position, Turn};
use tengen_threats::{CellSet, LineBoard};

use crate::refuter::Refuter;
use crate::search::{Budget, Search};
use crate::table::Table;
use crate::tree::Cells;

/// How turns are ranked.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// How many turns are looked at, those that build most.
    pub widest: usize,
    /// Nodes of the null-turn search of the lowest order.
    pub nodes: u64,
    /// For how many turns, those that build most, a null-turn win of the next order counts too.
    pub closest: usize,
    /// The nodes of that search.
    pub closest_nodes: u64,
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            widest: 400,
            nodes: 600,
            closest: 60,
            closest_nodes: 3_000,
        }
    }
}

/// The rank of the first turn that threatens, and of the first without a null-turn win.
const THREAT_RANK: usize = 150;
const LAST_RANK: usize = 10_000;

/// A turn of the attacker, and the order and nodes of the search that answers the null turn.
pub(crate) struct Candidate {
    pub(crate) turn: Cells,
    pub(crate) rank: usize,
    pub(crate) null: Option<(u8, u64)>,
}

/// A turn and how promising it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedTurn {
    /// The turn.
    pub turn: Turn,
    /// Small is good: the size of the zones of the null-turn win, or a place behind those.
    pub rank: usize,
}

/// The turns of the side to move that may win in a quiet way, for a win of this order, the best first.
/// Nothing where overlines do not win, or with a begun turn.
pub fn rank_turns(
    position: &Position,
    order: u8,
    ranking: Ranking,
    stop: Option<&AtomicBool>,
) -> Vec<RankedTurn> {
    let rules = position.rules();
    let whole = position.left() == rules.per_turn();
    if rules.overline() == Overline::DoesNotWin || !whole || position.outcome().is_some() {
        return Vec::new();
    }
    let board = LineBoard::from_position(position);
    let mut refuter = Refuter {
        stop,
        ..Refuter::new(position.to_move(), order)
    };
    let candidates = ranked_turns(&mut refuter, &board, order, ranking);
    let named = candidates.into_iter().map(|candidate| RankedTurn {
        turn: candidate
            .turn
            .iter()
            .map(|&cell| board.cell(cell))
            .collect(),
        rank: candidate.rank,
    });
    named.collect()
}

/// The attacker's turns, the best first.
pub(crate) fn ranked_turns(
    refuter: &mut Refuter<'_>,
    board: &LineBoard,
    order: u8,
    ranking: Ranking,
) -> Vec<Candidate> {
    let attacker = refuter.attacker;
    let turns = {
        let mut table = Table::new(1);
        let budget = Budget {
            nodes: u64::MAX,
            deadline: None,
            stop: None,
            progress: None,
        };
        let mut search = Search::new(board.clone(), attacker, &mut table, budget);
        let per_turn = search.per_turn;
        let mut turns = search.building_turns(per_turn, 0, ranking.widest);
        turns.retain(|turn| search.can_judge(turn));
        turns
    };
    let per_turn = board.rules().per_turn();
    let order = order.saturating_sub(per_turn).max(1);
    let blocks = board.has_threat(!attacker);
    let jobs: Vec<(usize, Cells)> = turns.into_iter().enumerate().collect();
    let ranked = refuter.on_threads(&jobs, |refuter, (place, turn), table| {
        let mut after = board.clone();
        for &cell in turn {
            after.place(attacker, cell);
        }
        if after.threat_count(attacker) > 0 {
            // No null turn here. Few of them, between the others.
            return (Some((THREAT_RANK + 4 * place, None)), 0);
        }
        // The strategies are found again when they are needed: thousands never are.
        let mut null = (order, ranking.nodes);
        let (mut found, mut nodes) = refuter.win(after.clone(), null.0, null.1, table);
        if found.is_none() && (blocks || *place < ranking.closest) {
            null = (order + 1, ranking.closest_nodes);
            let more;
            (found, more) = refuter.win(after, null.0, null.1, table);
            nodes += more;
        }
        let rank = match found {
            Some((_, _, zones)) => {
                let sizes = zones.sets().iter().map(CellSet::len);
                Some((sizes.take(2).sum(), Some(null)))
            }
            // The defender must be stopped: every way may be the only one.
            None if blocks => Some((LAST_RANK + place, None)),
            None => None,
        };
        (rank, nodes)
    });
    let nodes = ranked.iter().map(|(_, nodes)| nodes).sum();
    refuter.count(jobs.len() as u64, nodes);
    let with_rank = jobs.into_iter().zip(ranked);
    let mut candidates: Vec<Candidate> = with_rank
        .filter_map(|((_, turn), (rank, _))| {
            let (rank, null) = rank?;
            Some(Candidate { turn, rank, null })
        })
        .collect();
    candidates.sort_by(|a, b| a.rank.cmp(&b.rank).then(a.turn.cmp(&b.turn)));
    candidates
}
