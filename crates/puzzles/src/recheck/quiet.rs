//! Quiet wins, naively: one first turn of any kind after which every reply loses to double threats, and no other
//! first turn for which that is so.
//!
//! Every two stones are tried, as replies and as first turns, in heaps: what wins against a heap of the defender's stones
//! wins against any two of them, and what does not win with a heap of the attacker's does not win with two, for
//! additional stones never hurt their side where overlines win. A heap that decides nothing is halved.
//!
//! Which reply refutes which turn need not be found here: the claim brings replies, and no reply at all is tried first.

use super::{Cell, Doubt, EVER, Naive, OTHER, OWN, Stones};

/// Positions for a heap; a heap that takes more is halved.
const HEAP_NODES: u64 = 300;

/// Positions for a whole turn against each reply, step by step.
const TURN_NODES: [u64; 4] = [HEAP_NODES, 5_000, 100_000, u64::MAX];

/// The largest heap of each of a reply's two stones, and of a first turn's: with many stones of the attacker there are too
/// many turns to try.
const REPLY_HEAP: usize = 12;
const TURN_HEAP: usize = 4;

/// Cells that are tried by themselves.
const ALONE: usize = 12;

/// A turn has a stone of each, or two of the first if the second is empty.
type Heaps = (Stones, Stones);

impl Naive {
    /// What is wrong with the claim that this turn, and only this one, wins quietly.
    pub(super) fn quiet_verdict(
        &mut self,
        turn: &Stones,
        turns: u8,
        refutations: &[Stones],
    ) -> Result<u64, Doubt> {
        if self.first_order(EVER) {
            return Err(Doubt::LowerOrder);
        }
        if turns < 3 {
            return Err(Doubt::NoWin(turns));
        }
        turn.iter().for_each(|&cell| self.place(OWN, cell));
        let slower = self.every_reply_loses(turns - 1);
        let faster = slower && self.every_reply_loses(turns - 2);
        turn.iter().for_each(|&cell| self.take(OWN, cell));
        if !slower {
            return Err(Doubt::NoWin(turns));
        }
        if faster {
            return Err(Doubt::Shorter(turns));
        }
        let mut open = self.pairs_in_heaps(TURN_HEAP);
        while let Some((left, right)) = open.pop() {
            let stones = [&left[..], &right[..]].concat();
            let whole = stones.len() <= 2;
            if whole && turn.iter().all(|cell| stones.contains(cell)) {
                continue;
            }
            if self.over() {
                break;
            }
            if self.is_refuted(&stones, refutations, whole) {
                continue;
            }
            if whole {
                return Err(Doubt::Another(self.places(&stones)));
            }
            open.extend(halves(left, right));
        }
        Ok(self.nodes)
    }

    /// The attacker has moved: whether he wins within so many turns against every two stones.
    fn every_reply_loses(&mut self, turns: u8) -> bool {
        if self.can_complete(OTHER) {
            return false;
        }
        let mut open = self.pairs_in_heaps(REPLY_HEAP);
        while let Some((left, right)) = open.pop() {
            let stones = [&left[..], &right[..]].concat();
            let whole = stones.len() <= 2;
            let cap = if whole { u64::MAX } else { HEAP_NODES };
            let lost = self.capped(cap, |naive| {
                // Short wins before long lines.
                naive.against(&stones, |naive| (2..=turns).any(|turns| naive.wins(turns)))
            });
            if self.over() {
                return false;
            }
            match lost {
                Some(true) => {}
                _ if whole => return false,
                _ => open.extend(halves(left, right)),
            }
        }
        true
    }

    /// Whether one of the replies, or none at all, leaves the attacker no win with these stones.
    fn is_refuted(&mut self, stones: &[Cell], refutations: &[Stones], whole: bool) -> bool {
        stones.iter().for_each(|&cell| self.place(OWN, cell));
        let nothing = Stones::new();
        let free = |reply: &&Stones| reply.iter().all(|&cell| self.is_empty(cell));
        let replies: Vec<&Stones> = [&nothing]
            .into_iter()
            .chain(refutations)
            .filter(free)
            .collect();
        // The wrong reply may take for ever: each gets a little first.
        let caps: &[u64] = if whole { &TURN_NODES } else { &[HEAP_NODES] };
        let tries = caps
            .iter()
            .flat_map(|&cap| replies.iter().map(move |&reply| (cap, reply)));
        let refuted = self.can_complete(OTHER)
            || tries.into_iter().any(|(cap, reply)| {
                let wins = self.capped(cap, |naive| {
                    naive.against(reply, |naive| naive.first_order(EVER))
                });
                wins == Some(false)
            });
        stones.iter().for_each(|&cell| self.take(OWN, cell));
        refuted && !self.over()
    }

    /// Asks with these stones of the defender on the board; no if they complete a line.
    fn against(&mut self, stones: &[Cell], ask: impl FnOnce(&mut Self) -> bool) -> bool {
        stones.iter().for_each(|&cell| self.place(OTHER, cell));
        let full = |count: &super::Count| count.0[OTHER] == self.line;
        let complete = self.counts.iter().any(full);
        let found = !complete && ask(self);
        stones.iter().for_each(|&cell| self.take(OTHER, cell));
        found
    }

    /// An answer that takes at most so many positions.
    fn capped(&mut self, cap: u64, ask: impl FnOnce(&mut Self) -> bool) -> Option<bool> {
        let limit = self.limit;
        self.limit = limit.min(self.nodes.saturating_add(cap));
        let answer = ask(self);
        let known = !self.over();
        self.limit = limit;
        known.then_some(answer)
    }

    /// Every two empty cells, the busiest last.
    fn pairs_in_heaps(&self, largest: usize) -> Vec<Heaps> {
        let mut cells = self.empty_cells();
        cells.sort_by_key(|&cell| (self.bustle(cell), cell));
        let alone = cells.split_off(cells.len().saturating_sub(ALONE));
        let scattered = self.scattered(&cells);
        let parts: Vec<Stones> = scattered
            .iter()
            .flat_map(|heap| heap.chunks(largest).map(<[Cell]>::to_vec))
            .chain(alone.iter().map(|&cell| vec![cell]))
            .collect();
        let mut heaps = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            for other in &parts[..number] {
                heaps.push((other.clone(), part.clone()));
            }
            if part.len() > 1 {
                heaps.push((part.clone(), Stones::new()));
            }
        }
        heaps
    }

    /// How many stones of one colour lie in open windows through a cell.
    fn bustle(&self, cell: Cell) -> u32 {
        let windows = self.through[usize::from(cell)].iter();
        windows
            .map(|&window| match self.counts[usize::from(window)].0 {
                [own, 0] => u32::from(own).pow(2),
                [0, other] => u32::from(other).pow(2),
                _ => 0,
            })
            .sum()
    }
}

fn halves(left: Stones, right: Stones) -> Vec<Heaps> {
    let (large, small) = match left.len() >= right.len() {
        true => (left, right),
        false => (right, left),
    };
    let (some, rest) = large.split_at(large.len() / 2);
    let (some, rest) = (some.to_vec(), rest.to_vec());
    if !small.is_empty() {
        return vec![(some, small.clone()), (rest, small)];
    }
    let mut parts = vec![(some.clone(), rest.clone())];
    let several = [some, rest].into_iter().filter(|half| half.len() > 1);
    parts.extend(several.map(|half| (half, Stones::new())));
    parts
}
