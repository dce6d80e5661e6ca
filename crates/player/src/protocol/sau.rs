//! The protocol of the SAU platform, on which the Chinese Connect6 competitions are played.

use tengen_rules::{Position, Side};

use super::letters;
use super::{Action, Protocol, Question, Settings, Urgency, command, quoted};
use crate::{Answer, Limits, ThinkError};

/// One game after the other.
pub(super) struct Sau {
    settings: Settings,
    game: Option<Game>,
}

struct Game {
    position: Position,
    /// With the turn of the other side that we are thinking about. It counts once it is answered.
    asked: Option<Position>,
}

impl Sau {
    pub(super) const fn new(settings: Settings) -> Self {
        Self {
            settings,
            game: None,
        }
    }

    fn new_game(&mut self, colour: &str) -> Result<Vec<Action>, String> {
        let own = match colour {
            "black" => Side::Black,
            "white" => Side::White,
            _ => {
                return Err(format!(
                    "{} is no side, expected `new black` or `new white`",
                    quoted(colour)
                ));
            }
        };
        let mut position = letters::empty_board();
        let mut actions = vec![Action::NewGame];
        if own == Side::Black {
            // The platform expects the centre at once.
            letters::play(&mut position, &letters::turn("JJ")?)?;
            actions.push(Action::Say("move JJ@@".to_owned()));
        }
        self.game = Some(Game {
            position,
            asked: None,
        });
        Ok(actions)
    }

    fn their_move(&mut self, text: &str) -> Result<Vec<Action>, String> {
        let game = self.game.as_mut().ok_or("no game, expected `new` first")?;
        if let Some(ending) = letters::ending(&game.position) {
            return Err(format!("the game is over: {ending}"));
        }
        let mut after = game.position.clone();
        letters::play(&mut after, &letters::turn(text)?)?;
        if let Some(ending) = letters::ending(&after) {
            game.position = after;
            return Ok(vec![Action::Say(format!("over {ending}"))]);
        }
        game.asked = Some(after.clone());
        let limits = self.settings.within(&Limits::default());
        let question = Question::new(after, limits);
        Ok(vec![Action::Think(Box::new(question))])
    }
}

impl Protocol for Sau {
    fn line(&mut self, line: &str) -> Vec<Action> {
        let (word, rest) = command(line);
        let done = match word {
            "name?" => Ok(vec![Action::Say(format!("name {}", self.settings.name))]),
            "new" => self.new_game(rest),
            "move" => self.their_move(rest),
            "end" => {
                self.game = None;
                Ok(Vec::new())
            }
            "quit" => Ok(vec![Action::Quit]),
            // `error` is the platform's complaint about us; no answer is expected, and ours would be taken
            // for a turn.
            "" | "error" => Ok(Vec::new()),
            _ => Err(format!(
                "{} is no command, expected name?, new, move, error, end or quit",
                quoted(word)
            )),
        };
        done.unwrap_or_else(|reason| vec![error(&reason)])
    }

    fn overlong(&mut self) -> Vec<Action> {
        vec![error("the line is too long")]
    }

    fn answer(&mut self, answer: Result<&Answer, ThinkError>) -> Vec<Action> {
        let Some(game) = &mut self.game else {
            return Vec::new();
        };
        let Some(mut position) = game.asked.take() else {
            return Vec::new();
        };
        let said = answer
            .map_err(|error| error.to_string())
            .and_then(|answer| {
                let (turn, text) = letters::answer(&position, &answer.best().turn, "@@");
                letters::play(&mut position, &turn)?;
                game.position = position;
                Ok(Action::Say(format!("move {text}")))
            });
        vec![said.unwrap_or_else(|reason| error(&reason))]
    }

    fn urgency(&self, line: &str) -> Urgency {
        match command(line).0 {
            "end" => Urgency::Stops,
            "quit" => Urgency::Quits,
            _ => Urgency::Waits,
        }
    }
}

fn error(reason: &str) -> Action {
    Action::Say(format!("error {reason}"))
}
