//! Which replies are still open: the pair matrix of the verifier.
//!
//! After the attacker's turn every reply of the defender is open. A proof found for some of the
//! defender's stones strikes out all replies that are irrelevant to it, because removing a stone of
//! the defender never hurts the attacker and stones outside the zones never help the defender
//! (procedure *cover* of `docs/proof-format.md`). So one proof answers many replies, and what is
//! searched next is what may strike out the most.

use tengen_rules::Side;
use tengen_threats::{Index, LineBoard};

use crate::cover::Child;
use crate::set_map::SetMap;
use crate::tree::{Cells, WinId};

/// How many replies and parts of replies are looked at; with large turns there are many more.
const MOST_MET: u64 = 200_000;

/// The replies at one position after the attacker's turn, and what answers them.
#[derive(Debug, Clone)]
pub(crate) struct Matrix {
    /// The position with the defender to move.
    pub(crate) board: LineBoard,
    /// How many stones a reply has.
    pub(crate) reply: usize,
    /// What has been answered, in the order it was found.
    children: Vec<Child>,
    /// The stones that children were searched for.
    searched: SetMap<bool>,
    /// The critical defences: all that must be covered.
    defences: Vec<Cells>,
    /// Sets of stones that were tried in vain.
    failed: SetMap<bool>,
    /// What is known of every whole reply that was met.
    met: SetMap<Met>,
    /// For every part of a reply that was met: the child that answers it best, and how many children
    /// were looked at.
    parts: SetMap<(Option<Best>, u32)>,
}

/// By which child a whole reply is answered, or how many children do not answer it.
#[derive(Debug, Copy, Clone)]
enum Met {
    Answered(u32),
    Open(u32),
}

impl Default for Met {
    fn default() -> Self {
        Self::Open(0)
    }
}

/// How well a child answers a part of a reply: the cells it leaves open, the shift of its zones, and
/// which child it is.
type Best = (u32, u32, u32);

/// What is left to do.
#[derive(Debug)]
pub(crate) struct Frontier {
    /// Parts of replies that nothing answers: these come first.
    pub(crate) needed: Vec<Cells>,
    /// Whole replies that nothing answers.
    pub(crate) open: Vec<Cells>,
    /// What was tried in vain: replies that contain these stones are not known to lose.
    pub(crate) failed: Vec<Cells>,
    /// Parts of replies that are won, but not together with stones anywhere on an infinite board: a
    /// further search changes nothing.
    pub(crate) endless: Vec<Cells>,
    /// Parts of replies that are answered by a proof made for other stones.
    borrowed: SetMap<bool>,
    /// Which children were used.
    used: Vec<bool>,
    seen: SetMap<bool>,
    met: u64,
}

impl Frontier {
    fn new(cells: usize, children: usize) -> Self {
        Self {
            needed: Vec::new(),
            open: Vec::new(),
            failed: Vec::new(),
            endless: Vec::new(),
            borrowed: SetMap::new(cells),
            used: vec![false; children],
            seen: SetMap::new(cells),
            met: 0,
        }
    }

    /// All that nothing answers.
    pub(crate) fn left(self) -> Vec<Cells> {
        [self.failed, self.needed, self.open, self.endless].concat()
    }

    /// How many replies and parts of replies were looked at.
    pub(crate) const fn met(&self) -> u64 {
        self.met
    }
}

impl Matrix {
    /// Nothing is answered yet. The board stands after the attacker's turn, the defender has `reply`
    /// stones to place.
    pub(crate) fn new(board: LineBoard, attacker: Side, reply: usize) -> Self {
        let mut defences: Vec<Cells> = board
            .critical_sets(attacker)
            .into_iter()
            .map(Cells::from_vec)
            .filter(|defence| defence.len() <= reply)
            .collect();
        for defence in &mut defences {
            defence.sort_unstable();
        }
        defences.sort_by_key(|defence| defence.len());
        let cells = board.grid().len();
        Self {
            board,
            reply,
            children: Vec::new(),
            searched: SetMap::new(cells),
            defences,
            failed: SetMap::new(cells),
            met: SetMap::new(cells),
            parts: SetMap::new(cells),
        }
    }

    /// What has been answered, in the order it was found.
    pub(crate) fn children(&self) -> &[Child] {
        &self.children
    }

    /// One more answer.
    pub(crate) fn add(&mut self, child: Child) {
        *self.searched.entry(&child.stones) = true;
        self.children.push(child);
    }

    /// What was tried in vain may be tried again.
    pub(crate) fn forget_failures(&mut self) {
        self.failed.clear();
    }

    /// Gives back the memory of what was met; it is found again.
    pub(crate) fn forget_met(&mut self) {
        self.met.clear();
        self.parts.clear();
    }

    pub(crate) fn fail(&mut self, stones: &Cells) {
        *self.failed.entry(stones) = true;
    }

    /// Looks over all replies.
    pub(crate) fn frontier(&mut self) -> Frontier {
        let mut frontier = Frontier::new(self.board.grid().len(), self.children.len());
        let defences = std::mem::take(&mut self.defences);
        for defence in &defences {
            self.visit(defence, &mut frontier);
        }
        self.defences = defences;
        frontier
    }

    /// Looks at a reply or a part of one, and at all that contain it and may need an answer of their own.
    fn visit(&mut self, stones: &Cells, frontier: &mut Frontier) {
        if std::mem::replace(frontier.seen.entry(stones), true) {
            return;
        }
        frontier.met += 1;
        let further = self.reply - stones.len();
        if further == 0 {
            match self.answering(stones) {
                Some(child) => frontier.used[child] = true,
                None if self.failed.get(stones) => frontier.failed.push(stones.clone()),
                None => frontier.open.push(stones.clone()),
            }
            return;
        }
        if frontier.met > MOST_MET {
            // Too many to look at: all that contain these stones are left open.
            frontier.failed.push(stones.clone());
            return;
        }
        let cells: Vec<Index> = if let Some(chosen) = self.best(stones, further) {
            let child = &self.children[chosen];
            if !self.searched.get(stones) {
                *frontier.borrowed.entry(stones) = true;
            }
            frontier.used[chosen] = true;
            child.open_cells(&self.board, stones, further).collect()
        } else if self.searched.get(stones) {
            // Won, but its zones end here: with so many further stones nothing is irrelevant.
            if self.board.rules().size().is_none() {
                frontier.endless.push(stones.clone());
                return;
            }
            let cells = 0..self.board.grid().len() as Index;
            cells
                .filter(|&cell| self.board.stone(cell).is_none() && !stones.contains(&cell))
                .collect()
        } else {
            let tried = self.failed.get(stones);
            let list = if tried {
                &mut frontier.failed
            } else {
                &mut frontier.needed
            };
            list.push(stones.clone());
            return;
        };
        let mut more = Cells::new();
        for cell in cells {
            let (low, high) = stones.split_at(stones.partition_point(|&stone| stone < cell));
            more.clear();
            more.extend_from_slice(low);
            more.push(cell);
            more.extend_from_slice(high);
            self.visit(&more, frontier);
        }
    }

    /// Which child answers a whole reply.
    fn answering(&mut self, stones: &Cells) -> Option<usize> {
        let known = self.met.entry(stones);
        let looked = match *known {
            Met::Answered(child) => return Some(child as usize),
            Met::Open(looked) => looked as usize,
        };
        let mut rest = looked..self.children.len();
        let found = rest.find(|&child| self.children[child].answers(stones, 0));
        *known = match found {
            Some(child) => Met::Answered(child as u32),
            None => Met::Open(self.children.len() as u32),
        };
        found
    }

    /// Of the children that answer these and `further` stones, one that leaves the fewest cells.
    fn best(&mut self, stones: &Cells, further: usize) -> Option<usize> {
        let known = self.parts.entry(stones);
        let (best, looked) = *known;
        let new = self.children.iter().enumerate().skip(looked as usize);
        let answering = new.filter(|(_, child)| child.answers(stones, further));
        let ranked = answering.map(|(place, child)| {
            let shift = child.shift(stones, further);
            let cells = child.open_count(stones, further);
            (cells as u32, shift as u32, place as u32)
        });
        let best = best.into_iter().chain(ranked).min();
        *known = (best, self.children.len() as u32);
        best.map(|(_, _, child)| child as usize)
    }

    /// The next sets of stones to search, at most `most` of them, such that one hardly answers another.
    pub(crate) fn next_searches(&self, frontier: &Frontier, most: usize) -> Vec<Cells> {
        if !frontier.needed.is_empty() {
            // The shortest are the hardest to do without.
            let shortest = frontier.needed.iter().map(|stones| stones.len()).min();
            let needed = frontier.needed.iter();
            return needed
                .filter(|stones| Some(stones.len()) == shortest)
                .take(most)
                .cloned()
                .collect();
        }
        // Of how many open replies each set is a part.
        let mut count: SetMap<u32> = SetMap::new(self.board.grid().len());
        let mut parts: Vec<Cells> = Vec::new();
        for stones in &frontier.open {
            for part in parts_of(stones) {
                let count = count.entry(&part);
                *count += 1;
                if *count == 1 {
                    parts.push(part);
                }
            }
        }
        parts.retain(|part| frontier.borrowed.get(part) && !self.failed.get(part));
        let mut open: Vec<&Cells> = frontier.open.iter().collect();
        let mut chosen: Vec<Cells> = Vec::new();
        while chosen.len() < most && !open.is_empty() {
            // A part of many open replies first: its proof may answer most of them.
            let next = heaviest(parts.iter().map(|part| (count.get(part), part)))
                .filter(|(count, _)| *count > 1);
            let weight = |stones: &Cells| parts_of(stones).map(|part| count.get(&part)).sum();
            let next = next
                .or_else(|| heaviest(open.iter().map(|&stones| (weight(stones), stones))))
                .map(|(_, stones)| stones.clone())
                .expect("something is open");
            open.retain(|stones| {
                let apart = !stones.iter().any(|cell| next.contains(cell));
                if !apart {
                    parts_of(stones).for_each(|part| *count.entry(&part) -= 1);
                }
                apart
            });
            chosen.push(next);
        }
        chosen
    }

    /// Whether nothing answers these stones and as many others as make a reply.
    pub(crate) fn is_open(&self, stones: &Cells) -> bool {
        let further = self.reply - stones.len();
        let taken = stones.iter().any(|&cell| self.board.stone(cell).is_some());
        !taken
            && !self
                .children
                .iter()
                .any(|child| child.answers(stones, further))
    }

    /// The wins against other stones, those that share most stones first.
    pub(crate) fn known_wins(&self, stones: &Cells) -> Vec<WinId> {
        let mut children: Vec<&Child> = self.children.iter().rev().collect();
        let shared = |child: &Child| {
            let shared = child.stones.iter().filter(|cell| stones.contains(cell));
            shared.count()
        };
        children.sort_by_key(|child| std::cmp::Reverse(shared(child)));
        let mut wins: Vec<WinId> = Vec::new();
        for child in children {
            if !wins.contains(&child.win) {
                wins.push(child.win);
            }
        }
        wins
    }

    /// The answered replies, as a strategy holds them.
    pub(crate) fn replies(&self) -> Vec<(Cells, WinId)> {
        let children = self.children.iter();
        children
            .map(|child| (child.stones.clone(), child.win))
            .collect()
    }

    /// Drops the children that are not needed for what is answered.
    pub(crate) fn keep_used(&mut self) {
        let used = self.frontier().used;
        let mut place = 0;
        self.children.retain(|_| {
            place += 1;
            used[place - 1]
        });
        self.searched.clear();
        for child in &self.children {
            *self.searched.entry(&child.stones) = true;
        }
        self.forget_met();
    }
}

/// The sets with one stone less.
fn parts_of(stones: &Cells) -> impl Iterator<Item = Cells> + '_ {
    (0..stones.len()).map(|place| {
        let mut part = stones.clone();
        part.remove(place);
        part
    })
}

/// The set of the largest weight; of equal ones the first in order, whatever order they come in.
fn heaviest<'a>(sets: impl Iterator<Item = (u32, &'a Cells)>) -> Option<(u32, &'a Cells)> {
    sets.max_by(|(a, one), (b, other)| a.cmp(b).then_with(|| other.cmp(one)))
}
