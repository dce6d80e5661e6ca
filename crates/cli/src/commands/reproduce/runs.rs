//! One verification after the other, with proofs and counts kept in a folder.
//!
//! What is taken over from the folder are counts and times; that a position is won is believed only
//! after the checker has verified the proof beside them.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_prover::{Limits, Proof, Request, Solver, VerifyRequest};
use tengen_rules::{Position, Rules, notation};

use crate::args::ReproduceArgs;
use crate::commands::check::zones_of;
use crate::interrupt;
use crate::output::{grouped, write_file};
use crate::solving::{self, Answer};
use crate::verifying::{Verified, after_null_turn, earlier_proof, stages, verified};

/// What each verification may take, unless the command line says otherwise.
pub(super) const SECONDS: Duration = Duration::from_secs(60);

/// How to run, and where to keep what was found.
pub(crate) struct Runs<'a> {
    args: &'a ReproduceArgs,
}

/// A verification that is part of a table.
pub(crate) struct Task<'a> {
    /// The name of its files.
    pub(crate) name: String,
    pub(crate) position: &'a Position,
    pub(crate) order: u8,
    /// For each search of the last stage.
    pub(crate) nodes: u64,
    /// What is proved already.
    pub(crate) known: Option<&'a Proof>,
}

/// What came out of a task.
pub(crate) struct Outcome {
    pub(crate) counts: Counts,
    pub(crate) proof: Option<Proof>,
}

/// What a verification found and took, as kept in the folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Counts {
    order: u8,
    stage_nodes: u64,
    finished: bool,
    /// Entries of the list of open replies.
    pub(crate) survivors: usize,
    /// Whether not even the null turn is answered.
    pub(crate) nothing: bool,
    pub(crate) searches: u64,
    pub(crate) replays: u64,
    pub(crate) replies: u64,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

impl Counts {
    fn new(task: &Task<'_>, verified: &Verified) -> Self {
        let survivors = verified.survivors();
        let found = &verified.found;
        Self {
            order: task.order,
            stage_nodes: task.nodes,
            finished: found.finished,
            survivors: survivors.len(),
            nothing: survivors.iter().any(Vec::is_empty),
            searches: found.searches,
            replays: found.replays,
            replies: found.replies,
            nodes: found.nodes,
            seconds: found.time.as_secs_f64(),
        }
    }

    /// With what an earlier verification took, from which this one went on.
    pub(crate) fn after(mut self, earlier: &Self) -> Self {
        self.searches += earlier.searches;
        self.replays += earlier.replays;
        self.replies = self.replies.max(earlier.replies);
        self.nodes += earlier.nodes;
        self.seconds += earlier.seconds;
        self
    }

    pub(crate) const fn is_win(&self) -> bool {
        self.survivors == 0
    }

    /// "VERIFIED", "VERIFIED except", or "-" where nothing is proved.
    pub(crate) const fn verdict(&self) -> &'static str {
        match (self.survivors, self.nothing) {
            (0, _) => "VERIFIED",
            (_, true) => "-",
            (_, false) => "VERIFIED except",
        }
    }

    /// "0", "15", "all"; with a star if a limit ended the verification.
    pub(crate) fn survivors_in_words(&self) -> String {
        let number = match self.nothing {
            true => "all".to_owned(),
            false => grouped(self.survivors as u64),
        };
        let star = if self.finished { "" } else { "*" };
        number + star
    }
}

impl<'a> Runs<'a> {
    pub(crate) const fn new(args: &'a ReproduceArgs) -> Self {
        Self { args }
    }

    /// The outcome of a task; `None` if Ctrl-C came before or in the middle.
    pub(crate) fn run(&self, task: &Task<'_>) -> anyhow::Result<Option<Outcome>> {
        if interrupt::is_stopped() {
            return Ok(None);
        }
        let earlier = self.earlier(task);
        if let Some(Outcome { counts, .. }) = &earlier
            && counts.finished
        {
            return Ok(earlier);
        }
        let (before, earlier) = earlier.map_or((None, None), |it| (Some(it.counts), it.proof));
        let stages = stages(Some(task.nodes));
        let request = VerifyRequest {
            stages: &stages,
            threads: self.args.threads,
            limits: Limits {
                nodes: None,
                time: self.time(),
            },
            stop: Some(interrupt::flag()),
            known: earlier.as_ref().or(task.known),
            ..VerifyRequest::new(task.order)
        };
        let verified = verified(task.position, &request, &format!("{}: ", task.name))?;
        let mut counts = Counts::new(task, &verified);
        if let Some(before) = &before {
            counts = counts.after(before);
        }
        let proof = verified.found.proof.map(|proof| *proof);
        if let Some((proof_path, counts_path)) = self.paths(task) {
            if let Some(proof) = &proof {
                write_file(&proof_path, &proof.to_compact())?;
            }
            let json = serde_json::to_string_pretty(&counts)? + "\n";
            write_file(&counts_path, json.as_bytes())?;
        }
        Ok((!interrupt::is_stopped()).then_some(Outcome { counts, proof }))
    }

    /// What each verification may take.
    fn time(&self) -> Option<Duration> {
        self.args.time(SECONDS)
    }

    fn paths(&self, task: &Task<'_>) -> Option<(PathBuf, PathBuf)> {
        let folder = self.args.out.as_ref()?;
        let file = |end: &str| folder.join(format!("{}-order{}.{end}", task.name, task.order));
        Some((file("tproof"), file("json")))
    }

    /// What an earlier run left of the same task, if the checker accepts it.
    fn earlier(&self, task: &Task<'_>) -> Option<Outcome> {
        let (proof_path, counts_path) = self.paths(task)?;
        let counts: Counts = serde_json::from_slice(&fs::read(counts_path).ok()?).ok()?;
        if (counts.order, counts.stage_nodes) != (task.order, task.nodes) {
            return None;
        }
        let proof = earlier_proof(&proof_path, task.position).ok();
        let open = proof.as_ref().map_or(1, |proof| proof.except.len());
        (open == counts.survivors).then_some(Outcome { counts, proof })
    }

    /// The sizes of Z1 and Z2 of a shortest win after the null turn, as the checker computes them.
    pub(crate) fn null_turn_zones(
        &self,
        position: &Position,
        order: u8,
        nodes: u64,
    ) -> anyhow::Result<Option<[usize; 2]>> {
        let attacker = !position.to_move();
        let request = Request {
            limits: Limits {
                nodes: Some(nodes),
                time: self.time(),
            },
            shortest: true,
            stop: Some(interrupt::flag()),
            ..Request::new(attacker, order)
        };
        let position = after_null_turn(position, attacker)?;
        let solved = solving::solve(&mut Solver::default(), &position, &request)?;
        let Answer::Win(win) = solved.answer else {
            return Ok(None);
        };
        let zones = zones_of(&win.report);
        Ok(match &zones[..] {
            [first, second, ..] => Some([first.len(), second.len()]),
            _ => None,
        })
    }
}

/// A position of ours.
pub(crate) fn position(rules: &str, text: &str) -> Position {
    let rules: Rules = rules.parse().expect("known rules");
    notation::parse_position(text, rules).expect("a position of ours")
}

/// "0.094".
pub(crate) fn seconds(counts: &Counts) -> String {
    format!("{:.3}", counts.seconds)
}
