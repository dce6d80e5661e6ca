//! A game between a person and an engine: what has been played, what was taken back, who is who.
//!
//! It neither prints nor thinks.

use tengen_rules::{Action, Cell, Outcome, PlaceError, Placement, Position, Record, Side, Turn};

use crate::turn_input;

/// The game.
#[derive(Debug)]
pub(crate) struct Session {
    position: Position,
    person: Side,
    resigned: bool,
    /// What was taken back, last first: stones in the order of play, passes as `None`.
    undone: Vec<Vec<Option<Cell>>>,
}

/// Who has won, or that nobody has.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    Won(Side),
    Drawn,
}

impl Session {
    pub(crate) const fn new(position: Position, person: Side) -> Self {
        Self {
            position,
            person,
            resigned: false,
            undone: Vec::new(),
        }
    }

    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) const fn person(&self) -> Side {
        self.person
    }

    pub(crate) const fn has_resigned(&self) -> bool {
        self.resigned
    }

    /// How the game has ended, if it has.
    pub(crate) fn result(&self) -> Option<Ending> {
        match self.position.outcome() {
            Some(Outcome::Win { side, .. }) => Some(Ending::Won(*side)),
            Some(Outcome::Draw) => Some(Ending::Drawn),
            None => self.resigned.then_some(Ending::Won(!self.person)),
        }
    }

    /// Whether the engine is to play.
    pub(crate) fn is_engines_turn(&self) -> bool {
        self.result().is_none() && self.position.to_move() != self.person
    }

    /// The person's stones: a whole turn, or some stones of one. On failure nothing is placed.
    pub(crate) fn place(&mut self, text: &str) -> Result<(), String> {
        if self.result().is_some() {
            return Err("the game is over: `undo` takes back, `new` begins another".to_owned());
        }
        let cells = turn_input::stones_of(&self.position, text)?;
        if cells.len() == usize::from(self.position.left()) {
            // As a set: when some of the stones complete a line, the others do no harm.
            let turn = cells.into_iter().collect();
            return self.play(&turn).map_err(|error| error.to_string());
        }
        let mut position = self.position.clone();
        for cell in cells {
            // On an infinite board two stones may each be near enough, but not both.
            position.place(cell).map_err(|error| error.to_string())?;
            if position.outcome().is_some() {
                break;
            }
        }
        self.position = position;
        self.undone.clear();
        Ok(())
    }

    /// A whole turn, or the rest of one.
    pub(crate) fn play(&mut self, turn: &Turn) -> Result<(), PlaceError> {
        self.position.play(turn)?;
        self.undone.clear();
        Ok(())
    }

    /// Takes back the resignation, or the last stone of an unfinished turn, or the engine's last turn
    /// and the person's before it. Then the person is to play.
    pub(crate) fn undo(&mut self) -> Result<(), String> {
        if self.resigned {
            self.resigned = false;
            return Ok(());
        }
        let last = |position: &Position| position.history().next_back().map(|(side, _)| side);
        let unfinished = self.position.outcome().is_none()
            && self.position.to_move() == self.person
            && last(&self.position) == Some(self.person);
        let mut position = self.position.clone();
        let mut taken = Vec::new();
        let mut take = |position: &mut Position| {
            taken.extend(position.history().next_back().map(|(_, cell)| cell));
            position.undo();
        };
        while last(&position) == Some(!self.person) {
            take(&mut position);
        }
        if last(&position).is_none() {
            return Err("there is no turn of yours to take back".to_owned());
        }
        while last(&position) == Some(self.person) {
            take(&mut position);
            if unfinished {
                break;
            }
        }
        taken.reverse();
        self.undone.push(taken);
        self.position = position;
        Ok(())
    }

    /// Plays again what was taken back last.
    pub(crate) fn redo(&mut self) -> Result<(), String> {
        let taken = self.undone.pop();
        let taken = taken.ok_or_else(|| "nothing was taken back".to_owned())?;
        for cell in taken {
            match cell {
                Some(cell) => self.position.place(cell).map_err(|e| e.to_string())?,
                None => self.position.pass(),
            }
        }
        Ok(())
    }

    pub(crate) fn resign(&mut self) -> Result<(), String> {
        if self.result().is_some() {
            return Err("the game is over already".to_owned());
        }
        self.resigned = true;
        Ok(())
    }

    /// The person takes the other side.
    pub(crate) fn swap(&mut self) -> Result<(), String> {
        if self.result().is_some() {
            return Err("the game is over: `new` begins another".to_owned());
        }
        self.person = !self.person;
        self.undone.clear();
        Ok(())
    }

    /// The game as a record, with the engine's name.
    pub(crate) fn record(&self, engine: &str) -> Record {
        let mut start = self.position.clone();
        while start.undo() {}
        let mut record = Record::new(start.to_setup());
        let mut at = Record::ROOT;
        for (side, cell) in self.position.history() {
            let action = match cell {
                Some(cell) => Action::Place(Placement { side, cell }),
                None => Action::Pass(side),
            };
            at = record.add(at, action);
        }
        let name = |side| {
            if side == self.person {
                "player"
            } else {
                engine
            }
            .to_owned()
        };
        (record.info.black, record.info.white) = (name(Side::Black), name(Side::White));
        let resigned = if self.resigned { "R" } else { "" };
        record.info.result = match self.result() {
            Some(Ending::Won(side)) => format!("{}+{resigned}", side.letter()),
            Some(Ending::Drawn) => "0".to_owned(),
            None => String::new(),
        };
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::Setup;

    fn session(rules: &str) -> Session {
        let rules = rules.parse().expect("rules");
        let position = Position::from_setup(&Setup::empty(rules)).expect("the empty board");
        Session::new(position, Side::Black)
    }

    fn engine(session: &mut Session, turn: &str) {
        assert!(session.is_engines_turn());
        session.play(&turn.parse().expect("a turn")).expect("legal");
    }

    fn moves(session: &Session) -> String {
        let cells: Vec<Cell> = session
            .position
            .history()
            .filter_map(|(_, cell)| cell)
            .collect();
        crate::view::cells_in_words(&cells)
    }

    #[test]
    fn undo_returns_to_the_person() {
        let mut game = session("connect6");
        assert!(game.undo().is_err());
        game.place("J10").expect("legal");
        engine(&mut game, "H9 I8");
        game.place("K11").expect("legal");
        assert_eq!(game.position.left(), 1);
        game.undo().expect("one stone");
        assert_eq!(moves(&game), "J10 H9 I8");
        game.undo().expect("two turns");
        assert_eq!(moves(&game), "");
        assert!(game.undo().is_err());
        game.redo().expect("two turns");
        game.redo().expect("one stone");
        assert_eq!(moves(&game), "J10 H9 I8 K11");
        assert!(game.redo().is_err());
        game.undo().expect("one stone");
        game.place("L9 L10").expect("legal");
        assert!(game.redo().is_err(), "something else was played");
        assert!(game.is_engines_turn());
    }

    #[test]
    fn nothing_of_a_bad_turn_is_placed() {
        let mut game = session("5,5,4,2,2");
        for bad in ["A1 F1", "A1 A1", "A1 A2 A3", "A", ""] {
            assert!(game.place(bad).is_err(), "{bad}");
            assert_eq!(moves(&game), "", "{bad}");
        }
    }

    #[test]
    fn a_finished_game_can_be_taken_back() {
        let mut game = session("tic-tac-toe");
        for (own, other) in [("A1", "B1"), ("A2", "B2")] {
            game.place(own).expect("legal");
            engine(&mut game, other);
        }
        game.place("A3").expect("legal");
        assert_eq!(game.result(), Some(Ending::Won(Side::Black)));
        assert!(game.place("C3").is_err() && game.resign().is_err() && game.swap().is_err());
        assert_eq!(game.record("hal").info.result, "B+");
        game.undo().expect("the winning turn only");
        assert_eq!(moves(&game), "A1 B1 A2 B2");
        game.resign().expect("the game goes on");
        assert_eq!(game.result(), Some(Ending::Won(Side::White)));
        let info = game.record("hal").info;
        assert_eq!(
            (&*info.result, &*info.black, &*info.white),
            ("W+R", "player", "hal")
        );
        game.undo().expect("the resignation");
        assert_eq!((game.result(), moves(&game).len()), (None, 11));
    }

    #[test]
    fn a_turn_may_win_with_a_stone_to_spare() {
        let mut game = session("5,5,4,2,2");
        game.place("A1 A2").expect("legal");
        engine(&mut game, "C1 C2");
        game.place("A3 A4").expect("legal");
        assert_eq!(game.result(), Some(Ending::Won(Side::Black)));
        let mut game = session("5,5,3,2,2");
        game.place("A1 A2").expect("legal");
        engine(&mut game, "C1 C2");
        game.place("A3 E5").expect("legal");
        assert_eq!(game.result(), Some(Ending::Won(Side::Black)));
        game.undo().expect("the winning turn");
        game.swap().expect("the game goes on");
        assert!(game.is_engines_turn());
    }
}
