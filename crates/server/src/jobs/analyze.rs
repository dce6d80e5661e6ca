//! The best turns of a position, live.

use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use tengen_player::{AlphaBeta, Answer, Clock, Engine as _, Limits, Options, Task};

use super::claims::Claims;
use super::request::Analysis;
use super::worker::Desk;
use crate::api::{Certainty, JobOutcome, JobProgress, Line};
use crate::convert;
use crate::error::Failure;

/// For tables.
const MEMORY: usize = 128 << 20;

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

fn think(
    desk: &Desk<'_>,
    analysis: &Analysis,
    hear: &(dyn Fn(&Answer) + Sync),
) -> Result<Answer, Failure> {
    let options = Options {
        memory: MEMORY,
        ..Options::default()
    };
    let task = Task {
        limits: Limits {
            clock: desk.time.map_or_else(Clock::default, Clock::per_turn),
            ..Limits::default()
        },
        exclude: &analysis.exclude,
        lines: analysis.lines.into(),
        stop: Some(desk.stop()),
        progress: Some(hear),
    };
    AlphaBeta::new(&options)
        .think(&analysis.position, &task)
        .map_err(|error| Failure::BadRequest(error.to_string()))
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
