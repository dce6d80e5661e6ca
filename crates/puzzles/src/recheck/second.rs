//! Order 2 with one single threat, naively: every turn of two stones with at least one threat, with every companion,
//! against every reply.
//!
//! A turn with one threat wins if against every reply a win of order 1 follows; one with two threats, if a win of order 1
//! or another such win does. Stones are tried in heaps: what does not win with a whole heap of the attacker's stones does not win with one
//! of them, and what wins against a heap of the defender's wins against each, for additional stones never hurt their side
//! where overlines win. A heap that decides nothing is halved.

use super::{Cell, Doubt, EVER, Naive, OTHER, OWN, Stones, hitting_sets};

/// Stones that belong to a turn, and those of which one more does; none if the turn is whole, or its other stone free.
type Heap = (Stones, Stones);

impl Naive {
    /// What is wrong with the claim that this turn, and only this one, wins by order 2.
    pub(super) fn second_verdict(&mut self, turn: &Stones, turns: u8) -> Result<u64, Doubt> {
        if self.first_order(EVER) {
            return Err(Doubt::LowerOrder);
        }
        if !self.second_turn_wins(turn, turns) {
            return Err(Doubt::NoWin(turns));
        }
        if self.second_wins(turns - 1) {
            return Err(Doubt::Shorter(turns));
        }
        for (stones, mut companions) in self.heaps() {
            if contains(&stones, turn) {
                continue;
            }
            // Whatever completes the claimed turn is no other solution.
            let whole = companions.is_empty();
            companions.retain(|&cell| !contains(&[&stones[..], &[cell]].concat(), turn));
            if companions.is_empty() && !whole {
                continue;
            }
            if let Some(other) = self.second_winner(&(stones, companions), EVER) {
                return Err(match contains(turn, &other) {
                    true => Doubt::Superfluous,
                    false => Doubt::Another(self.places(&other)),
                });
            }
            if self.over() {
                break;
            }
        }
        Ok(self.nodes)
    }

    pub(super) fn first_order(&mut self, turns: u8) -> bool {
        match turns {
            EVER => self.ever(Self::wins),
            _ => self.wins(turns),
        }
    }

    /// Whether the attacker, to move, wins by order 2 within so many turns.
    fn second_wins(&mut self, turns: u8) -> bool {
        if self.over() {
            return false;
        }
        if self.first_order(turns) {
            return true;
        }
        if turns < 3 {
            return false;
        }
        let known = self.known_second.get(&self.stones).copied();
        let (none, win) = known.unwrap_or_default();
        if win != 0 && win <= turns {
            return true;
        }
        if none >= turns {
            return false;
        }
        let heaps = self.heaps();
        let found = heaps
            .iter()
            .any(|heap| self.second_winner(heap, turns).is_some());
        if found {
            self.known_second.insert(self.stones.clone(), (none, turns));
        } else if !self.over() {
            self.known_second.insert(self.stones.clone(), (turns, win));
        }
        found
    }

    /// A turn of the heap that wins.
    fn second_winner(&mut self, (stones, companions): &Heap, turns: u8) -> Option<Stones> {
        let all = [&stones[..], companions].concat();
        if !self.second_turn_wins(&all, turns) {
            return None;
        }
        if companions.len() < 2 {
            return Some(all);
        }
        let (some, rest) = companions.split_at(companions.len() / 2);
        [some, rest]
            .into_iter()
            .find_map(|part| self.second_winner(&(stones.clone(), part.to_vec()), turns))
    }

    /// All turns that make a threat and stop those of the defender.
    fn heaps(&self) -> Vec<Heap> {
        let one_short = self.line - self.per_turn - 1;
        let makers = self.empty_in_open(one_short);
        let blocks = self.threats(OTHER);
        let stops = |turn: &[Cell]| {
            let meets = |set: &Stones| set.iter().any(|cell| turn.contains(cell));
            blocks.iter().all(meets)
        };
        let mut heaps = Vec::new();
        for &maker in &makers {
            if stops(&[maker]) {
                heaps.push((vec![maker], Stones::new()));
            }
            let mut companions = self.empty_cells();
            companions.retain(|&cell| cell != maker && stops(&[maker, cell]));
            for heap in self.scattered(&companions) {
                heaps.push((vec![maker], heap));
            }
        }
        // Two stones that make a threat together and none alone share a window.
        let mut pairs = Vec::new();
        for window in self.open(OWN, self.line - 2 * self.per_turn) {
            let free: Stones = window
                .iter()
                .copied()
                .filter(|&cell| self.is_empty(cell) && !makers.contains(&cell))
                .collect();
            for (place, &a) in free.iter().enumerate() {
                for &b in &free[place + 1..] {
                    pairs.push(vec![a.min(b), a.max(b)]);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|pair| stops(pair));
        heaps.extend(pairs.into_iter().map(|pair| (pair, Stones::new())));
        heaps
    }

    pub(super) fn empty_cells(&self) -> Stones {
        let cells = 0..self.through.len() as Cell;
        cells.filter(|&cell| self.is_empty(cell)).collect()
    }

    /// The cells in seven heaps: on every line neighbours in a heap are at least seven cells apart.
    pub(super) fn scattered(&self, cells: &[Cell]) -> Vec<Stones> {
        let mut heaps = vec![Stones::new(); 7];
        for &cell in cells {
            let (x, y) = (
                usize::from(cell) % self.size.0,
                usize::from(cell) / self.size.0,
            );
            heaps[(3 * x + y) % 7].push(cell);
        }
        heaps.retain(|heap| !heap.is_empty());
        heaps
    }

    /// Whether the attacker wins with these stones, however many, within so many turns.
    fn second_turn_wins(&mut self, stones: &[Cell], turns: u8) -> bool {
        stones.iter().for_each(|&cell| self.place(OWN, cell));
        let wins = !self.can_complete(OTHER) && turns >= 2 && {
            let threats = self.threats_through(stones);
            let rest = if turns == EVER { EVER } else { turns - 1 };
            !threats.is_empty() && self.second_replies_lose(&threats, rest)
        };
        stones.iter().for_each(|&cell| self.take(OWN, cell));
        wins && !self.over()
    }

    fn second_replies_lose(&mut self, threats: &[Stones], turns: u8) -> bool {
        let mut replies = hitting_sets(threats, self.per_turn);
        let single = replies.iter().any(|reply| reply.len() == 1);
        let held =
            |reply: &Stones| -> u32 { reply.iter().map(|&c| self.held[usize::from(c)]).sum() };
        replies.sort_by_key(|reply| (reply.len(), std::cmp::Reverse(held(reply))));
        let lose = replies.iter().all(|reply| match reply.len() {
            1 => self.loses(reply, |naive| naive.first_order(turns)),
            _ if single => self.loses(reply, |naive| naive.first_order(turns)),
            _ => self.loses(reply, |naive| naive.second_wins(turns)),
        });
        let blocks = replies.iter().filter(|reply| reply.len() == 1);
        lose && blocks
            .into_iter()
            .all(|block| self.loses(block, |naive| naive.any_spare_stone_loses(turns)))
    }

    /// The block is on the board: whether the attacker wins wherever the other stone goes.
    fn any_spare_stone_loses(&mut self, turns: u8) -> bool {
        let mut cells = self.empty_cells();
        cells.sort_by_key(|&cell| std::cmp::Reverse(self.held[usize::from(cell)]));
        // Those that held elsewhere one by one, the others in heaps.
        let rest = cells.split_off(16.min(cells.len()));
        let mut heaps: Vec<Stones> = cells.into_iter().map(|cell| vec![cell]).collect();
        heaps.extend(self.scattered(&rest));
        heaps.iter().all(|heap| self.spare_heap_loses(heap, turns))
    }

    fn spare_heap_loses(&mut self, heap: &[Cell], turns: u8) -> bool {
        if let [cell] = heap {
            return self.loses(&[*cell], |naive| naive.first_order(turns));
        }
        // A heap may complete a line of the defender: then it decides nothing.
        if self.loses(heap, |naive| naive.first_order(turns)) {
            return true;
        }
        let (some, rest) = heap.split_at(heap.len() / 2);
        !self.over() && self.spare_heap_loses(some, turns) && self.spare_heap_loses(rest, turns)
    }

    /// Asks with these stones of the defender on the board.
    fn loses(&mut self, reply: &[Cell], ask: impl FnOnce(&mut Self) -> bool) -> bool {
        reply.iter().for_each(|&cell| self.place(OTHER, cell));
        let complete = reply.iter().any(|&cell| {
            let windows = &self.through[usize::from(cell)];
            windows
                .iter()
                .any(|&window| self.counts[usize::from(window)].0[OTHER] == self.line)
        });
        let lost = !complete && ask(self);
        reply.iter().for_each(|&cell| self.take(OTHER, cell));
        if !lost && reply.len() <= 2 {
            reply
                .iter()
                .for_each(|&cell| self.held[usize::from(cell)] += 1);
        }
        lost && !self.over()
    }
}

fn contains(large: &[Cell], small: &[Cell]) -> bool {
    small.iter().all(|cell| large.contains(cell))
}
