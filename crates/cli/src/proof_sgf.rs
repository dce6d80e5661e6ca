//! A proof as a tree of games that any SGF viewer plays through.
//!
//! A player understands legal turns, so a macro turn, which gives the defender more stones than a turn
//! has, is replaced by the real critical defences it stands for; with fewer stones of the defender on
//! the board the attacker's answers stay good. Stones that the proof leaves open, because they may
//! stand anywhere outside the zones, become a pass with a comment.

use tengen_prover::{Proof, Reply, ReplyKind};
use tengen_rules::{Action, Cell, NodeId, Placement, Position, Record, Side};

use crate::claim_text::{claim_in_words, open_replies_in_words};
use crate::strategy::{After, Walk};

/// The tree; lines end early, with a comment, when there would be more than `most` actions.
pub(crate) fn record(proof: &Proof, position: &Position, most: usize) -> Record {
    let mut tree = Tree {
        walk: Walk::new(proof, position),
        record: Record::new(position.to_setup()),
        most,
    };
    let claim = format!(
        "Claim: {}. This tree shows the proof; `tengen check` checks it.",
        claim_in_words(proof.attacker, &proof.except, proof.region)
    );
    tree.comment(Record::ROOT, &claim);
    if !proof.except.is_empty() {
        let open = open_replies_in_words(&proof.except, usize::MAX);
        tree.comment(Record::ROOT, &open);
    }
    tree.attack(Record::ROOT, 0, usize::from(position.left()));
    tree.record
}

struct Tree<'a> {
    walk: Walk<'a>,
    record: Record,
    most: usize,
}

impl Tree<'_> {
    /// Adds the attacker's turn of a proof's node, and all that follows.
    fn attack(&mut self, at: NodeId, node: usize, left: usize) {
        let proof = self.walk.proof;
        let content = &proof.nodes[node];
        if self.record.len() > self.most {
            return self.comment(at, "Cut here: the tree would be too large.");
        }
        let Some(after) = self.walk.attack(node) else {
            return self.comment(at, "The proof continues with a turn that cannot be played.");
        };
        let end = self.turn(at, proof.attacker, &content.turn, left, after);
        match after {
            After::Line => self.comment(end, &format!("{} wins.", proof.attacker)),
            After::Unstoppable => self.comment(
                end,
                &format!(
                    "{} has more threats than {} can stop.",
                    proof.attacker, !proof.attacker
                ),
            ),
            After::Open => {
                let defender_begins = content.turn.is_empty();
                let per_turn = usize::from(self.walk.rules().per_turn());
                self.replies(end, node, if defender_begins { left } else { per_turn });
            }
        }
        self.walk.take_back(content.turn.len());
    }

    fn replies(&mut self, at: NodeId, node: usize, left: usize) {
        let proof = self.walk.proof;
        let replies = &proof.nodes[node].replies;
        let mut seen: Vec<Vec<Cell>> = Vec::new();
        // Replies that are answered as they are come before parts of macro turns.
        let is_macro = |reply: &&Reply| self.walk.kind(reply) == ReplyKind::Macro;
        let (parts, exact): (Vec<_>, Vec<_>) = replies.iter().partition(is_macro);
        for reply in exact.into_iter().chain(parts) {
            for mut stones in self.walk.real_turns(reply) {
                stones.sort();
                if !seen.contains(&stones) {
                    self.reply(at, &stones, left, reply.child as usize);
                    seen.push(stones);
                }
            }
        }
        if seen.is_empty() {
            self.comment(at, "The proof leaves the replies to the checker.");
        }
    }

    fn reply(&mut self, at: NodeId, stones: &[Cell], left: usize, child: usize) {
        let defender = !self.walk.attacker();
        if self.walk.place(defender, stones).is_none() {
            return self.comment(at, "The proof answers a reply that cannot be played.");
        }
        let per_turn = usize::from(self.walk.rules().per_turn());
        let end = self.turn(at, defender, stones, left, After::Open);
        match left.saturating_sub(stones.len()) {
            0 => {}
            _ if stones.is_empty() => {
                self.comment(end, "Null turn: any other reply is answered like this.");
            }
            _ => self.comment(
                end,
                "Semi-null turn: wherever the rest of the turn is played, unless shown otherwise.",
            ),
        }
        self.attack(end, child, per_turn);
        self.walk.take_back(stones.len());
    }

    /// Adds the stones of a turn, and a pass for those that are missing; the last node.
    fn turn(
        &mut self,
        mut at: NodeId,
        side: Side,
        cells: &[Cell],
        left: usize,
        after: After,
    ) -> NodeId {
        for &cell in cells {
            at = self.record.add(at, Action::Place(Placement { side, cell }));
        }
        // The root of a proof may say that the defender is to move: then nobody passes.
        let whole = cells.len() >= left || (cells.is_empty() && side == self.walk.attacker());
        if !whole && after == After::Open {
            at = self.record.add(at, Action::Pass(side));
        }
        at
    }

    fn comment(&mut self, at: NodeId, text: &str) {
        let comment = &mut self.record.node_mut(at).comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }
}
