//! Puzzles of order 2: wins that need turns with a single threat. The stages are those of `mine.rs`, the searches
//! others, and each takes a hundred times as long; so only what a quick look of the prover finds is taken up.

use tengen_prover::{Effort as Looking, Proof};
use tengen_rules::{Cell, notation};

use crate::attack::{Answer, Stones};
use crate::ladder::{Ladder, RUNGS};
use crate::mine::{FirstTurn, Miner, TRIES, verified};
use crate::minimal::{Effort, Goal, Minimal, minimise};
use crate::puzzle::{Puzzle, Try};
use crate::second::Second;
use crate::solution::{names, second_proof, second_solution};
use crate::stage::{Counts, Stage};
use crate::stand::Stand;

/// Nodes of the searches of order 1 inside.
const EFFORT: Effort = Effort {
    win: 100_000,
    fewer: 500_000,
    unique: 1_000_000,
    choice: 0,
};

/// Nodes for the prover's look.
const LOOK: u64 = 6_000;

/// Strong-looking first turns that are refuted to say why they fail.
const WRONG: usize = 10;

/// A limited solver of order 2 has so many times the nodes of one of order 1.
const MORE_NODES: u64 = 100;

impl Miner {
    /// Looks for a puzzle in which the attacker, with a whole turn to play, wins by order 2 and not by order 1.
    pub(crate) fn second(
        &mut self,
        stand: &Stand,
        source: &str,
        counts: &mut Counts,
    ) -> Option<(Puzzle, Proof)> {
        counts.add(Stage::Position);
        let (turn, turns) = self.screen_second(stand)?;
        counts.add(Stage::Second);
        let goal = Goal {
            turn: &turn,
            turns,
            order: 2,
            effort: EFFORT,
        };
        let minimal = minimise(&mut self.workshop, stand, goal);
        let minimal = minimal.map_err(|failure| counts.add(failure.into())).ok()?;
        counts.add(Stage::SecondUnique);
        if minimal.stand.own.len() + minimal.stand.other.len() > self.options.stones {
            return None;
        }
        let attack = self.workshop.attack(&minimal.stand, EFFORT.unique);
        let mut second = Second::new(attack);
        let nodes = second_solution(&mut second, &minimal.turn, minimal.turns).ok()?;
        let cells: Vec<Cell> = minimal
            .turn
            .iter()
            .map(|&cell| self.workshop.cell(cell))
            .collect();
        let proof = second_proof(&minimal.stand, &cells)?;
        let text = notation::setup_text(&minimal.stand.to_setup());
        if !verified(&proof, minimal.stand.rules, &text, minimal.stand.attacker) {
            return None;
        }
        counts.add(Stage::SecondVerified);
        if let Err(doubt) = self.recheck(&minimal, 2, &[]) {
            if matches!(doubt, crate::recheck::Doubt::Undecided(_)) {
                counts.add(Stage::Undecided);
            }
            return None;
        }
        counts.add(Stage::SecondRechecked);
        let (first, ladder) = self.first_second(&minimal);
        let features = self.features(&minimal, &first, &nodes, ladder, 2);
        let puzzle = self.puzzle(&minimal, first, &nodes, features, 2, source);
        Some((puzzle, proof))
    }

    /// A turn that wins by order 2, and in how many turns, if order 1 does not.
    fn screen_second(&mut self, stand: &Stand) -> Option<(Stones, u8)> {
        let mut attack = self.workshop.attack(stand, self.options.screen);
        if attack.board.has_threat(stand.attacker)
            || attack.shortest(self.options.longest) != Ok(None)
        {
            return None;
        }
        let board = attack.board.clone();
        let whole = (stand.attacker, stand.rules.per_turn());
        let look = self
            .tactics
            .look(&board, whole, Looking::Order(2), LOOK, false);
        let turn: Stones = look.win?.turn.into_iter().collect();
        let mut second = Second::new(self.workshop.attack(stand, EFFORT.win));
        for turns in self.options.shortest..=self.options.longest {
            match second.turn_wins_within(&turn, turns) {
                Answer::Yes => return Some((turn, turns)),
                Answer::No => {}
                Answer::Unknown => return None,
            }
        }
        None
    }

    /// What there is to choose from, why it fails, and which limited solvers come to the solution.
    fn first_second(&mut self, minimal: &Minimal) -> (FirstTurn, Ladder) {
        let mut second = Second::new(self.workshop.attack(&minimal.stand, EFFORT.unique));
        let turns = second.thinkable();
        let solves = |turn: &Stones| minimal.turn.iter().all(|cell| turn.contains(cell));
        let rank = turns.iter().position(solves).unwrap_or(turns.len());
        let mut first = FirstTurn {
            candidates: turns.len() as u32,
            stronger: rank as u32,
            ..FirstTurn::default()
        };
        let mut ladder = Ladder::default();
        // A limited solver tries the strongest-looking turns one after the other.
        let widest = RUNGS.iter().map(|rung| rung.0).max().unwrap_or(0);
        if rank < widest.min(turns.len()) {
            for turn in &turns[..=rank] {
                second.turn_wins_within(turn, minimal.turns);
            }
            ladder.nodes = second.attack.nodes;
            for (number, (width, nodes)) in RUNGS.into_iter().enumerate() {
                let solved = rank < width && ladder.nodes <= nodes * MORE_NODES;
                ladder.solved |= u32::from(solved) << number;
            }
        }
        second.allow(EFFORT.unique);
        let board = second.attack.board.clone();
        let named = |stones: &Stones| {
            let cells: Vec<Cell> = stones.iter().map(|&cell| board.cell(cell)).collect();
            names(&cells)
        };
        for turn in turns.iter().filter(|turn| !solves(turn)).take(WRONG) {
            let Some(reply) = second.refutation(turn) else {
                break;
            };
            let tempts = second.blocks_alone_lose(turn);
            first.tempting += u32::from(tempts);
            if first.tries.len() < TRIES {
                first.tries.push(Try {
                    turn: named(turn),
                    reply: named(&reply),
                    defences: 1,
                });
            }
        }
        first.nodes = second.attack.nodes;
        (first, ladder)
    }
}
