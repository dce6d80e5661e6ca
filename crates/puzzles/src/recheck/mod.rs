//! Is it true? Length and uniqueness of a puzzle once more, by code that shares nothing with the search that
//! found it: no board of `tengen-threats`, no table of keys, no order of turns. Windows are counted stone by
//! stone, positions are remembered by their stones, and every turn with enough threats is tried to the end.
//!
//! What is established: within wins of the claimed order (1: by turns that make at least `p` threats; 2 and 3: see
//! `second.rs` and `quiet.rs`), nobody completes a line at once, the claimed stones win in the claimed number of turns against
//! every reply and no turn wins earlier; and every winning first turn, however long, contains the claimed
//! stones. That the win *is* a win is for `tengen-checker` to say, from the proof. Slow, and for games with `p` of
//! one or two in which overlines win.

mod quiet;
mod second;

use std::collections::{BTreeSet, HashMap};

/// A claim in plain numbers: cells are columns and rows from 0.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    /// Columns and rows.
    pub size: (usize, usize),
    /// Stones in a row that win.
    pub line: usize,
    /// Stones of a turn, one or two.
    pub per_turn: usize,
    /// The attacker's stones.
    pub own: &'a [(usize, usize)],
    /// The defender's stones.
    pub other: &'a [(usize, usize)],
    /// What the attacker must play.
    pub turn: &'a [(usize, usize)],
    /// In how many of his turns he completes a line.
    pub turns: u8,
    /// The order of the win: 1, 2, or 3 for a quiet first turn.
    pub order: u8,
    /// Order 3: replies of which one refutes each other turn, unless any reply does.
    pub refutations: &'a [Vec<(usize, usize)>],
}

/// What is wrong with a claim.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// A line can be completed with the first turn.
    #[error("a line can be completed at once")]
    AtOnce,
    /// The turn does not win.
    #[error("the solution does not win within {0} turns")]
    NoWin(u8),
    /// There is a win of a lower order.
    #[error("double threats alone win")]
    LowerOrder,
    /// There is a faster win.
    #[error("a win takes fewer than {0} turns")]
    Shorter(u8),
    /// Another turn wins, which does not contain the claimed stones.
    #[error("another first turn wins: {0:?}")]
    Another(Vec<(usize, usize)>),
    /// A stone of the solution can be left out.
    #[error("the solution wins without one of its stones")]
    Superfluous,
    /// The limit of nodes was reached.
    #[error("undecided after {0} positions")]
    Undecided(u64),
}

type Cell = u16;
type Stones = Vec<Cell>;
type Bits = Box<[u64]>;

/// Wins of any length.
const EVER: u8 = u8::MAX;

/// Checks a claim with so many positions.
pub fn recheck(claim: &Claim<'_>, nodes: u64) -> Result<u64, Doubt> {
    let mut naive = Naive::new(claim, nodes);
    let cells = |cells: &[(usize, usize)]| -> Stones {
        let mut cells: Stones = cells.iter().map(|&cell| naive.number(cell)).collect();
        cells.sort_unstable();
        cells
    };
    let turn = cells(claim.turn);
    if naive.can_complete(OWN) {
        return Err(Doubt::AtOnce);
    }
    let undecided = |naive: &Naive| naive.over().then_some(Doubt::Undecided(nodes));
    if claim.order > 1 {
        let refutations: Vec<Stones> = claim.refutations.iter().map(|r| cells(r)).collect();
        let verdict = match claim.order {
            2 => naive.second_verdict(&turn, claim.turns),
            _ => naive.quiet_verdict(&turn, claim.turns, &refutations),
        };
        return undecided(&naive).map_or(verdict, Err);
    }
    let wins = naive.turn_wins(&turn, claim.turns);
    undecided(&naive).map_or(Ok(()), Err)?;
    if !wins {
        return Err(Doubt::NoWin(claim.turns));
    }
    let earlier = naive.wins(claim.turns - 1);
    undecided(&naive).map_or(Ok(()), Err)?;
    if earlier {
        return Err(Doubt::Shorter(claim.turns));
    }
    for other in naive.turns() {
        let contains = turn.iter().all(|cell| other.contains(cell));
        let part = !contains && other.iter().all(|cell| turn.contains(cell));
        if contains {
            continue;
        }
        let wins = naive.ever(|naive, turns| naive.turn_wins(&other, turns));
        undecided(&naive).map_or(Ok(()), Err)?;
        if wins && part {
            return Err(Doubt::Superfluous);
        }
        if wins {
            return Err(Doubt::Another(naive.places(&other)));
        }
    }
    Ok(naive.nodes)
}

/// Checks a defence puzzle with so many positions: the attacker has just moved and threatens twice, `turn` stops
/// the threats and leaves him no win of order 1, and every other smallest way to stop them loses within `turns`.
pub fn recheck_defence(claim: &Claim<'_>, nodes: u64) -> Result<u64, Doubt> {
    let mut naive = Naive::new(claim, nodes);
    let mut only: Stones = claim.turn.iter().map(|&cell| naive.number(cell)).collect();
    only.sort_unstable();
    if naive.can_complete(OTHER) {
        return Err(Doubt::AtOnce);
    }
    let replies = hitting_sets(&naive.threats(OWN), naive.per_turn);
    if !replies.contains(&only) {
        return Err(Doubt::NoWin(claim.turns));
    }
    for reply in replies {
        let holds = reply == only;
        reply.iter().for_each(|&cell| naive.place(OTHER, cell));
        let wins = match holds {
            true => naive.ever(Naive::wins),
            false => naive.wins(claim.turns),
        };
        reply.iter().for_each(|&cell| naive.take(OTHER, cell));
        if naive.over() {
            return Err(Doubt::Undecided(nodes));
        }
        match (wins, holds) {
            (true, true) => return Err(Doubt::Superfluous),
            (false, false) => return Err(Doubt::Another(naive.places(&reply))),
            _ => {}
        }
    }
    Ok(naive.nodes)
}

/// How many stones of each side a window holds.
#[derive(Debug, Copy, Clone, Default)]
struct Count([u8; 2]);

impl Count {
    /// Whether this side has so many stones here and the other none.
    const fn completable(self, side: usize, threat: u8) -> bool {
        self.0[side] >= threat && self.0[1 - side] == 0
    }
}

const OWN: usize = 0;
const OTHER: usize = 1;

struct Naive {
    size: (usize, usize),
    line: u8,
    per_turn: u8,
    /// The cells of each window.
    windows: Vec<Stones>,
    /// The windows through each cell.
    through: Vec<Vec<u16>>,
    counts: Vec<Count>,
    /// How many windows each side can complete with one turn.
    completable: [usize; 2],
    stones: [Bits; 2],
    /// For each position: no win within so many turns, a win within so many (0: none known).
    known: HashMap<[Bits; 2], (u8, u8)>,
    /// The same for wins of order 2.
    known_second: HashMap<[Bits; 2], (u8, u8)>,
    /// How often a stone on each cell was part of a reply that held.
    held: Vec<u32>,
    /// A number of turns has ended something since this was last cleared.
    cut: bool,
    nodes: u64,
    limit: u64,
}

impl Naive {
    fn new(claim: &Claim<'_>, limit: u64) -> Self {
        let (width, height) = claim.size;
        let mut windows = Vec::new();
        let mut through = vec![Vec::new(); width * height];
        let last = claim.line as isize - 1;
        for y in 0..height as isize {
            for x in 0..width as isize {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let (end_x, end_y) = (x + dx * last, y + dy * last);
                    let inside = |at: isize, size: usize| (0..size as isize).contains(&at);
                    if inside(end_x, width) && inside(end_y, height) {
                        let cell = |n: isize| {
                            ((y + dy * n) as usize * width + (x + dx * n) as usize) as Cell
                        };
                        let cells: Stones = (0..=last).map(cell).collect();
                        for &cell in &cells {
                            through[usize::from(cell)].push(windows.len() as u16);
                        }
                        windows.push(cells);
                    }
                }
            }
        }
        let empty: Bits = vec![0; (width * height).div_ceil(64)].into();
        let mut naive = Self {
            size: claim.size,
            line: claim.line as u8,
            per_turn: claim.per_turn as u8,
            counts: vec![Count::default(); windows.len()],
            windows,
            through,
            completable: [0; 2],
            stones: [empty.clone(), empty],
            known: HashMap::new(),
            known_second: HashMap::new(),
            held: vec![0; width * height],
            cut: false,
            nodes: 0,
            limit,
        };
        for (side, cells) in [(OWN, claim.own), (OTHER, claim.other)] {
            for &cell in cells {
                let cell = naive.number(cell);
                naive.place(side, cell);
            }
        }
        naive
    }

    fn number(&self, (x, y): (usize, usize)) -> Cell {
        (y * self.size.0 + x) as Cell
    }

    fn places(&self, cells: &[Cell]) -> Vec<(usize, usize)> {
        let place = |&cell: &Cell| {
            (
                usize::from(cell) % self.size.0,
                usize::from(cell) / self.size.0,
            )
        };
        cells.iter().map(place).collect()
    }

    fn over(&self) -> bool {
        self.nodes >= self.limit
    }

    fn is_empty(&self, cell: Cell) -> bool {
        let (word, bit) = (usize::from(cell) / 64, cell % 64);
        (self.stones[OWN][word] | self.stones[OTHER][word]) >> bit & 1 == 0
    }

    fn place(&mut self, side: usize, cell: Cell) {
        self.stones[side][usize::from(cell) / 64] |= 1 << (cell % 64);
        self.count(side, cell, |count| *count += 1);
    }

    fn take(&mut self, side: usize, cell: Cell) {
        self.stones[side][usize::from(cell) / 64] &= !(1 << (cell % 64));
        self.count(side, cell, |count| *count -= 1);
    }

    fn count(&mut self, side: usize, cell: Cell, change: impl Fn(&mut u8)) {
        let threat = self.line - self.per_turn;
        for &window in &self.through[usize::from(cell)] {
            let count = &mut self.counts[usize::from(window)];
            for of in [OWN, OTHER] {
                self.completable[of] -= usize::from(count.completable(of, threat));
            }
            change(&mut count.0[side]);
            for of in [OWN, OTHER] {
                self.completable[of] += usize::from(count.completable(of, threat));
            }
        }
    }

    /// The windows without a stone of the other side that hold at least so many of this one.
    fn open(&self, side: usize, least: u8) -> impl Iterator<Item = &Stones> {
        let counts = self.counts.iter().zip(&self.windows);
        counts
            .filter(move |(count, _)| count.0[1 - side] == 0 && count.0[side] >= least)
            .map(|(_, cells)| cells)
    }

    /// The empty cells of each window that one turn completes.
    fn threats(&self, side: usize) -> Vec<Stones> {
        let windows = self.open(side, self.line - self.per_turn);
        let empty = |cells: &Stones| {
            cells
                .iter()
                .copied()
                .filter(|&c| self.is_empty(c))
                .collect()
        };
        windows.map(empty).collect()
    }

    const fn can_complete(&self, side: usize) -> bool {
        self.completable[side] > 0
    }

    /// The empty cells of the windows through these cells that one turn of the attacker completes: all there are, if
    /// he had none before he placed them.
    fn threats_through(&self, placed: &[Cell]) -> Vec<Stones> {
        let threat = self.line - self.per_turn;
        let windows = placed
            .iter()
            .flat_map(|&cell| &self.through[usize::from(cell)]);
        windows
            .map(|&window| usize::from(window))
            .filter(|&window| self.counts[window].completable(OWN, threat))
            .map(|window| {
                let cells = self.windows[window].iter().copied();
                cells.filter(|&cell| self.is_empty(cell)).collect()
            })
            .collect()
    }

    /// Every turn that makes enough threats and leaves the defender none, also those with a free stone. The
    /// attacker has no threat yet, or he would complete a line instead.
    fn turns(&mut self) -> Vec<Stones> {
        let mut turns = Vec::new();
        let mut singles = Vec::new();
        // A stone that contributes lies in an open window that the turn fills up to a threat.
        let active = self.empty_in_open(self.line.saturating_sub(2 * self.per_turn));
        let one_short = self.line - self.per_turn - 1;
        let anywhere = self.empty_in_open(one_short);
        for &a in &active {
            self.place(OWN, a);
            if self.makes_enough(&[a]) {
                singles.push(a);
            } else if self.per_turn == 2 {
                // Two stones that both contribute can be met in either order. A stone that makes no threat alone
                // contributes only in a window that it shares with the other.
                let mut partners: Stones = match anywhere.contains(&a) {
                    true => anywhere.iter().copied().collect(),
                    false => Stones::new(),
                };
                for &window in &self.through[usize::from(a)] {
                    let window = usize::from(window);
                    if self.counts[window].completable(OWN, one_short) {
                        partners.extend(&self.windows[window]);
                    }
                }
                partners.retain(|&b| b > a && !singles.contains(&b) && self.is_empty(b));
                partners.sort_unstable();
                partners.dedup();
                for b in partners {
                    self.place(OWN, b);
                    if self.makes_enough(&[a, b]) {
                        turns.push(vec![a, b]);
                    }
                    self.take(OWN, b);
                }
            }
            self.take(OWN, a);
        }
        for &a in &singles {
            turns.push(vec![a]);
            if self.per_turn == 2 {
                let free = (0..self.through.len() as Cell).filter(|&b| b != a && self.is_empty(b));
                turns.extend(free.map(|b| vec![a.min(b), a.max(b)]));
            }
        }
        let blocks = match self.can_complete(OTHER) {
            true => self.threats(OTHER),
            false => Vec::new(),
        };
        let stops = |turn: &Stones| {
            blocks
                .iter()
                .all(|set| set.iter().any(|cell| turn.contains(cell)))
        };
        turns.retain(stops);
        turns
    }

    /// Whether the stones just placed make as many threats as a turn has stones: no smaller set of cells
    /// meets all windows that they brought there.
    fn makes_enough(&self, placed: &[Cell]) -> bool {
        let threat = self.line - self.per_turn;
        let mut answers: Option<Vec<Cell>> = None;
        for window in placed
            .iter()
            .flat_map(|&cell| &self.through[usize::from(cell)])
        {
            let Count([own, other]) = self.counts[usize::from(*window)];
            if other != 0 || own < threat {
                continue;
            }
            let empty = |cell: &Cell| self.is_empty(*cell);
            let cells = &self.windows[usize::from(*window)];
            match &mut answers {
                None => answers = Some(cells.iter().copied().filter(empty).collect()),
                Some(answers) => answers.retain(|cell| cells.contains(cell)),
            }
            if answers.as_ref().is_some_and(Vec::is_empty) || self.per_turn == 1 {
                return true;
            }
        }
        false
    }

    fn empty_in_open(&self, least: u8) -> BTreeSet<Cell> {
        let cells = self.open(OWN, least).flatten().copied();
        cells.filter(|&cell| self.is_empty(cell)).collect()
    }

    /// Asks with more and more turns and at last without a bound: short wins are found before long lines are tried. Where
    /// no bound was met, more turns change nothing.
    fn ever(&mut self, mut ask: impl FnMut(&mut Self, u8) -> bool) -> bool {
        for turns in [2, 3, 4, 6, 9, EVER] {
            self.cut = false;
            if ask(self, turns) {
                return true;
            }
            if !self.cut {
                break;
            }
        }
        false
    }

    /// Whether the attacker, to move, wins within so many turns.
    fn wins(&mut self, turns: u8) -> bool {
        self.nodes += 1;
        if self.over() {
            return false;
        }
        if self.can_complete(OWN) {
            return turns >= 1;
        }
        if turns < 2 {
            self.cut = true;
            return false;
        }
        let (none, win) = self.known.get(&self.stones).copied().unwrap_or_default();
        if win != 0 && win <= turns {
            return true;
        }
        if none >= turns {
            self.cut |= none != EVER;
            return false;
        }
        let before = std::mem::replace(&mut self.cut, false);
        let found = self.turns().iter().any(|turn| self.turn_wins(turn, turns));
        if found {
            self.known.insert(self.stones.clone(), (none, turns));
        } else if !self.over() {
            let none = if self.cut { turns } else { EVER };
            self.known.insert(self.stones.clone(), (none, win));
        }
        self.cut = before || (self.cut && !found);
        found
    }

    /// Whether the attacker wins with this turn within so many turns, itself counted.
    fn turn_wins(&mut self, turn: &[Cell], turns: u8) -> bool {
        turn.iter().for_each(|&cell| self.place(OWN, cell));
        let threats = self.threats_through(turn);
        let enough = hitting_sets(&threats, self.per_turn - 1).is_empty();
        let mut wins = enough && !self.can_complete(OTHER);
        if wins {
            let mut replies = hitting_sets(&threats, self.per_turn);
            // With threats on the board a bound ends what could still be won.
            let least = if replies.is_empty() { 2 } else { 3 };
            self.cut |= turns < least;
            wins = turns >= least
                && self.all_lose(&mut replies, if turns == EVER { EVER } else { turns - 1 });
        }
        turn.iter().for_each(|&cell| self.take(OWN, cell));
        wins
    }

    /// Whether every reply loses; those that held elsewhere come first, which changes only the time it takes.
    fn all_lose(&mut self, replies: &mut [Stones], turns: u8) -> bool {
        let held =
            |reply: &Stones| -> u32 { reply.iter().map(|&c| self.held[usize::from(c)]).sum() };
        replies.sort_by_key(|reply| std::cmp::Reverse(held(reply)));
        replies.iter().all(|reply| {
            reply.iter().for_each(|&cell| self.place(OTHER, cell));
            let lost = self.wins(turns);
            reply.iter().for_each(|&cell| self.take(OTHER, cell));
            if !lost {
                reply
                    .iter()
                    .for_each(|&cell| self.held[usize::from(cell)] += 1);
            }
            lost
        })
    }
}

/// All sets of at most `most` cells, without one that contains another, that meet every one of these sets.
fn hitting_sets(sets: &[Stones], most: u8) -> Vec<Stones> {
    let mut found: Vec<Stones> = Vec::new();
    let mut grow = vec![Stones::new()];
    while let Some(chosen) = grow.pop() {
        match sets
            .iter()
            .find(|set| !set.iter().any(|cell| chosen.contains(cell)))
        {
            None => {
                let mut chosen = chosen;
                chosen.sort_unstable();
                found.push(chosen);
            }
            Some(missed) if chosen.len() < usize::from(most) => {
                for &cell in missed {
                    let mut more = chosen.clone();
                    more.push(cell);
                    grow.push(more);
                }
            }
            Some(_) => {}
        }
    }
    found.sort();
    found.dedup();
    let all = found.clone();
    let part = |small: &Stones, large: &Stones| {
        small.len() < large.len() && small.iter().all(|c| large.contains(c))
    };
    found.retain(|set| !all.iter().any(|small| part(small, set)));
    found
}
