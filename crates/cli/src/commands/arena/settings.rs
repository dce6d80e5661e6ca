//! What a match is played with, and whether a folder holds the same match.

use std::fs;

use anyhow::{Context as _, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tengen_player::arena::{
    Conditions, Margin, Opening, Pace, Spec, random_openings, read_openings,
};
use tengen_rules::{Rules, notation};

use crate::args::ArenaArgs;
use crate::error::{WithHint as _, io_words};
use crate::position_input::is_stdin;

/// Where connect6 begins when nobody says otherwise.
const CONNECT6: &str = include_str!("../../../../../suites/openings/connect6.txt");

/// How many random openings a game gets for which there is no file.
const RANDOM: usize = 50;

/// How many turns they have.
const RANDOM_TURNS: u32 = 3;

/// A game that cannot fill its board ends after so many turns.
const INFINITE_TURNS: usize = 200;

/// The version of the folder's files.
const VERSION: u32 = 1;

/// `settings.json`: everything that the games depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    version: u32,
    engines: Vec<Engine>,
    pub(crate) conditions: Conditions,
    openings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Engine {
    name: String,
    engine: String,
}

impl Settings {
    pub(crate) fn new(contestants: &[Spec], openings: &[Opening], conditions: Conditions) -> Self {
        let engines = contestants.iter().map(|spec| Engine {
            name: spec.name.clone(),
            engine: spec.text().to_owned(),
        });
        let texts = openings.iter().map(|o| notation::moves_text(&o.stones));
        Self {
            version: VERSION,
            engines: engines.collect(),
            conditions,
            openings: texts.collect(),
        }
    }

    /// What is different in `other`, one phrase each: `seed was 1, is 2`.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let value = |settings: &Self| serde_json::to_value(settings).unwrap_or(Value::Null);
        let mut found = Vec::new();
        differences("", &value(self), &value(other), &mut found);
        found
    }
}

/// Compares two values field by field; lists are compared as a whole.
fn differences(name: &str, was: &Value, is: &Value, found: &mut Vec<String>) {
    match (was, is) {
        (Value::Object(old), Value::Object(new)) => {
            let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let field = |object: &serde_json::Map<String, Value>| {
                    object.get(key).cloned().unwrap_or(Value::Null)
                };
                differences(key, &field(old), &field(new), found);
            }
        }
        _ if was == is => {}
        (Value::Array(_), Value::Array(_)) if name == "openings" => {
            found.push("the openings are others".to_owned());
        }
        _ => found.push(format!("{name} was {}, is {}", short(was), short(is))),
    }
}

/// A value in few words.
fn short(value: &Value) -> String {
    match value {
        Value::Null => "not given".to_owned(),
        Value::String(text) => format!("`{text}`"),
        Value::Array(items) => items.iter().map(short).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let named = fields.get("engine").or_else(|| fields.values().next());
            named.map_or_else(String::new, short)
        }
        other => other.to_string(),
    }
}

/// Conditions, openings and how many games each two engines play.
pub(crate) fn from_args(
    contestants: &[Spec],
    args: &ArenaArgs,
) -> anyhow::Result<(Conditions, Vec<Opening>, usize)> {
    if let Some(games) = args.games
        && !games.is_multiple_of(2)
    {
        bail!("--games {games}: every opening is played from both sides, expected an even number");
    }
    let (rules, openings) = openings(contestants, args)?;
    for spec in contestants {
        if let Some(reason) = spec.refuses(rules, &openings) {
            bail!("{spec}: {reason}");
        }
    }
    let games = args
        .games
        .map_or(2 * openings.len(), |games| games as usize);
    let conditions = Conditions {
        rules,
        pace: pace(args),
        margin: args.margin.map_or(Margin::Generous, Margin::Milliseconds),
        max_turns: args.max_turns.map(|turns| turns as usize).or_else(|| {
            let infinite = rules.size().is_none();
            infinite.then_some(INFINITE_TURNS)
        }),
        adjudication: !args.no_adjudication,
        memory_mib: args.memory as usize,
        seed: args.seed,
    };
    Ok((conditions, openings, games))
}

fn pace(args: &ArenaArgs) -> Pace {
    let pace = Pace {
        seconds: args.seconds,
        game_seconds: args.game_seconds,
        increment: args.increment,
        nodes: args.nodes,
        depth: args.depth,
    };
    if pace.is_limited() {
        pace
    } else {
        Pace::per_turn(1.0)
    }
}

fn openings(contestants: &[Spec], args: &ArenaArgs) -> anyhow::Result<(Rules, Vec<Opening>)> {
    let Some(path) = &args.openings else {
        let rules = args.rules.unwrap_or(Rules::CONNECT6);
        if !contestants.iter().all(Spec::takes_openings) {
            return Ok((rules, vec![Opening { stones: Vec::new() }]));
        }
        if rules == Rules::CONNECT6 {
            return read_openings(CONNECT6, None).context("the built-in openings");
        }
        return Ok((
            rules,
            random_openings(rules, RANDOM, RANDOM_TURNS, args.seed),
        ));
    };
    if is_stdin(path) {
        bail!("--openings: expected a file, found `-`");
    }
    let cannot = || format!("cannot read `{}`", path.display());
    let text = fs::read_to_string(path).map_err(|error| anyhow!(io_words(&error)));
    let text = text.with_context(cannot)?;
    read_openings(&text, args.rules)
        .with_context(cannot)
        .hint(|| Some("one opening a line, stones in play order: J10 I8 H9 K11 L10".to_owned()))
}
