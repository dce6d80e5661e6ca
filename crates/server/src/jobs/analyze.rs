//! The best turns of a position, live.

use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_player::{AlphaBeta, Answer, Clock, Engine as _, Limits, Options, Task};

use super::claims::Claims;
use super::request::Analysis;
use super::worker::Desk;
use crate::api::{Certainty, JobOutcome, JobProgress, Line};
use crate::convert;
use crate::error::Failure;

/// For tables.
const MEMORY: usize = 128 << 20;

/// The engine spends shares of its time on wins and losses before it ranks turns, and somebody waits for the first
/// lines: the first look is short, each next one so many times as long.
const FIRST_LOOK: Duration = Duration::from_secs(1);
const LONGER: u32 = 4;

/// No analysis is asked to take longer.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);

/// Analyses until the time is up, everything is clear or somebody stops it.
pub(super) fn analyze(desk: &Desk<'_>, analysis: &Analysis) -> Result<Option<JobOutcome>, Failure> {
    let claims = Claims::new(&analysis.position);
    let newest = Mutex::new(None::<Answer>);
    let show = || {
        let newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = newest.as_ref() {
            desk.progress(|progress| update(progress, answer, &claims));
        }
    };
    let (sender, receiver) = mpsc::channel();
    let answer = thread::scope(|scope| {
        let (claims, show) = (&claims, &show);
        scope.spawn(move || claims.check(desk, &receiver, show));
        let hear = |answer: &Answer| {
            *newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer.clone());
            claims.hand_over(answer, &sender);
            show();
        };
        let answer = think(desk, analysis, &hear);
        if let Ok(answer) = &answer {
            hear(answer);
        }
        drop(sender);
        if claims.are_open() && !desk.is_stopped() {
            desk.checking();
        }
        answer
    })?;
    if let Some(failure) = claims.failure() {
        return Err(failure);
    }
    let mut progress = desk.earlier.clone();
    update(&mut progress, &answer, &claims);
    desk.progress(|told| told.lines.clone_from(&progress.lines));
    Ok(Some(JobOutcome::Analysis {
        lines: progress.lines,
        others_lose: claims.others_lose(&answer, &analysis.exclude),
    }))
}

/// Looks again and again, each time longer.
fn think(
    desk: &Desk<'_>,
    analysis: &Analysis,
    hear: &(dyn Fn(&Answer) + Sync),
) -> Result<Answer, Failure> {
    let options = Options {
        memory: MEMORY,
        ..Options::default()
    };
    let mut engine = AlphaBeta::new(&options);
    let end = Instant::now() + desk.time.unwrap_or(LONGEST);
    let mut look = FIRST_LOOK;
    let mut best: Option<Answer> = None;
    loop {
        let before = best.as_ref().map_or(0, |answer| answer.nodes);
        let hear = |answer: &Answer| hear(&counted(answer, before));
        let left = end.saturating_duration_since(Instant::now());
        let task = Task {
            limits: Limits {
                clock: Clock::per_turn(look.min(left)),
                ..Limits::default()
            },
            exclude: &analysis.exclude,
            lines: analysis.lines.into(),
            stop: Some(desk.stop()),
            progress: Some(&hear),
        };
        let answer = engine
            .think(&analysis.position, &task)
            .map_err(|error| Failure::BadRequest(error.to_string()))?;
        let answer = counted(&answer, before);
        let ended = look >= left || desk.is_stopped() || is_decided(&answer);
        let kept = match best {
            Some(best) if !goes_further(&answer, &best) => Answer {
                nodes: answer.nodes,
                ..best
            },
            _ => answer,
        };
        if ended {
            return Ok(kept);
        }
        best = Some(kept);
        look = look.saturating_mul(LONGER);
    }
}

/// With the nodes of the looks before.
fn counted(answer: &Answer, before: u64) -> Answer {
    Answer {
        nodes: answer.nodes + before,
        ..answer.clone()
    }
}

/// Nothing is left to be found out about the turns that are ranked.
fn is_decided(answer: &Answer) -> bool {
    let decided = |line: &tengen_player::Line| line.verdict.proof().is_some();
    !answer.lines.is_empty() && answer.lines.iter().all(decided)
}

/// A look that was stopped early says less than the one before it.
fn goes_further(new: &Answer, old: &Answer) -> bool {
    is_decided(new) || (new.depth >= old.depth && !is_decided(old))
}

/// Takes over an answer, unless an earlier run, before the server was started again, had come further.
fn update(progress: &mut JobProgress, answer: &Answer, claims: &Claims<'_>) {
    let lines: Vec<Line> = answer
        .lines
        .iter()
        .map(|line| shown(line, claims))
        .collect();
    let proved = |lines: &[Line]| {
        let best = lines.first();
        best.is_some_and(|line| line.opinion.certainty == Certainty::Proved)
    };
    progress.nodes = progress.nodes.max(answer.nodes);
    let further = Some(answer.depth) >= progress.depth && !proved(&progress.lines);
    if further || proved(&lines) || progress.lines.is_empty() {
        progress.depth = Some(answer.depth);
        progress.lines = lines;
    }
}

fn shown(line: &tengen_player::Line, claims: &Claims<'_>) -> Line {
    let own = usize::from(line.main_line.first() == Some(&line.turn));
    Line {
        turn: convert::turn(&line.turn),
        then: line.main_line[own..].iter().map(convert::turn).collect(),
        opinion: claims.opinion(line),
    }
}
