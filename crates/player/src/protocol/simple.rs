//! The simplest protocol: every question brings its whole game along.

use std::time::Duration;

use tengen_rules::{Position, Rules};

use super::letters;
use super::{Action, Protocol, Question, Settings, Urgency, command, quoted};
use crate::{Answer, Clock, Limits, ThinkError};

/// Remembers the time for a turn, and nothing else.
pub(super) struct Simple {
    settings: Settings,
    time: Option<Duration>,
    asked: Option<Position>,
}

impl Simple {
    pub(super) const fn new(settings: Settings) -> Self {
        Self {
            settings,
            time: None,
            asked: None,
        }
    }

    fn time(&mut self, text: &str) -> Result<Vec<Action>, String> {
        let milliseconds = text.parse().map_err(|_| {
            format!(
                "{} is no time, expected milliseconds such as `time 1000`",
                quoted(text)
            )
        })?;
        self.time = Some(Duration::from_millis(milliseconds));
        Ok(Vec::new())
    }

    fn go(&mut self, text: &str) -> Result<Vec<Action>, String> {
        let glued: String = text.split_whitespace().collect();
        let cells = letters::cells(&glued)?;
        let position = Position::replay(Rules::CONNECT6, &cells)
            .map_err(|(number, error)| format!("stone {}: {error}", number + 1))?;
        if let Some(ending) = letters::ending(&position) {
            return Err(format!("the game is over: {ending}"));
        }
        let told = Limits {
            clock: Clock {
                per_turn: self.time,
                ..Clock::default()
            },
            ..Limits::default()
        };
        self.asked = Some(position.clone());
        let question = Question::new(position, self.settings.within(&told));
        Ok(vec![Action::Think(Box::new(question))])
    }
}

impl Protocol for Simple {
    fn line(&mut self, line: &str) -> Vec<Action> {
        let (word, rest) = command(line);
        let done = match word {
            "" => Ok(Vec::new()),
            "time" => self.time(rest),
            "go" => self.go(rest),
            "quit" => Ok(vec![Action::Quit]),
            _ => Err(format!(
                "{} is no command, expected time, go or quit",
                quoted(word)
            )),
        };
        done.unwrap_or_else(|reason| vec![error(&reason)])
    }

    fn overlong(&mut self) -> Vec<Action> {
        vec![error("the line is too long")]
    }

    fn answer(&mut self, answer: Result<&Answer, ThinkError>) -> Vec<Action> {
        let Some(position) = self.asked.take() else {
            return Vec::new();
        };
        vec![match answer {
            Ok(answer) => {
                let (_, text) = letters::answer(&position, &answer.best().turn, "");
                Action::Say(format!("move {text}"))
            }
            Err(reason) => error(&reason.to_string()),
        }]
    }

    fn urgency(&self, line: &str) -> Urgency {
        match command(line).0 {
            "quit" => Urgency::Quits,
            _ => Urgency::Waits,
        }
    }
}

fn error(reason: &str) -> Action {
    Action::Say(format!("error {reason}"))
}
