//! Which replies are still open: the pair matrix of the verifier.
//!
//! After the attacker's turn every reply of the defender is open. A proof found for some of the
//! defender's stones strikes out all replies that are irrelevant to it, because removing a stone of
//! the defender never hurts the attacker and stones outside the zones never help the defender
//! (procedure *cover* of `docs/proof-format.md`). So one proof answers many replies, and what is
//! searched next is what may strike out the most.

use std::collections::{HashMap, HashSet};

use tengen_rules::Side;
use tengen_threats::{Index, LineBoard};

use crate::cover::Child;
use crate::tree::{Cells, WinId};

/// How many replies and parts of replies are looked at; with large turns there are many more.
const MOST_MET: usize = 200_000;

/// The replies at one position after the attacker's turn, and what answers them.
#[derive(Debug, Clone)]
pub(crate) struct Matrix {
    /// The position with the defender to move.
    pub(crate) board: LineBoard,
    /// How many stones a reply has.
    pub(crate) reply: usize,
    /// What has been answered, in the order it was found.
    pub(crate) children: Vec<Child>,
    /// The critical defences: all that must be covered.
    defences: Vec<Cells>,
    /// Sets of stones that were tried in vain.
    failed: HashSet<Cells>,
    /// For every whole reply that was met: by which child it is answered, or how many children do not
    /// answer it.
    met: HashMap<Cells, Result<usize, usize>>,
    /// For every part of a reply that was met: the child that answers it best, and how many children
    /// were looked at.
    parts: HashMap<Cells, (Option<Best>, usize)>,
}

/// How well a child answers a part of a reply: the cells it leaves open, the shift of its zones, and
/// which child it is.
type Best = (usize, usize, usize);

/// What is left to do.
#[derive(Debug, Default)]
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
    borrowed: HashSet<Cells>,
    /// The children that were used.
    used: HashSet<usize>,
    seen: HashSet<Cells>,
}

impl Frontier {
    /// All that nothing answers.
    pub(crate) fn left(self) -> Vec<Cells> {
        [self.failed, self.needed, self.open, self.endless].concat()
    }

    /// How many replies and parts of replies were looked at.
    pub(crate) fn met(&self) -> u64 {
        self.seen.len() as u64
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
        Self {
            board,
            reply,
            children: Vec::new(),
            defences,
            failed: HashSet::new(),
            met: HashMap::new(),
            parts: HashMap::new(),
        }
    }

    /// What was tried in vain may be tried again.
    pub(crate) fn forget_failures(&mut self) {
        self.failed.clear();
    }

    /// Gives back the memory of what was met; it is found again.
    pub(crate) fn forget_met(&mut self) {
        self.met = HashMap::new();
        self.parts = HashMap::new();
    }

    pub(crate) fn fail(&mut self, stones: Cells) {
        self.failed.insert(stones);
    }

    /// Looks over all replies.
    pub(crate) fn frontier(&mut self) -> Frontier {
        let mut frontier = Frontier::default();
        let defences = std::mem::take(&mut self.defences);
        for defence in &defences {
            self.visit(defence.clone(), &mut frontier);
        }
        self.defences = defences;
        frontier
    }

    fn visit(&mut self, stones: Cells, frontier: &mut Frontier) {
        if !frontier.seen.insert(stones.clone()) {
            return;
        }
        let further = self.reply - stones.len();
        if further == 0 {
            match self.answering(&stones) {
                Some(child) => {
                    frontier.used.insert(child);
                }
                None if self.failed.contains(&stones) => frontier.failed.push(stones),
                None => frontier.open.push(stones),
            }
            return;
        }
        if frontier.seen.len() > MOST_MET {
            // Too many to look at: all that contain these stones are left open.
            frontier.failed.push(stones);
            return;
        }
        let cells: Vec<Index> = if let Some(chosen) = self.best(&stones, further) {
            let child = &self.children[chosen];
            if !self.searched(&stones) {
                frontier.borrowed.insert(stones.clone());
            }
            frontier.used.insert(chosen);
            child.open_cells(&self.board, &stones, further).collect()
        } else if self.searched(&stones) {
            // Won, but its zones end here: with so many further stones nothing is irrelevant.
            if self.board.rules().size().is_none() {
                frontier.endless.push(stones);
                return;
            }
            let cells = 0..self.board.grid().len() as Index;
            cells
                .filter(|&cell| self.board.stone(cell).is_none() && !stones.contains(&cell))
                .collect()
        } else {
            let tried = self.failed.contains(&stones);
            let list = if tried {
                &mut frontier.failed
            } else {
                &mut frontier.needed
            };
            list.push(stones);
            return;
        };
        for cell in cells {
            let mut more = stones.clone();
            more.push(cell);
            more.sort_unstable();
            self.visit(more, frontier);
        }
    }

    fn searched(&self, stones: &Cells) -> bool {
        self.children.iter().any(|child| child.stones == *stones)
    }

    /// Which child answers a whole reply.
    fn answering(&mut self, stones: &Cells) -> Option<usize> {
        let looked = match self.met.get(stones) {
            Some(Ok(child)) => return Some(*child),
            Some(Err(looked)) => *looked,
            None => 0,
        };
        let mut rest = looked..self.children.len();
        let found = rest.find(|&child| self.children[child].answers(stones, 0));
        let known = found.ok_or(self.children.len());
        self.met.insert(stones.clone(), known);
        found
    }

    /// Of the children that answer these and `further` stones, one that leaves the fewest cells.
    fn best(&mut self, stones: &Cells, further: usize) -> Option<usize> {
        let (best, looked) = self.parts.get(stones).copied().unwrap_or_default();
        let new = self.children.iter().enumerate().skip(looked);
        let answering = new.filter(|(_, child)| child.answers(stones, further));
        let ranked = answering.map(|(place, child)| {
            let shift = child.shift(stones, further);
            (child.open_count(stones, further), shift, place)
        });
        let best = best.into_iter().chain(ranked).min();
        self.parts
            .insert(stones.clone(), (best, self.children.len()));
        best.map(|(_, _, child)| child)
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
        let mut open: Vec<&Cells> = frontier.open.iter().collect();
        let mut chosen: Vec<Cells> = Vec::new();
        while chosen.len() < most && !open.is_empty() {
            // A part of many open replies first: its proof may answer most of them.
            let mut count: HashMap<Cells, usize> = HashMap::new();
            for stones in &open {
                for place in 0..stones.len() {
                    let mut part = (*stones).clone();
                    part.remove(place);
                    *count.entry(part).or_default() += 1;
                }
            }
            let parts = count.iter().filter(|(part, n)| {
                **n > 1 && frontier.borrowed.contains(*part) && !self.failed.contains(*part)
            });
            let best = parts.max_by_key(|(part, n)| (**n, std::cmp::Reverse((*part).clone())));
            let next = best.map(|(part, _)| part.clone()).unwrap_or_else(|| {
                let weight = |stones: &Cells| -> usize {
                    let parts = (0..stones.len()).map(|place| {
                        let mut part = stones.clone();
                        part.remove(place);
                        count[&part]
                    });
                    parts.sum()
                };
                let heaviest = open
                    .iter()
                    .max_by_key(|stones| (weight(stones), std::cmp::Reverse((**stones).clone())));
                (*heaviest.expect("something is open")).clone()
            });
            open.retain(|stones| !stones.iter().any(|cell| next.contains(cell)));
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
            used.contains(&(place - 1))
        });
        self.forget_met();
    }
}
