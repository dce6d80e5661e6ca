//! Damaged proofs. Some kinds of damage make every proof wrong: the checker must reject all of them.
//! The other kinds may leave a proof that still holds (a reply that another child answers too, a
//! stone that does not matter, another turn that wins as well); such a file may be verified, and then
//! its strategy is played against every defence by brute force, and must win.

use std::collections::BTreeMap;

use fastrand::Rng;
use tengen_checker::{Limits, Verdict};
use tengen_prover::{Proof, Reply, Request, Solution, Solver};
use tengen_rules::{Cell, Position, Rules, Side};

use crate::naive::Game;
use crate::support::{
    self, Case, is_quiet, proof_of, random_case, replay_wins, solve, verified, zone_cells,
};
use crate::walk::Walk;

/// What was done to a proof.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    DropReply,
    DropSubtree,
    DropRelaxed,
    MoveTurn,
    OccupiedTurn,
    MoveReply,
    SwapChildren,
    RetargetChild,
    RemoveAttackerStone,
    AddDefenderStone,
    AddStoneInZone,
    LongerLine,
    OtherTurnLength,
    SwapSides,
    FlipText,
    FlipCompact,
    // From here on nothing may be verified.
    OtherAttacker,
    Cut,
    SmallerZones,
    OtherVersion,
    RepeatReply,
    UnreachableNode,
    BackwardChild,
}

use Damage as D;

const ALL: [Damage; 23] = [
    D::DropReply,
    D::DropSubtree,
    D::DropRelaxed,
    D::MoveTurn,
    D::OccupiedTurn,
    D::MoveReply,
    D::SwapChildren,
    D::RetargetChild,
    D::RemoveAttackerStone,
    D::AddDefenderStone,
    D::AddStoneInZone,
    D::LongerLine,
    D::OtherTurnLength,
    D::SwapSides,
    D::FlipText,
    D::FlipCompact,
    D::OtherAttacker,
    D::Cut,
    D::SmallerZones,
    D::OtherVersion,
    D::RepeatReply,
    D::UnreachableNode,
    D::BackwardChild,
];

/// A proof with the zones that the solver gives.
struct Original {
    proof: Proof,
    zones: Vec<Vec<Cell>>,
}

/// Leaves out nodes that nothing leads to.
pub(crate) fn prune(proof: &mut Proof) {
    let mut reached = vec![false; proof.nodes.len()];
    reached[0] = true;
    for id in 0..proof.nodes.len() {
        if reached[id] {
            for reply in &proof.nodes[id].replies {
                reached[reply.child as usize] = true;
            }
        }
    }
    let mut number = vec![0; proof.nodes.len()];
    let mut next = 0;
    for (id, &reached) in reached.iter().enumerate() {
        number[id] = next;
        next += u32::from(reached);
    }
    let mut flags = reached.iter();
    proof
        .nodes
        .retain(|_| *flags.next().expect("one for each node"));
    for node in &mut proof.nodes {
        for reply in &mut node.replies {
            reply.child = number[reply.child as usize];
        }
    }
}

/// One of the nodes that fit.
fn some_node(proof: &Proof, rng: &mut Rng, fits: impl Fn(usize) -> bool) -> Option<usize> {
    rng.choice(
        (0..proof.nodes.len())
            .filter(|&id| fits(id))
            .collect::<Vec<_>>(),
    )
}

fn any_cell(rules: Rules, rng: &mut Rng) -> Cell {
    let (width, height) = rules.size().expect("a finite board");
    Cell::new(rng.i16(0..i16::from(width)), rng.i16(0..i16::from(height)))
}

fn other_rules(rules: Rules, line: u8, per_turn: u8) -> Option<Rules> {
    let (width, height) = rules.size()?;
    format!("{width},{height},{line},{per_turn},1").parse().ok()
}

/// The damaged text; `None` if this proof has nothing of the kind.
fn damaged(original: &Original, damage: Damage, rng: &mut Rng) -> Option<Vec<u8>> {
    let mut proof = original.proof.clone();
    let rules = proof.position.rules;
    let attacker = proof.attacker;
    let inner = |id: usize| !original.proof.nodes[id].replies.is_empty();
    match damage {
        D::DropReply => {
            let node = some_node(&proof, rng, inner)?;
            let replies = &mut proof.nodes[node].replies;
            replies.remove(rng.usize(0..replies.len()));
        }
        D::DropSubtree => {
            let node = some_node(&proof, rng, inner)?;
            proof.nodes[node].replies.clear();
        }
        D::DropRelaxed => {
            // A reply of several stones beside one with fewer.
            let mixed = |id: usize| {
                let sizes = || {
                    original.proof.nodes[id]
                        .replies
                        .iter()
                        .map(|r| r.stones.len())
                };
                sizes().min() != sizes().max()
            };
            let node = some_node(&proof, rng, mixed)?;
            let replies = &mut proof.nodes[node].replies;
            let most = replies.iter().map(|reply| reply.stones.len()).max()?;
            let large: Vec<usize> = (0..replies.len())
                .filter(|&i| replies[i].stones.len() == most)
                .collect();
            replies.remove(rng.choice(large)?);
        }
        D::MoveTurn => {
            let node = rng.usize(0..proof.nodes.len());
            let turn = &mut proof.nodes[node].turn;
            let place = rng.usize(0..turn.len());
            turn[place] = any_cell(rules, rng);
        }
        D::OccupiedTurn => {
            let node = rng.usize(0..proof.nodes.len());
            let stone = rng.choice(proof.position.stones().collect::<Vec<_>>())?;
            proof.nodes[node].turn[0] = stone.cell;
        }
        D::MoveReply => {
            let with_stones = |id: usize| {
                original.proof.nodes[id]
                    .replies
                    .iter()
                    .any(|r| !r.stones.is_empty())
            };
            let node = some_node(&proof, rng, with_stones)?;
            let replies = proof.nodes[node].replies.iter_mut();
            let reply = rng.choice(replies.filter(|r| !r.stones.is_empty()).collect::<Vec<_>>())?;
            let place = rng.usize(0..reply.stones.len());
            reply.stones[place] = any_cell(rules, rng);
        }
        D::SwapChildren => {
            let several = |id: usize| original.proof.nodes[id].replies.len() > 1;
            let node = some_node(&proof, rng, several)?;
            let replies = &mut proof.nodes[node].replies;
            let (a, b) = (rng.usize(0..replies.len()), rng.usize(0..replies.len()));
            let (first, second) = (replies[a].child, replies[b].child);
            if first == second {
                return None;
            }
            replies[a].child = second;
            replies[b].child = first;
        }
        D::RetargetChild => {
            let node = some_node(&proof, rng, inner)?;
            let last = proof.nodes.len() as u32 - 1;
            let replies = &mut proof.nodes[node].replies;
            let place = rng.usize(0..replies.len());
            let child = rng.u32(node as u32 + 1..=last);
            if replies[place].child == child {
                return None;
            }
            replies[place].child = child;
        }
        D::RemoveAttackerStone => {
            let stones = proof.position.stones_of_mut(attacker);
            stones.swap_remove(rng.usize(0..stones.len()));
        }
        D::AddDefenderStone => proof
            .position
            .stones_of_mut(!attacker)
            .push(any_cell(rules, rng)),
        D::AddStoneInZone => {
            let cell = rng.choice(original.zones.first()?)?;
            proof.position.stones_of_mut(!attacker).push(*cell);
        }
        D::LongerLine => {
            proof.position.rules = other_rules(rules, rules.line() + 1, rules.per_turn())?;
        }
        D::OtherTurnLength => {
            let per_turn = if rules.per_turn() == 1 {
                2
            } else {
                rules.per_turn() - 1
            };
            proof.position.rules = other_rules(rules, rules.line(), per_turn)?;
        }
        D::SwapSides => {
            let stones = support::stones_of(&proof.position, attacker);
            let game = Game::new(rules);
            if game.can_complete(stones.defender, stones.attacker, game.per_turn) {
                // The turn that stops the other side's line often completes it.
                return None;
            }
            proof.attacker = !attacker;
            proof.position.to_move = !attacker;
        }
        D::FlipText => {
            let mut text = proof.to_text().into_bytes();
            let place = rng.usize(0..text.len());
            text[place] ^= 1 << rng.u8(0..8);
            return Some(text);
        }
        D::FlipCompact => {
            let mut bytes = proof.to_compact();
            let place = rng.usize(0..bytes.len());
            bytes[place] ^= 1 << rng.u8(0..8);
            // What cannot be read is rejected before the checker sees it.
            let text = Proof::from_compact(&bytes).map(|proof| proof.to_text());
            return Some(text.unwrap_or_default().into_bytes());
        }
        D::OtherAttacker => proof.attacker = !attacker,
        D::Cut => {
            let mut text = proof.to_text();
            text.truncate(rng.usize(0..text.len() - 1));
            return Some(text.into_bytes());
        }
        D::SmallerZones => {
            proof.zones = original.zones.clone();
            let number = rng.usize(0..proof.zones.len().max(1));
            let zone = proof
                .zones
                .get_mut(number)
                .filter(|zone| !zone.is_empty())?;
            zone.swap_remove(rng.usize(0..zone.len()));
        }
        D::OtherVersion => {
            let text = proof.to_text();
            return Some(
                text.replacen("tengen-proof 1", "tengen-proof 2", 1)
                    .into_bytes(),
            );
        }
        D::RepeatReply => {
            let node = some_node(&proof, rng, inner)?;
            let replies = &mut proof.nodes[node].replies;
            let again = replies[rng.usize(0..replies.len())].clone();
            replies.push(again);
        }
        D::UnreachableNode => {
            let node = proof.nodes[0].clone();
            let (turn, replies) = (node.turn, Vec::new());
            proof.nodes.push(tengen_prover::ProofNode { turn, replies });
        }
        D::BackwardChild => {
            let node = some_node(&proof, rng, inner)?;
            let child = rng.u32(0..=node as u32);
            let stones = vec![any_cell(rules, rng)];
            proof.nodes[node].replies.insert(0, Reply { stones, child });
        }
    }
    let structural = matches!(
        damage,
        D::DropReply | D::DropSubtree | D::DropRelaxed | D::SwapChildren | D::RetargetChild
    );
    if structural {
        prune(&mut proof);
    }
    (proof != original.proof).then(|| proof.to_text().into_bytes())
}

/// Whether a verified file is a proof: its strategy, played by brute force.
fn holds(text: &str, depth: u32) -> Option<bool> {
    let proof: Proof = text.parse().ok()?;
    let position = Position::from_setup(&proof.position).ok()?;
    if position.to_move() != proof.attacker {
        return None;
    }
    let game = Game::new(proof.position.rules);
    replay_wins(&game, &proof, &Case::new(position), depth as u16)
}

#[derive(Debug, Default)]
struct Count {
    rejected: u32,
    undecided: u32,
    still_holds: u32,
}

/// Proofs of random positions.
fn damage_proofs(name: &str, proofs: u32, empty: std::ops::RangeInclusive<u32>, order: u8) {
    let rules = support::rules(name);
    let game = Game::new(rules);
    let mut rng = Rng::with_seed(11);
    let mut solver = Solver::new(14);
    damage(&format!("{name} order {order}"), proofs, || {
        let case = random_case(&game, rules, rng.u32(empty.clone()), &mut rng);
        let mut request = Request::new(case.attacker(), order);
        request.limits.nodes = Some(1_500);
        // The shortest wins have exact replies, the others mostly macro turns.
        request.shortest = order == 1 && rng.bool();
        let solution = solver.solve(&case.position, &request);
        (case.position, solution)
    });
}

/// Proofs of wins that begin with a turn without threats.
fn damage_quiet_proofs(name: &str, proofs: u32, order: u8) {
    let mut walk = Walk::new(name, 12);
    let mut solver = Solver::new(12);
    damage(&format!("{name} order {order}"), proofs, || {
        loop {
            let case = walk.look();
            let solution = solve(&mut solver, &case.position, order, Some(300));
            if proof_of(&solution).is_some_and(|proof| is_quiet(&walk.game, proof)) {
                walk.go(&case);
                return (case.position, solution);
            }
        }
    });
}

#[expect(clippy::print_stderr, reason = "counts, seen with --no-capture")]
fn damage(name: &str, proofs: u32, mut next: impl FnMut() -> (Position, Solution)) {
    let mut rng = Rng::with_seed(13);
    let mut counts: BTreeMap<Damage, Count> = BTreeMap::new();
    let mut found = 0;
    while found < proofs {
        let (position, solution) = next();
        let Some(proof) = proof_of(&solution).filter(|proof| proof.nodes.len() > 1) else {
            continue;
        };
        found += 1;
        verified(proof, &solution, &position);
        let zones = zone_cells(&solution, &position).unwrap_or_default();
        let cell = |&(x, y): &(i32, i32)| Cell::new(x as i16, y as i16);
        let zones = zones.iter().map(|zone| zone.iter().map(cell).collect());
        let original = Original {
            proof: proof.clone(),
            zones: zones.collect(),
        };
        for damage in ALL {
            for _ in 0..2 {
                let Some(bytes) = damaged(&original, damage, &mut rng) else {
                    continue;
                };
                let count = counts.entry(damage).or_default();
                // Bytes that are no text are rejected by every reader.
                let Ok(text) = String::from_utf8(bytes) else {
                    count.rejected += 1;
                    continue;
                };
                match tengen_checker::check(&text, &Limits::default()) {
                    Verdict::Rejected(_) => count.rejected += 1,
                    Verdict::Undecided(_) => count.undecided += 1,
                    Verdict::VerifiedExcept(_) => panic!("{damage:?} made exceptions\n{text}"),
                    Verdict::Verified(report) => {
                        assert!(
                            damage < D::OtherAttacker,
                            "{damage:?} was verified\n{text}\nof\n{}",
                            proof.to_text()
                        );
                        assert_eq!(
                            holds(&text, report.depth),
                            Some(true),
                            "{damage:?} is no proof any more\n{text}\nof\n{}",
                            proof.to_text()
                        );
                        count.still_holds += 1;
                    }
                }
            }
        }
    }
    for (damage, count) in &counts {
        eprintln!("{name} {damage:?}: {count:?}");
        assert!(count.rejected > 0, "{damage:?} was never rejected");
        assert_eq!(count.undecided, 0, "{damage:?}");
    }
    assert!(counts.len() > 18, "{counts:?}");
}

#[test]
fn damaged_one_stone_forced() {
    damage_proofs("6,6,4,1,1", 60, 12..=24, 1);
    damage_proofs("7,7,5,1,1", 80, 14..=30, 1);
}

#[test]
fn damaged_one_stone_quiet() {
    damage_proofs("7,7,5,1,1", 40, 22..=32, 2);
}

#[test]
fn damaged_two_stones_forced() {
    damage_proofs("7,7,5,2,1", 40, 16..=26, 1);
}

#[test]
fn damaged_two_stones_quiet() {
    damage_proofs("7,7,5,2,1", 30, 14..=24, 2);
}

#[test]
fn damaged_without_threats() {
    damage_quiet_proofs("8,7,5,1,1", 30, 3);
    damage_quiet_proofs("9,6,5,1,1", 30, 4);
    damage_quiet_proofs("9,5,5,2,1", 60, 3);
    damage_quiet_proofs("8,8,6,2,1", 60, 3);
    damage_quiet_proofs("9,6,6,2,1", 60, 4);
}

/// Sides are named in every proof.
#[test]
fn a_proof_names_its_attacker() {
    let rules = support::rules("6,6,4,1,1");
    let text = "B:B2,C2 W:B5,C5 to-move:B";
    let position = tengen_rules::notation::parse_position(text, rules).expect("a position");
    let solution = solve(&mut Solver::new(10), &position, 1, None);
    let proof = proof_of(&solution).expect("a win");
    assert_eq!(proof.attacker, Side::Black);
    verified(proof, &solution, &position);
}
