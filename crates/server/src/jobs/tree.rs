//! The winning tree of a proof as nodes of a study: whole turns that can be played, the longest defence first.

use tengen_prover::Proof;
use tengen_prover::play::{Defence, ProofPlayer, Standing};
use tengen_rules::{Side, Turn};
use tengen_threats::LineBoard;

use crate::api::Node;
use crate::convert;

/// More nodes help nobody.
const MOST_NODES: usize = 300;

/// Defences shown at one place.
const MOST_DEFENCES: usize = 40;

/// Proof nodes that are looked at.
const MOST_VISITS: u64 = 1_000_000;

/// So often a line may leave what is the longest defence there.
const MOST_SIDE_LINES: u32 = 8;

/// The tree; ids from 1, parents before children. The main line is whole; of the others there is as much as there
/// is room for, those first that leave it least often.
pub(super) fn of(proof: &Proof) -> Vec<Node> {
    let mut best = Vec::new();
    for side_lines in 0..=MOST_SIDE_LINES {
        let Ok(player) = ProofPlayer::new(proof.clone(), MOST_VISITS) else {
            break;
        };
        let attacker = proof.attacker;
        let mut tree = Tree {
            player,
            attacker,
            nodes: Vec::new(),
        };
        if tree.grow(&mut Vec::new(), 0, 0, side_lines).is_none() {
            break;
        }
        let complete = tree.nodes.len() == best.len();
        best = tree.nodes;
        if complete {
            break;
        }
    }
    best
}

struct Tree {
    player: ProofPlayer,
    attacker: Side,
    nodes: Vec<Node>,
}

impl Tree {
    /// Adds the attacker's turn after these replies, and what follows; `None` if there is no room.
    fn grow(
        &mut self,
        replies: &mut Vec<Turn>,
        parent: u32,
        order: usize,
        side_lines: u32,
    ) -> Option<()> {
        let standing = self.player.play(replies).ok()?;
        let (_, turn) = standing.played.last()?;
        let defences = self.player.defences(&standing, MOST_DEFENCES).ok()?;
        let comment = self.comment(&standing, &defences);
        let own = self.push(parent, order, turn, comment)?;
        let played = defences.iter().filter(|defence| !defence.stones.is_empty());
        for (place, defence) in played.enumerate() {
            let Some(side_lines) = side_lines.checked_sub(u32::from(place > 0)) else {
                break;
            };
            let node = self.push(own, place, &defence.example, irrelevant(defence))?;
            replies.push(defence.example.clone());
            self.grow(replies, node, 0, side_lines)?;
            replies.pop();
        }
        Some(())
    }

    fn push(&mut self, parent: u32, order: usize, turn: &Turn, comment: String) -> Option<u32> {
        if self.nodes.len() >= MOST_NODES {
            return None;
        }
        let id = self.nodes.len() as u32 + 1;
        self.nodes.push(Node {
            id,
            parent: Some(parent),
            order: order as f64,
            turn: convert::turn(turn),
            comment,
            ..Node::default()
        });
        Some(id)
    }

    /// What a turn does, and how it goes on if the defender plays elsewhere.
    fn comment(&self, standing: &Standing, defences: &[Defence]) -> String {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if standing.won {
            return format!("{attacker} wins.");
        }
        let board = LineBoard::from_position(&standing.position);
        let mut words = match board.threat_count(attacker) {
            0 => Vec::new(),
            n if n > standing.position.left() => {
                vec![format!(
                    "{attacker} has more threats than {defender} can stop."
                )]
            }
            _ => vec![format!("{attacker} threatens to win.")],
        };
        let elsewhere = defences.iter().find(|defence| defence.stones.is_empty());
        words.extend(elsewhere.map(|defence| {
            let answer = &defence.answer;
            format!("If {defender} plays elsewhere, {attacker} wins with {answer}.")
        }));
        words.join(" ")
    }
}

/// A reply with fewer stones than a turn stands for many.
fn irrelevant(defence: &Defence) -> String {
    let others: Turn = defence
        .example
        .into_iter()
        .filter(|cell| !defence.stones.contains(cell))
        .collect();
    match others.len() {
        0 => String::new(),
        1 => format!("{others} stands for any cell that does not matter."),
        _ => format!("{others} stand for any cells that do not matter."),
    }
}
