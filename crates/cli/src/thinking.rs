//! An engine at work: on a thread with a large stack, watched from this one.

use std::panic;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_player::{Answer, Clock, Engine, Limits, Task, ThinkError};
use tengen_rules::Position;

use crate::args::ThinkArgs;
use crate::progress::{PERIOD, STACK};

/// What the thread with the engine has to say.
enum Message {
    SoFar(Answer),
    Done(Result<Answer, ThinkError>),
}

/// Lets an engine think. Every now and then `watch` is told what is known so far, if anything.
pub(crate) fn think(
    engine: &mut dyn Engine,
    position: &Position,
    task: &Task<'_>,
    mut watch: impl FnMut(Option<&Answer>),
) -> anyhow::Result<Answer> {
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || {
                // The receiver is there as long as the scope.
                let tell = |answer: &Answer| drop(sender.send(Message::SoFar(answer.clone())));
                let progress: &(dyn Fn(&Answer) + Sync) = &tell;
                let task = Task {
                    progress: Some(progress),
                    ..*task
                };
                let answer = engine.think(position, &task);
                let _ = sender.send(Message::Done(answer));
            })?;
        let mut so_far = None;
        let mut seen = Instant::now();
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(Message::Done(answer)) => return Ok(answer?),
                Ok(Message::SoFar(answer)) => so_far = Some(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(payload) => panic::resume_unwind(payload),
                    Ok(()) => unreachable!("the engine returns an answer"),
                },
            }
            // However often the engine speaks, a screen is not drawn more often than one can read it.
            if seen.elapsed() >= PERIOD {
                watch(so_far.as_ref());
                seen = Instant::now();
            }
        }
    })
}

/// Without any limit, so long.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// The limits that are asked for; some limit there is always unless `inf` was asked for.
pub(crate) fn limits(args: &ThinkArgs) -> Limits {
    let time = match args.seconds {
        Some(time) => time.limit(),
        None if args.nodes.is_some() || args.depth.is_some() => None,
        None => Some(DEFAULT_TIME),
    };
    Limits {
        clock: time.map_or_else(Clock::default, Clock::per_turn),
        nodes: args.nodes,
        depth: args.depth,
    }
}
