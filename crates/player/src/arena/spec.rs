//! Contestants by name: `alphabeta`, `mcts@nodes=1000,name=quick`, `sau:./engine --threads 1`.

use std::fmt;
use std::str::FromStr;

use tengen_rules::{Rules, Side};

use super::client::{External, Start};
use super::own::Own;
use super::{Contestant, Fault, Opening, Pace};
use crate::protocol::{ProtocolKind, UnknownProtocol};
use crate::{EngineKind, Options, UnknownEngine};

/// Where a contestant's turns come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// One of our engines.
    Own(EngineKind),
    /// A command that speaks a protocol.
    External {
        /// Which protocol.
        protocol: ProtocolKind,
        /// The program and its arguments.
        command: Vec<String>,
    },
}

/// The game that a contestant enters.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    /// The game.
    pub rules: Rules,
    /// Its side.
    pub side: Side,
    /// Its memory, unless it brings its own limit.
    pub memory_mib: usize,
    /// Where random choices start.
    pub seed: u64,
    /// Whether the whole match is to end at once.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// A contestant as the user names it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// What it is called in tables.
    pub name: String,
    /// Where its turns come from.
    pub source: Source,
    /// Limits of its own, which replace those of the match.
    pub pace: Option<Pace>,
    /// Memory of its own, in MiB.
    pub memory: Option<usize>,
    text: String,
}

/// Why a contestant is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No such engine.
    #[error(transparent)]
    Unknown(#[from] UnknownEngine),
    /// No such protocol.
    #[error(transparent)]
    Protocol(#[from] UnknownProtocol),
    /// The command is missing or has an open quotation mark.
    #[error("`{text}`: {problem}")]
    Command {
        /// The whole text.
        text: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// An option is not understood.
    #[error("`{option}` of `{text}`: {problem}")]
    Option {
        /// The option.
        option: String,
        /// The whole text.
        text: String,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
}

/// The options after `@`.
const KEYS: [&str; 7] = [
    "seconds",
    "game-seconds",
    "increment",
    "nodes",
    "depth",
    "memory",
    "name",
];

impl Spec {
    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it may use when the match gives everybody `common`.
    ///
    /// The protocols of other engines know no nodes and depths: they always have a clock.
    pub fn pace(&self, common: Pace) -> Pace {
        let pace = self.pace.unwrap_or(common);
        match self.source {
            Source::External { .. } if !pace.has_clock() => Pace {
                seconds: Some(1.0),
                ..pace
            },
            _ => pace,
        }
    }

    /// Whether it is a command of somebody else.
    pub const fn is_external(&self) -> bool {
        matches!(self.source, Source::External { .. })
    }

    /// Whether its games can begin with an opening.
    pub const fn takes_openings(&self) -> bool {
        match self.source {
            Source::Own(_) => true,
            Source::External { protocol, .. } => protocol.takes_openings(),
        }
    }

    /// Why it cannot play these games; `None` if it can.
    pub fn refuses(&self, rules: Rules, openings: &[Opening]) -> Option<String> {
        match &self.source {
            Source::Own(_) => None,
            Source::External { protocol, .. } => protocol.refuses(rules, openings),
        }
    }

    /// Makes the contestant of one game.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn enter(&self, entry: &Entry<'_>) -> Result<Box<dyn Contestant>, Fault> {
        let memory = self
            .memory
            .unwrap_or(entry.memory_mib)
            .saturating_mul(1 << 20);
        let (rules, side, seed) = (entry.rules, entry.side, entry.seed);
        match &self.source {
            Source::Own(kind) => Ok(Box::new(Own::start(*kind, Options { memory, seed })?)),
            Source::External { protocol, command } => {
                let game = Start {
                    rules,
                    side,
                    memory,
                };
                let engine = External::start(*protocol, command, game, entry.stopped)?;
                Ok(Box::new(engine))
            }
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let mut pace = self.pace.unwrap_or_default();
        match key {
            "name" if value.is_empty() => return Err("a name has at least one letter".to_owned()),
            "name" => self.name = value.to_owned(),
            "memory" => self.memory = Some(whole(value)?),
            "seconds" => pace.seconds = Some(seconds(value)?),
            "game-seconds" => pace.game_seconds = Some(seconds(value)?),
            "increment" => pace.increment = Some(seconds(value)?),
            "nodes" => pace.nodes = Some(whole(value)?),
            "depth" => pace.depth = Some(whole(value)?),
            _ => {
                return Err(format!(
                    "there is no such option; known are {}",
                    KEYS.join(", ")
                ));
            }
        }
        if pace.is_limited() || pace.increment.is_some() {
            self.pace = Some(pace);
        }
        Ok(())
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|&s: &f64| s.is_finite() && s >= 0.0);
    number.ok_or_else(|| format!("expected a number of seconds, found `{text}`"))
}

fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let number = text.parse();
    number.map_err(|_| format!("expected a whole number, found `{text}`"))
}

/// The part before the options and the options. An `@` inside a command is left alone unless what follows
/// looks like options.
fn split_options(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once('@') {
        Some((source, options)) => {
            let key = options.split('=').next().unwrap_or("");
            let external = source.contains(':');
            if external && !KEYS.contains(&key) {
                (text, None)
            } else {
                (source, Some(options))
            }
        }
        None => (text, None),
    }
}

/// `alphabeta`, or `sau:./engine --threads 1`.
fn parse_source(source: &str, text: &str) -> Result<Source, SpecError> {
    let Some((protocol, command)) = source.split_once(':') else {
        return Ok(Source::Own(source.parse()?));
    };
    let wrong = |problem| SpecError::Command {
        text: text.to_owned(),
        problem,
    };
    let protocol = protocol.parse()?;
    let command = split_command(command).ok_or_else(|| wrong("a quotation mark is open"))?;
    if command.is_empty() {
        return Err(wrong("expected a command after the colon"));
    }
    Ok(Source::External { protocol, command })
}

/// Words as a shell sees them, with quotation marks of both kinds; `None` when one is open.
fn split_command(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The whole text for our engines, the program's name for others.
fn default_name(source: &Source, text: &str) -> String {
    match source {
        Source::Own(_) => text.to_owned(),
        Source::External { command, .. } => {
            let path = std::path::Path::new(&command[0]);
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            name.unwrap_or_else(|| text.to_owned())
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (source, options) = split_options(text);
        let source = parse_source(source, text)?;
        let mut spec = Self {
            name: default_name(&source, text),
            source,
            pace: None,
            memory: None,
            text: text.to_owned(),
        };
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let set = spec.set(key, value);
            set.map_err(|problem| SpecError::Option {
                option: option.to_owned(),
                text: text.to_owned(),
                problem,
            })?;
        }
        if let Some(pace) = spec.pace
            && pace.increment.is_some()
            && pace.game_seconds.is_none()
        {
            return Err(SpecError::Option {
                option: "increment".to_owned(),
                text: text.to_owned(),
                problem: "an increment needs game-seconds".to_owned(),
            });
        }
        Ok(spec)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Gives contestants with equal names different ones: `alphabeta`, `alphabeta (2)`.
pub fn distinguish(specs: &mut [Spec]) {
    for i in 1..specs.len() {
        let plain = specs[i].name.clone();
        let mut number = 2;
        while specs[..i].iter().any(|other| other.name == specs[i].name) {
            specs[i].name = format!("{plain} ({number})");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_replace_the_common_limits() {
        let spec: Spec = "alphabeta@nodes=1000,name=quick".parse().expect("a spec");
        assert_eq!(spec.name, "quick");
        let pace = spec.pace(Pace::per_turn(1.0));
        assert_eq!((pace.nodes, pace.seconds), (Some(1000), None));
        let spec: Spec = "alphabeta@memory=16".parse().expect("a spec");
        assert_eq!(spec.pace(Pace::per_turn(1.0)), Pace::per_turn(1.0));
        assert_eq!(spec.memory, Some(16));
    }

    #[test]
    fn mistakes_are_explained() {
        let refused = |text: &str| text.parse::<Spec>().expect_err(text).to_string();
        assert!(refused("alphabetta").starts_with("there is no engine `alphabetta`; known are "));
        assert_eq!(
            refused("alphabeta@node=3"),
            "`node=3` of `alphabeta@node=3`: there is no such option; known are seconds, game-seconds, \
             increment, nodes, depth, memory, name"
        );
        assert!(refused("alphabeta@nodes=x").ends_with("expected a whole number, found `x`"));
        assert!(refused("alphabeta@seconds=-1").contains("expected a number of seconds"));
        assert!(refused("alphabeta@increment=1").contains("needs game-seconds"));
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let spec: Spec = "sau:./my/engine -t 1 'two words' \"\"@seconds=2"
            .parse()
            .expect("a spec");
        assert_eq!(spec.name, "engine");
        let Source::External { protocol, command } = &spec.source else {
            panic!("{spec:?}");
        };
        assert_eq!(*protocol, ProtocolKind::Sau);
        assert_eq!(command[..], ["./my/engine", "-t", "1", "two words", ""]);
        assert_eq!(spec.pace(Pace::default()).seconds, Some(2.0));
        // An `@` of the command's own, and a clock for everybody.
        let spec: Spec = "simple:ssh me@host".parse().expect("a spec");
        assert_eq!(spec.name, "ssh");
        let nodes = Pace {
            nodes: Some(5),
            ..Pace::default()
        };
        assert_eq!(spec.pace(nodes).seconds, Some(1.0));
        let refused = |text: &str| text.parse::<Spec>().expect_err(text).to_string();
        assert!(refused("uci:x").starts_with("there is no protocol `uci`; known are gomocup"));
        assert_eq!(
            refused("sau:"),
            "`sau:`: expected a command after the colon"
        );
        assert_eq!(refused("sau:a 'b"), "`sau:a 'b`: a quotation mark is open");
    }

    #[test]
    fn equal_names_are_told_apart() {
        let mut specs = ["alphabeta"; 3].map(|text| text.parse::<Spec>().expect("a spec"));
        distinguish(&mut specs);
        let names = specs.each_ref().map(|spec| spec.name.as_str());
        assert_eq!(names, ["alphabeta", "alphabeta (2)", "alphabeta (3)"]);
    }
}
