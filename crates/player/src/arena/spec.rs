//! Contestants by name: `alphabeta`, `mcts@nodes=1000,name=quick`, `sau:./engine --threads 1`.

use std::fmt;
use std::str::FromStr;

use super::own::Own;
use super::{Contestant, Fault, Pace};
use crate::{EngineKind, Options, UnknownEngine};

/// Where a contestant's turns come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// One of our engines.
    Own(EngineKind),
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
    pub fn pace(&self, common: Pace) -> Pace {
        self.pace.unwrap_or(common)
    }

    /// Makes the contestant of one game. Where it has random choices, they follow from `seed`.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn enter(&self, memory_mib: usize, seed: u64) -> Result<Box<dyn Contestant>, Fault> {
        let memory = self.memory.unwrap_or(memory_mib).saturating_mul(1 << 20);
        match &self.source {
            Source::Own(kind) => Ok(Box::new(Own::start(*kind, Options { memory, seed })?)),
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

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (source, options) = split_options(text);
        let mut spec = Self {
            name: text.to_owned(),
            source: Source::Own(source.parse()?),
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
    fn equal_names_are_told_apart() {
        let mut specs = ["alphabeta"; 3].map(|text| text.parse::<Spec>().expect("a spec"));
        distinguish(&mut specs);
        let names = specs.each_ref().map(|spec| spec.name.as_str());
        assert_eq!(names, ["alphabeta", "alphabeta (2)", "alphabeta (3)"]);
    }
}
