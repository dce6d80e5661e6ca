//! Which shapes are worth a look early in a game: those that would nearly win if the defender had no stones.
//!
//! Of the shapes of three stones in Connect6 two win against an empty board, the triangle and the corner (Connect(6,2,3);
//! Wu and Huang, "A New Family of k-in-a-row Games", section 4); all openings solved so far are won by one of them. This is
//! not written down here: every shape is verified once and remembered. It only changes the order in which turns are looked
//! at, and what is expected of them; nothing is left out and nothing decided.

use tengen_prover::{VerifyRequest, verify};
use tengen_rules::{Position, Turn, position_key};

use super::local::Task;

impl Task<'_> {
    /// Whether hardly a reply would survive a turn if the defender had no stones. `true` after the attacker's second turn:
    /// with five stones and more nearly every shape does.
    pub(super) fn stands_alone(&mut self, turn: &Turn) -> bool {
        let attacker = self.position.to_move();
        let rules = self.position.rules();
        if self.position.count(attacker) > u32::from(rules.first_turn()) {
            return true;
        }
        let mut setup = self.position.to_setup();
        setup.stones_of_mut(!attacker).clear();
        setup.stones_of_mut(attacker).extend(turn.cells());
        (setup.to_move, setup.left) = (!attacker, None);
        let Ok(alone) = Position::from_setup(&setup) else {
            return true;
        };
        let shape = position_key(&alone).0;
        if let Some(known) = self.worker.memory.stands_alone(&shape) {
            return known;
        }
        let effort = &self.worker.effort;
        let request = VerifyRequest {
            stages: &effort.quick,
            patience: Some(effort.patience),
            limits: self.limits(u64::MAX),
            stop: Some(self.stop),
            ..VerifyRequest::new(2)
        };
        let Ok(checked) = verify(&alone, &request) else {
            return true;
        };
        self.result.nodes += checked.nodes;
        let stands = checked.finished && !checked.survivors.iter().any(Vec::is_empty);
        if !self.is_over() {
            self.worker.memory.keep_alone(shape, stands);
        }
        stands
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use tengen_rules::{Rules, notation};

    use super::*;
    use crate::JobResult;
    use crate::jobs::LocalWorker;
    use crate::jobs::memory::Name;

    #[test]
    fn of_three_stones_the_triangle_and_the_corner_stand_alone() {
        let worker = LocalWorker::new();
        let stop = AtomicBool::new(false);
        let at = |stones: &str| notation::parse_position(stones, Rules::CONNECT6).expect("legal");
        let (second, third) = (at("J10 I8 H9"), at("J10 I8 H9 A1 A2 S1 S2"));
        let stands = |position: &Position, turn: &str| {
            let mut task = Task {
                worker: &worker,
                position,
                name: Name::of(position),
                tips: Vec::new(),
                stop: &stop,
                deadline: None,
                most_nodes: u64::MAX,
                result: JobResult::default(),
            };
            let turn = turn.parse().expect("a turn");
            (task.stands_alone(&turn), task.result.nodes > 0)
        };
        assert_eq!(stands(&second, "K11 L10"), (true, true), "a triangle");
        assert_eq!(stands(&second, "J11 K10"), (true, true), "a corner");
        assert_eq!(stands(&second, "K11 L12"), (false, true), "a line");
        assert_eq!(stands(&second, "G7 M13"), (false, true), "far apart");
        // Known, turned or not.
        assert_eq!(stands(&second, "K9 L10"), (true, false), "a triangle");
        assert_eq!(stands(&second, "I9 H8"), (false, false), "a line");
        // Later this tells nothing.
        assert_eq!(stands(&third, "K11 L12"), (true, false));
    }
}
