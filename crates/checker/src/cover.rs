//! Which replies of the defender the children of a node answer: the subverifier of the Appendix of
//! RZOP, Par-1 to Par-6, with the rule that a child's stones may differ from the reply it answers.
//!
//! *Misprint in the paper:* Par-5 must range over the cells in Z_u, not outside it.

use std::collections::{HashMap, HashSet};

use crate::board::Board;
use crate::verdict::{Budget, Stop};
use crate::zones::Zones;

/// A node that was found to win in its position.
#[derive(Debug)]
pub(crate) struct Won {
    pub(crate) zones: Zones,
    /// The longest line, in turns of the attacker.
    pub(crate) depth: u32,
}

/// A child that wins after the defender has placed these stones, in increasing order.
pub(crate) struct Answer<'a> {
    pub(crate) stones: Vec<usize>,
    pub(crate) won: &'a Won,
}

impl Answer<'_> {
    /// Whether this answers `set` together with any `further` stones outside a zone: e if it does,
    /// the number of stones that the child does not know of.
    fn extra_stones(&self, set: &[usize], further: usize) -> Option<usize> {
        let unknown = set
            .iter()
            .filter(|cell| self.stones.binary_search(cell).is_err());
        let mut ranks: Vec<usize> = unknown.map(|&cell| self.won.zones.rank(cell)).collect();
        let e = ranks.len() + further;
        ranks.sort_unstable();
        let irrelevant = ranks.iter().zip(1..).all(|(&rank, i)| rank >= i);
        (e <= self.won.zones.len() && irrelevant).then_some(e)
    }

    /// How many cells [`Self::relevant`] has.
    fn relevant_count(&self, set: &[usize], e: usize) -> usize {
        self.won.zones.get(e).map_or(0, |zone| {
            let own = self.stones.iter().filter(|&&cell| zone.contains(cell));
            let others = set.iter().filter(|&&cell| zone.contains(cell));
            let others = others.filter(|cell| self.stones.binary_search(cell).is_err());
            zone.len() - own.count() - others.count()
        })
    }

    /// The cells outside `set` on which a further stone is not irrelevant: those of Z_e that the
    /// child's own stones do not occupy.
    fn relevant<'s>(&'s self, set: &'s [usize], e: usize) -> impl Iterator<Item = usize> + use<'s> {
        let zone = (e > 0).then(|| self.won.zones.get(e)).flatten();
        zone.into_iter()
            .flat_map(|zone| zone.cells())
            .filter(move |cell| !set.contains(cell) && self.stones.binary_search(cell).is_err())
    }
}

/// How a set of stones, together with further ones, is answered.
#[derive(Copy, Clone)]
enum Plan {
    /// By this child, which knows nothing of e stones; further stones on relevant cells by others.
    Child { answer: usize, e: usize },
    /// It contains an exception: nothing is claimed about it.
    Excepted,
    /// Whatever the next stone is, that set is answered.
    EveryStone,
    /// Not at all.
    None,
}

/// What the defender may do after one turn of the attacker, and what is answered.
pub(crate) struct Cover<'a> {
    board: &'a Board,
    answers: Vec<Answer<'a>>,
    by_stones: HashMap<Vec<usize>, usize>,
    /// How many stones the defender places.
    turn: usize,
    /// Overlines do not win: only children with exactly the stones of the reply count.
    exact: bool,
    /// Replies that contain one of these sets are left open.
    except: &'a [Vec<usize>],
    plans: HashMap<Vec<usize>, Plan>,
    /// The first set that has no answer.
    pub(crate) unanswered: Option<Vec<usize>>,
}

impl<'a> Cover<'a> {
    pub(crate) fn new(
        board: &'a Board,
        answers: Vec<Answer<'a>>,
        turn: usize,
        exact: bool,
        except: &'a [Vec<usize>],
    ) -> Self {
        let by_stones = answers.iter().enumerate();
        let by_stones = by_stones
            .map(|(i, answer)| (answer.stones.clone(), i))
            .collect();
        Self {
            board,
            answers,
            by_stones,
            turn,
            exact,
            except,
            plans: HashMap::new(),
            unanswered: None,
        }
    }

    /// Whether every turn of the defender that contains `set` is answered or excepted. `set` is
    /// sorted.
    pub(crate) fn cover(&mut self, set: &[usize], budget: &mut Budget) -> Result<bool, Stop> {
        if let Some(plan) = self.plans.get(set) {
            return Ok(!matches!(plan, Plan::None));
        }
        let plan = self.plan(set, budget)?;
        self.plans.insert(set.to_vec(), plan);
        let covered = !matches!(plan, Plan::None);
        if !covered && self.unanswered.is_none() {
            self.unanswered = Some(set.to_vec());
        }
        Ok(covered)
    }

    fn plan(&mut self, set: &[usize], budget: &mut Budget) -> Result<Plan, Stop> {
        budget.tick()?;
        budget.need(self.plans.len() * (8 * self.turn + 64))?;
        for stones in self.except {
            budget.tick()?;
            if stones.iter().all(|cell| set.contains(cell)) {
                return Ok(Plan::Excepted);
            }
        }
        // Par-1. u null stones.
        let u = self.turn - set.len();
        // Par-2 to Par-4. With no null stone and a child for exactly this reply there is no choice.
        if let (0, Some(&answer)) = (u, self.by_stones.get(set)) {
            return Ok(Plan::Child { answer, e: 0 });
        }
        for (answer, e) in self.candidates(set, u, budget)? {
            // Par-5, with the misprint corrected.
            let cells: Vec<usize> = match u {
                0 => Vec::new(),
                _ => self.answers[answer].relevant(set, e).collect(),
            };
            if self.cover_each(set, &cells, budget)? {
                return Ok(Plan::Child { answer, e });
            }
        }
        // Without a null turn, the next stone may be anywhere.
        if u > 0 && !self.board.infinite {
            let cells: Vec<usize> = self.other_cells(set).collect();
            if self.cover_each(set, &cells, budget)? {
                return Ok(Plan::EveryStone);
            }
        }
        Ok(Plan::None)
    }

    /// The children that answer `set` and u further stones, with their e: those first that leave
    /// fewest cells to look at, then those with the smallest e, then those listed first.
    fn candidates(
        &self,
        set: &[usize],
        u: usize,
        budget: &mut Budget,
    ) -> Result<Vec<(usize, usize)>, Stop> {
        if self.exact {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for (i, answer) in self.answers.iter().enumerate() {
            budget.tick()?;
            if let Some(e) = answer.extra_stones(set, u) {
                let cells = if u == 0 {
                    0
                } else {
                    answer.relevant_count(set, e)
                };
                found.push((cells, e, i));
            }
        }
        found.sort_unstable();
        Ok(found.into_iter().map(|(_, e, i)| (i, e)).collect())
    }

    fn cover_each(
        &mut self,
        set: &[usize],
        cells: &[usize],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        // What failed before is looked for first: it saves the work on all that comes before it.
        let failed = |&cell: &usize| matches!(self.plans.get(&with(set, cell)), Some(Plan::None));
        if cells.iter().any(failed) {
            return Ok(false);
        }
        for &cell in cells {
            if !self.cover(&with(set, cell), budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn other_cells(&self, set: &[usize]) -> impl Iterator<Item = usize> {
        (0..self.board.cells()).filter(|cell| self.board.is_empty(*cell) && !set.contains(cell))
    }

    /// Adds to `zones` the zones used to cover `set` (Par-3 and Par-5c) and returns the depth of
    /// the deepest child used. `seen` holds the sets already added.
    pub(crate) fn collect(
        &self,
        set: &[usize],
        zones: &mut Zones,
        seen: &mut HashSet<Vec<usize>>,
    ) -> u32 {
        let excepted = matches!(self.plans[set], Plan::Excepted);
        if excepted || !seen.insert(set.to_vec()) {
            return 0;
        }
        let (mut depth, cells): (u32, Vec<usize>) = match self.plans[set] {
            Plan::Child { answer, e } => {
                let answer = &self.answers[answer];
                zones.add_shifted(&answer.won.zones, e);
                let more = set.len() < self.turn;
                let cells = answer.relevant(set, e).filter(|_| more);
                (answer.won.depth, cells.collect())
            }
            Plan::EveryStone => (0, self.other_cells(set).collect()),
            Plan::Excepted | Plan::None => unreachable!("only answered sets are collected"),
        };
        for cell in cells {
            depth = depth.max(self.collect(&with(set, cell), zones, seen));
        }
        depth
    }
}

/// The sorted set with one more cell.
fn with(set: &[usize], cell: usize) -> Vec<usize> {
    let mut larger = set.to_vec();
    let place = larger.partition_point(|&other| other < cell);
    larger.insert(place, cell);
    larger
}
