//! Runs a protocol on a pipe, with the engine on a thread of its own.
//!
//! Three threads: one reads lines, one thinks, and the caller's has the protocol and writes. Lines that come
//! while the engine thinks wait in order; one that must not wait (`END`, `YXSTOP`, `quit`) stops the thinking
//! it is behind, and then takes its place in the row. So what is said never depends on who was faster, except
//! for how good a stopped answer is.

use std::any::Any;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::{Heard, next_line};
use super::{Action, Protocol, Question, Urgency};
use crate::{Answer, Engine, Task, ThinkError};

/// Searches recurse once a turn; the longest lines need more than a thread's usual stack.
const STACK: usize = 64 << 20;

/// How long a stopped engine is waited for when the other side wants to leave.
const GRACE: Duration = Duration::from_millis(40);

/// So many lines are read ahead. Whoever sends more has to wait.
const READ_AHEAD: usize = 1024;

enum Event {
    Heard(Heard),
    End(io::Result<()>),
    Progress(Answer),
    Answer(Result<Answer, ThinkError>),
    Panicked(Box<dyn Any + Send>),
}

enum Job {
    NewGame,
    Memory(usize),
    Think(Box<Question>, Arc<AtomicBool>),
}

/// Talks until the other side quits or its lines end. Lines heard before the end are still answered.
///
/// `build` makes an engine that uses so many bytes. Every line said is flushed.
///
/// # Errors
///
/// If reading or writing fails, or no thread can be started.
///
/// # Panics
///
/// If the engine does.
pub fn serve(
    protocol: &mut dyn Protocol,
    memory: usize,
    build: impl Fn(usize) -> Box<dyn Engine> + Send + 'static,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let (jobs, todo) = mpsc::channel();
    let (slots, taken) = mpsc::sync_channel(READ_AHEAD);
    let heard = sender.clone();
    // Neither thread is waited for: reading may block for ever, and the engine needs a moment to stop.
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read(input, &slots, &heard))?;
    thread::Builder::new()
        .name("engine".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let work = AssertUnwindSafe(|| think(memory, &build, &todo, &sender));
            if let Err(payload) = panic::catch_unwind(work) {
                // Nobody listens any more when the conversation is over.
                let _ = sender.send(Event::Panicked(payload));
            }
        })?;
    let mut driver = Driver {
        protocol,
        output,
        events,
        taken,
        jobs,
        waiting: VecDeque::new(),
        thinking: None,
        ended: false,
        leave_by: None,
    };
    driver.run()
}

/// Reads until the end, at most [`READ_AHEAD`] lines ahead.
fn read(mut input: impl BufRead, slots: &SyncSender<()>, events: &Sender<Event>) {
    loop {
        let event = match next_line(&mut input) {
            Ok(Some(heard)) => Event::Heard(heard),
            Ok(None) => Event::End(Ok(())),
            Err(error) => Event::End(Err(error)),
        };
        let last = matches!(event, Event::End(_));
        let slot = last || slots.send(()).is_ok();
        if !slot || events.send(event).is_err() || last {
            return;
        }
    }
}

/// Does what the engine has to do, until nobody asks any more.
fn think(
    mut memory: usize,
    build: &dyn Fn(usize) -> Box<dyn Engine>,
    todo: &Receiver<Job>,
    events: &Sender<Event>,
) {
    let mut made: Option<Box<dyn Engine>> = None;
    for job in todo {
        match job {
            Job::Memory(bytes) => {
                // The old one goes before a new one comes, or both would count.
                made = None;
                memory = bytes;
            }
            Job::NewGame => match &mut made {
                Some(engine) => engine.forget(),
                None => made = Some(build(memory)),
            },
            Job::Think(question, stop) => {
                let engine = made.get_or_insert_with(|| build(memory));
                let answer = ask(engine.as_mut(), &question, &stop, events);
                if events.send(Event::Answer(answer)).is_err() {
                    return;
                }
            }
        }
    }
}

fn ask(
    engine: &mut dyn Engine,
    question: &Question,
    stop: &AtomicBool,
    events: &Sender<Event>,
) -> Result<Answer, ThinkError> {
    let tell = |answer: &Answer| {
        // Nobody listens any more when the conversation is over.
        let _ = events.send(Event::Progress(answer.clone()));
    };
    let task = Task {
        limits: question.limits,
        exclude: &question.exclude,
        lines: question.lines,
        stop: Some(stop),
        progress: question.progress.then_some(&tell),
    };
    engine.think(&question.position, &task)
}

/// What the engine is busy with.
struct Thinking {
    stop: Arc<AtomicBool>,
    bounded: bool,
}

struct Driver<'a> {
    protocol: &'a mut dyn Protocol,
    output: &'a mut dyn Write,
    events: Receiver<Event>,
    /// One entry for each line that was read and not yet handled.
    taken: Receiver<()>,
    jobs: Sender<Job>,
    waiting: VecDeque<Heard>,
    thinking: Option<Thinking>,
    /// No more lines will come.
    ended: bool,
    /// The other side wants to leave; nothing is waited for beyond this.
    leave_by: Option<Instant>,
}

impl Driver<'_> {
    fn run(&mut self) -> io::Result<()> {
        loop {
            while self.thinking.is_none()
                && let Some(heard) = self.waiting.pop_front()
            {
                // There is an entry: it was made before the line was sent.
                let _ = self.taken.recv();
                let actions = match heard {
                    Heard::Line(line) => self.protocol.line(&line),
                    Heard::Overlong => self.protocol.overlong(),
                };
                if self.act(actions)? {
                    return Ok(());
                }
            }
            if self.ended && self.thinking.is_none() {
                return Ok(());
            }
            let Some(event) = self.next_event() else {
                return Ok(());
            };
            if self.handle(event)? {
                return Ok(());
            }
        }
    }

    /// `None` when it is time to leave.
    fn next_event(&self) -> Option<Event> {
        let Some(end) = self.leave_by else {
            return self.events.recv().ok();
        };
        let left = end.saturating_duration_since(Instant::now());
        self.events.recv_timeout(left).ok()
    }

    /// `true` when the conversation is over.
    fn handle(&mut self, event: Event) -> io::Result<bool> {
        match event {
            Event::Heard(heard) => {
                let urgency = self.urgency(&heard);
                if urgency == Urgency::Quits {
                    self.leave_by.get_or_insert_with(|| Instant::now() + GRACE);
                }
                if urgency != Urgency::Waits {
                    self.stop();
                }
                self.waiting.push_back(heard);
            }
            Event::End(result) => {
                result?;
                self.ended = true;
                self.stop_if_told();
            }
            Event::Progress(answer) => {
                for line in self.protocol.progress(&answer) {
                    self.say(&line)?;
                }
            }
            Event::Answer(answer) => {
                self.thinking = None;
                let actions = self
                    .protocol
                    .answer(answer.as_ref().map_err(|error| *error));
                return self.act(actions);
            }
            Event::Panicked(payload) => panic::resume_unwind(payload),
        }
        Ok(false)
    }

    fn urgency(&self, heard: &Heard) -> Urgency {
        match heard {
            Heard::Line(line) => self.protocol.urgency(line),
            Heard::Overlong => Urgency::Waits,
        }
    }

    fn stop(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops an engine that somebody behind in the row wants to stop, or that could think for ever while
    /// nobody is left to stop it.
    fn stop_if_told(&self) {
        let told = |heard: &Heard| self.urgency(heard) != Urgency::Waits;
        let alone = self.ended && self.thinking.as_ref().is_some_and(|t| !t.bounded);
        if alone || self.waiting.iter().any(told) {
            self.stop();
        }
    }

    /// `true` when the conversation is over.
    fn act(&mut self, actions: Vec<Action>) -> io::Result<bool> {
        for action in actions {
            let job = match action {
                Action::Say(line) => {
                    self.say(&line)?;
                    continue;
                }
                Action::Quit => return Ok(true),
                Action::NewGame => Job::NewGame,
                Action::Memory(bytes) => Job::Memory(bytes),
                Action::Think(question) => {
                    let stop = Arc::new(AtomicBool::new(false));
                    self.thinking = Some(Thinking {
                        stop: Arc::clone(&stop),
                        bounded: question.is_bounded(),
                    });
                    self.stop_if_told();
                    Job::Think(question, stop)
                }
            };
            // If the engine is gone, why is the next event.
            let _ = self.jobs.send(job);
        }
        Ok(false)
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }
}
