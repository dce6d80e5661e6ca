//! Whatever the tree decides, brute force agrees.

use std::collections::HashMap;

use tengen_rules::{Outcome, Position, Rules, Side, notation};

use super::kinds;
use crate::mcts::search::{Search, Setup};
use crate::mcts::tree::{NodeId, ROOT, Value};
use crate::{Clock, Deadline};

/// Who wins with best play; `None` is a draw.
fn minimax(position: &Position, known: &mut HashMap<u64, Option<Side>>) -> Option<Side> {
    match position.outcome() {
        Some(Outcome::Win { side, .. }) => return Some(*side),
        Some(Outcome::Draw) => return None,
        None => {}
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let side = position.to_move();
    let mut best = Some(!side);
    for cell in position.grid().cells() {
        let mut after = position.clone();
        if after.place(cell).is_err() {
            continue;
        }
        let value = minimax(&after, known);
        if value == Some(side) {
            best = value;
            break;
        }
        if value.is_none() {
            best = None;
        }
    }
    known.insert(position.key(), best);
    best
}

/// A position with so many empty cells, if no line was completed on the way.
fn random_position(rules: Rules, empty: u32, rng: &mut fastrand::Rng) -> Option<Position> {
    let mut position = Position::new(rules);
    let mut cells: Vec<_> = position.grid().cells().collect();
    rng.shuffle(&mut cells);
    for cell in cells {
        if position.empty_cells()? == empty {
            break;
        }
        position.place(cell).ok()?;
    }
    position.outcome().is_none().then_some(position)
}

/// Compares all decided nodes near the root; says how many there were.
fn compare(
    search: &Search<'_>,
    id: NodeId,
    position: &Position,
    depth: u32,
    known: &mut HashMap<u64, Option<Side>>,
) -> usize {
    let node = search.tree.get(id);
    let mut compared = 0;
    let value = match node.value {
        Value::Won(side) => Some(Some(side)),
        Value::Drawn => Some(None),
        Value::Unknown => None,
    };
    if let Some(value) = value {
        let truth = minimax(position, known);
        let text = notation::setup_text(&position.to_setup());
        assert_eq!(value, truth, "{} {text}", position.rules());
        compared = 1;
    }
    if depth == 0 {
        return compared;
    }
    for &child in &node.children {
        let mut after = position.clone();
        let turn = search.field.turn(&search.tree.get(child).turn);
        after.play(&turn).expect("only legal turns are in the tree");
        compared += compare(search, child, &after, depth - 1, known);
    }
    compared
}

#[test]
fn decided_nodes_agree_with_brute_force() {
    let games = [
        ("6,6,4,2,1", 8),
        ("5,4,4,2,1", 10),
        ("6,6,4,1,1", 10),
        ("5,5,4,1,1,exact", 10),
        ("5,5,5,2,1,exact", 8),
        ("5,5,5,2,1", 9),
        ("5,4,4,3,2", 9),
    ];
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut positions, mut compared, mut roots) = (0, 0, 0);
    for (rules, empty) in games {
        let rules: Rules = rules.parse().expect("known rules");
        let mut made = 0;
        while made < 36 {
            let Some(position) = random_position(rules, empty, &mut rng) else {
                continue;
            };
            made += 1;
            positions += 1;
            let engine = kinds()[made % 3];
            let setup = Setup {
                contest: made % 2 == 0,
                nodes: Some(3_000),
                seed: made as u64,
                ..engine.setup(Deadline::new(&Clock::default(), None))
            };
            let mut search = Search::new(&position, setup);
            while !search.is_over() {
                search.simulate();
            }
            roots += usize::from(search.tree.get(ROOT).is_decided());
            compared += compare(&search, ROOT, &position, 2, &mut HashMap::new());
        }
    }
    assert!(
        positions >= 200 && roots > positions / 2,
        "{roots} of {positions} decided"
    );
    assert!(compared > 1_000, "{compared} nodes compared");
}
