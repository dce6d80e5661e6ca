//! `tengen solve --jsonl`: many positions at once, one JSON object a line in and out.
//!
//! Every position is searched alone, so that with a limit of nodes the answers do not depend on the
//! number of threads. Answers are printed in the order of the questions.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use serde::Serialize;
use serde_json::{Map, Value};
use tengen_prover::{Request, Solver};
use tengen_rules::{Cell, Position, Rules, Setup, Side};

use crate::args::SolveArgs;
use crate::commands::check::worst;
use crate::commands::solve::{limits, names, refuse_unsolvable};
use crate::error::{CheckFailed, ExitWith, io_words};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{Output, grouped, write_file};
use crate::position_input::{is_stdin, name};
use crate::progress::{self, ProgressLine, next_message};
use crate::proof_file;
use crate::solving::{self, Answer};
use crate::verifying::processors;

/// No position needs a longer line.
const MAX_LINE: u64 = 1 << 20;

/// One answer; the fields are those that scripts rely on, in this order.
#[derive(Serialize)]
struct Line {
    id: Value,
    result: &'static str,
    order: u8,
    turn: Option<Vec<String>>,
    depth: Option<u16>,
    nodes: u64,
    seconds: f64,
    proof: Option<String>,
}

/// An answer to a line that could not be solved.
#[derive(Serialize)]
struct Failure {
    id: Value,
    error: String,
}

/// What became of a question.
struct Done {
    /// The question's place among all.
    number: usize,
    text: String,
    win: bool,
    code: u8,
}

pub(crate) fn run(args: &SolveArgs, path: &Path, out: &mut Output) -> anyhow::Result<()> {
    let source = open(path)?;
    if let Some(folder) = &args.proofs {
        fs::create_dir_all(folder)
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        proof_file::ensure_writable(&folder.join(".tengen-probe"))?;
    }
    let stop = interrupt::flag();
    let threads = args.threads.unwrap_or_else(processors);
    let questions = Questions {
        source: Mutex::new(read_ahead(source, threads)),
        args,
        stop,
        broken: Mutex::new(None),
        bug: Mutex::new(None),
    };
    let mut progress = ProgressLine::new();
    let total = progress.is_shown().then(|| count_lines(path)).flatten();
    let start = Instant::now();
    let codes = thread::scope(|scope| -> anyhow::Result<Vec<u8>> {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, questions) = (sender.clone(), &questions);
            thread::Builder::new()
                .stack_size(progress::STACK)
                .spawn_scoped(scope, move || questions.work(&sender))?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let (mut next, mut done, mut wins) = (0, 0_u64, 0_u64);
        let mut codes = Vec::new();
        let print = |done: u64, wins: u64| {
            let of = total.map_or_else(String::new, |total| format!(" of {}", grouped(total)));
            let seconds = start.elapsed().as_secs_f64();
            format!(
                "{}{of} positions, {} wins, {seconds:.1} s",
                grouped(done),
                grouped(wins)
            )
        };
        while let Some(answer) = next_message(&receiver, &mut progress, || print(done, wins)) {
            done += 1;
            wins += u64::from(answer.win);
            waiting.insert(answer.number, answer);
            let mut written = false;
            while let Some(answer) = waiting.remove(&next) {
                if !written {
                    progress.erase();
                }
                let printed = writeln!(out, "{}", answer.text);
                if let Err(error) = printed.and_then(|()| out.flush()) {
                    // Nobody reads any more: the searches need not go on.
                    stop.store(true, Ordering::Relaxed);
                    return Err(error.into());
                }
                codes.push(answer.code);
                written = true;
                next += 1;
            }
        }
        Ok(codes)
    })?;
    if let Some(payload) = questions.bug.into_inner().ok().flatten() {
        panic::resume_unwind(payload);
    }
    if let Some(error) = questions.broken.into_inner().ok().flatten() {
        return Err(error);
    }
    progress.erase();
    if interrupt::is_stopped() {
        let _ = writeln!(
            io::stderr(),
            "tengen: stopped with Ctrl-C after {} positions",
            codes.len()
        );
        return Err(ExitWith(INTERRUPTED).into());
    }
    let failed = codes.iter().filter(|&&code| code != 0).count();
    match worst(&codes) {
        0 => Ok(()),
        code => {
            let _ = writeln!(
                io::stderr(),
                "tengen: {failed} of {} lines could not be solved; their answers say why",
                codes.len()
            );
            Err(ExitWith(code).into())
        }
    }
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead + Send>> {
    if is_stdin(path) {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path)
        .and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(file),
        })
        .map_err(|error| anyhow!(io_words(&error)))
        .with_context(|| format!("cannot read {}", name(path)))?;
    Ok(Box::new(BufReader::new(file)))
}

/// How many positions a file has; unknown for a pipe.
fn count_lines(path: &Path) -> Option<u64> {
    if is_stdin(path) || !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let lines = BufReader::new(File::open(path).ok()?).split(b'\n');
    let full = lines
        .map_while(Result::ok)
        .filter(|line| !line.trim_ascii().is_empty());
    Some(full.count() as u64)
}

/// A line that is not empty.
struct Question {
    /// Its number among those, from 0.
    number: usize,
    /// Its number in the file, from 1.
    line: usize,
    bytes: Vec<u8>,
}

/// Reads on a thread that nobody waits for: Ctrl-C must work while stdin says nothing.
fn read_ahead(
    mut source: Box<dyn BufRead + Send>,
    ahead: usize,
) -> Receiver<anyhow::Result<Question>> {
    let (sender, receiver) = mpsc::sync_channel(ahead);
    thread::spawn(move || {
        let (mut number, mut line) = (0, 0);
        while let Some(question) = next_line(&mut *source, &mut number, &mut line).transpose() {
            let failed = question.is_err();
            if sender.send(question).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

fn next_line(
    source: &mut dyn BufRead,
    number: &mut usize,
    line: &mut usize,
) -> anyhow::Result<Option<Question>> {
    loop {
        let mut bytes = Vec::new();
        let read = io::Read::take(&mut *source, MAX_LINE)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot read line {}", *line + 1))?;
        if read == 0 {
            return Ok(None);
        }
        *line += 1;
        if bytes.len() as u64 >= MAX_LINE && !bytes.ends_with(b"\n") {
            source.skip_until(b'\n')?;
        }
        if !bytes.trim_ascii().is_empty() {
            *number += 1;
            return Ok(Some(Question {
                number: *number - 1,
                line: *line,
                bytes,
            }));
        }
    }
}

/// Where the threads take their work from.
struct Questions<'a> {
    source: Mutex<Receiver<anyhow::Result<Question>>>,
    args: &'a SolveArgs,
    stop: &'static AtomicBool,
    /// The source failed.
    broken: Mutex<Option<anyhow::Error>>,
    /// A panic, to be reported at the end.
    bug: Mutex<Option<Box<dyn std::any::Any + Send>>>,
}

impl Questions<'_> {
    /// One thread: solves until there is nothing left.
    fn work(&self, sender: &mpsc::Sender<Done>) {
        let mut solver = Solver::default();
        while !self.stop.load(Ordering::Relaxed) {
            let Question {
                number,
                line,
                bytes,
            } = match self.next() {
                Some(Ok(question)) => question,
                None => return,
                Some(Err(error)) => {
                    if let Ok(mut broken) = self.broken.lock() {
                        *broken = Some(error);
                    }
                    return;
                }
            };
            // The solver clears its table before every search: a panic leaves nothing behind.
            let solving = AssertUnwindSafe(|| self.answer(&mut solver, line, &bytes));
            let (text, win, code) = panic::catch_unwind(solving).unwrap_or_else(|payload| {
                if let Ok(mut bug) = self.bug.lock() {
                    *bug = Some(payload);
                }
                let error = format!("line {line}: internal error");
                (failure(Value::Null, error), false, 1)
            });
            let done = Done {
                number,
                text,
                win,
                code,
            };
            if sender.send(done).is_err() {
                return;
            }
        }
    }

    /// The next question; `None` at the end, or after Ctrl-C.
    fn next(&self) -> Option<anyhow::Result<Question>> {
        let source = self.source.lock().ok()?;
        while !self.stop.load(Ordering::Relaxed) {
            match source.recv_timeout(Duration::from_millis(50)) {
                Ok(question) => return Some(question),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }

    /// The line to print, whether it is a win, and the exit code it asks for.
    fn answer(&self, solver: &mut Solver, line: usize, bytes: &[u8]) -> (String, bool, u8) {
        let object = match parse_object(bytes) {
            Ok(object) => object,
            Err(error) => {
                return (
                    failure(Value::Null, format!("line {line}: {error:#}")),
                    false,
                    2,
                );
            }
        };
        let id = object.get("id").cloned().unwrap_or(Value::Null);
        match self.solve(solver, line, &id, &object) {
            Ok(answer) => {
                let text = serde_json::to_string(&answer).expect("plain data can be written");
                (text, answer.result == "win", 0)
            }
            Err(error) => {
                let code = if error.is::<CheckFailed>() { 1 } else { 2 };
                (failure(id, format!("{error:#}")), false, code)
            }
        }
    }

    fn solve(
        &self,
        solver: &mut Solver,
        line: usize,
        id: &Value,
        object: &Map<String, Value>,
    ) -> anyhow::Result<Line> {
        let position = position(object, self.args.position.rules)?;
        refuse_unsolvable(&position)?;
        let request = Request {
            shortest: self.args.shortest,
            limits: limits(self.args),
            stop: Some(self.stop),
            ..Request::new(position.to_move(), self.args.order)
        };
        let solved = solving::solve(solver, &position, &request)?;
        let (result, win) = match &solved.answer {
            Answer::Win(win) => ("win", Some(win)),
            Answer::None => ("none", None),
            Answer::Unknown => ("unknown", None),
        };
        let mut proof = None;
        if let (Some(folder), Some(win)) = (&self.args.proofs, win) {
            let path = proof_path(folder, line, id, self.args.compact);
            write_file(
                &path,
                &proof_file::bytes_for(&path, self.args.compact, &win.proof),
            )?;
            proof = Some(path.display().to_string());
        }
        let turn = win.and_then(|win| Some(names(&win.proof.nodes.first()?.turn)));
        Ok(Line {
            id: id.clone(),
            result,
            order: self.args.order,
            turn,
            depth: win.map(|win| win.depth),
            nodes: solved.nodes,
            seconds: (solved.time.as_secs_f64() * 1e6).round() / 1e6,
            proof,
        })
    }
}

fn failure(id: Value, error: String) -> String {
    serde_json::to_string(&Failure { id, error }).expect("plain data can be written")
}

/// Unique because of the line's number, recognisable because of the id.
fn proof_path(folder: &Path, line: usize, id: &Value, compact: bool) -> PathBuf {
    let id = match id {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let tame = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let id: String = id.chars().filter(|&c| tame(c)).take(60).collect();
    let extension = if compact { "tproof" } else { "proof" };
    folder.join(match id.as_str() {
        "" => format!("{line}.{extension}"),
        id => format!("{line}-{id}.{extension}"),
    })
}

fn parse_object(bytes: &[u8]) -> anyhow::Result<Map<String, Value>> {
    if bytes.len() as u64 >= MAX_LINE {
        bail!("longer than {} KiB, no position", MAX_LINE >> 10);
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => bail!("expected a JSON object"),
        Err(error) => bail!("not JSON: {}", error.to_string().replace("line 1 ", "")),
    }
}

fn position(object: &Map<String, Value>, rules: Option<Rules>) -> anyhow::Result<Position> {
    let rules = match object.get("rules") {
        None | Some(Value::Null) => rules.unwrap_or(Rules::CONNECT6),
        Some(Value::String(text)) => text.parse().context("`rules`")?,
        Some(_) => bail!("`rules`: expected a text such as \"connect6\""),
    };
    let to_move = match object.get("to_move").and_then(Value::as_str) {
        Some("black") => Side::Black,
        Some("white") => Side::White,
        _ => bail!("`to_move`: expected \"black\" or \"white\""),
    };
    let left = match object.get("left") {
        None | Some(Value::Null) => None,
        Some(value) => {
            let left = value.as_u64().and_then(|left| u8::try_from(left).ok());
            Some(left.with_context(|| format!("`left`: {value} is no number of stones"))?)
        }
    };
    let setup = Setup {
        rules,
        black: cells(object, "black")?,
        white: cells(object, "white")?,
        to_move,
        left,
    };
    Ok(Position::from_setup(&setup)?)
}

fn cells(object: &Map<String, Value>, field: &'static str) -> anyhow::Result<Vec<Cell>> {
    let list = match object.get(field) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => bail!("`{field}`: expected a list of cells"),
    };
    let cell = |value: &Value| {
        let text = value.as_str().context("expected texts such as \"J10\"")?;
        Ok(text.parse::<Cell>()?)
    };
    let cells: anyhow::Result<Vec<Cell>> = list.iter().map(cell).collect();
    cells.with_context(|| format!("`{field}`"))
}
