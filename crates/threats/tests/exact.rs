//! Threats and defences against their naive twins: 100,000 random positions for each rule set.

mod naive;

use std::collections::BTreeSet;

use naive::{Naive, Set};
use tengen_rules::{Cell, Position, Rules, Setup, Side, Turn};
use tengen_threats::{LineBoard, ShapeKind, SmallDefences};

/// A random set-up with clusters, so that windows fill up, and no line yet.
fn random_position(rules: Rules, random: &mut fastrand::Rng, most: usize) -> Position {
    let (width, height) = rules.size().unwrap_or((14, 14));
    let shift = if rules.size().is_none() {
        random.i16(-50..50)
    } else {
        0
    };
    loop {
        let mut setup = Setup::empty(rules);
        setup.to_move = if random.bool() {
            Side::Black
        } else {
            Side::White
        };
        let spread = random.i16(2..=8);
        let bias = random.f32();
        let mut near = Cell::new(
            random.i16(0..i16::from(width)),
            random.i16(0..i16::from(height)),
        );
        for _ in 0..random.usize(0..=most) {
            let cell = Cell::new(
                near.x + random.i16(-spread..=spread),
                near.y + random.i16(-spread..=spread),
            );
            let inside =
                (0..i16::from(width)).contains(&cell.x) && (0..i16::from(height)).contains(&cell.y);
            let moved = Cell::new(cell.x + shift, cell.y + shift);
            if inside && !setup.stones().any(|stone| stone.cell == moved) {
                let side = if random.f32() < bias {
                    Side::Black
                } else {
                    Side::White
                };
                setup.stones_of_mut(side).push(moved);
                near = cell;
            }
        }
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}

/// Windows, wins, threat numbers and defences of both sides on many random positions.
fn counts_agree(rules: &str, positions: usize, most: usize) {
    let rules: Rules = rules.parse().expect("known rules");
    let mut random = fastrand::Rng::with_seed(7);
    let mut seen = [0_usize; 9];
    for _ in 0..positions {
        let position = random_position(rules, &mut random, most);
        let (board, naive) = (LineBoard::from_position(&position), Naive::new(&position));
        for side in Side::BOTH {
            let windows: BTreeSet<Set> = board
                .threat_windows(side)
                .into_iter()
                .map(|w| sorted(w.empty))
                .collect();
            let naive_windows = naive.threat_windows(side);
            assert_eq!(windows, naive_windows);
            let naive_defences = naive.defences(&naive_windows);
            let threats = board.threat_count(side);
            assert_eq!(threats, naive.threats(&naive_defences), "{position:?}");
            assert_eq!(board.has_threat(side), threats > 0);
            seen[usize::from(threats)] += 1;
            let defences = board.critical_defences(side);
            assert!(
                defences
                    .normal
                    .iter()
                    .all(|turn| turn.len() == usize::from(threats))
            );
            assert!(
                defences
                    .relaxed
                    .iter()
                    .all(|turn| turn.len() > usize::from(threats))
            );
            let all: Vec<Set> = defences
                .normal
                .iter()
                .chain(&defences.relaxed)
                .map(|turn| turn.cells().to_vec())
                .collect();
            assert_eq!(all.len(), naive_defences.len(), "no defence twice");
            assert_eq!(BTreeSet::from_iter(all), naive_defences);
            if rules.per_turn() <= 2 {
                let mut small = SmallDefences::default();
                board.small_defences(side, &mut small);
                assert_eq!(small.threats, threats);
                let singles = small.singles.iter().map(|&a| vec![board.cell(a)]);
                let pairs = small
                    .pairs
                    .iter()
                    .map(|pair| sorted(pair.map(|cell| board.cell(cell)).to_vec()));
                let mut all: Vec<Set> = singles.chain(pairs).collect();
                if threats == 0 {
                    all.push(Vec::new());
                }
                assert_eq!(all.len(), naive_defences.len(), "no defence twice");
                assert_eq!(BTreeSet::from_iter(all), naive_defences);
            }
            for stones in 1..=rules.per_turn() {
                let wins: BTreeSet<Turn> = board.immediate_wins(side, stones).into_iter().collect();
                assert_eq!(wins, naive.wins(&naive_windows, stones));
            }
        }
    }
    // The positions must have been worth looking at.
    for threats in 0..=3.min(rules.per_turn() + 1) {
        assert!(
            seen[usize::from(threats)] * 1_000 > positions,
            "threat numbers seen: {seen:?}"
        );
    }
}

fn sorted(mut cells: Vec<Cell>) -> Set {
    cells.sort_unstable();
    cells
}

#[test]
fn counts_agree_tic_tac_toe() {
    counts_agree("tic-tac-toe", 100_000, 9);
}

#[test]
fn counts_agree_gomoku() {
    counts_agree("gomoku", 100_000, 60);
}

#[test]
fn counts_agree_gomoku_standard() {
    counts_agree("gomoku-standard", 100_000, 60);
}

#[test]
fn counts_agree_connect6() {
    counts_agree("connect6", 100_000, 50);
}

#[test]
fn counts_agree_large_turns() {
    counts_agree("11,10,9,6,4", 100_000, 14);
}

#[test]
fn counts_agree_rectangle() {
    counts_agree("9,5,4,2,1", 100_000, 20);
}

#[test]
fn counts_agree_infinite() {
    counts_agree("inf,inf,6,2,3", 100_000, 40);
}

/// Turns that make threats, on boards small enough to try every set of stones.
fn turns_agree(rules: &str, positions: usize, most: usize, fullest: usize) {
    let rules: Rules = rules.parse().expect("known rules");
    let mut random = fastrand::Rng::with_seed(11);
    let mut found = 0;
    for _ in 0..positions {
        let position = random_position(rules, &mut random, most);
        if position
            .empty_cells()
            .is_none_or(|empty| empty as usize > fullest)
        {
            continue;
        }
        let (board, naive) = (LineBoard::from_position(&position), Naive::new(&position));
        for side in Side::BOTH {
            for stones in 1..=rules.per_turn() {
                for at_least in 1..=rules.per_turn() + 1 {
                    let fast = board.threat_turns(side, stones, at_least);
                    found += fast.len();
                    let fast_set: BTreeSet<Turn> = fast.iter().cloned().collect();
                    assert_eq!(fast.len(), fast_set.len(), "no turn twice");
                    let slow = naive.threat_turns(side, stones, at_least);
                    assert_eq!(fast_set, slow, "{side} {stones} {at_least} {position:?}");
                }
            }
            let stones = rules.per_turn();
            for at_least in 1..=2 {
                let fast: BTreeSet<Turn> = board
                    .full_threat_turns(side, stones, at_least)
                    .into_iter()
                    .collect();
                assert_eq!(
                    fast,
                    naive.full_turns(side, stones, at_least),
                    "{side} {at_least} {position:?}"
                );
            }
        }
    }
    assert!(
        found > positions / 2,
        "only {found} turns in {positions} positions"
    );
}

#[test]
fn turns_agree_one_stone() {
    turns_agree("7,7,5,1,1", 700, 30, 49);
    turns_agree("7,6,5,1,1,exact", 700, 30, 42);
}

#[test]
fn turns_agree_two_stones() {
    turns_agree("8,8,6,2,1", 80, 40, 50);
    turns_agree("6,6,4,2,1", 250, 24, 28);
    turns_agree("9,3,5,2,1", 600, 20, 25);
}

#[test]
fn turns_agree_two_stones_exact() {
    turns_agree("8,4,5,2,1,exact", 400, 22, 24);
}

#[test]
fn turns_agree_three_stones() {
    turns_agree("6,4,5,3,1", 1_000, 80, 11);
    turns_agree("7,3,5,3,1,exact", 1_000, 80, 11);
}

/// The incremental board after random placements and undos is the board made from scratch.
#[test]
fn incremental_is_from_scratch() {
    for rules in [
        "connect6",
        "gomoku-standard",
        "11,10,9,6,4",
        "7,4,4,2,1",
        "inf,inf,6,2,3",
        "63,63,63,2,1",
        "63,1,20,7,1",
    ] {
        let rules: Rules = rules.parse().expect("known rules");
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let position = random_position(rules, &mut random, 30);
            let mut board = LineBoard::from_position(&position);
            assert_eq!(board.stones_key(), position.stones_key());
            let start = board.clone();
            let mut history = vec![];
            for _ in 0..60 {
                let index = random.u16(0..board.grid().len() as u16);
                if random.u8(0..3) == 0 && !history.is_empty() {
                    assert!(board.undo());
                    history.pop();
                } else if board.stone(index).is_none() {
                    board.place(
                        if random.bool() {
                            Side::Black
                        } else {
                            Side::White
                        },
                        index,
                    );
                    history.push(index);
                }
                assert!(board.is_consistent_slow());
            }
            for _ in history {
                board.undo();
            }
            assert!(!board.undo());
            assert_eq!(board, start);
            assert!(board.is_consistent_slow());
        }
    }
}

/// `place` says when a line is complete, as the rules do.
#[test]
fn lines_are_completed_as_the_rules_say() {
    for rules in [
        "connect6",
        "gomoku",
        "gomoku-standard",
        "7,4,4,2,1",
        "inf,inf,4,2,1",
        "12,1,5,3,1",
    ] {
        let rules: Rules = rules.parse().expect("known rules");
        let mut random = fastrand::Rng::with_seed(5);
        let mut wins = 0;
        for _ in 0..3_000 {
            let mut position = random_position(rules, &mut random, 40);
            let mut board = LineBoard::from_position(&position);
            let side = position.to_move();
            let mut cells: Vec<Cell> = board.immediate_wins(side, rules.per_turn()).concat_cells();
            cells.retain(|_| random.bool());
            cells.push(board.cell(random.u16(0..board.grid().len() as u16)));
            for cell in cells {
                if position.to_move() != side || position.place(cell).is_err() {
                    break;
                }
                let Some(index) = board.index(cell) else {
                    break;
                };
                let won = matches!(position.outcome(), Some(tengen_rules::Outcome::Win { .. }));
                assert_eq!(board.place(side, index), won);
                wins += usize::from(won);
            }
        }
        assert!(wins > 20, "{rules}: {wins} wins");
    }
}

trait ConcatCells {
    fn concat_cells(&self) -> Vec<Cell>;
}

impl ConcatCells for Vec<Turn> {
    fn concat_cells(&self) -> Vec<Cell> {
        self.iter().flat_map(|turn| turn.cells().to_vec()).collect()
    }
}

/// Live and dead shapes against adding every set of stones to the stretch.
#[test]
fn shapes_agree() {
    let mut seen = BTreeSet::new();
    for rules in [
        "11,1,6,2,1",
        "9,1,5,1,1",
        "10,1,5,1,1,exact",
        "10,1,6,3,1,exact",
        "9,1,7,4,1",
        "8,1,3,1,1",
    ] {
        let rules: Rules = rules.parse().expect("known rules");
        let (width, threat) = (
            i16::from(rules.size().expect("finite").0),
            rules.threat_stones(),
        );
        let mut random = fastrand::Rng::with_seed(13);
        for _ in 0..300 {
            let mut setup = Setup::empty(rules);
            for x in 0..width {
                match random.u8(0..9) {
                    0..=2 => setup.black.push(Cell::new(x, 0)),
                    3 => setup.white.push(Cell::new(x, 0)),
                    _ => {}
                }
            }
            let Ok(position) = Position::from_setup(&setup) else {
                continue;
            };
            let shapes = LineBoard::from_position(&position).shapes(Side::Black);
            let white_or_edge = |x: &i16| {
                *x < 0 || *x == width || position.stone(Cell::new(*x, 0)) == Some(Side::White)
            };
            let walls: Vec<i16> = (-1..=width).filter(white_or_edge).collect();
            let mut expected = Vec::new();
            for wall in walls.windows(2) {
                let stretch: Vec<Cell> = (wall[0] + 1..wall[1]).map(|x| Cell::new(x, 0)).collect();
                let own: Set = stretch
                    .iter()
                    .copied()
                    .filter(|&c| position.stone(c) == Some(Side::Black))
                    .collect();
                let cost = |threats| naive::stones_to_threats(rules, &stretch, &own, threats);
                let Some(one) = cost(1).filter(|&one| one < threat && !own.is_empty()) else {
                    continue;
                };
                let kind = if cost(2) == Some(one) {
                    ShapeKind::Live
                } else {
                    ShapeKind::Dead
                };
                seen.insert((kind, threat - one));
                expected.push((threat - one, kind, own));
            }
            expected.sort_by(|a, b| (b.0, b.1, &a.2).cmp(&(a.0, a.1, &b.2)));
            let found: Vec<_> = shapes
                .into_iter()
                .map(|s| (s.stones, s.kind, s.cells))
                .collect();
            assert_eq!(found, expected, "{position:?}");
        }
    }
    assert!(seen.len() >= 8, "{seen:?}");
}
