//! Our own engines. Each runs on a thread of its own, so that neither a crash nor a hang of an engine can
//! take the match with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tengen_rules::Position;

use super::{Contestant, Fault, Question, Reply};
use crate::{Answer, Engine, EngineKind, Limits, Options, Task, ThinkError};

/// Searches and checks of proofs recurse once a turn.
pub(super) const STACK: usize = 64 << 20;

/// How often a waiting referee looks whether the match is stopped.
pub(super) const PERIOD: Duration = Duration::from_millis(20);

/// What an engine gets to stop when it is told to, before it is given up.
const GRACE: Duration = Duration::from_secs(10);

/// One of our engines, fresh for one game.
pub(super) struct Own {
    questions: Sender<(Position, Limits)>,
    answers: Receiver<Result<Answer, ThinkError>>,
    stop: Arc<AtomicBool>,
}

impl Own {
    pub(super) fn start(kind: EngineKind, options: Options) -> Result<Self, Fault> {
        Self::with(move || kind.build(&options))
    }

    /// An engine that is made on its own thread; its tables are there before any clock runs.
    pub(super) fn with(
        build: impl FnOnce() -> Box<dyn Engine> + Send + 'static,
    ) -> Result<Self, Fault> {
        let (questions, inbox) = mpsc::channel();
        let (outbox, answers) = mpsc::channel();
        let (ready, made) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let work = move || {
            let mut engine = build();
            engine.forget();
            // Nobody waits for it only after a panic of theirs.
            let _ = ready.send(());
            while let Ok((position, limits)) = inbox.recv() {
                let position: Position = position;
                let task = Task {
                    stop: Some(&told),
                    ..Task::new(limits)
                };
                if outbox.send(engine.think(&position, &task)).is_err() {
                    break;
                }
            }
        };
        let spawned = thread::Builder::new().stack_size(STACK).spawn(work);
        spawned.map_err(|error| Fault::Crashed(format!("cannot start a thread: {error}")))?;
        // An engine that panicked while it was made shows when its first answer is awaited.
        let _ = made.recv();
        Ok(Self {
            questions,
            answers,
            stop,
        })
    }

    /// Waits for the answer; tells the engine to stop when `patience` is over, and gives it up when it
    /// does not.
    fn wait(&self, question: &Question<'_>) -> Result<Result<Answer, ThinkError>, Fault> {
        let start = Instant::now();
        loop {
            match self.answers.recv_timeout(PERIOD) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Crashed("the engine panicked".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if (question.stopped)() {
                self.stop.store(true, Ordering::Relaxed);
                return Err(Fault::Stopped);
            }
            let waited = start.elapsed();
            if let Some(patience) = question.patience
                && waited > patience
            {
                self.stop.store(true, Ordering::Relaxed);
                if waited > patience.saturating_add(GRACE) {
                    return Err(Fault::Silent(waited));
                }
            }
        }
    }
}

impl Contestant for Own {
    fn play(&mut self, question: &Question<'_>) -> Result<Reply, Fault> {
        let asked = (question.position.clone(), question.limits);
        // A thread that is gone shows when its answer is awaited.
        let _ = self.questions.send(asked);
        let answer = self.wait(question)?;
        let answer = answer.map_err(|error| Fault::Garbage(format!("it has no turn: {error}")))?;
        let line = answer.lines.into_iter().next();
        let line = line.ok_or_else(|| Fault::Garbage("it answered without a turn".to_owned()))?;
        Ok(Reply {
            turn: line.turn,
            verdict: Some(line.verdict),
            score: Some(line.score),
            nodes: Some(answer.nodes),
            depth: Some(answer.depth),
        })
    }
}

impl Drop for Own {
    /// The thread ends by itself once it sees that nobody asks any more.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
