//! Fewer stones: everything that the puzzle does not need is taken off the board.
//!
//! Taking away a stone of the attacker never gives him a new win, so that the solution stays the only one as
//! long as it wins at all, in as many turns; one of the defender never spoils the win, but may let other turns
//! win or the same turn win earlier, so that everything is searched again. (These are the two halves of
//! strategy stealing in games where overlines win.) Where other turns win too, a stone of the defender on one of
//! their cells may stop them. What is left is a *core*; `fill.rs` puts stones back.

use tengen_rules::Cell;
use tengen_threats::{CellSet, Index};

use crate::attack::{Answer, FreeStones, LONGEST, LimitReached, Stones};
use crate::fill::Filling;
use crate::ladder::Ladder;
use crate::quiet::{FEWEST_TURNS, Quiet};
use crate::second::Second;
use crate::solution::{cells_of, proof, second_proof, solution};
use crate::stand::{Stand, Workshop};

/// More stones of the attacker are not put back: it would be another position.
const MOST_ADDED: usize = 12;

/// With more stones to stop other turns it would be another position, too.
const MOST_BLOCKS: usize = 4;

/// A quiet turn has more rivals.
const MOST_QUIET_BLOCKS: usize = 12;

/// Other winning turns whose cells are tried for a block.
const OTHERS: usize = 4;

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

/// What a position is asked to be: the only first turn that wins, in how many turns, by which order.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Goal<'a> {
    pub(crate) turn: &'a Stones,
    pub(crate) turns: u8,
    pub(crate) order: u8,
    pub(crate) effort: Effort,
}

impl Goal<'_> {
    /// Whether the turn wins on these stones in time.
    pub(crate) fn wins(&self, workshop: &mut Workshop, stand: &Stand) -> bool {
        let mut attack = workshop.attack(stand, self.effort.win);
        if attack.board.has_threat(stand.attacker) {
            return false;
        }
        let answer = match self.order {
            1 => attack.turn_wins_within(self.turn, self.turns),
            2 => Second::new(attack).turn_wins_within(self.turn, self.turns),
            _ => Quiet::new(attack).turn_wins_within(self.turn, self.turns),
        };
        answer == Answer::Yes
    }

    /// Whether it is the only one, as far as useful stones go.
    pub(crate) fn is_only(
        &self,
        workshop: &mut Workshop,
        stand: &Stand,
        nodes: u64,
    ) -> Result<(), Failure> {
        self.is_only_win(workshop, stand, FreeStones::Useful, nodes)
    }

    /// Whether the turn alone wins, however long others may take, and none wins earlier.
    fn is_only_win(
        &self,
        workshop: &mut Workshop,
        stand: &Stand,
        free: FreeStones,
        nodes: u64,
    ) -> Result<(), Failure> {
        let mut attack = workshop.attack(stand, nodes);
        if attack.board.has_threat(stand.attacker) {
            return Err(Failure::Double);
        }
        let same = |found: &[Stones]| {
            let [one] = found else { return false };
            one.len() == self.turn.len() && one.iter().all(|cell| self.turn.contains(cell))
        };
        let only = |found: &[Stones]| same(found).then_some(()).ok_or(Failure::Double);
        // Shallow first: most doubles win quickly too.
        let earlier = if self.order == 1 {
            attack.free = free;
            for longest in [self.turns, self.turns + 1, LONGEST] {
                let found = attack.winning_turns(longest, 2)?;
                only(&found.into_iter().map(|win| win.stones).collect::<Vec<_>>())?;
            }
            attack.turn_wins_within(self.turn, self.turns - 1)
        } else if self.order == 2 {
            no(attack.wins())?;
            let mut second = Second::new(attack);
            for longest in [self.turns, LONGEST] {
                only(&second.winning_turns(longest, 2)?)?;
            }
            second.turn_wins_within(self.turn, self.turns - 1)
        } else {
            let mut quiet = Quiet::new(attack);
            no(quiet.first_order())?;
            if !quiet.others(self.turn, 1)?.is_empty() {
                return Err(Failure::Double);
            }
            quiet.turn_wins_within(self.turn, self.turns - 1)
        };
        no(earlier)
    }

    /// Other first turns that win, some of them.
    fn others(&self, workshop: &mut Workshop, stand: &Stand) -> Result<Vec<Stones>, Failure> {
        let mut attack = workshop.attack(stand, self.effort.fewer);
        let mut found = Vec::new();
        for longest in [self.turns, LONGEST] {
            found = match self.order {
                1 => {
                    let winning = attack.winning_turns(longest, OTHERS + 1)?;
                    winning.into_iter().map(|win| win.stones).collect()
                }
                2 => {
                    let mut second = Second::new(attack);
                    let winning = second.winning_turns(longest, OTHERS + 1)?;
                    attack = second.attack;
                    winning
                }
                _ => return Ok(Quiet::new(attack).others(self.turn, OTHERS)?),
            };
            found.retain(|stones: &Stones| !self.turn.iter().all(|cell| stones.contains(cell)));
            if !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Whether there is nothing to find: hardly a choice, or always taking what looks strongest is enough.
    fn is_plain(&self, workshop: &mut Workshop, stand: &Stand) -> bool {
        if self.order == 1 {
            let choice = workshop.attack(stand, 1).first_turns().len();
            return choice < self.effort.choice
                || Ladder::is_greedy_enough(workshop, stand, self.turns);
        }
        let attack = workshop.attack(stand, 1);
        let strongest = match self.order {
            2 => Second::new(attack).thinkable().into_iter().next(),
            _ => {
                let mut quiet = Quiet::new(attack);
                if quiet.thinkable().len() < FEWEST_TURNS {
                    return true;
                }
                // A quiet turn is not found by taking threats.
                match quiet.strongest_threat() {
                    None => return false,
                    strongest => strongest,
                }
            }
        };
        strongest.is_none_or(|turn| self.turn.iter().all(|cell| turn.contains(cell)))
    }
}

/// What must not be so.
const fn no(answer: Answer) -> Result<(), Failure> {
    match answer {
        Answer::No => Ok(()),
        Answer::Yes => Err(Failure::Double),
        Answer::Unknown => Err(Failure::Limit),
    }
}

/// Takes off what is not needed. The turn must win in time and none earlier.
pub(crate) fn minimise(
    workshop: &mut Workshop,
    stand: &Stand,
    goal: Goal<'_>,
) -> Result<Minimal, Failure> {
    let relevant = Relevant::of(workshop, stand, goal);
    let mut core = stand.clone();
    without_attackers(workshop, &mut core, goal, &relevant);
    block_others(workshop, &mut core, goal)?;
    without_defenders(workshop, &mut core, goal, &relevant);
    let mut filling = Filling::new(stand, &core, relevant.near);
    loop {
        let stand = filling.with_legal_count(workshop, goal)?;
        if !goal.is_plain(workshop, &stand) {
            goal.is_only_win(workshop, &stand, FreeStones::All, goal.effort.unique)?;
            return Ok(Minimal {
                stand,
                core,
                turn: goal.turn.clone(),
                turns: goal.turns,
            });
        }
        let added = filling.stand.own.len() - core.own.len();
        if added >= MOST_ADDED || !filling.add_attacker(workshop, goal) {
            return Err(Failure::Obvious);
        }
    }
}

pub(crate) fn distance(a: Cell, b: Cell) -> i16 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

/// The farthest first.
pub(crate) fn by_distance(cells: &[Cell], near: Cell) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    cells.sort_by_key(|&cell| (-distance(cell, near), cell));
    cells
}

/// Stones are taken off in heaps, and one by one where a heap holds something that is needed: those that have nothing
/// to do with the win first, then the farthest. `kept` says whether the puzzle is still there.
fn thin_out(cells: &mut Vec<Cell>, relevant: &Relevant, mut kept: impl FnMut(&[Cell]) -> bool) {
    let order = by_distance(cells, relevant.near);
    let (inside, outside): (Vec<Cell>, Vec<Cell>) =
        order.into_iter().partition(|&cell| relevant.touches(cell));
    let mut heaps: Vec<&[Cell]> = vec![&inside, &outside];
    while let Some(heap) = heaps.pop() {
        let fewer: Vec<Cell> = cells
            .iter()
            .copied()
            .filter(|cell| !heap.contains(cell))
            .collect();
        if kept(&fewer) {
            *cells = fewer;
        } else if heap.len() > 1 {
            let (far, close) = heap.split_at(heap.len().div_ceil(2));
            heaps.extend([close, far]);
        }
    }
}

/// Where stones can have to do with a win: on a line with a cell of its first relevance zone, nearer than a line is
/// long. Only an order in which stones are tried; what is taken off is proved anew.
struct Relevant {
    near: Cell,
    zone: Vec<Cell>,
    line: i16,
}

impl Relevant {
    fn of(workshop: &mut Workshop, stand: &Stand, goal: Goal<'_>) -> Self {
        let near = workshop.cell(goal.turn[0]);
        let mut attack = workshop.attack(stand, goal.effort.win);
        let proof = match goal.order {
            1 => solution(&mut attack, goal.turn, goal.turns)
                .ok()
                .map(|nodes| proof(&nodes, stand.to_setup(), stand.attacker, Vec::new())),
            2 => second_proof(stand, &cells_of(&attack.board, goal.turn)),
            _ => {
                let quiet = Quiet::new(attack);
                let proof = quiet.proof(goal.turn);
                attack = quiet.attack;
                proof
            }
        };
        let zones = proof.and_then(|proof| tengen_prover::zones(&mut attack.board, &proof));
        let zone = zones.as_ref().and_then(|zones| zones.sets().first());
        let cells = |zone: &CellSet| zone.iter().map(|cell| attack.board.cell(cell)).collect();
        Self {
            near,
            zone: zone.map_or_else(Vec::new, cells),
            line: i16::from(stand.rules.line()),
        }
    }

    fn touches(&self, stone: Cell) -> bool {
        // Without a zone everything is.
        self.zone.is_empty()
            || self.zone.iter().any(|&cell| {
                let (x, y) = (stone.x - cell.x, stone.y - cell.y);
                let aligned = x == 0 || y == 0 || x.abs() == y.abs();
                aligned && distance(stone, cell) < self.line
            })
    }
}

fn without_attackers(workshop: &mut Workshop, core: &mut Stand, goal: Goal<'_>, near: &Relevant) {
    let mut fewer = core.clone();
    thin_out(&mut core.own, near, |own| {
        fewer.own = own.to_vec();
        goal.wins(workshop, &fewer)
    });
}

fn without_defenders(workshop: &mut Workshop, core: &mut Stand, goal: Goal<'_>, near: &Relevant) {
    let mut fewer = core.clone();
    thin_out(&mut core.other, near, |other| {
        fewer.other = other.to_vec();
        goal.is_only(workshop, &fewer, goal.effort.fewer).is_ok()
    });
}

/// Stops other winning turns with stones of the defender on their cells, where the solution does not mind.
fn block_others(workshop: &mut Workshop, core: &mut Stand, goal: Goal<'_>) -> Result<(), Failure> {
    let most = if goal.order < 3 {
        MOST_BLOCKS
    } else {
        MOST_QUIET_BLOCKS
    };
    for _ in 0..most {
        match goal.is_only(workshop, core, goal.effort.unique) {
            Err(Failure::Double) => {}
            known => return known,
        }
        let cell = block(workshop, core, goal)?.ok_or(Failure::Double)?;
        core.other.push(cell);
        core.other.sort_unstable();
    }
    goal.is_only(workshop, core, goal.effort.unique)
}

/// A cell of other winning turns on which a stone of the defender leaves the solution alone and the fewest others.
fn block(workshop: &mut Workshop, core: &Stand, goal: Goal<'_>) -> Result<Option<Cell>, Failure> {
    let others = goal.others(workshop, core)?;
    let mut best: Option<(usize, Cell)> = None;
    let mut tried: Vec<Index> = goal.turn.to_vec();
    for &index in others.iter().flatten() {
        if tried.contains(&index) {
            continue;
        }
        tried.push(index);
        let cell = workshop.cell(index);
        let mut more = core.clone();
        more.other.push(cell);
        if !goal.wins(workshop, &more) {
            continue;
        }
        let left = goal.others(workshop, &more);
        let left = left.map_or(usize::MAX, |left| left.len());
        if best.is_none_or(|(least, _)| left < least) {
            best = Some((left, cell));
        }
        if left == 0 {
            break;
        }
    }
    Ok(best.map(|(_, cell)| cell))
}
