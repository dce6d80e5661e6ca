//! The whole solution: the attacker's turn, every critical defence, the fastest answer to each, down to the end;
//! and the same as a proof for `tengen-checker`.

use tengen_prover::{Proof, ProofNode, Reply};
use tengen_rules::{Cell, Setup, Side};

use crate::attack::{Answer, Attack, LimitReached, Stones};
use crate::puzzle::Step;

/// Larger solutions are for books, not for puzzles.
pub(crate) const MOST_STEPS: usize = 4_000;

/// Why a solution could not be written down.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl From<LimitReached> for TooLarge {
    fn from(_: LimitReached) -> Self {
        Self
    }
}

/// A step while it is made.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) turn: Vec<Cell>,
    pub(crate) within: u8,
    pub(crate) replies: Vec<(Vec<Cell>, usize)>,
    /// How many steps this one and those below it are.
    size: usize,
    pub(crate) counter_threat: bool,
}

impl Node {
    /// The root of a defence puzzle: the defender moves.
    pub(crate) const fn root() -> Self {
        Self {
            turn: Vec::new(),
            within: 0,
            replies: Vec::new(),
            size: 1,
            counter_threat: false,
        }
    }
}

/// All steps from a turn on that wins within so many turns. The first is the root; parents come before children.
pub(crate) fn solution(
    attack: &mut Attack<'_>,
    turn: &Stones,
    within: u8,
) -> Result<Vec<Node>, TooLarge> {
    let mut nodes = Vec::new();
    add_turn(attack, turn, within, &mut nodes)?;
    Ok(nodes)
}

/// The fastest win from a position in which the attacker is to move, appended to `nodes`; the number of its root.
pub(crate) fn add_win(
    attack: &mut Attack<'_>,
    longest: u8,
    nodes: &mut Vec<Node>,
) -> Result<usize, TooLarge> {
    let (turn, within) = fastest(attack, longest)?;
    add_turn(attack, &turn, within, nodes)
}

fn fastest(attack: &mut Attack<'_>, longest: u8) -> Result<(Stones, u8), TooLarge> {
    let within = attack.shortest(longest)?.ok_or(TooLarge)?;
    if within == 1 {
        let side = attack.attacker();
        let stones = attack.board.rules().per_turn();
        let line = attack.board.winning_set(side, stones).ok_or(TooLarge)?;
        return Ok((Stones::from_vec(line), 1));
    }
    for turn in attack.first_turns() {
        match attack.turn_wins_within(&turn, within) {
            Answer::Yes => return Ok((turn, within)),
            Answer::No => {}
            Answer::Unknown => return Err(TooLarge),
        }
    }
    Err(TooLarge)
}

fn add_turn(
    attack: &mut Attack<'_>,
    turn: &Stones,
    within: u8,
    nodes: &mut Vec<Node>,
) -> Result<usize, TooLarge> {
    if nodes.len() >= MOST_STEPS {
        return Err(TooLarge);
    }
    let number = nodes.len();
    let cells = |attack: &Attack<'_>, stones: &Stones| -> Vec<Cell> {
        stones.iter().map(|&cell| attack.board.cell(cell)).collect()
    };
    nodes.push(Node {
        turn: cells(attack, turn),
        within,
        replies: Vec::new(),
        size: 1,
        counter_threat: false,
    });
    if within == 1 {
        return Ok(number);
    }
    let (attacker, defender) = (attack.attacker(), !attack.attacker());
    attack.place_all(attacker, turn);
    let mut replies = Vec::new();
    let mut failed = None;
    for reply in attack.defences().unwrap_or_default() {
        attack.place_all(defender, &reply);
        let counter = attack.board.has_threat(defender);
        let child = add_win(attack, within - 1, nodes);
        attack.undo_all(&reply);
        match child {
            Ok(child) => {
                nodes[child].counter_threat = counter;
                replies.push((cells(attack, &reply), child));
            }
            Err(error) => failed = Some(error),
        }
    }
    attack.undo_all(turn);
    if let Some(error) = failed {
        return Err(error);
    }
    // The most stubborn reply first: the longest, then the one that takes most to answer.
    replies.sort_by_key(|(cells, child)| {
        let child = &nodes[*child];
        (std::cmp::Reverse((child.within, child.size)), cells.clone())
    });
    nodes[number].size += replies
        .iter()
        .map(|(_, child)| nodes[*child].size)
        .sum::<usize>();
    nodes[number].replies = replies;
    Ok(number)
}

/// The steps as they are kept.
pub(crate) fn steps(nodes: &[Node]) -> Vec<Step> {
    let step = |node: &Node| Step {
        turn: names(&node.turn),
        within: node.within,
        replies: node
            .replies
            .iter()
            .map(|(stones, child)| (names(stones), *child))
            .collect(),
    };
    nodes.iter().map(step).collect()
}

/// The names of cells, sorted.
pub(crate) fn names(cells: &[Cell]) -> Vec<String> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells.iter().map(Cell::to_string).collect()
}

/// The steps as a proof that the attacker wins, except against these replies at the root.
pub(crate) fn proof(
    nodes: &[Node],
    position: Setup,
    attacker: Side,
    except: Vec<Vec<Cell>>,
) -> Proof {
    let node = |node: &Node| ProofNode {
        turn: node.turn.clone(),
        replies: node
            .replies
            .iter()
            .map(|(stones, child)| Reply {
                stones: stones.clone(),
                child: *child as u32,
            })
            .collect(),
    };
    Proof {
        position,
        attacker,
        except,
        region: None,
        zones: Vec::new(),
        nodes: nodes.iter().map(node).collect(),
    }
}
