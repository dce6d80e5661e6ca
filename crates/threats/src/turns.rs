//! Which turns make threats: all inclusion-minimal sets of stones after which a side has at least
//! so many threats.
//!
//! More own stones never make fewer threats when overlines win, so every turn with at least `t`
//! threats contains one of these sets, and any stones may be added to it. Where overlines do not win
//! an added stone can spoil a window: every such turn still contains one of the sets, but not every
//! turn that contains one has the threats.
//!
//! Turns of one or two stones have a fast path ([`LineBoard::small_threat_turns`]); the rest is a
//! search over windows. Large turns have very many such sets.

use std::collections::HashSet;

use tengen_rules::{Overline, Side, Turn};

use crate::LineBoard;
use crate::line_board::{Index, bits_of, windows_through};

/// The result of [`LineBoard::small_threat_turns`], and its working memory: keep and reuse it.
#[derive(Debug, Default)]
pub struct SmallThreatTurns {
    /// Stones that are enough alone.
    pub singles: Vec<Index>,
    /// Pairs, neither stone of which is enough alone.
    pub pairs: Vec<[Index; 2]>,
    /// For each cell: what a stone there would make, see `Answer`.
    answers: Vec<Answer>,
    /// The cells whose stone alone makes at least one threat.
    pub makers: Vec<Index>,
}

/// The cells that answer, alone, all threats made by one stone: none, one or two of them.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
struct Answer([Index; 2]);

/// Not a cell.
const NOWHERE: Index = Index::MAX;

impl Answer {
    /// The stone makes no threat: every cell "answers".
    const ANYTHING: Self = Self([NOWHERE - 1, NOWHERE - 1]);
    /// The stone makes two threats or more.
    const NOTHING: Self = Self([NOWHERE, NOWHERE]);

    fn makes_threat(self) -> bool {
        self != Self::ANYTHING
    }

    fn contains(self, cell: Index) -> bool {
        !self.makes_threat() || self.0.contains(&cell)
    }

    /// The cells that answer both, without the two given ones, which are occupied then. `self` must
    /// belong to a stone that makes a threat.
    fn and(self, other: Self, without: [Index; 2]) -> Self {
        Self(self.0.map(|cell| {
            if other.contains(cell) && !without.contains(&cell) {
                cell
            } else {
                NOWHERE
            }
        }))
    }
}

impl LineBoard {
    /// All inclusion-minimal sets of at most `stones` empty cells that give `side` at least
    /// `at_least` threats (a completed line counts as `p + 1`). Just the empty turn when the side
    /// has them already.
    ///
    /// `stones` must not be more than `p`.
    pub fn threat_turns(&self, side: Side, stones: u8, at_least: u8) -> Vec<Turn> {
        let mut turns: Vec<Turn> = if self.small_case(side, stones, at_least) {
            let mut small = SmallThreatTurns::default();
            self.small_threat_turns(side, stones, at_least, &mut small);
            let singles = small.singles.iter().map(|&cell| self.turn(&[cell]));
            singles
                .chain(small.pairs.iter().map(|pair| self.turn(pair)))
                .collect()
        } else {
            let at_least = at_least.min(self.rules().per_turn() + 1);
            let mut growth = Growth {
                board: self.clone(),
                side,
                at_least,
                chosen: Vec::new(),
                seen: HashSet::new(),
                found: Vec::new(),
            };
            growth.grow(stones);
            growth.found.iter().map(|set| self.turn(set)).collect()
        };
        turns.sort_unstable();
        turns
    }

    /// Whether [`small_threat_turns`](Self::small_threat_turns) may be called.
    fn small_case(&self, side: Side, stones: u8, at_least: u8) -> bool {
        let rules = self.rules();
        let small =
            rules.per_turn() <= 2 && (1..=2).contains(&stones) && (1..=2).contains(&at_least);
        small && rules.overline() == Overline::Wins && !self.has_threat(side)
    }

    /// [`threat_turns`](Self::threat_turns) for the common case, without allocation: turns of one or
    /// two stones that make one threat or two, overlines win, and the side has no threat yet (if it
    /// had, it would rather win).
    ///
    /// Singles and pairs come in a fixed but unspecified order.
    pub fn small_threat_turns(
        &self,
        side: Side,
        stones: u8,
        at_least: u8,
        turns: &mut SmallThreatTurns,
    ) {
        debug_assert!(self.small_case(side, stones, at_least));
        turns.singles.clear();
        turns.pairs.clear();
        turns.makers.clear();
        turns.answers.resize(self.grid().len(), Answer::ANYTHING);
        self.collect_makers(side, turns);
        for &cell in &turns.makers {
            if at_least == 1 || turns.answers[usize::from(cell)] == Answer::NOTHING {
                turns.singles.push(cell);
            }
        }
        if stones == 2 {
            if at_least == 2 {
                self.pair_makers(side, turns);
            }
            self.pair_along_lines(side, at_least, turns);
        }
        for &cell in &turns.makers {
            turns.answers[usize::from(cell)] = Answer::ANYTHING;
        }
    }

    /// Step 1. The stones that make a threat alone, and what answers them. All windows through a
    /// stone are intervals of one line, so their common part is an interval too.
    fn collect_makers(&self, side: Side, turns: &mut SmallThreatTurns) {
        let length = self.geometry.line;
        let window = (1_u64 << length) - 1;
        for (line, state) in self.promising_lines(side) {
            let short = state.levels[side as usize][1];
            if short == 0 {
                continue;
            }
            let empty = !state.stones[side as usize];
            let covered = bits_of(short).fold(0, |all, start| all | window << start);
            for bit in bits_of(covered & empty) {
                let through = short & windows_through(bit, length);
                let common = common_cells(through, length) & empty & !(1 << bit);
                let mut cells = bits_of(common).map(|bit| line.cell(bit));
                let here = Answer([
                    cells.next().unwrap_or(NOWHERE),
                    cells.next().unwrap_or(NOWHERE),
                ]);
                let cell = line.cell(bit);
                let answer = &mut turns.answers[usize::from(cell)];
                if answer.makes_threat() {
                    *answer = answer.and(here, [NOWHERE; 2]);
                } else {
                    turns.makers.push(cell);
                    *answer = here;
                }
            }
        }
    }

    /// Step 2. Pairs of stones each of which makes one threat.
    fn pair_makers(&self, side: Side, turns: &mut SmallThreatTurns) {
        for (i, &a) in turns.makers.iter().enumerate() {
            let answer_a = turns.answers[usize::from(a)];
            if answer_a == Answer::NOTHING {
                continue;
            }
            for &b in &turns.makers[..i] {
                let answer_b = turns.answers[usize::from(b)];
                if answer_b == Answer::NOTHING {
                    continue;
                }
                let both = answer_a.and(answer_b, [a, b]);
                if both == Answer::NOTHING
                    || both.and(self.joint_answer(side, a, b), [a, b]) == Answer::NOTHING
                {
                    turns.pairs.push([a, b]);
                }
            }
        }
    }

    /// What answers the threats that only the two stones together make.
    fn joint_answer(&self, side: Side, a: Index, b: Index) -> Answer {
        let spots = |cell: Index| self.geometry.spots[usize::from(cell)];
        for (spot_a, spot_b) in spots(a).into_iter().zip(spots(b)) {
            if spot_a.line == spot_b.line && spot_a.line != 0 {
                let (line, state) = self.line(spot_a.line);
                let length = self.geometry.line;
                let [_, short, shorter] = state.levels[side as usize];
                let through = windows_through(u32::from(spot_a.bit), length)
                    & windows_through(u32::from(spot_b.bit), length);
                let windows = shorter & !short & through;
                if windows == 0 {
                    return Answer::ANYTHING;
                }
                let stones = state.stones[side as usize] | 1 << spot_a.bit | 1 << spot_b.bit;
                let mut cells =
                    bits_of(common_cells(windows, length) & !stones).map(|bit| line.cell(bit));
                return Answer([
                    cells.next().unwrap_or(NOWHERE),
                    cells.next().unwrap_or(NOWHERE),
                ]);
            }
        }
        Answer::ANYTHING
    }

    /// Step 3. Pairs of stones on one line that together make a threat there, unless both make one
    /// alone (step 2) or one is enough alone.
    fn pair_along_lines(&self, side: Side, at_least: u8, turns: &mut SmallThreatTurns) {
        let length = self.geometry.line;
        let window = (1_u64 << length) - 1;
        for (line, state) in self.promising_lines(side) {
            let [_, short, shorter] = state.levels[side as usize];
            let windows = shorter & !short;
            if windows == 0 {
                continue;
            }
            let empty = !state.stones[side as usize];
            let covered = bits_of(windows).fold(0, |all, start| all | window << start);
            for bit_a in bits_of(covered & empty) {
                let a = line.cell(bit_a);
                let answer_a = turns.answers[usize::from(a)];
                if answer_a == Answer::NOTHING || (at_least == 1 && answer_a.makes_threat()) {
                    continue;
                }
                let through_a = windows & windows_through(bit_a, length);
                let partners = bits_of(through_a).fold(0, |all, start| all | window << start);
                for bit_b in bits_of(partners & empty & !(u64::MAX >> (63 - bit_a))) {
                    let through = through_a & windows_through(bit_b, length);
                    if through == 0 {
                        continue;
                    }
                    let b = line.cell(bit_b);
                    let answer_b = turns.answers[usize::from(b)];
                    if answer_b == Answer::NOTHING
                        || (answer_a.makes_threat() && answer_b.makes_threat())
                    {
                        continue;
                    }
                    if at_least == 1 {
                        if !answer_b.makes_threat() {
                            turns.pairs.push([a, b]);
                        }
                        continue;
                    }
                    let common = common_cells(through, length) & empty & !(1 << bit_a | 1 << bit_b);
                    let alone = if answer_a.makes_threat() {
                        answer_a
                    } else {
                        answer_b
                    };
                    if !bits_of(common).any(|bit| alone.contains(line.cell(bit))) {
                        turns.pairs.push([a, b]);
                    }
                }
            }
        }
    }

    /// All turns of exactly `stones` stones that give `side` at least `at_least` threats, also those
    /// with stones that contribute nothing. Often many: for exhaustive tests.
    pub fn full_threat_turns(&self, side: Side, stones: u8, at_least: u8) -> Vec<Turn> {
        let empty: Vec<Index> = (0..self.grid().len() as Index)
            .filter(|&cell| self.stone(cell).is_none())
            .collect();
        let mut board = self.clone();
        let mut turns = HashSet::new();
        for core in self.threat_turns(side, stones, at_least) {
            let chosen: Vec<Index> = core
                .into_iter()
                .filter_map(|cell| self.index(cell))
                .collect();
            let rest: Vec<Index> = empty
                .iter()
                .copied()
                .filter(|cell| !chosen.contains(cell))
                .collect();
            subsets(&rest, usize::from(stones) - chosen.len(), &mut |more| {
                let mut turn: Vec<Index> = chosen.iter().chain(more).copied().collect();
                turn.sort_unstable();
                if !turns.contains(&turn) && board.threats_after(side, &turn) >= at_least {
                    turns.insert(turn);
                }
            });
        }
        let mut turns: Vec<Turn> = turns.iter().map(|turn| self.turn(turn)).collect();
        turns.sort_unstable();
        turns
    }

    /// The number of threats `side` would have with these stones added.
    fn threats_after(&mut self, side: Side, stones: &[Index]) -> u8 {
        for &cell in stones {
            self.place(side, cell);
        }
        let count = self.threat_count(side);
        for _ in stones {
            self.undo();
        }
        count
    }
}

/// The cells that all windows with these starts have in common; there must be one.
fn common_cells(starts: u64, length: u32) -> u64 {
    let (first, last) = (starts.trailing_zeros(), 63 - starts.leading_zeros());
    let window = (1_u64 << length) - 1;
    window << last & window << first
}

/// Calls `visit` with every subset of that size.
fn subsets(cells: &[Index], size: usize, visit: &mut dyn FnMut(&[Index])) {
    fn choose(
        cells: &[Index],
        size: usize,
        chosen: &mut Vec<Index>,
        visit: &mut dyn FnMut(&[Index]),
    ) {
        if size == 0 {
            return visit(chosen);
        }
        for (i, &cell) in cells
            .iter()
            .enumerate()
            .take((cells.len() + 1).saturating_sub(size))
        {
            chosen.push(cell);
            choose(&cells[i + 1..], size - 1, chosen, visit);
            chosen.pop();
        }
    }
    choose(cells, size, &mut Vec::new(), visit);
}

/// The general search. Every stone of a minimal set lies in a threat window that the whole set
/// makes, so the set can be grown window by window: by exactly the stones that make the window a
/// threat, or by one stone where it is one already (fewer cells are then left to answer it).
struct Growth {
    board: LineBoard,
    side: Side,
    at_least: u8,
    chosen: Vec<Index>,
    seen: HashSet<Vec<Index>>,
    found: Vec<Vec<Index>>,
}

impl Growth {
    fn grow(&mut self, left: u8) {
        let mut sorted = self.chosen.clone();
        sorted.sort_unstable();
        if !self.seen.insert(sorted.clone()) {
            return;
        }
        if self.board.threat_count(self.side) >= self.at_least {
            if self.is_minimal() {
                self.found.push(sorted);
            }
            return;
        }
        if left == 0 {
            return;
        }
        let threat = i32::from(self.board.rules().threat_stones());
        let length = self.board.geometry.line;
        let window = (1_u64 << length) - 1;
        let mut steps = HashSet::new();
        for (line, state, windows) in self.board.lines_with(self.side, threat - i32::from(left)) {
            let own = state.stones[self.side as usize];
            for start in bits_of(windows) {
                let missing = threat - (own & window << start).count_ones() as i32;
                let cells: Vec<Index> = bits_of(window << start & !own)
                    .map(|bit| line.cell(bit))
                    .collect();
                subsets(&cells, missing.max(1) as usize, &mut |step| {
                    steps.insert(step.to_vec());
                });
            }
        }
        let mut steps: Vec<Vec<Index>> = steps.into_iter().collect();
        steps.sort_unstable();
        for step in steps {
            for &cell in &step {
                self.board.place(self.side, cell);
                self.chosen.push(cell);
            }
            self.grow(left - step.len() as u8);
            for _ in &step {
                self.board.undo();
                self.chosen.pop();
            }
        }
    }

    /// No proper subset has enough threats.
    fn is_minimal(&mut self) -> bool {
        let chosen = self.chosen.clone();
        for _ in &chosen {
            self.board.undo();
        }
        let mut minimal = true;
        for size in 0..chosen.len() {
            subsets(&chosen, size, &mut |subset| {
                minimal &= self.board.threats_after(self.side, subset) < self.at_least;
            });
        }
        for &cell in &chosen {
            self.board.place(self.side, cell);
        }
        minimal
    }
}
