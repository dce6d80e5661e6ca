//! A proof and what the checker said of it, bound together.

use std::panic;
use std::thread;

use tengen_checker::{Limits, Report, Verdict, check_partial_claim};
use tengen_rules::{Cell, Position, Side, Turn, notation};

use super::{ProofId, ProofState};
use crate::place::Place;
use crate::{Error, Result, fields};

/// The checker walks down the proof, which may be deep.
const STACK: usize = 64 << 20;

/// A proof that the checker has seen, with its verdict. There is no other way to make one.
#[derive(Debug, Clone)]
pub struct CheckedProof {
    id: ProofId,
    text: String,
    position: Position,
    attacker: Side,
    pub(super) first: Option<Turn>,
    verdict: Verdict,
    /// When.
    pub(crate) checked: i64,
}

impl CheckedProof {
    /// Has a proof checked, without limits.
    pub fn check(text: impl Into<String>) -> Result<Self> {
        Self::check_within(text, &Limits::default())
    }

    /// Has a proof checked, on a stack that is large enough. An error says that no claim about a position can be read;
    /// a proof that is wrong is an answer.
    pub fn check_within(text: impl Into<String>, limits: &Limits) -> Result<Self> {
        let text = text.into();
        let claim = Claimed::read(&text)?;
        let rules = claim.position.rules().to_string();
        let setup = notation::setup_text(&claim.position.to_setup());
        // The claim as this crate understands it, not as the file words it: what is stored is what was verified.
        let check = || {
            check_partial_claim(
                &text,
                &rules,
                &setup,
                fields::side_text(claim.attacker),
                limits,
            )
        };
        let verdict = thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(STACK);
            let started = builder.spawn_scoped(scope, check);
            let thread = started.map_err(|error| {
                Error::Proof(format!("no thread could be started to check it: {error}"))
            })?;
            Ok::<_, Error>(
                thread
                    .join()
                    .unwrap_or_else(|bug| panic::resume_unwind(bug)),
            )
        })?;
        Ok(Self {
            id: ProofId::of(&text),
            text,
            position: claim.position,
            attacker: claim.attacker,
            first: claim.first,
            verdict,
            checked: fields::now(),
        })
    }

    /// Its name.
    pub const fn id(&self) -> ProofId {
        self.id
    }

    /// The text form.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it is about.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Who wins, if it is right.
    pub const fn attacker(&self) -> Side {
        self.attacker
    }

    /// What the checker said.
    pub const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// What was verified, with or without exceptions.
    pub const fn report(&self) -> Option<&Report> {
        match &self.verdict {
            Verdict::Verified(report) | Verdict::VerifiedExcept(report) => Some(report),
            Verdict::Rejected(_) | Verdict::Undecided(_) => None,
        }
    }

    /// Whether it is verified that this side wins from this position or an image of it, whatever the other one does.
    pub fn proves(&self, position: &Position, winner: Side) -> bool {
        self.verdict.is_verified()
            && self.attacker == winner
            && Place::of(position).canonical.setup == Place::of(&self.position).canonical.setup
    }

    /// The state in one word.
    pub const fn state(&self) -> ProofState {
        match self.verdict {
            Verdict::Verified(_) => ProofState::Verified,
            Verdict::VerifiedExcept(_) => ProofState::VerifiedExcept,
            Verdict::Rejected(_) => ProofState::Rejected,
            Verdict::Undecided(_) => ProofState::Undecided,
        }
    }

    /// Why it was not verified; empty if it was.
    pub fn reason(&self) -> String {
        match &self.verdict {
            Verdict::Verified(_) | Verdict::VerifiedExcept(_) => String::new(),
            Verdict::Rejected(reason) | Verdict::Undecided(reason) => reason.to_string(),
        }
    }

    /// Replies that it leaves open.
    pub(super) fn open(&self) -> Vec<String> {
        let open = self.report().map(|report| report.except.as_slice());
        let name = |set: &Vec<(i32, i32)>| -> String {
            let cells = set.iter();
            let turn: Turn = cells.map(|&(x, y)| Cell::new(x as i16, y as i16)).collect();
            turn.to_string()
        };
        open.unwrap_or_default().iter().map(name).collect()
    }
}

/// What the head of a proof says it is about.
struct Claimed {
    position: Position,
    attacker: Side,
    first: Option<Turn>,
}

impl Claimed {
    fn read(text: &str) -> Result<Self> {
        let mut lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        if lines
            .next()
            .is_none_or(|line| !line.starts_with("tengen-proof"))
        {
            let reason = "it does not begin with `tengen-proof 1`; see docs/proof-format.md";
            return Err(Error::Proof(reason.to_owned()));
        }
        let mut field = |name: &str| {
            let line = lines.next().unwrap_or("");
            let value = line.strip_prefix(name).map(str::trim);
            value.ok_or_else(|| {
                let found = fields::shortened(line);
                Error::Proof(format!("expected a line `{name} ...`, found `{found}`"))
            })
        };
        let (rules, position, attacker) = (field("rules")?, field("position")?, field("attacker")?);
        let attacker = fields::side(attacker).ok_or_else(|| {
            let found = fields::shortened(attacker);
            Error::Proof(format!(
                "the attacker is `{found}`, expected black or white"
            ))
        })?;
        let position =
            fields::position(rules, position).map_err(|error| Error::Proof(error.to_string()))?;
        let root = lines.skip_while(|line| !line.starts_with("nodes")).nth(1);
        let turn = root.and_then(|line| line.split_ascii_whitespace().nth(1));
        // Nothing is concluded from it but what to show.
        let first = turn.and_then(|turn| turn.replace(',', " ").parse::<Turn>().ok());
        Ok(Self {
            first: first.filter(|turn| !turn.is_empty() && position.to_move() == attacker),
            position,
            attacker,
        })
    }
}
