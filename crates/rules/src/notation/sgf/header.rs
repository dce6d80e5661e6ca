//! The root's properties: which game it is, and the facts about it.

use super::lexer::{Lexer, Value};
use super::text::unescaped;
use crate::notation::NotationError;
use crate::notation::error::shortened;
use crate::{Info, Overline, Rules};

/// What must be known before points can be read.
#[derive(Debug, Default)]
pub(super) struct Header {
    /// The value of GM and where it stands.
    game: Option<(String, usize)>,
    /// The value of SZ and where it stands.
    size: Option<((u32, u32), usize)>,
    /// The value of RU when it names rules as we write them.
    rules: Option<Rules>,
}

impl Header {
    pub(super) fn property(
        &mut self,
        lexer: &Lexer<'_>,
        name: &str,
        value: Value<'_>,
    ) -> Result<(), NotationError> {
        match name {
            "GM" => self.game = Some((value.raw.trim().to_owned(), value.at)),
            "SZ" => {
                let size = size(value.raw).ok_or_else(|| {
                    let found = shortened(value.raw);
                    let reason = format!("`{found}` is no board size, expected `19` or `20:15`");
                    lexer.error(value.at, reason)
                })?;
                self.size = Some((size, value.at));
            }
            // Other programs write anything here, `Japanese` or `renju` for example.
            "RU" if value.raw.len() < 100 => self.rules = value.raw.parse().ok(),
            _ => {}
        }
        Ok(())
    }

    /// Two capitals are NCTU's in Connect6 and where nothing is said.
    pub(super) fn capitals_from_bottom(&self) -> bool {
        self.game.as_ref().is_none_or(|(number, _)| number == "511")
    }

    /// The game: the rules given by the caller, or those of RU, or those of GM and SZ.
    pub(super) fn rules(
        &self,
        lexer: &Lexer<'_>,
        given: Option<Rules>,
    ) -> Result<Rules, NotationError> {
        if let Some(rules) = given {
            return self.checked(lexer, rules);
        }
        if let Some(rules) = self.rules {
            return self.checked(lexer, self.resized(rules));
        }
        let number = self.game.as_ref().map_or("511", |(number, _)| number);
        let (usual, line, per_turn) = match number {
            "511" => (19, 6, 2),
            "4" => (15, 5, 1),
            other => {
                let at = self.game.as_ref().map_or(0, |&(_, at)| at);
                let reason = format!(
                    "GM[{}] is another game, expected GM[511] (Connect6) or GM[4] (gomoku), \
                     or give the rules to read it with",
                    shortened(other)
                );
                return Err(lexer.error(at, reason));
            }
        };
        let ((width, height), at) = self.size.unwrap_or(((usual, usual), lexer.at()));
        let rules = Rules::finite(width, height, line, per_turn, 1, Overline::Wins);
        rules.map_err(|reasons| {
            let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            lexer.error(at, reasons.join("; "))
        })
    }

    /// The file's rules on the file's board: others write RU[gomoku] for any board.
    fn resized(&self, rules: Rules) -> Rules {
        let (Some(((width, height), _)), Some(_)) = (self.size, rules.size()) else {
            return rules;
        };
        let (line, per_turn) = (rules.line().into(), rules.per_turn().into());
        let first_turn = rules.first_turn().into();
        let resized = Rules::finite(width, height, line, per_turn, first_turn, rules.overline());
        resized.unwrap_or(rules)
    }

    /// Refuses rules whose board is not the file's: points would be read on the wrong rows.
    fn checked(&self, lexer: &Lexer<'_>, rules: Rules) -> Result<Rules, NotationError> {
        if let (Some(((width, height), at)), Some(board)) = (self.size, rules.size())
            && (width, height) != (board.0.into(), board.1.into())
        {
            let reason = format!(
                "the board is {width}x{height}, but the rules {rules} have one of {}x{}",
                board.0, board.1
            );
            return Err(lexer.error(at, reason));
        }
        Ok(rules)
    }
}

fn size(raw: &str) -> Option<(u32, u32)> {
    let number = |text: &str| {
        let text = text.trim();
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u32::MAX))
    };
    match raw.split_once(':') {
        Some((width, height)) => Some((number(width)?, number(height)?)),
        None => number(raw).map(|side| (side, side)),
    }
}

/// The facts that SGF has a property for.
pub(super) fn facts(info: &mut Info) -> [(&'static str, &mut String); 8] {
    [
        ("GN", &mut info.name),
        ("PB", &mut info.black),
        ("PW", &mut info.white),
        ("RE", &mut info.result),
        ("DT", &mut info.date),
        ("PC", &mut info.place),
        ("EV", &mut info.event),
        ("SO", &mut info.source),
    ]
}

/// Takes the property if it is a fact about the game.
pub(super) fn read_fact(info: &mut Info, name: &str, value: Value<'_>) -> bool {
    for (property, text) in facts(info) {
        if property == name {
            *text = unescaped(value.raw, true);
            return true;
        }
    }
    false
}
