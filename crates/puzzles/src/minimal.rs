//! Fewer stones: everything that the puzzle does not need is taken off the board.
//!
//! Taking away a stone of the attacker never gives him a new win, so that the solution stays the only one as
//! long as it wins at all, in as many turns; one of the defender never spoils the win, but may let other turns
//! win or the same turn win earlier, so that everything is searched again. (These are the two halves of
//! strategy stealing in games where overlines win.) What is left is a *core*. Of the stones taken off some are put
//! back, the nearest first, those of the attacker only if the solution stays unique: until a game could have
//! come to the numbers, and until taking the strongest-looking threat again and again does not win. A core
//! alone is often too plain: its tempting turns stood on stones that the solution does not need.

use tengen_rules::{Cell, Side};
use tengen_threats::Index;

use crate::attack::{Answer, FreeStones, LONGEST, LimitReached, Stones};
use crate::ladder::Ladder;
use crate::stand::{Stand, Workshop};

/// More stones of the attacker are not put back: it would be another position.
const MOST_ADDED: usize = 12;

/// Nodes for the searches on the way.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Effort {
    /// Whether the solution still wins.
    pub win: u64,
    /// Whether it is still the only one, with one stone fewer.
    pub fewer: u64,
    /// Whether it is the only one at the end.
    pub unique: u64,
    /// Stones are put back until there are so many first turns to choose from.
    pub choice: usize,
}

/// A position and the only turn that wins in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Minimal {
    /// The stones.
    pub(crate) stand: Stand,
    /// Without the stones that are there for the numbers only.
    pub(crate) core: Stand,
    /// The turn; one stone if the other is free.
    pub(crate) turn: Stones,
    /// The attacker's turns to the completed line.
    pub(crate) turns: u8,
}

/// Why no puzzle came of a position.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Failure {
    /// Other turns win too.
    Double,
    /// A limit was reached before it was known whether others win.
    Limit,
    /// The numbers of stones cannot be those of a game.
    Count,
    /// Whoever always takes the strongest-looking threat wins, whatever is put back.
    Obvious,
}

impl From<LimitReached> for Failure {
    fn from(_: LimitReached) -> Self {
        Self::Limit
    }
}

/// Whether `turn` alone wins, with nothing left out, and no turn wins earlier than within `turns`.
pub(crate) fn is_only_win(
    workshop: &mut Workshop,
    stand: &Stand,
    turn: &Stones,
    turns: u8,
    free: FreeStones,
    nodes: u64,
) -> Result<(), Failure> {
    let mut attack = workshop.attack(stand, nodes);
    attack.free = free;
    if attack.board.has_threat(stand.attacker) {
        return Err(Failure::Double);
    }
    let same = |stones: &Stones| {
        stones.len() == turn.len() && stones.iter().all(|cell| turn.contains(cell))
    };
    // Shallow first: most doubles win quickly too.
    for longest in [turns, turns + 1, LONGEST] {
        let found = attack.winning_turns(longest, 2)?;
        if found.len() != 1 || !same(&found[0].stones) {
            return Err(Failure::Double);
        }
    }
    match attack.turn_wins_within(turn, turns - 1) {
        Answer::No => Ok(()),
        Answer::Yes => Err(Failure::Double),
        Answer::Unknown => Err(Failure::Limit),
    }
}

/// Takes off what is not needed. `turn` must win within `turns` turns and no turn earlier.
pub(crate) fn minimise(
    workshop: &mut Workshop,
    stand: &Stand,
    turn: &Stones,
    turns: u8,
    effort: Effort,
) -> Result<Minimal, Failure> {
    let mut core = stand.clone();
    let near = centre(workshop, turn);
    core.own = without_attackers(workshop, &core, turn, turns, effort, near);
    is_only_win(
        workshop,
        &core,
        turn,
        turns,
        FreeStones::Useful,
        effort.unique,
    )?;
    core.other = without_defenders(workshop, &core, turn, turns, effort, near);
    let mut filling = Filling::new(stand, &core, near);
    loop {
        let stand = filling.with_legal_count(workshop, turn, turns, effort)?;
        let choice = workshop.attack(&stand, 1).first_turns().len();
        if choice >= effort.choice && !Ladder::is_greedy_enough(workshop, &stand, turns) {
            is_only_win(
                workshop,
                &stand,
                turn,
                turns,
                FreeStones::All,
                effort.unique,
            )?;
            return Ok(Minimal {
                stand,
                core,
                turn: turn.clone(),
                turns,
            });
        }
        let added = filling.stand.own.len() - core.own.len();
        if added >= MOST_ADDED || !filling.add_attacker(workshop, turn, turns, effort) {
            return Err(Failure::Obvious);
        }
    }
}

fn centre(workshop: &Workshop, turn: &[Index]) -> Cell {
    workshop.cell(turn[0])
}

fn distance(a: Cell, b: Cell) -> i16 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

/// The farthest first.
fn by_distance(cells: &[Cell], near: Cell) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    cells.sort_by_key(|&cell| (-distance(cell, near), cell));
    cells
}

fn without(cells: &[Cell], taken: Cell) -> Vec<Cell> {
    cells
        .iter()
        .copied()
        .filter(|&cell| cell != taken)
        .collect()
}

fn without_attackers(
    workshop: &mut Workshop,
    core: &Stand,
    turn: &Stones,
    turns: u8,
    effort: Effort,
    near: Cell,
) -> Vec<Cell> {
    let mut fewer = core.clone();
    for cell in by_distance(&core.own, near) {
        let kept = std::mem::take(&mut fewer.own);
        fewer.own = without(&kept, cell);
        let mut attack = workshop.attack(&fewer, effort.win);
        if attack.turn_wins_within(turn, turns) != Answer::Yes {
            fewer.own = kept;
        }
    }
    fewer.own
}

fn without_defenders(
    workshop: &mut Workshop,
    core: &Stand,
    turn: &Stones,
    turns: u8,
    effort: Effort,
    near: Cell,
) -> Vec<Cell> {
    let mut fewer = core.clone();
    for cell in by_distance(&core.other, near) {
        let kept = std::mem::take(&mut fewer.other);
        fewer.other = without(&kept, cell);
        let free = FreeStones::Useful;
        if is_only_win(workshop, &fewer, turn, turns, free, effort.fewer).is_err() {
            fewer.other = kept;
        }
    }
    fewer.other
}

/// The core with stones put back.
struct Filling {
    stand: Stand,
    /// What is left of the attacker's stones, the nearest last.
    own: Vec<Cell>,
    /// And of the defender's.
    other: Vec<Cell>,
}

impl Filling {
    fn new(whole: &Stand, core: &Stand, near: Cell) -> Self {
        let spare = |all: &[Cell], used: &[Cell]| -> Vec<Cell> {
            let mut spare = by_distance(all, near);
            spare.retain(|cell| !used.contains(cell));
            spare
        };
        Self {
            own: spare(&whole.own, &core.own),
            other: spare(&whole.other, &core.other),
            stand: core.clone(),
        }
    }

    /// Puts back one stone of the attacker that leaves the solution alone; `false` if there is none.
    fn add_attacker(
        &mut self,
        workshop: &mut Workshop,
        turn: &Stones,
        turns: u8,
        effort: Effort,
    ) -> bool {
        while let Some(cell) = self.own.pop() {
            let mut more = self.stand.clone();
            more.own.push(cell);
            more.own.sort_unstable();
            let free = FreeStones::Useful;
            if is_only_win(workshop, &more, turn, turns, free, effort.fewer).is_ok() {
                self.stand = more;
                return true;
            }
        }
        false
    }

    /// Puts stones back until the numbers are those of a game.
    fn with_legal_count(
        &mut self,
        workshop: &mut Workshop,
        turn: &Stones,
        turns: u8,
        effort: Effort,
    ) -> Result<Stand, Failure> {
        while self.stand.own.len() < self.numbers().0 {
            if !self.add_attacker(workshop, turn, turns, effort) {
                return Err(Failure::Count);
            }
        }
        while self.stand.other.len() < self.numbers().1 {
            let cell = self.other.pop().ok_or(Failure::Count)?;
            let mut more = self.stand.clone();
            more.other.push(cell);
            more.other.sort_unstable();
            // A stone of the defender may spoil the win or make it longer.
            let mut attack = workshop.attack(&more, effort.win);
            if attack.turn_wins_within(turn, turns) == Answer::Yes {
                self.stand = more;
            }
        }
        Ok(self.stand.clone())
    }

    /// How many stones the attacker must have at least, and the defender then.
    fn numbers(&self) -> (usize, usize) {
        let stand = &self.stand;
        let first = usize::from(stand.rules.first_turn());
        let each = usize::from(stand.rules.per_turn());
        let defenders = |attackers: usize| match stand.attacker {
            Side::Black if attackers >= first && (attackers - first).is_multiple_of(each) => {
                Some(attackers - first + each)
            }
            Side::White if attackers.is_multiple_of(each) => Some(attackers + first),
            _ => None,
        };
        let mut attackers = stand.own.len();
        loop {
            match defenders(attackers) {
                Some(defenders) if defenders >= stand.other.len() => return (attackers, defenders),
                _ => attackers += 1,
            }
        }
    }
}
