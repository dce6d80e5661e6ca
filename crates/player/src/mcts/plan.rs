//! Which turns a node is going to try: first-stage threats, then gradual widening over probing cells
//! (section IV-B.7), or only what relevance zones leave (section V).
//!
//! Turns come from *tasks*. A task knows some stones of the turn already, its prefix: a critical defence
//! where the opponent has threats, a cell of a zone, or nothing.
//!
//! - Case 1, as many threats as stones: the critical defences are all there is.
//! - Case 2, one stone is left: after the critical defence and a pass the opponent may have a win; then
//!   only cells of its first zone can matter.
//! - Case 3, both stones are left: (3-1) if the opponent wins after a pass, pairs of probing cells that the
//!   zones do not exclude are tried first, (3-2) then each cell of Z1 with what its own zone leaves, as in
//!   case 2, (3-3) then pairs in Z2 but not in Z1.
//!
//! The paper intersects the zones of all wins it meets; here every turn in a zone becomes a node whose own
//! threat-space search decides it, which strikes out the same turns. Zones are the prover's and exact, so a
//! list that only they have shortened is complete.

use std::collections::{HashSet, VecDeque};

use tengen_rules::Side;
use tengen_threats::Index;

use super::field::{ALL_DEFENCES, Cells, Field};
use super::tree::{Candidate, Sort};
use super::zones::ZoneSource;

/// Larger sets of cells are not paired completely.
const MOST_PAIRED: usize = 120;

/// First stones after which the second is judged anew.
const JUDGED_ANEW: usize = 6;

/// Turns to be made.
#[derive(Debug)]
enum Task {
    /// Needs a look at the zones first.
    Look(Cells),
    /// The prefix and probing cells from this one on.
    Widen(Cells, usize),
    /// The prefix and each of these cells.
    Within(Cells, Vec<Index>),
    /// All pairs of these cells.
    Pairs(Vec<Index>),
}

#[derive(Debug)]
pub(super) struct Plan {
    /// Turns of the first stage that are not tried yet, the best last.
    pub(super) first: Vec<Candidate>,
    /// Turns of the second stage that are not tried yet, the best last.
    queue: Vec<Candidate>,
    tasks: VecDeque<Task>,
    /// Tasks that make the first turns of the second stage, all together.
    opening: usize,
    ranked: Vec<(Index, i32)>,
    /// Whether all empty cells are ranked.
    all_ranked: bool,
    seen: HashSet<Cells>,
    /// Turns exist that no task makes.
    leaves_out: bool,
    /// An estimate of its memory.
    pub(super) bytes: usize,
}

/// What a plan is made for.
pub(super) struct Scene<'s, 'z> {
    pub(super) field: &'s mut Field,
    pub(super) mover: Side,
    /// How many stones the turn has.
    pub(super) stones: u8,
    /// How many probing cells at a time.
    pub(super) batch: usize,
    pub(super) zones: Option<&'s mut ZoneSource<'z>>,
    /// Turns that must not be played.
    pub(super) excluded: &'s dyn Fn(&Field, &Cells) -> bool,
}

impl Plan {
    /// Everything lies ahead. `defences` are the critical defences where the opponent threatens.
    pub(super) fn new(
        first: Vec<Candidate>,
        ranked: Vec<(Index, i32)>,
        defences: Option<Vec<Cells>>,
        scene: &Scene<'_, '_>,
    ) -> Self {
        // Where the opponent has as many threats as there are stones, nothing is left out.
        let whole = |set: &Cells| set.len() == usize::from(scene.stones);
        let all = scene.field.board.rules().per_turn() <= ALL_DEFENCES;
        let forced = all && defences.as_ref().is_some_and(|sets| sets.iter().all(whole));
        let tasks: VecDeque<Task> = match defences {
            Some(sets) => sets.into_iter().map(Task::Look).collect(),
            None => VecDeque::from([Task::Look(Cells::new())]),
        };
        let mut plan = Self {
            queue: Vec::new(),
            opening: tasks.len(),
            tasks,
            ranked,
            all_ranked: false,
            seen: first
                .iter()
                .map(|candidate| candidate.turn.clone())
                .collect(),
            leaves_out: !forced && (scene.stones > 2 || scene.field.is_infinite()),
            first,
            bytes: 0,
        };
        plan.measure();
        plan
    }

    /// Turns to be tried before all others of the second stage.
    pub(super) fn put_first(&mut self, candidates: Vec<Candidate>) {
        for candidate in candidates {
            if self.seen.insert(candidate.turn.clone()) {
                self.queue.push(candidate);
            }
        }
    }

    /// Whether all turns have been tried that could change anything.
    pub(super) fn is_complete(&self) -> bool {
        self.first.is_empty() && self.queue.is_empty() && self.tasks.is_empty() && !self.leaves_out
    }

    /// Whether there is no turn left to try.
    pub(super) fn is_exhausted(&self) -> bool {
        self.needs_work() && self.tasks.is_empty()
    }

    /// Whether the next turn must be made first.
    pub(super) fn needs_work(&self) -> bool {
        self.first.is_empty() && self.queue.is_empty()
    }

    /// The next turn of the second stage, `None` if there is no other.
    pub(super) fn next(&mut self, scene: &mut Scene<'_, '_>) -> Option<Candidate> {
        loop {
            if let Some(candidate) = self.queue.pop() {
                return Some(candidate);
            }
            if self.tasks.is_empty() {
                return None;
            }
            self.refill(scene);
            self.measure();
        }
    }

    fn measure(&mut self) {
        let candidates = self.first.capacity() + self.queue.capacity();
        self.bytes = size_of::<Self>()
            + candidates * size_of::<Candidate>()
            + self.ranked.capacity() * size_of::<(Index, i32)>()
            + self.seen.capacity() * (size_of::<Cells>() + 8)
            + self.tasks.capacity() * size_of::<Task>();
    }

    fn refill(&mut self, scene: &mut Scene<'_, '_>) {
        let mut made: Vec<(i32, Cells)> = Vec::new();
        for _ in 0..std::mem::replace(&mut self.opening, 0).max(1) {
            let Some(task) = self.tasks.pop_front() else {
                break;
            };
            self.work(task, scene, &mut made);
        }
        made.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        for (_, turn) in made {
            if (scene.excluded)(scene.field, &turn) || !self.seen.insert(turn.clone()) {
                continue;
            }
            self.queue.push(Candidate {
                turn,
                sort: Sort::Quiet,
                first: false,
                hv: 0.0,
            });
        }
    }

    fn work(&mut self, task: Task, scene: &mut Scene<'_, '_>, made: &mut Vec<(i32, Cells)>) {
        match task {
            Task::Look(prefix) => self.look(prefix, scene, made),
            Task::Widen(prefix, from) => self.widen(prefix, from, scene, made),
            Task::Within(prefix, cells) => {
                for cell in cells {
                    if !prefix.contains(&cell) && scene.field.is_free(cell) {
                        let value = scene.field.value(scene.mover, cell);
                        made.push((value, with(&prefix, &[cell])));
                    }
                }
            }
            Task::Pairs(cells) => {
                let worth = |cell: Index| scene.field.value(scene.mover, cell);
                let cells: Vec<(Index, i32)> =
                    cells.iter().map(|&cell| (cell, worth(cell))).collect();
                for (place, &(one, first)) in cells.iter().enumerate() {
                    for &(other, second) in &cells[place + 1..] {
                        made.push((first + second, with(&[], &[one, other])));
                    }
                }
            }
        }
    }

    /// Asks for zones, and does or puts down what they leave.
    fn look(&mut self, prefix: Cells, scene: &mut Scene<'_, '_>, made: &mut Vec<(i32, Cells)>) {
        let free = usize::from(scene.stones).saturating_sub(prefix.len());
        if free == 0 {
            made.push((i32::MAX, with(&prefix, &[])));
            return;
        }
        let zones = match &mut scene.zones {
            Some(source) if free <= 2 => source.after(scene.field, scene.mover, &prefix),
            _ => None,
        };
        let Some([first, second]) = zones else {
            self.widen(prefix, 0, scene, made);
            return;
        };
        if free == 1 {
            self.work(Task::Within(prefix, first), scene, made);
            return;
        }
        // Case 3-1.
        let top = &self.ranked[..scene.batch.min(self.ranked.len())];
        for (place, &(one, value)) in top.iter().enumerate() {
            for &(other, more) in &top[place + 1..] {
                let in_first = first.contains(&one) || first.contains(&other);
                if in_first || (second.contains(&one) && second.contains(&other)) {
                    made.push((value + more, with(&[], &[one, other])));
                }
            }
        }
        // Cases 3-2 and 3-3.
        let mut by_worth: Vec<(i32, Index)> = first
            .iter()
            .map(|&cell| (scene.field.value(scene.mover, cell), cell))
            .collect();
        by_worth.sort_unstable_by(|a, b| b.cmp(a));
        let looks = by_worth.into_iter().map(|(_, cell)| with(&[], &[cell]));
        self.tasks.extend(looks.map(Task::Look));
        let rest: Vec<Index> = second
            .into_iter()
            .filter(|cell| !first.contains(cell))
            .collect();
        if rest.len() > MOST_PAIRED {
            self.leaves_out = true;
        } else {
            self.tasks.push_back(Task::Pairs(rest));
        }
    }

    /// The next probing cells, with all before them.
    fn widen(
        &mut self,
        prefix: Cells,
        from: usize,
        scene: &mut Scene<'_, '_>,
        made: &mut Vec<(i32, Cells)>,
    ) {
        if from + scene.batch > self.ranked.len() && !self.all_ranked {
            self.rank_all(scene.field);
        }
        let until = (from + scene.batch).min(self.ranked.len());
        match usize::from(scene.stones) - prefix.len() {
            1 => {
                let new = self.ranked[from..until].iter();
                let new = new.filter(|(cell, _)| !prefix.contains(cell));
                made.extend(new.map(|&(cell, value)| (value, with(&prefix, &[cell]))));
            }
            2 => self.pairs(&prefix, from..until, scene, made),
            free => {
                for &(cell, value) in &self.ranked[from..until] {
                    if !prefix.contains(&cell) {
                        let turn = grown(with(&prefix, &[cell]), free - 1, &self.ranked, scene);
                        made.push((value, turn));
                    }
                }
            }
        }
        if until < self.ranked.len() {
            self.tasks.push_back(Task::Widen(prefix, until));
        }
    }

    fn pairs(
        &self,
        prefix: &Cells,
        new: std::ops::Range<usize>,
        scene: &mut Scene<'_, '_>,
        made: &mut Vec<(i32, Cells)>,
    ) {
        for place in new {
            let (one, value) = self.ranked[place];
            for (before, &(other, more)) in self.ranked[..place].iter().enumerate() {
                if prefix.contains(&one) || prefix.contains(&other) {
                    continue;
                }
                let both = if before < JUDGED_ANEW {
                    scene.field.place(scene.mover, other);
                    let both = more + scene.field.value(scene.mover, one);
                    scene.field.undo(1);
                    both
                } else {
                    value + more
                };
                made.push((both, with(prefix, &[one, other])));
            }
        }
    }

    fn rank_all(&mut self, field: &Field) {
        self.all_ranked = true;
        let mut known = vec![false; field.board.grid().len()];
        for &(cell, _) in &self.ranked {
            known[usize::from(cell)] = true;
        }
        let rest = field.free_cells().filter(|&cell| !known[usize::from(cell)]);
        self.ranked.extend(rest.map(|cell| (cell, 0)));
    }
}

/// The prefix and more cells, sorted.
pub(super) fn with(prefix: &[Index], more: &[Index]) -> Cells {
    let mut cells = Cells::from_slice(prefix);
    cells.extend_from_slice(more);
    cells.sort_unstable();
    cells
}

/// The turn with so many stones more, each the best where the others stand.
fn grown(
    mut turn: Cells,
    more: usize,
    ranked: &[(Index, i32)],
    scene: &mut Scene<'_, '_>,
) -> Cells {
    let placed = turn.len();
    scene.field.play(scene.mover, &turn);
    for _ in 0..more {
        let near = ranked.iter().take(2 * scene.batch);
        let near = near.filter(|(cell, _)| scene.field.is_free(*cell));
        let best = near.max_by_key(|(cell, _)| scene.field.value(scene.mover, *cell));
        let best = best
            .map(|&(cell, _)| cell)
            .or_else(|| scene.field.free_cells().next());
        let Some(cell) = best else { break };
        scene.field.place(scene.mover, cell);
        turn.push(cell);
    }
    scene.field.undo(turn.len());
    debug_assert!(turn.len() >= placed);
    turn.sort_unstable();
    turn
}

/// A turn filled up with the best cells to so many stones.
pub(super) fn filled(turn: &Cells, stones: u8, field: &mut Field, mover: Side) -> Cells {
    let mut turn = turn.clone();
    if turn.len() < usize::from(stones) {
        let ranked = field.probing_cells(mover);
        let mut cells = ranked
            .iter()
            .map(|&(cell, _)| cell)
            .chain(field.free_cells());
        while turn.len() < usize::from(stones) {
            let Some(cell) = cells.find(|cell| !turn.contains(cell)) else {
                break;
            };
            turn.push(cell);
        }
    }
    turn.sort_unstable();
    turn
}
