//! Which turns are tried, and in which order.

use tengen_rules::Overline;
use tengen_threats::{CellSet, Index, SmallDefences, SmallThreatTurns};

use crate::search::{FreeStones, Search};
use crate::tree::Cells;

/// More turns than this are not even listed: pairs of all cells of a 27x27 board, more than that of
/// larger turns.
const MOST_TURNS: usize = 300_000;

/// With fewer cells that build something, those that build less are useful too.
const FEWEST_USEFUL: usize = 16;

impl Search<'_> {
    /// The turns of at most `stones` stones that make at least `p` threats. A turn that does not stop the defender from completing a line is left out.
    pub(crate) fn forcing_turns(
        &mut self,
        stones: u8,
        turns: &mut SmallThreatTurns,
        defences: &mut SmallDefences,
        list: &mut Vec<Cells>,
    ) {
        let rules = self.board.rules();
        // A threat that the rest of a turn cannot complete: only at the root.
        let begun = self.board.has_threat(self.attacker);
        if self.per_turn > 2 || rules.overline() == Overline::DoesNotWin || begun {
            self.forcing_turns_general(stones, list);
            return;
        }
        // What the defender threatens: every turn must meet all of these.
        let mut blocks: &[[Index; 2]] = &[];
        if self.board.has_threat(!self.attacker) {
            self.board.small_defences(!self.attacker, defences);
            if defences.threats > stones {
                return;
            }
            blocks = &defences.sets;
        }
        let hits = |set: &[Index; 2], cell: Index| set[0] == cell || set[1] == cell;
        self.board
            .small_threat_turns(self.attacker, stones, self.per_turn, turns);
        for &single in &turns.singles {
            let mut rest = blocks.iter().filter(|set| !hits(set, single));
            if stones == 1 {
                if rest.next().is_none() {
                    list.push(Cells::from_slice(&[single]));
                }
                continue;
            }
            if let Some(&first) = rest.next() {
                // The second stone must stop the defender.
                let choices = if first[0] == first[1] {
                    &first[..1]
                } else {
                    &first[..]
                };
                for &block in choices {
                    if rest.clone().all(|set| hits(set, block)) {
                        list.push(Cells::from_slice(&[single, block]));
                    }
                }
                continue;
            }
            list.push(Cells::from_slice(&[single]));
            match self.free {
                FreeStones::Useful => {
                    self.left_out = true;
                    let makers = turns.makers.iter().filter(|&&cell| cell != single);
                    list.extend(makers.map(|&cell| Cells::from_slice(&[single, cell])));
                }
                FreeStones::All => {
                    let cells = 0..self.board.grid().len() as Index;
                    let free =
                        cells.filter(|&cell| cell != single && self.board.stone(cell).is_none());
                    list.extend(free.map(|cell| Cells::from_slice(&[single, cell])));
                }
            }
        }
        for pair in &turns.pairs {
            if blocks
                .iter()
                .all(|set| hits(set, pair[0]) || hits(set, pair[1]))
            {
                list.push(Cells::from_slice(pair));
            }
        }
    }

    /// The same for any rules: slow.
    fn forcing_turns_general(&mut self, stones: u8, list: &mut Vec<Cells>) {
        let index = |cell| self.board.index(cell).expect("turns lie on the board");
        let exact = self.board.rules().overline() == Overline::DoesNotWin;
        let attacker = self.attacker;
        // With the rest of a turn there may be enough threats already; a turn has a stone at least.
        let enough = self.board.threat_count(attacker) >= self.per_turn;
        let turns = match self.free {
            // Where overlines do not win, a proof needs whole turns.
            FreeStones::Useful if !enough && (!exact || stones == 1) => {
                let turns = self.board.threat_turns(attacker, stones, self.per_turn);
                self.left_out |= turns.iter().any(|turn| turn.len() < usize::from(stones));
                turns
            }
            _ => self
                .board
                .full_threat_turns(attacker, stones, self.per_turn),
        };
        list.extend(
            turns
                .iter()
                .map(|turn| turn.into_iter().map(index).collect::<Cells>()),
        );
    }

    /// Turns of at most `stones` stones for orders above 1, most promising first: all sets with at
    /// least `threats` threats, the free stones on cells that build something.
    pub(crate) fn building_turns(&mut self, stones: u8, threats: u8, widest: usize) -> Vec<Cells> {
        let index = |cell| self.board.index(cell).expect("turns lie on the board");
        let mut list: Vec<Cells> = Vec::new();
        let cores: Vec<Cells> = if threats == 0 {
            vec![Cells::new()]
        } else {
            let turns = self.board.threat_turns(self.attacker, stones, threats);
            turns
                .iter()
                .map(|turn| turn.into_iter().map(index).collect())
                .collect()
        };
        let useful = self.useful_cells();
        for core in cores {
            self.fill_turn(core, usize::from(stones), &useful, &mut list);
        }
        for turn in &mut list {
            turn.sort_unstable();
        }
        list.sort_unstable();
        list.dedup();
        let mut scored: Vec<(i64, Cells)> = Vec::with_capacity(list.len());
        for (place, turn) in list.into_iter().enumerate() {
            if place % 4096 == 4095 {
                self.look_at_the_clock();
                if self.stopped {
                    break;
                }
            }
            if let Some(score) = self.building_score(&turn) {
                scored.push((-score, turn));
            }
        }
        scored.sort_unstable();
        if scored.len() > widest {
            scored.truncate(widest);
            self.left_out = true;
        }
        scored.into_iter().map(|(_, turn)| turn).collect()
    }

    /// Where free stones go: everywhere, or where they build something or stop the defender.
    fn useful_cells(&self) -> Vec<Index> {
        if self.free == FreeStones::All {
            let cells = 0..self.board.grid().len() as Index;
            return cells
                .filter(|&cell| self.board.stone(cell).is_none())
                .collect();
        }
        let threat = self.board.rules().threat_stones();
        let mut useful = CellSet::new(self.board.grid().len());
        // Near the start of a game no window holds two stones.
        for least in (1..=threat.saturating_sub(2).max(1)).rev() {
            self.board.open_cells(self.attacker, least, &mut useful);
            if useful.len() >= FEWEST_USEFUL {
                break;
            }
        }
        if self.board.has_threat(!self.attacker) {
            self.board.open_cells(!self.attacker, threat, &mut useful);
        }
        useful.iter().collect()
    }

    fn fill_turn(&mut self, core: Cells, stones: usize, useful: &[Index], list: &mut Vec<Cells>) {
        if list.len() >= MOST_TURNS {
            self.left_out = true;
            return;
        }
        if core.len() == stones {
            list.push(core);
            return;
        }
        self.left_out |= self.free == FreeStones::Useful;
        if stones - core.len() > 1 {
            return self.fill_turn_widely(core, stones, useful, list);
        }
        for &cell in useful.iter().filter(|cell| !core.contains(cell)) {
            let mut turn = core.clone();
            turn.push(cell);
            list.push(turn);
        }
        if !core.is_empty() {
            list.push(core);
        }
    }

    /// Two or more free stones: pairs of useful cells, and so on.
    fn fill_turn_widely(
        &mut self,
        core: Cells,
        stones: usize,
        useful: &[Index],
        list: &mut Vec<Cells>,
    ) {
        for (place, &cell) in useful.iter().enumerate() {
            if !core.contains(&cell) {
                let mut turn = core.clone();
                turn.push(cell);
                self.fill_turn(turn, stones, &useful[place + 1..], list);
            }
        }
    }

    /// How much a turn builds: the windows it brings close to a threat. `None` if the defender could
    /// complete a line after it.
    fn building_score(&mut self, turn: &Cells) -> Option<i64> {
        for &cell in turn {
            self.board.place(self.attacker, cell);
        }
        let safe = !self.board.has_threat(!self.attacker);
        let score = safe.then(|| {
            turn.iter()
                .map(|&cell| self.board.promise(self.attacker, cell))
                .sum()
        });
        for _ in turn {
            self.board.undo();
        }
        score
    }
}
