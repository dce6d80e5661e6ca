//! The protocols that managers, platforms and boards use to talk to an engine on a pipe.
//!
//! A [`Protocol`] is a pure state machine: lines go in, [`Action`]s come out. It reads no clock, starts no
//! thread and knows no engine, so a transcript is a test and a fuzzer needs nothing else. [`serve`] runs one
//! on a pipe with an engine on a thread of its own; [`converse`] runs one step by step, without threads.
//!
//! `docs/protocols.md` describes each protocol for its users.

mod cloudict;
mod driver;
mod gomocup;
mod letters;
mod lines;
mod sau;
mod simple;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tengen_rules::{Position, Turn};

pub use driver::serve;

use crate::{Answer, Clock, Engine, Limits, Task, ThinkError};

/// What a protocol wants to be done, in this order.
#[derive(Debug, Clone)]
pub enum Action {
    /// Print this line.
    Say(String),
    /// Ask the engine. The answer goes to [`Protocol::answer`]; until then no other line is to be given to
    /// [`Protocol::line`].
    Think(Box<Question>),
    /// A new game begins: the engine forgets what it has learned.
    NewGame,
    /// The engine may use so many bytes from now on.
    Memory(usize),
    /// Leave.
    Quit,
}

/// What the engine is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// When to stop thinking.
    pub limits: Limits,
    /// Turns that are not to be considered.
    pub exclude: Vec<Turn>,
    /// How many turns are wanted.
    pub lines: usize,
    /// Whether [`Protocol::progress`] has something to say about what is known so far.
    pub progress: bool,
}

impl Question {
    /// The best turn of a position.
    fn new(position: Position, limits: Limits) -> Self {
        Self {
            position,
            limits,
            exclude: Vec::new(),
            lines: 1,
            progress: false,
        }
    }

    /// Whether thinking ends by itself.
    pub fn is_bounded(&self) -> bool {
        is_bounded(&self.limits)
    }
}

/// Depth alone is no bound: one more turn may take for ever.
fn is_bounded(limits: &Limits) -> bool {
    limits.clock.budget().is_some() || limits.nodes.is_some()
}

/// What a line means to an engine that is thinking.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Urgency {
    /// It waits for its turn.
    Waits,
    /// Thinking ends now, with the best answer so far.
    Stops,
    /// As `Stops`, and the program ends.
    Quits,
}

/// One side of a conversation: what an engine hears and says.
///
/// Whatever is heard, nothing panics. A line that makes no sense gets the error line of the protocol and
/// changes nothing.
pub trait Protocol: Send {
    /// Hears one line, without its end. Not while the engine thinks.
    fn line(&mut self, line: &str) -> Vec<Action>;

    /// Hears that a line was too long to be read.
    fn overlong(&mut self) -> Vec<Action>;

    /// Hears the engine's answer to the last [`Action::Think`].
    fn answer(&mut self, answer: Result<&Answer, ThinkError>) -> Vec<Action>;

    /// What to say while the engine thinks.
    fn progress(&self, answer: &Answer) -> Vec<String> {
        let _ = answer;
        Vec::new()
    }

    /// What a line means to an engine that is thinking.
    fn urgency(&self, line: &str) -> Urgency;
}

/// What does not come from the other side.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the engine is called: one word.
    pub name: String,
    /// Limits that hold whatever the other side says.
    pub limits: Limits,
    /// How long a turn takes when nobody limits it; `None` is until stopped.
    pub usual: Option<Duration>,
    /// The most memory of the engine, in bytes.
    pub memory: usize,
}

impl Default for Settings {
    /// Five seconds a turn, the usual memory.
    fn default() -> Self {
        Self {
            name: "tengen".to_owned(),
            limits: Limits::default(),
            usual: Some(Duration::from_secs(5)),
            memory: crate::Options::default().memory,
        }
    }
}

impl Settings {
    /// The tighter of our limits and those of the other side; the usual time when neither ends thinking.
    fn within(&self, told: &Limits) -> Limits {
        let own = &self.limits;
        let mut limits = Limits {
            clock: Clock {
                per_turn: least(own.clock.per_turn, told.clock.per_turn),
                left: least(own.clock.left, told.clock.left),
                increment: told.clock.increment,
            },
            nodes: least(own.nodes, told.nodes),
            depth: least(own.depth, told.depth),
        };
        if !is_bounded(&limits) {
            limits.clock.per_turn = self.usual;
        }
        limits
    }
}

/// The smaller of two limits, where there is one.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Which protocol.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum ProtocolKind {
    /// Gomocup's, and the analysis dialect of Yixin and later engines.
    Gomocup,
    /// The SAU platform's, of the Chinese competitions.
    Sau,
    /// Cloudict's.
    Cloudict,
    /// Questions without memory.
    Simple,
}

impl ProtocolKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Gomocup, Self::Sau, Self::Cloudict, Self::Simple];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gomocup => "gomocup",
            Self::Sau => "sau",
            Self::Cloudict => "cloudict",
            Self::Simple => "simple",
        }
    }

    /// The beginning of a conversation.
    pub fn start(self, settings: Settings) -> Box<dyn Protocol> {
        match self {
            Self::Gomocup => Box::new(gomocup::Gomocup::new(settings)),
            Self::Sau => Box::new(sau::Sau::new(settings)),
            Self::Cloudict => Box::new(cloudict::Cloudict::new(settings)),
            Self::Simple => Box::new(simple::Simple::new(settings)),
        }
    }
}

impl fmt::Display for ProtocolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No protocol is called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no protocol `{0}`; known are gomocup, sau, cloudict, simple")]
pub struct UnknownProtocol(String);

impl FromStr for ProtocolKind {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Self, UnknownProtocol> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| UnknownProtocol(text.to_owned()))
    }
}

/// What was said to a line, without threads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The lines, without those said while thinking.
    pub said: Vec<String>,
    /// Whether the conversation is over.
    pub quit: bool,
}

/// Hears one line and lets the engine think at once. Memory is not limited here.
pub fn converse(protocol: &mut dyn Protocol, engine: &mut dyn Engine, line: &str) -> Reply {
    let mut reply = Reply::default();
    let mut actions = protocol.line(line);
    loop {
        let mut question = None;
        for action in actions {
            match action {
                Action::Say(line) => reply.said.push(line),
                Action::Think(asked) => question = Some(asked),
                Action::NewGame => engine.forget(),
                Action::Memory(_) => {}
                Action::Quit => reply.quit = true,
            }
        }
        let Some(question) = question else {
            return reply;
        };
        let task = Task {
            exclude: &question.exclude,
            lines: question.lines,
            ..Task::new(question.limits)
        };
        let answer = engine.think(&question.position, &task);
        actions = protocol.answer(answer.as_ref().map_err(|error| *error));
    }
}

/// Somebody else's text inside a message: short, on one line, in backquotes.
fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let mut quoted: String = text
        .chars()
        .take(MOST)
        .flat_map(|c| {
            if c.is_control() {
                c.escape_default().collect::<Vec<_>>()
            } else {
                vec![c]
            }
        })
        .collect();
    if text.chars().nth(MOST).is_some() {
        quoted.push_str("...");
    }
    format!("`{quoted}`")
}

/// Separates a command from what follows it.
fn command(line: &str) -> (&str, &str) {
    let line = line.trim();
    match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (line, ""),
    }
}
