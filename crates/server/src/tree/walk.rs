//! Plays the turns of a tree, one node after the other, with one position for all of them.

use tengen_rules::{Cell, PlaceError, Position, Setup};

use tengen_rules::{PositionKey, position_key};

/// Stands on a node of a tree and knows the position there.
#[derive(Debug)]
pub(crate) struct Walker {
    position: Option<Position>,
    /// The root and all nodes down to where it stands.
    path: Vec<Level>,
    /// Placements and passes that can be taken back.
    steps: usize,
}

#[derive(Debug)]
struct Level {
    node: u32,
    steps: usize,
    state: State,
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum State {
    /// A turn has ended, or none has begun.
    Whole,
    /// Stones of the turn are left.
    Short,
    /// It cannot be played.
    Broken,
}

impl Walker {
    /// Stands on the root, node 0.
    pub(crate) fn new(start: &Setup) -> Self {
        let position = Position::from_setup(start).ok();
        let state = match position {
            Some(_) => State::Whole,
            None => State::Broken,
        };
        let root = Level {
            node: 0,
            steps: 0,
            state,
        };
        Self {
            position,
            path: vec![root],
            steps: 0,
        }
    }

    /// The key of the start, if it can be played.
    pub(crate) fn root_key(&self) -> Option<PositionKey> {
        let setup = self.position.as_ref().filter(|_| self.path.len() == 1)?;
        Some(position_key(setup).0)
    }

    /// Goes back to a node on the way to here; `false` if it is not on the way.
    pub(crate) fn back_to(&mut self, node: u32) -> bool {
        let Some(depth) = self.path.iter().rposition(|level| level.node == node) else {
            return false;
        };
        self.path.truncate(depth + 1);
        self.undo_to(self.path[depth].steps);
        true
    }

    /// Plays a child of the node it stands on, and stands there. Says why it cannot be played; its children can
    /// then not be played either.
    pub(crate) fn play(&mut self, node: u32, turn: &[Cell]) -> Result<PositionKey, String> {
        let before = self.path.last().map_or(State::Broken, |level| level.state);
        let played = match before {
            State::Broken => Err("the position before it cannot be played".to_owned()),
            State::Short if !turn.is_empty() => {
                Err("the turn before it is not finished: add its stones there, or pass".to_owned())
            }
            State::Short | State::Whole => self.turn(turn),
        };
        let state = match &played {
            Ok(state) => *state,
            Err(_) => State::Broken,
        };
        self.path.push(Level {
            node,
            steps: self.steps,
            state,
        });
        played?;
        let position = self.position.as_ref().expect("what is played has a start");
        Ok(position_key(position).0)
    }

    fn turn(&mut self, turn: &[Cell]) -> Result<State, String> {
        let begin = self.steps;
        let position = self.position.as_mut().expect("not broken");
        if position.outcome().is_some() {
            return Err("the game is over before it".to_owned());
        }
        if turn.len() > usize::from(position.left()) {
            let (has, left) = (turn.len(), position.left());
            return Err(format!("it has {has} stones, at most {left} can be placed"));
        }
        let side = position.to_move();
        if turn.is_empty() {
            position.pass();
            self.steps += 1;
            return Ok(State::Whole);
        }
        for &cell in turn {
            match position.place(cell) {
                Ok(()) => self.steps += 1,
                // A turn is a set: a stone may stand beside those that win.
                Err(PlaceError::GameOver { .. })
                    if position.rules().contains(cell) && position.stone(cell).is_none() => {}
                Err(error) => {
                    self.undo_to(begin);
                    return Err(error.to_string());
                }
            }
        }
        let short = position.outcome().is_none() && position.to_move() == side;
        Ok(if short { State::Short } else { State::Whole })
    }

    fn undo_to(&mut self, steps: usize) {
        while self.steps > steps {
            self.position.as_mut().map(Position::undo);
            self.steps -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::{Rules, notation};

    fn cells(text: &str) -> Vec<Cell> {
        let read = |word: &str| word.parse().expect("a cell");
        text.split_whitespace().map(read).collect()
    }

    fn key(moves: &str) -> PositionKey {
        let position = notation::parse_position(moves, Rules::CONNECT6).expect("legal");
        position_key(&position).0
    }

    #[test]
    fn it_goes_forth_and_back() {
        let mut walker = Walker::new(&Setup::empty(Rules::CONNECT6));
        assert_eq!(walker.root_key(), Some(key("")));
        assert_eq!(walker.play(1, &cells("J10")), Ok(key("J10")));
        assert_eq!(walker.play(2, &cells("I8 H9")), Ok(key("J10 I8 H9")));
        assert!(walker.back_to(1));
        assert_eq!(
            walker.play(3, &cells("A1")),
            Ok(key("J10 A1")),
            "half a turn"
        );
        assert!(!walker.back_to(2));
        let error = walker
            .play(4, &cells("B1 B2"))
            .expect_err("the turn is open");
        assert!(error.contains("not finished"), "{error}");
        assert!(walker.back_to(3));
        walker.play(5, &[]).expect("a pass ends the turn");
        walker.play(6, &cells("B1 B2")).expect("Black again");
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        let mut walker = Walker::new(&Setup::empty(Rules::CONNECT6));
        for (turn, reason) in [("J10 J11", "at most 1"), ("A20", "off the board")] {
            let error = walker.play(1, &cells(turn)).expect_err("refused");
            assert!(error.contains(reason), "{error}");
            let below = walker.play(2, &cells("A1 A2")).expect_err("refused too");
            assert!(below.contains("before it"), "{below}");
            assert!(walker.back_to(0));
        }
        walker.play(1, &cells("J10")).expect("legal");
        let error = walker.play(2, &cells("A1 J10")).expect_err("occupied");
        assert!(error.contains("J10 is already occupied"), "{error}");
        assert!(walker.back_to(1));
        assert_eq!(walker.play(3, &cells("I8 H9")), Ok(key("J10 I8 H9")));
    }

    #[test]
    fn a_stone_may_stand_beside_the_winning_one() {
        let rules: Rules = "6,6,3,2,1".parse().expect("rules");
        let mut walker = Walker::new(&Setup::empty(rules));
        for (id, turn) in [(1, "A1"), (2, "F6 F3"), (3, "B1 C1")] {
            walker.play(id, &cells(turn)).expect("legal");
        }
        let error = walker.play(4, &cells("F5 F4")).expect_err("over");
        assert!(error.contains("over"), "{error}");
        assert!(walker.back_to(1));
        walker.play(5, &cells("F6 F3")).expect("legal");
        walker.play(6, &cells("A2 B1")).expect("legal");
        walker
            .play(7, &cells("F5 F4"))
            .expect("White wins with both");
    }
}
