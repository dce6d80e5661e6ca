//! Random positions, and the way from a position to a checked proof.

use fastrand::Rng;
use tengen_checker::{Report, Verdict};
use tengen_prover::{Proof, Request, Solution, Solver, Value};
use tengen_rules::notation::setup_text;
use tengen_rules::{Cell, Position, Rules, Setup, Side};

use crate::naive::{Game, Mask, Replay, Stones, subsets};

/// A position of a small board in both languages.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) position: Position,
    pub(crate) stones: Stones,
}

impl Case {
    pub(crate) fn new(position: Position) -> Self {
        let stones = stones_of(&position.to_setup(), position.to_move());
        Self { position, stones }
    }

    pub(crate) fn attacker(&self) -> Side {
        self.position.to_move()
    }

    pub(crate) fn left(&self) -> u32 {
        u32::from(self.position.left())
    }
}

pub(crate) fn rules(text: &str) -> Rules {
    text.parse().expect("rules")
}

/// For messages.
pub(crate) fn text(position: &Position) -> String {
    let setup = position.to_setup();
    format!("{} {}", setup.rules, setup_text(&setup))
}

pub(crate) fn bit(rules: Rules, cell: Cell) -> Mask {
    let (width, _) = rules.size().expect("a finite board");
    1 << (i32::from(cell.y) * i32::from(width) + i32::from(cell.x))
}

pub(crate) fn mask(rules: Rules, cells: &[Cell]) -> Mask {
    cells.iter().map(|&cell| bit(rules, cell)).sum()
}

pub(crate) fn cells_of(rules: Rules, mask: Mask) -> Vec<Cell> {
    let (width, _) = rules.size().expect("a finite board");
    let places = subsets(mask, 1).into_iter().map(Mask::trailing_zeros);
    let width = u32::from(width);
    places
        .filter(|_| mask != 0)
        .map(|place| Cell::new((place % width) as i16, (place / width) as i16))
        .collect()
}

pub(crate) fn stones_of(setup: &Setup, attacker: Side) -> Stones {
    Stones {
        attacker: mask(setup.rules, setup.stones_of(attacker)),
        defender: mask(setup.rules, setup.stones_of(!attacker)),
    }
}

/// A set-up with these stones and the attacker to move.
pub(crate) fn setup(rules: Rules, stones: Stones, attacker: Side, left: Option<u8>) -> Setup {
    let mut setup = Setup {
        to_move: attacker,
        left,
        ..Setup::empty(rules)
    };
    *setup.stones_of_mut(attacker) = cells_of(rules, stones.attacker);
    *setup.stones_of_mut(!attacker) = cells_of(rules, stones.defender);
    setup
}

/// Random stones with so many empty cells, then changed until nobody has a line and, mostly, the
/// attacker cannot complete one at once: close to a win, not yet won.
pub(crate) fn random_case(game: &Game, rules: Rules, empty: u32, rng: &mut Rng) -> Case {
    loop {
        let mut cells: Vec<usize> = (0..game.cells).collect();
        rng.shuffle(&mut cells);
        let share = rng.u32(40..=65);
        let mut stones = Stones {
            attacker: 0,
            defender: 0,
        };
        for &cell in &cells[empty as usize..] {
            if rng.u32(0..100) < share {
                stones.attacker |= 1 << cell;
            } else {
                stones.defender |= 1 << cell;
            }
        }
        let whole = rules.per_turn();
        let left = if whole > 1 && rng.u32(0..4) == 0 {
            rng.u8(1..whole)
        } else {
            whole
        };
        let easy = rng.u32(0..20) == 0;
        let threatened = rng.u32(0..3) == 0;
        let attackers = if easy { 0 } else { u32::from(left) };
        let defenders = if threatened { 0 } else { game.per_turn };
        if !calm(game, &mut stones, attackers, defenders, 2 * empty, rng) {
            continue;
        }
        let attacker = if rng.bool() { Side::Black } else { Side::White };
        let left = (left < whole).then_some(left);
        if let Ok(position) = Position::from_setup(&setup(rules, stones, attacker, left)) {
            return Case::new(position);
        }
    }
}

/// Changes stones until neither side can complete a line with so many stones.
/// At most `most_empty` cells are empty then.
fn calm(
    game: &Game,
    stones: &mut Stones,
    attackers: u32,
    defenders: u32,
    most_empty: u32,
    rng: &mut Rng,
) -> bool {
    for _ in 0..300 {
        let Stones { attacker, defender } = *stones;
        let own = game.completable(attacker, defender, attackers).next();
        if let Some(missing) = own {
            // The attacker loses a stone of this window, or the defender gets one in it.
            let window = game.window_of(attacker, defender, missing);
            let room = game.empty(*stones).count_ones() < most_empty;
            if room && rng.u32(0..3) > 0 {
                stones.attacker &= !pick(window & attacker, rng);
            } else {
                let cell = pick(window, rng);
                stones.attacker &= !cell;
                stones.defender |= cell;
            }
            continue;
        }
        let other = game.completable(defender, attacker, defenders).next();
        let Some(missing) = other else {
            return true;
        };
        let window = game.window_of(defender, attacker, missing);
        let cell = pick(window & defender, rng);
        stones.defender &= !cell;
        stones.attacker |= cell;
    }
    false
}

/// One of the cells.
pub(crate) fn pick(cells: Mask, rng: &mut Rng) -> Mask {
    let cells = subsets(cells, 1);
    cells[rng.usize(0..cells.len())]
}

/// Asks the solver without limits, unless so many nodes are given.
pub(crate) fn solve(
    solver: &mut Solver,
    position: &Position,
    order: u8,
    nodes: Option<u64>,
) -> Solution {
    let mut request = Request::new(position.to_move(), order);
    request.limits.nodes = nodes;
    solver.solve(position, &request)
}

/// Has the checker look at a proof for this position.
pub(crate) fn check(proof: &Proof, position: &Position) -> Verdict {
    let setup = position.to_setup();
    tengen_checker::check_claim(
        &proof.to_text(),
        &setup.rules.to_string(),
        &setup_text(&setup),
        &position.to_move().to_string().to_lowercase(),
        &tengen_checker::Limits::default(),
    )
}

/// A win must be verified, with the depth and the zones that the solver says.
pub(crate) fn verified(proof: &Proof, solution: &Solution, position: &Position) -> Report {
    let verdict = check(proof, position);
    let Verdict::Verified(report) = verdict else {
        panic!("{verdict}: {}\n{}", text(position), proof.to_text());
    };
    let depth = u32::from(solution.depth.expect("wins have a depth"));
    assert!(
        report.depth <= depth,
        "checked depth {} above {depth}: {}\n{}",
        report.depth,
        text(position),
        proof.to_text()
    );
    if let Some(zones) = zone_cells(solution, position) {
        assert_eq!(
            zones,
            report.zones,
            "zones: {}\n{}",
            text(position),
            proof.to_text()
        );
    }
    report
}

/// The solver's zones as the checker writes them.
pub(crate) fn zone_cells(solution: &Solution, position: &Position) -> Option<Vec<Vec<(i32, i32)>>> {
    let grid = position.grid();
    let zones = solution.zones.as_ref()?.sets().iter().map(|zone| {
        let cells = zone.iter().map(|index| grid.cell(usize::from(index)));
        let mut cells: Vec<(i32, i32)> = cells.map(|c| (i32::from(c.x), i32::from(c.y))).collect();
        cells.sort_unstable();
        cells
    });
    Some(zones.collect())
}

/// All attacker's turns that a proof names, those of the first nodes first.
pub(crate) fn turns_of(proof: &Proof) -> Vec<Mask> {
    let rules = proof.position.rules;
    let turns = proof.nodes.iter().map(|node| mask(rules, &node.turn));
    let mut list: Vec<Mask> = Vec::new();
    for turn in turns.filter(|&turn| turn != 0) {
        if !list.contains(&turn) {
            list.push(turn);
        }
    }
    list
}

/// Whether the first turn of a proof makes no threat.
pub(crate) fn is_quiet(game: &Game, proof: &Proof) -> bool {
    let stones = stones_of(&proof.position, proof.attacker);
    let turn = mask(proof.position.rules, &proof.nodes[0].turn);
    let attacker = stones.attacker | turn;
    game.threat_windows(Stones { attacker, ..stones })
        .is_empty()
}

/// Plays the strategy of a proof against every defence, by brute force.
pub(crate) fn replay_wins(game: &Game, proof: &Proof, case: &Case, depth: u16) -> Option<bool> {
    let mut replay = Replay::new(game, turns_of(proof), 4_000_000);
    replay.wins(case.stones, case.left(), depth).ok()
}

/// The proof of a win.
pub(crate) fn proof_of(solution: &Solution) -> Option<&Proof> {
    match &solution.value {
        Value::Win(proof) => Some(proof),
        _ => None,
    }
}
