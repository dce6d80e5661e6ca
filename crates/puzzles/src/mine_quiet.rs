//! Quiet puzzles (order 3): one turn that threatens nothing, or little, after which the defender is lost to double
//! threats whatever he does. The stages are those of `mine.rs`, but all turns that win are looked for at once.

use tengen_prover::Proof;
use tengen_rules::{Cell, notation};

use crate::attack::{Answer, FreeStones, Stones};
use crate::ladder::{Ladder, RUNGS};
use crate::mine::{FirstTurn, Miner, TRIES, verified};
use crate::minimal::{Effort, Goal, Minimal, minimise};
use crate::puzzle::{Puzzle, Try};
use crate::quiet::{FEWEST_TURNS, Quiet};
use crate::recheck::Doubt;
use crate::solution::{cells_of, names, quiet_solution};
use crate::stage::{Counts, Stage};
use crate::stand::Stand;

/// Nodes of the searches of order 1 inside.
const EFFORT: Effort = Effort {
    win: 200_000,
    fewer: 400_000,
    unique: 1_000_000,
    choice: 0,
};

/// Nodes to find all turns that win, in a position as it comes: most are too complicated for that.
const SCREEN: u64 = 300_000;

/// Strong-looking first turns that are refuted to say why they fail.
const WRONG: usize = 10;

/// A limited solver of quiet puzzles has so many times the nodes of one of order 1.
const MORE_NODES: u64 = 100;

impl Miner {
    /// Looks for a puzzle in which the attacker, with a whole turn to play, wins by order 3 and not by order 1.
    pub(crate) fn quiet(
        &mut self,
        stand: &Stand,
        source: &str,
        counts: &mut Counts,
    ) -> Option<(Puzzle, Proof)> {
        counts.add(Stage::Position);
        let (turn, turns) = self.screen_quiet(stand)?;
        counts.add(Stage::Quiet);
        let goal = Goal {
            turn: &turn,
            turns,
            order: 3,
            effort: EFFORT,
        };
        let minimal = minimise(&mut self.workshop, stand, goal);
        let mut minimal = minimal.map_err(|failure| counts.add(failure.into())).ok()?;
        counts.add(Stage::QuietUnique);
        if minimal.stand.own.len() + minimal.stand.other.len() > self.options.stones {
            return None;
        }
        let mut attack = self.workshop.attack(&minimal.stand, EFFORT.unique);
        // With free stones anywhere some wins are faster.
        attack.free = FreeStones::All;
        let mut quiet = Quiet::new(attack);
        while minimal.turns > self.options.shortest {
            match quiet.turn_wins_within(&minimal.turn, minimal.turns - 1) {
                Answer::Yes => minimal.turns -= 1,
                Answer::No => break,
                Answer::Unknown => return None,
            }
        }
        let nodes = quiet_solution(&mut quiet, &minimal.turn, minimal.turns).ok()?;
        let proof = quiet.proof(&minimal.turn)?;
        let mut quiet = Quiet::new(self.workshop.attack(&minimal.stand, EFFORT.unique));
        if !quiet.others(&minimal.turn, 1).ok()?.is_empty() {
            return None;
        }
        let board = quiet.attack.board.clone();
        let refutations: Vec<Vec<Cell>> = quiet
            .refutations()
            .iter()
            .map(|reply| cells_of(&board, reply))
            .collect();
        let text = notation::setup_text(&minimal.stand.to_setup());
        if !verified(&proof, minimal.stand.rules, &text, minimal.stand.attacker) {
            return None;
        }
        counts.add(Stage::QuietVerified);
        if let Err(doubt) = self.recheck(&minimal, 3, &refutations) {
            if matches!(doubt, Doubt::Undecided(_)) {
                counts.add(Stage::Undecided);
            }
            return None;
        }
        counts.add(Stage::QuietRechecked);
        let (first, ladder) = self.first_quiet(&minimal);
        let features = self.features(&minimal, &first, &nodes, ladder, 3);
        let mut puzzle = self.puzzle(&minimal, first, &nodes, features, 3, source);
        puzzle.refutations = refutations.iter().map(|reply| names(reply)).collect();
        Some((puzzle, proof))
    }

    /// A turn that wins quietly, and in how many turns, if order 1 does not.
    fn screen_quiet(&mut self, stand: &Stand) -> Option<(Stones, u8)> {
        let mut attack = self.workshop.attack(stand, self.options.screen);
        if attack.board.has_threat(stand.attacker)
            || attack.shortest(self.options.longest) != Ok(None)
        {
            return None;
        }
        attack.allow(SCREEN);
        let mut quiet = Quiet::new(attack);
        if quiet.thinkable().len() < FEWEST_TURNS {
            return None;
        }
        let found = quiet.others(&[], 2).ok()?;
        let turn = match &found[..] {
            [] => return None,
            [only] => only.clone(),
            // Perhaps one stone is enough, wherever the other goes.
            [first, second, ..] => {
                let mut shared = first.iter().filter(|cell| second.contains(cell));
                let one = shared.next().map(|&cell| Stones::from_slice(&[cell]));
                one.filter(|one| quiet.wins(one))
                    .unwrap_or_else(|| first.clone())
            }
        };
        let mut quiet = Quiet::new(self.workshop.attack(stand, EFFORT.win));
        let turns = quiet.shortest_of_turn(&turn, self.options.longest).ok()??;
        Some((turn, turns))
    }

    /// What there is to choose from, why it fails, and which limited solvers come to the solution.
    fn first_quiet(&mut self, minimal: &Minimal) -> (FirstTurn, Ladder) {
        let mut quiet = Quiet::new(self.workshop.attack(&minimal.stand, EFFORT.unique));
        let turns = quiet.thinkable();
        let solves = |turn: &Stones| minimal.turn.iter().all(|cell| turn.contains(cell));
        let rank = turns.iter().position(solves).unwrap_or(turns.len());
        let mut first = FirstTurn {
            candidates: turns.len() as u32,
            stronger: rank as u32,
            ..FirstTurn::default()
        };
        let board = quiet.attack.board.clone();
        for turn in turns.iter().filter(|turn| !solves(turn)).take(WRONG) {
            // Who threatens to win if nothing is done about it tempts.
            let tempts = quiet
                .turns_after(turn, &[])
                .is_ok_and(|turns| turns.is_some());
            let Some(reply) = quiet.refutation(turn) else {
                break;
            };
            first.tempting += u32::from(tempts);
            if first.tries.len() < TRIES {
                first.tries.push(Try {
                    turn: names(&cells_of(&board, turn)),
                    reply: names(&cells_of(&board, &quiet.whole_after(turn, &reply))),
                    defences: 1,
                });
            }
        }
        first.nodes = quiet.attack.nodes;
        let mut ladder = Ladder::default();
        // A limited solver tries the strongest-looking turns one after the other.
        let widest = RUNGS.iter().map(|rung| rung.0).max().unwrap_or(0);
        if rank < widest.min(turns.len()) {
            let mut quiet = Quiet::new(self.workshop.attack(&minimal.stand, EFFORT.unique));
            for turn in &turns[..=rank] {
                let _ = quiet.turn_wins_within(turn, minimal.turns);
            }
            ladder.nodes = quiet.attack.nodes;
            for (number, (width, nodes)) in RUNGS.into_iter().enumerate() {
                let solved = rank < width && ladder.nodes <= nodes * MORE_NODES;
                ladder.solved |= u32::from(solved) << number;
            }
        }
        (first, ladder)
    }
}
