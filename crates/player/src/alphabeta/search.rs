//! Principal-variation search over whole turns, with threat-space search at every node.
//!
//! The two levels of Wu and Huang, section 4.3: alpha-beta for what is quiet, threat-space search for
//! what is forced. A side that can win by double threats has won, and where the opponent could after a
//! null turn, only turns in the relevance zone of that win are searched (section 5, and Wu and Lin's
//! RZOP).

use tengen_prover::{Effort, Tactics, Zones};
use tengen_rules::Side;

use super::boards::{Boards, Cells, Demand};
use super::budget::Budget;
use super::generate::{Candidate, Generator, Width};
use super::table::{Bound, News, Table};
use crate::Score;

/// A line that is completed now.
pub(crate) const WIN: i32 = Score::WIN.0;
/// Scores beyond this are wins or losses that the search believes in.
pub(crate) const DECIDED: i32 = Score::WIN_IN_SIGHT.0;
/// No score is so large.
pub(crate) const INFINITY: i32 = WIN + 1;

/// What the search is made of: how wide and how careful.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Style {
    /// Turns at an ordinary node.
    pub(crate) width: Width,
    /// Nodes of a threat search at a leaf; doubled for each turn of depth left.
    pub(crate) leaf_nodes: u64,
    /// Whether threats are searched at all.
    pub(crate) threats: bool,
    /// Whether the prover is asked at the root.
    pub(crate) proofs: bool,
}

/// A search on its way.
pub(crate) struct Search<'a> {
    pub(crate) boards: Boards,
    pub(crate) budget: Budget<'a>,
    pub(crate) table: &'a mut Table,
    pub(crate) tactics: &'a mut Tactics,
    pub(crate) generator: Generator,
    pub(crate) style: Style,
    /// Turns of alpha-beta alone, without those of threat searches.
    pub(crate) turns: u64,
    /// How deep extensions may go.
    pub(crate) deepest: i32,
}

/// The bounds of a search.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Bounds {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Bounds {
    pub(crate) const ALL: Self = Self {
        alpha: -INFINITY,
        beta: INFINITY,
    };

    fn is_narrow(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// As the opponent sees them.
    fn turned(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Only whether something is better than `alpha`.
    fn narrow(self) -> Self {
        Self {
            alpha: self.alpha,
            beta: self.alpha + 1,
        }
    }
}

/// What must be considered at a node, after what is obvious.
enum Situation {
    /// The score is known.
    Known(i32),
    /// These turns.
    Open(Vec<Candidate>),
}

impl Search<'_> {
    fn per_turn(&self) -> u8 {
        self.boards.rules().per_turn()
    }

    /// The score of the position for `side`, who is to move; meaningless once the budget is over.
    pub(crate) fn search(&mut self, side: Side, depth: i32, ply: i32, bounds: Bounds) -> i32 {
        self.turns += 1;
        if self.budget.spend(1) {
            return 0;
        }
        let stones = self.per_turn();
        if self.boards.winning_turn(side, stones).is_some() {
            return WIN - ply;
        }
        if self.boards.free_cells() == 0 {
            return 0;
        }
        let key = self.boards.key(side, stones);
        let (mut first, mut tried) = (Cells::new(), 0);
        if let Some(entry) = self.table.get(key) {
            first = entry.turn();
            tried = entry.no_threats;
            let score = off_the_shelf(entry.score, ply);
            let enough = i32::from(entry.depth) >= depth || score.abs() >= DECIDED;
            let fits = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= bounds.beta,
                Bound::Upper => score <= bounds.alpha,
            };
            if enough && fits && (bounds.is_narrow() || score.abs() >= DECIDED) {
                return score;
            }
        }
        let candidates = match self.situation(side, depth, ply, &mut tried) {
            Situation::Known(score) => {
                self.keep(key, ply, depth, (score, Bound::Exact), &[], tried);
                return score;
            }
            Situation::Open(candidates) => candidates,
        };
        let depth = depth.max(1);
        let (score, best) = self.best_of(side, depth, ply, bounds, candidates, &first);
        if self.budget.is_over() {
            return 0;
        }
        let bound = if score >= bounds.beta {
            Bound::Lower
        } else if score <= bounds.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.keep(key, ply, depth, (score, bound), &best, tried);
        score
    }

    fn keep(
        &mut self,
        key: tengen_rules::Key,
        ply: i32,
        depth: i32,
        (score, bound): (i32, Bound),
        turn: &[tengen_threats::Index],
        no_threats: u8,
    ) {
        if self.budget.is_over() {
            return;
        }
        let news = News {
            score: on_the_shelf(score, ply),
            depth,
            bound,
            turn,
            no_threats,
        };
        self.table.put(key, &news);
    }

    /// Looks at threats, and lists turns where they do not decide.
    fn situation(&mut self, side: Side, depth: i32, ply: i32, tried: &mut u8) -> Situation {
        let stones = self.per_turn();
        let demand = self.boards.demand(side, stones);
        if demand == Demand::TooMuch {
            return Situation::Known(-(WIN - ply - 1));
        }
        let effort = self.style.leaf_nodes << depth.clamp(0, 4);
        let level = effort.ilog2() as u8 + 1;
        if self.style.threats && *tried < level {
            if let Some(turns) = self.sees_win(side, effort) {
                return Situation::Known(WIN - ply - 2 * i32::from(turns));
            }
            *tried = level;
        }
        let width = self.style.width;
        if let Demand::Defences(sets) = demand {
            if depth <= 0 && ply >= self.deepest {
                return Situation::Known(self.boards.opinion(side));
            }
            let turns = self
                .generator
                .turns_with(&mut self.boards, side, stones, &sets, width);
            return Situation::Open(turns);
        }
        if depth <= 0 {
            return Situation::Known(self.boards.opinion(side));
        }
        let zones = if self.style.threats {
            self.null_turn(side, effort)
        } else {
            None
        };
        let mut turns = match zones {
            Some(zones) => self
                .generator
                .turns_in(&mut self.boards, side, stones, &zones, width),
            None => self.generator.turns(&mut self.boards, side, stones, width),
        };
        if turns.is_empty() {
            // Nothing promising concerns the opponent's win.
            turns = self.generator.turns(&mut self.boards, side, stones, width);
        }
        Situation::Open(turns)
    }

    /// Whether `side`, to move, wins by double threats, and in how many turns.
    fn sees_win(&mut self, side: Side, nodes: u64) -> Option<u16> {
        let who = (side, self.per_turn());
        let look = self
            .tactics
            .look(&self.boards.lines, who, Effort::Conservative, nodes, false);
        self.budget.spend(look.nodes);
        look.win.map(|win| win.depth)
    }

    /// The zones of the opponent's win if `side` passes.
    fn null_turn(&mut self, side: Side, nodes: u64) -> Option<Zones> {
        let who = (!side, self.per_turn());
        let look = self
            .tactics
            .look(&self.boards.lines, who, Effort::Conservative, nodes, true);
        self.budget.spend(look.nodes);
        look.win?.zones
    }

    /// The best of some turns; `first` is tried first.
    fn best_of(
        &mut self,
        side: Side,
        depth: i32,
        ply: i32,
        mut bounds: Bounds,
        mut candidates: Vec<Candidate>,
        first: &Cells,
    ) -> (i32, Cells) {
        if let Some(place) = candidates
            .iter()
            .position(|candidate| candidate.turn == *first)
        {
            candidates[..=place].rotate_right(1);
        }
        let forced = candidates.len() == 1;
        let mut best = (-INFINITY, Cells::new());
        for (number, candidate) in candidates.into_iter().enumerate() {
            self.boards.play(side, &candidate.turn);
            // A line without a choice is followed further.
            let next = if forced && ply < self.deepest {
                depth
            } else {
                depth - 1
            };
            let score = self.child(side, next, ply, bounds, number);
            self.boards.take_back(&candidate.turn);
            if self.budget.is_over() {
                break;
            }
            if score > best.0 {
                best = (score, candidate.turn);
            }
            bounds.alpha = bounds.alpha.max(score);
            if bounds.alpha >= bounds.beta {
                break;
            }
        }
        best
    }

    /// The score of the turn that stands on the board, for the side that played it.
    pub(crate) fn child(
        &mut self,
        side: Side,
        depth: i32,
        ply: i32,
        bounds: Bounds,
        number: usize,
    ) -> i32 {
        let turned = bounds.turned();
        if number == 0 {
            return -self.search(!side, depth, ply + 1, turned);
        }
        let reduction = reduction(depth, number);
        let narrow = bounds.narrow().turned();
        let mut score = -self.search(!side, depth - reduction, ply + 1, narrow);
        if score > bounds.alpha && reduction > 0 && !self.budget.is_over() {
            score = -self.search(!side, depth, ply + 1, narrow);
        }
        if score > bounds.alpha && score < bounds.beta && !self.budget.is_over() {
            score = -self.search(!side, depth, ply + 1, turned);
        }
        score
    }
}

/// By how much less deep a late turn is searched at first.
fn reduction(depth: i32, number: usize) -> i32 {
    match (depth, number) {
        (..1, _) | (_, ..4) => 0,
        (1, _) | (_, ..12) => 1,
        _ => 2,
    }
}

/// A decided score counts turns from the root; in the table it counts them from the position.
fn on_the_shelf(score: i32, ply: i32) -> i32 {
    if score >= DECIDED {
        score + ply
    } else if score <= -DECIDED {
        score - ply
    } else {
        score
    }
}

fn off_the_shelf(score: i32, ply: i32) -> i32 {
    if score >= DECIDED {
        score - ply
    } else if score <= -DECIDED {
        score + ply
    } else {
        score
    }
}
