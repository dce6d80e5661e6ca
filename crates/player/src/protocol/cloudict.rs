//! The protocol of Cloudict, a Connect6 engine of 2008, and of the many student engines that copied it.
//!
//! `black` and `white` place stones freely, so the state is a set-up, not a game. The engine has a side of its
//! own: that of `new`, then that of the stones placed last.

use tengen_rules::{Cell, Position, Rules, Setup, Side, Turn};

use super::letters;
use super::{Action, Protocol, Question, Settings, Urgency, command, quoted};
use crate::{Answer, Limits, ThinkError};

const HELP: [&str; 12] = [
    "name        the engine's name",
    "new black   a new game; the engine plays JJ",
    "new white   a new game; the engine plays second",
    "black XXYY  place black stones",
    "white XXYY  place white stones",
    "next        the side that did not place the last stones moves",
    "move XXYY   the opponent moves, the engine answers",
    "depth D     search D turns deep",
    "vcf, unvcf  accepted; threats are always searched",
    "print       the board",
    "help        this list",
    "quit        leave",
];

/// The deepest search that can be asked for, far beyond what can be reached.
const DEEPEST: u32 = 99;

/// A board and a side.
pub(super) struct Cloudict {
    settings: Settings,
    board: Board,
    depth: Option<u32>,
    asked: Option<(Board, Position)>,
}

#[derive(Clone)]
struct Board {
    stones: Setup,
    /// Whose stones were placed last, or whom the engine plays.
    own: Side,
}

impl Board {
    const fn new(own: Side) -> Self {
        Self {
            stones: Setup::empty(Rules::CONNECT6),
            own,
        }
    }

    fn stone(&self, cell: Cell) -> Option<Side> {
        let stands = |side: &Side| self.stones.stones_of(*side).contains(&cell);
        Side::BOTH.into_iter().find(stands)
    }

    fn place(&mut self, side: Side, turn: &Turn) -> Result<(), String> {
        for cell in turn {
            if let Some(other) = self.stone(cell) {
                return Err(format!(
                    "{} is already occupied by {other}",
                    letters::letters(cell)
                ));
            }
        }
        self.stones.stones_of_mut(side).extend(turn);
        self.own = side;
        Ok(())
    }

    /// The position with this side to move.
    fn position(&self, to_move: Side) -> Result<Position, String> {
        let setup = Setup {
            to_move,
            ..self.stones.clone()
        };
        Position::from_setup(&setup).map_err(|error| format!("the game is over: {error}"))
    }
}

impl Cloudict {
    pub(super) const fn new(settings: Settings) -> Self {
        Self {
            settings,
            board: Board::new(Side::White),
            depth: None,
            asked: None,
        }
    }

    /// Quirk: everything but `black` means white, as in Cloudict, whose board sends `new xxx`.
    fn new_game(&mut self, colour: &str) -> Result<Vec<Action>, String> {
        let mut actions = vec![Action::NewGame];
        self.board = Board::new(Side::White);
        if colour == "black" {
            self.board.place(Side::Black, &letters::turn("JJ")?)?;
            actions.push(Action::Say("move JJ".to_owned()));
        }
        Ok(actions)
    }

    fn place(&mut self, side: Side, text: &str) -> Result<Vec<Action>, String> {
        self.board.place(side, &letters::turn(text)?)?;
        Ok(Vec::new())
    }

    fn next(&mut self) -> Result<Vec<Action>, String> {
        let side = !self.board.own;
        self.think(self.board.clone(), side)
    }

    fn their_move(&mut self, text: &str) -> Result<Vec<Action>, String> {
        let own = self.board.own;
        let turn = letters::turn(text)?;
        let mut position = self.board.position(!own)?;
        letters::play(&mut position, &turn)?;
        let mut board = self.board.clone();
        board.place(!own, &turn)?;
        board.own = own;
        if let Some(ending) = letters::ending(&position) {
            self.board = board;
            return Ok(vec![Action::Say(format!("over {ending}"))]);
        }
        self.think(board, own)
    }

    fn think(&mut self, board: Board, side: Side) -> Result<Vec<Action>, String> {
        let position = board.position(side)?;
        let told = Limits {
            depth: self.depth,
            ..Limits::default()
        };
        let question = Question::new(position.clone(), self.settings.within(&told));
        self.asked = Some((board, position));
        Ok(vec![Action::Think(Box::new(question))])
    }

    fn set_depth(&mut self, text: &str) -> Result<Vec<Action>, String> {
        match text.parse() {
            Ok(depth) if (1..=DEEPEST).contains(&depth) => {
                self.depth = Some(depth);
                let said = format!("Set the search depth to {depth}.");
                Ok(vec![Action::Say(said)])
            }
            _ => Err(format!(
                "{} is no depth, expected 1 to {DEEPEST}",
                quoted(text)
            )),
        }
    }

    /// Rows from S at the top to A at the bottom.
    fn print(&self) -> Vec<Action> {
        let columns: String = ('A'..='S').map(|letter| format!(" {letter}")).collect();
        let row = |y: i16| {
            let letter = char::from(b'A' + y as u8);
            let cells = (0..19).map(|x| match self.board.stone(Cell::new(x, y)) {
                Some(Side::Black) => " X",
                Some(Side::White) => " O",
                None => " .",
            });
            format!("{letter}{}", cells.collect::<String>())
        };
        let edge = format!(" {columns}");
        let mut lines = vec![edge.clone()];
        lines.extend((0..19).rev().map(row));
        lines.push(edge);
        lines.into_iter().map(Action::Say).collect()
    }
}

impl Protocol for Cloudict {
    fn line(&mut self, line: &str) -> Vec<Action> {
        let (word, rest) = command(line);
        let done = match word {
            "name" => Ok(vec![Action::Say(format!("name {}", self.settings.name))]),
            "new" => self.new_game(rest),
            "black" => self.place(Side::Black, rest),
            "white" => self.place(Side::White, rest),
            "next" => self.next(),
            "move" => self.their_move(rest),
            "depth" => self.set_depth(rest),
            "print" => Ok(self.print()),
            "help" => Ok(HELP.map(|line| Action::Say(line.to_owned())).to_vec()),
            "quit" | "exit" => Ok(vec![Action::Quit]),
            // Threats are always searched.
            "" | "vcf" | "unvcf" => Ok(Vec::new()),
            _ => Err(format!("{} is no command, `help` lists them", quoted(word))),
        };
        done.unwrap_or_else(|reason| vec![error(&reason)])
    }

    fn overlong(&mut self) -> Vec<Action> {
        vec![error("the line is too long")]
    }

    fn answer(&mut self, answer: Result<&Answer, ThinkError>) -> Vec<Action> {
        let Some((mut board, position)) = self.asked.take() else {
            return Vec::new();
        };
        let said = answer
            .map_err(|error| error.to_string())
            .and_then(|answer| {
                let (turn, text) = letters::answer(&position, &answer.best().turn, "");
                board.place(position.to_move(), &turn)?;
                self.board = board;
                Ok(Action::Say(format!("move {text}")))
            });
        vec![said.unwrap_or_else(|reason| error(&reason))]
    }

    fn urgency(&self, line: &str) -> Urgency {
        match command(line).0 {
            "quit" | "exit" => Urgency::Quits,
            _ => Urgency::Waits,
        }
    }
}

fn error(reason: &str) -> Action {
    Action::Say(format!("error {reason}"))
}
