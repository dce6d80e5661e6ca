//! The whole solution: the attacker's turn, every critical defence, the fastest answer to each, down to the end;
//! and the same as a proof for `tengen-checker`.

use tengen_prover::{Proof, ProofNode, Reply, VerifyRequest, verify};
use tengen_rules::{Cell, Position, Setup, Side};
use tengen_threats::{Index, LineBoard, SmallDefences};

use crate::attack::{Answer, Attack, LimitReached, Stones};
use crate::mine::WRITING;
use crate::puzzle::Step;
use crate::quiet::Quiet;
use crate::second::Second;
use crate::stand::Stand;

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
    nodes.push(Node {
        turn: cells_of(&attack.board, turn),
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
                replies.push((cells_of(&attack.board, &reply), child));
            }
            Err(error) => failed = Some(error),
        }
    }
    attack.undo_all(turn);
    if let Some(error) = failed {
        return Err(error);
    }
    most_stubborn_first(&mut replies, nodes);
    nodes[number].size += replies
        .iter()
        .map(|(_, child)| nodes[*child].size)
        .sum::<usize>();
    nodes[number].replies = replies;
    Ok(number)
}

/// The same for a win of order 2. A reply of one stone stands for that block with any other stone, except where the
/// other stone makes the attacker take longer: such replies are listed with both.
pub(crate) fn second_solution(
    second: &mut Second<'_>,
    turn: &Stones,
    within: u8,
) -> Result<Vec<Node>, TooLarge> {
    let mut nodes = Vec::new();
    add_second_turn(second, turn, within, &mut nodes)?;
    Ok(nodes)
}

/// The fastest win of order 1 or 2.
fn add_second_win(
    second: &mut Second<'_>,
    longest: u8,
    nodes: &mut Vec<Node>,
) -> Result<usize, TooLarge> {
    let within = second.shortest(longest)?.ok_or(TooLarge)?;
    if second.attack.wins_within(within) == Answer::Yes {
        return add_win(&mut second.attack, within, nodes);
    }
    let found = second.winning_turns(within, 1)?;
    add_second_turn(second, found.first().ok_or(TooLarge)?, within, nodes)
}

fn add_second_turn(
    second: &mut Second<'_>,
    turn: &Stones,
    within: u8,
    nodes: &mut Vec<Node>,
) -> Result<usize, TooLarge> {
    if nodes.len() >= MOST_STEPS {
        return Err(TooLarge);
    }
    let number = nodes.len();
    nodes.push(Node {
        turn: cells_of(&second.attack.board, turn),
        within,
        replies: Vec::new(),
        size: 1,
        counter_threat: false,
    });
    let attacker = second.attack.attacker();
    second.attack.place_all(attacker, turn);
    let small = second.blocks_of_defender();
    let replies = second.after(&small, |second| {
        second_replies(second, &small, within - 1, nodes)
    });
    second.attack.undo_all(turn);
    let mut replies = replies?;
    nodes[number].size += replies
        .iter()
        .map(|(_, child)| nodes[*child].size)
        .sum::<usize>();
    most_stubborn_first(&mut replies, nodes);
    nodes[number].replies = replies;
    Ok(number)
}

/// Replies of a quiet solution that are written down with all stones.
const LISTED: usize = 12;

/// The same for a quiet win: the replies that last longest, at most twelve, and the empty one, which stands for all
/// others. The proof has every reply.
pub(crate) fn quiet_solution(
    quiet: &mut Quiet<'_>,
    turn: &Stones,
    within: u8,
) -> Result<Vec<Node>, TooLarge> {
    let side = quiet.attack.attacker();
    let mut list = quiet.replies_that_hold(turn, within - 2, LISTED)?;
    list.push(Stones::new());
    let mut nodes = vec![Node {
        turn: cells_of(&quiet.attack.board, turn),
        within,
        ..Node::root()
    }];
    let mut replies = Replies::new();
    for reply in list {
        let attack = &mut quiet.attack;
        attack.place_all(side, turn);
        attack.place_all(!side, &reply);
        attack.allow(WRITING);
        let counter = attack.board.has_threat(!side);
        let child = add_win(attack, within - 1, &mut nodes);
        attack.undo_all(&reply);
        attack.undo_all(turn);
        let child = child?;
        nodes[child].counter_threat = counter;
        replies.push((cells_of(&quiet.attack.board, &reply), child));
    }
    nodes[0].size += replies
        .iter()
        .map(|(_, child)| nodes[*child].size)
        .sum::<usize>();
    most_stubborn_first(&mut replies, &nodes);
    // What stands for all others is no line to show.
    replies.sort_by_key(|(stones, _)| stones.is_empty());
    nodes[0].replies = replies;
    Ok(nodes)
}

type Replies = Vec<(Vec<Cell>, usize)>;

fn second_replies(
    second: &mut Second<'_>,
    small: &SmallDefences,
    rest: u8,
    nodes: &mut Vec<Node>,
) -> Result<Replies, TooLarge> {
    let mut replies = Replies::new();
    if small.threats > 2 {
        return Ok(replies);
    }
    let mut list: Vec<Stones> = small.pairs.iter().map(|p| Stones::from_slice(p)).collect();
    for &block in &small.singles {
        list.push(Stones::from_slice(&[block]));
    }
    let defender = !second.attack.attacker();
    while let Some(reply) = list.pop() {
        second.attack.place_all(defender, &reply);
        let counter = second.attack.board.has_threat(defender);
        let mut child = match reply.len() {
            1 => add_win(&mut second.attack, rest, nodes),
            _ => add_second_win(second, rest, nodes),
        };
        if let (Ok(number), [block]) = (&child, &reply[..]) {
            match second.delays(nodes[*number].within) {
                Ok(cells) => {
                    list.extend(
                        cells
                            .iter()
                            .map(|&cell| Stones::from_slice(&[*block, cell])),
                    );
                }
                Err(limit) => child = Err(limit.into()),
            }
        }
        second.attack.undo_all(&reply);
        let child = child?;
        nodes[child].counter_threat = counter;
        replies.push((cells_of(&second.attack.board, &reply), child));
    }
    Ok(replies)
}

/// The longest, then the one that takes most to answer.
fn most_stubborn_first(replies: &mut Replies, nodes: &[Node]) {
    replies.sort_by_key(|(cells, child)| {
        let child = &nodes[*child];
        (std::cmp::Reverse((child.within, child.size)), cells.clone())
    });
}

/// The cells of stones.
pub(crate) fn cells_of(board: &LineBoard, stones: &[Index]) -> Vec<Cell> {
    stones.iter().map(|&cell| board.cell(cell)).collect()
}

/// Nodes of the searches behind a proof of order 2, stage by stage, and of all together.
const PROOF_STAGES: [u64; 3] = [300, 3_000, 20_000];
const PROOF_NODES: u64 = 400_000;

/// A proof that this turn wins by order 2: every reply is verified to lose.
pub(crate) fn second_proof(stand: &Stand, turn: &[Cell]) -> Option<Proof> {
    let mut setup = stand.to_setup();
    let before = setup.clone();
    setup.stones_of_mut(stand.attacker).extend_from_slice(turn);
    setup.to_move = !stand.attacker;
    let after = Position::from_setup(&setup).ok()?;
    let mut request = VerifyRequest::new(2);
    request.stages = &PROOF_STAGES;
    request.limits.nodes = Some(PROOF_NODES);
    let verified = verify(&after, &request).ok()?;
    let mut proof = *verified.proof.filter(|_| verified.survivors.is_empty())?;
    proof.position = before;
    proof.region = None;
    proof.nodes.first_mut()?.turn = turn.to_vec();
    Some(proof)
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
