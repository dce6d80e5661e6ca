//! What a tree has proved, as records.

use tengen_rules::Side;

use super::super::record::{Record, turned};
use super::super::strategy::{Strategy, copy_below};
use super::super::symmetry::stones_of;
use super::{Node, Quiet, State, Tree, Way};

impl Tree {
    /// Positions with so many stones at most that this tree has found won.
    pub(crate) fn won(&self, stones: usize) -> Vec<usize> {
        let found = |node: &Node| {
            node.position.len() <= stones
                && matches!(node.state, State::Won(_))
                && !self.records.contains(&node.position)
        };
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| found(node))
            .map(|(number, _)| number)
            .collect()
    }

    /// Records of a won position and of all that its proof needs, those first that others need.
    pub(crate) fn records_of(&self, node: usize) -> Vec<Record> {
        let mut records = Vec::new();
        let mut seen = std::collections::HashSet::new();
        self.collect(node, &mut seen, &mut records);
        records
    }

    /// The record of a quiet turn to which every reply is answered.
    pub(crate) fn records_of_quiet(&self, at: Quiet) -> Vec<Record> {
        let mut records = Vec::new();
        let mut seen = std::collections::HashSet::new();
        self.collect_turn(at.node, at.turn, &mut seen, &mut records);
        records
    }

    fn collect(
        &self,
        number: usize,
        seen: &mut std::collections::HashSet<usize>,
        records: &mut Vec<Record>,
    ) {
        let node = &self.nodes[number];
        if !seen.insert(number) || self.records.contains(&node.position) {
            return;
        }
        match &node.state {
            State::Threats(strategy) => records.extend(self.record_of_threats(node, strategy)),
            State::Won(won) => self.collect_turn(number, *won, seen, records),
            State::Fresh | State::Open | State::Hopeless => {}
        }
    }

    fn collect_turn(
        &self,
        number: usize,
        won: usize,
        seen: &mut std::collections::HashSet<usize>,
        records: &mut Vec<Record>,
    ) {
        let node = &self.nodes[number];
        let turn = &node.turns[won];
        let mut strategies: Vec<Strategy> =
            turn.strategies.iter().map(|one| (**one).clone()).collect();
        for &(reply, kid) in &turn.kids {
            match &self.nodes[kid].state {
                State::Threats(strategy) => {
                    let way = Way {
                        node: number,
                        turn: won,
                        reply,
                    };
                    let back = self.symmetry_of(way).inverse(self.size);
                    strategies.push(turned(self.size, back, strategy));
                }
                _ => self.collect(kid, seen, records),
            }
        }
        strategies.retain(|strategy| !strategy.is_empty());
        records.push(Record {
            position: node.position.clone(),
            stone: turn.stone,
            strategies,
        });
    }

    /// A position that is won by threats, as a record: the first stone of the strategy, and what follows it.
    fn record_of_threats(&self, node: &Node, strategy: &Strategy) -> Option<Record> {
        let first = strategy.first()?;
        let mut board = self.empty.clone();
        for (side, cell) in stones_of(self.size, &node.position) {
            board.place(side, cell);
        }
        board.place(Side::Black, first.stone);
        let mut strategies = Vec::new();
        for &(_, answer) in &first.replies {
            let mut below = Strategy::new();
            copy_below(strategy, usize::from(answer), &mut below);
            strategies.push(below);
        }
        // A four that the strategy does not name: Black completes it, and the threat stands.
        for four in board.fours(Side::White).iter() {
            board.place(Side::White, four);
            if let Some(stone) = board.fives(Side::White).first() {
                let mut answered = Strategy::new();
                copy_below(strategy, 0, &mut answered);
                answered[0].stone = stone;
                strategies.push(answered);
            }
            board.undo();
        }
        Some(Record {
            position: node.position.clone(),
            stone: first.stone,
            strategies,
        })
    }
}
