//! What a person types: stones or a command.

use std::path::PathBuf;

use tengen_player::Level;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// Place these stones, not yet looked at.
    Stones(String),
    Undo,
    Redo,
    Hint,
    Board,
    Threats,
    Moves,
    Level(Level),
    Swap,
    Save(PathBuf),
    Load(PathBuf),
    Resign,
    New,
    Help,
    Quit,
    /// An empty line.
    Nothing,
}

/// The commands, what follows them, and what they do.
const COMMANDS: [(&str, &str, &str); 14] = [
    (
        "undo",
        "",
        "take back the engine's turn and yours, or a stone of an unfinished turn",
    ),
    ("redo", "", "play again what was taken back"),
    (
        "hint",
        "",
        "what the strongest engine would play, and how it sees the position",
    ),
    ("board", "", "draw the board again"),
    ("threats", "", "what both sides threaten"),
    ("moves", "", "the turns so far"),
    ("level", "N", "play on against level N, from 1 to 10"),
    ("swap", "", "change sides"),
    (
        "save",
        "FILE",
        "write the game; the name says the format: .sgf, .psq, .moves, ...",
    ),
    ("load", "FILE", "go on from the end of another game"),
    ("resign", "", "give up"),
    ("new", "", "begin again"),
    ("help", "", "this list"),
    ("quit", "", "leave"),
];

impl Command {
    /// The message says what is wrong and what would be right.
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if word.is_empty() {
            return Ok(Self::Nothing);
        }
        if word == "?" {
            return Ok(Self::Help);
        }
        // Cells have digits or brackets, commands have neither.
        if !word.chars().all(char::is_alphabetic) {
            return Ok(Self::Stones(line.to_owned()));
        }
        let name = full_name(&word.to_lowercase())?;
        if takes_nothing(name) && !rest.is_empty() {
            return Err(format!(
                "`{name}` stands alone, found `{}`",
                shortened(rest)
            ));
        }
        Ok(match name {
            "undo" => Self::Undo,
            "redo" => Self::Redo,
            "hint" => Self::Hint,
            "board" => Self::Board,
            "threats" => Self::Threats,
            "moves" => Self::Moves,
            "level" => Self::Level(level(rest)?),
            "swap" => Self::Swap,
            "save" => Self::Save(file(name, rest)?),
            "load" => Self::Load(file(name, rest)?),
            "resign" => Self::Resign,
            "new" => Self::New,
            "help" => Self::Help,
            _ => Self::Quit,
        })
    }
}

fn takes_nothing(name: &str) -> bool {
    let takes = |(other, after, _): &(&str, &str, &str)| *other == name && !after.is_empty();
    !COMMANDS.iter().any(takes)
}

/// The command that is meant: its beginning is enough when no other begins so.
fn full_name(word: &str) -> Result<&'static str, String> {
    if word == "exit" {
        return Ok("quit");
    }
    let names = COMMANDS.iter().map(|(name, ..)| *name);
    let meant: Vec<&str> = names.filter(|name| name.starts_with(word)).collect();
    match meant[..] {
        [name] => Ok(name),
        [] => Err(format!(
            "`{}` is neither a turn such as K11 L10 nor a command; `help` lists the commands",
            shortened(word)
        )),
        _ => Err(format!("`{word}` may mean {}", meant.join(" or "))),
    }
}

fn level(text: &str) -> Result<Level, String> {
    let number = text.parse().ok().and_then(Level::new);
    number.ok_or_else(|| match text {
        "" => "`level` needs a number from 1 to 10".to_owned(),
        text => format!("there is no level `{}`, expected 1 to 10", shortened(text)),
    })
}

fn file(name: &str, text: &str) -> Result<PathBuf, String> {
    match text {
        "" => Err(format!(
            "`{name}` needs the name of a file, such as game.sgf"
        )),
        "-" => Err(format!(
            "`{name}` needs the name of a file: stdin and stdout are in use"
        )),
        text => Ok(text.into()),
    }
}

/// Input may be long.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if text.chars().count() > MOST {
        short += "...";
    }
    short
}

/// What can be typed, a line each.
pub(crate) fn help() -> String {
    let mut text = "\
K11 L10       play a turn; K11 alone places one stone of it\n"
        .to_owned();
    for (name, after, what) in COMMANDS {
        let call = format!("{name} {after}");
        text += &format!("{call:<13} {what}\n");
    }
    text + "The beginning of a command is enough. Ctrl-C makes the engine play at once.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_and_commands() {
        for (line, command) in [
            ("", Command::Nothing),
            ("  K11 L10 ", Command::Stones("K11 L10".to_owned())),
            ("k11l10", Command::Stones("k11l10".to_owned())),
            ("(-1,2)", Command::Stones("(-1,2)".to_owned())),
            ("Undo", Command::Undo),
            ("u", Command::Undo),
            ("hi", Command::Hint),
            ("level 10", Command::Level(Level::new(10).expect("a level"))),
            ("save my game.sgf", Command::Save("my game.sgf".into())),
            ("?", Command::Help),
            ("exit", Command::Quit),
        ] {
            assert_eq!(Command::parse(line), Ok(command), "{line}");
        }
        for (name, after, _) in COMMANDS {
            let line = match after {
                "N" => format!("{name} 3"),
                after => format!("{name} {after}"),
            };
            assert!(Command::parse(&line).is_ok(), "{line}");
            assert!(help().contains(name));
        }
    }

    #[test]
    fn what_cannot_be_understood() {
        for (line, message) in [
            ("h", "`h` may mean hint or help"),
            (
                "castle",
                "`castle` is neither a turn such as K11 L10 nor a command; `help` lists the commands",
            ),
            ("level", "`level` needs a number from 1 to 10"),
            ("level 11", "there is no level `11`, expected 1 to 10"),
            ("save", "`save` needs the name of a file, such as game.sgf"),
            ("undo 2", "`undo` stands alone, found `2`"),
        ] {
            assert_eq!(Command::parse(line), Err(message.to_owned()));
        }
        let long = "x".repeat(100_000);
        assert!(Command::parse(&long).expect_err("nonsense").len() < 200);
    }
}
