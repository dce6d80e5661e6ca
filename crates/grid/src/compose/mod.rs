//! One proof of a solved root, from the proofs of its nodes.
//!
//! A node with a proof of its own uses it. Where the winner is to move, a turn to a child that is decided for him and
//! the replies of the child's proof make one node. Where the loser is to move, the proof that all other turns lose gets
//! an answer to each turn that it leaves open: the child's proof. `docs/proof-format.md` says why that is a proof; it
//! is one only when the checker has verified it, which is the caller's affair.
//!
//! Children that several turns lead to are composed once for each orientation in which they are met. Nothing here
//! recurses: a tree may be as deep as a game is long.

mod image;

use std::collections::HashMap;

use tengen_prover::{Proof, ProofNode, Reply};
use tengen_rules::{Cell, Position, Side, Turn, notation, position_key};

pub(crate) use image::{Image, after, along};

use crate::search::{NodeId, NodeView, Search};
use crate::{Evidence, ProofId};

/// Why there is no proof of a root.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError {
    /// Nothing is proved.
    #[error("the root is not solved, there is nothing to compose")]
    NotSolved,
    /// The root is not the position that the search began with.
    #[error("the position is not the root of this search")]
    OtherRoot,
    /// A proof is not to be had.
    #[error("proof {id} of node {node} is missing")]
    Missing {
        /// The node.
        node: u32,
        /// The proof's name in hexadecimal digits.
        id: String,
    },
    /// A proof does not fit its node.
    #[error("the proof of node {node} does not fit: {reason}")]
    Misfit {
        /// The node.
        node: u32,
        /// What is wrong with it.
        reason: String,
    },
}

/// Composes the proof of a solved root. `proofs` gives the text of a proof that the tree names.
///
/// # Errors
///
/// If the root is not solved, or a proof is missing or does not fit its node.
pub fn compose(
    search: &Search,
    root: &Position,
    proofs: &dyn Fn(ProofId) -> Option<String>,
) -> Result<Proof, ComposeError> {
    compose_at(search, root, root, proofs)
}

/// Composes the proof of a position in the tree that is decided, in any orientation.
///
/// # Errors
///
/// If it is not decided, or a proof is missing or does not fit its node.
pub fn compose_at(
    search: &Search,
    root: &Position,
    position: &Position,
    proofs: &dyn Fn(ProofId) -> Option<String>,
) -> Result<Proof, ComposeError> {
    if search.root().key != position_key(root).0 {
        return Err(ComposeError::OtherRoot);
    }
    let node = search.find(&position_key(position).0);
    let winner = node.and_then(|node| search.node(node)?.decided);
    let winner = winner.ok_or(ComposeError::NotSolved)?;
    let mut composer = Composer {
        search,
        root,
        winner,
        proofs,
        nodes: Vec::new(),
        done: HashMap::new(),
    };
    let top = composer.run(position)?;
    Ok(Proof {
        position: position.to_setup(),
        attacker: winner,
        except: Vec::new(),
        region: None,
        zones: Vec::new(),
        nodes: in_order(composer.nodes, top),
    })
}

/// What is to be done: decide how a position is proved, or put it together when its children are.
enum Step {
    Visit(Position),
    Build(Position, Plan),
}

/// How a position is proved.
enum Plan {
    /// By a proof for exactly this position, with an answer to each exception.
    Given(Proof, Vec<(Turn, Position)>),
    /// By a turn of the winner to a position.
    Turn(Turn, Position),
}

struct Composer<'a> {
    search: &'a Search,
    root: &'a Position,
    winner: Side,
    proofs: &'a dyn Fn(ProofId) -> Option<String>,
    /// In any order, also such as nobody needs any more.
    nodes: Vec<ProofNode>,
    /// The nodes of positions, by their set-up.
    done: HashMap<String, u32>,
}

fn name(position: &Position) -> String {
    notation::setup_text(&position.to_setup())
}

impl Composer<'_> {
    fn run(&mut self, top: &Position) -> Result<u32, ComposeError> {
        let mut steps = vec![Step::Visit(top.clone())];
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(position) if self.done.contains_key(&name(&position)) => {}
                Step::Visit(position) => {
                    let plan = self.plan(&position)?;
                    let needed: Vec<Position> = match &plan {
                        Plan::Given(_, open) => open.iter().map(|(_, next)| next.clone()).collect(),
                        Plan::Turn(_, next) => vec![next.clone()],
                    };
                    steps.push(Step::Build(position, plan));
                    steps.extend(needed.into_iter().map(Step::Visit));
                }
                Step::Build(position, plan) => {
                    let id = self.build(plan);
                    self.done.insert(name(&position), id);
                }
            }
        }
        Ok(self.done[&name(top)])
    }

    fn plan(&self, position: &Position) -> Result<Plan, ComposeError> {
        let key = position_key(position).0;
        let node = self.search.find(&key);
        let node = node.and_then(|node| self.search.node(node));
        let node = node.filter(|node| node.decided == Some(self.winner));
        let node = node.ok_or(ComposeError::NotSolved)?;
        if let Some(id) = node.proof {
            let proof = self.proof(node.id, id, position)?;
            if !proof.except.is_empty() {
                return Err(misfit(node.id, "it leaves replies open"));
            }
            return Ok(Plan::Given(proof, Vec::new()));
        }
        if position.to_move() == self.winner {
            self.winning_turn(position, &node)
        } else {
            self.all_answers(position, &node)
        }
    }

    /// A turn of the winner to a child that is decided for him.
    fn winning_turn(&self, position: &Position, node: &NodeView) -> Result<Plan, ComposeError> {
        let line = along(self.root, &self.search.line(node.id));
        let image = line.and_then(|line| Image::between(&line, position));
        let image = image.ok_or_else(|| misfit(node.id, "its line leads elsewhere"))?;
        let won = |child: NodeId| {
            let child = self.search.node(child);
            child.is_some_and(|child| child.decided == Some(self.winner))
        };
        for edge in node.children.iter().filter(|edge| won(edge.node)) {
            let turn = image.turn(&edge.turn);
            if let Some((next, key)) = after(position, &turn)
                && self.search.key(edge.node) == Some(key)
            {
                return Ok(Plan::Turn(turn, next));
            }
        }
        Err(misfit(
            node.id,
            "no turn leads to the child that decides it",
        ))
    }

    /// The proof that all other turns lose, and the positions after those that it leaves open.
    fn all_answers(&self, position: &Position, node: &NodeView) -> Result<Plan, ComposeError> {
        let Some(Evidence::Proof(id)) = node.closed else {
            return Err(misfit(node.id, "nothing proves that the other turns lose"));
        };
        let proof = self.proof(node.id, id, position)?;
        let mut open = Vec::new();
        for stones in &proof.except {
            let turn: Turn = stones.iter().copied().collect();
            let (next, _) = after(position, &turn)
                .ok_or_else(|| misfit(node.id, &format!("it leaves {turn} open, no whole turn")))?;
            open.push((turn, next));
        }
        Ok(Plan::Given(proof, open))
    }

    /// A proof as it is for this position.
    fn proof(&self, node: NodeId, id: ProofId, position: &Position) -> Result<Proof, ComposeError> {
        let text = (self.proofs)(id).ok_or_else(|| ComposeError::Missing {
            node: node.0,
            id: tengen_book::ProofId(id.0).to_string(),
        })?;
        let proof: Proof = text
            .parse()
            .map_err(|error: tengen_prover::ProofTextError| misfit(node, &error.to_string()))?;
        let about = Position::from_setup(&proof.position)
            .map_err(|error| misfit(node, &error.to_string()))?;
        let image = Image::between(&about, position).filter(|_| proof.attacker == self.winner);
        let image = image.ok_or_else(|| misfit(node, "it is about something else"))?;
        Ok(image.proof(&proof, position))
    }

    fn build(&mut self, plan: Plan) -> u32 {
        match plan {
            Plan::Turn(turn, next) => {
                let child = self.done[&name(&next)];
                let replies = self.nodes[child as usize].replies.clone();
                self.push(turn.cells().to_vec(), replies)
            }
            Plan::Given(proof, open) => {
                let first = self.nodes.len() as u32;
                self.nodes
                    .extend(proof.nodes.into_iter().map(|node| moved(node, first)));
                for (turn, next) in open {
                    let reply = Reply {
                        stones: turn.cells().to_vec(),
                        child: self.done[&name(&next)],
                    };
                    let replies = &mut self.nodes[first as usize].replies;
                    // A proof may answer a reply and leave it open all the same; one answer is enough.
                    replies.retain(|other| !same_stones(&other.stones, &reply.stones));
                    replies.push(reply);
                }
                first
            }
        }
    }

    fn push(&mut self, turn: Vec<Cell>, replies: Vec<Reply>) -> u32 {
        self.nodes.push(ProofNode { turn, replies });
        (self.nodes.len() - 1) as u32
    }
}

fn misfit(node: NodeId, reason: &str) -> ComposeError {
    ComposeError::Misfit {
        node: node.0,
        reason: reason.to_owned(),
    }
}

fn same_stones(one: &[Cell], other: &[Cell]) -> bool {
    let turn = |cells: &[Cell]| cells.iter().copied().collect::<Turn>();
    one.len() == other.len() && turn(one) == turn(other)
}

/// A node whose children are numbered from `first` on.
fn moved(mut node: ProofNode, first: u32) -> ProofNode {
    for reply in &mut node.replies {
        reply.child += first;
    }
    node
}

/// The nodes below `top`, each before its children.
fn in_order(mut nodes: Vec<ProofNode>, top: u32) -> Vec<ProofNode> {
    const UNSEEN: u32 = u32::MAX;
    let mut finished = Vec::new();
    let mut seen = vec![false; nodes.len()];
    // A node and how many of its replies were looked at.
    let mut stack = vec![(top, 0)];
    seen[top as usize] = true;
    while let Some((node, at)) = stack.last_mut() {
        match nodes[*node as usize].replies.get(*at) {
            Some(reply) => {
                *at += 1;
                if !std::mem::replace(&mut seen[reply.child as usize], true) {
                    stack.push((reply.child, 0));
                }
            }
            None => {
                finished.push(*node);
                stack.pop();
            }
        }
    }
    finished.reverse();
    let mut number = vec![UNSEEN; nodes.len()];
    for (index, &node) in finished.iter().enumerate() {
        number[node as usize] = index as u32;
    }
    let numbered = finished.iter().map(|&node| {
        let empty = ProofNode {
            turn: Vec::new(),
            replies: Vec::new(),
        };
        let mut node = std::mem::replace(&mut nodes[node as usize], empty);
        for reply in &mut node.replies {
            reply.child = number[reply.child as usize];
        }
        node
    });
    numbered.collect()
}
