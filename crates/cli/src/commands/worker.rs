//! `tengen worker`: jobs of a grid, until Ctrl-C.

mod others;

use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use serde_json::json;
use tengen_grid::jobs::LocalWorker;
use tengen_grid::nats::{Access, Leave, Log, WorkerOptions, machine, run_worker};

use crate::args::{LogForm, WorkerArgs};
use crate::commands::check::counted;
use crate::interrupt;
use crate::output::Output;

/// What all jobs together may use where Go-Moku is solved, if nobody says it.
const USUAL_MEGABYTES: u64 = 4 << 10;

/// What a job uses at most, as seen: tables, stack and memory of earlier jobs.
const MEGABYTES_PER_JOB: u64 = 256;

pub(crate) fn run(args: &WorkerArgs, out: &mut Output) -> anyhow::Result<()> {
    let access = match (&args.key, &args.connect) {
        (Some(key), Some(url)) => Access::with_key(key)?.moved_to(url)?,
        (Some(key), None) => Access::with_key(key)?,
        (None, Some(url)) => Access::at(url)?,
        (None, None) => bail!("where is the grid? --connect URL or --key FILE says it"),
    };
    let options = WorkerOptions {
        memory: args.memory,
        kinds: args.only.clone(),
        labels: args.label.clone(),
        ..WorkerOptions::new(&name(args, &access)?, threads(args))
    };
    be_nice(args.nice);
    let leave = Arc::new(Leave::default());
    interrupt::leave(Arc::clone(&leave));
    if let Some(percent) = args.pause_when_busy {
        others::pause_for(percent, args.nice > 0, Arc::clone(&leave))?;
    }
    let (form, who) = (args.log, options.name.clone());
    log_started(form, &access, &options);
    let log = move |log: Log| write_log(form, &who, &log);
    let megabytes = args.memory.unwrap_or(USUAL_MEGABYTES);
    let room = usize::try_from(megabytes << 20).unwrap_or(usize::MAX);
    let worker = LocalWorker::new().with_room(options.threads, room);
    let worked = run_worker(&access, options, Arc::new(worker), leave, log)?;
    writeln!(
        out,
        "{} done, {} failed, {} of another version",
        counted(worked.done, "job"),
        worked.failed,
        worked.refused
    )?;
    Ok(())
}

fn name(args: &WorkerArgs, access: &Access) -> anyhow::Result<String> {
    match (access.worker(), &args.name) {
        (Some(only), Some(name)) if only != name => {
            bail!("the key is for a worker named {only}, not {name}")
        }
        (Some(only), _) => Ok(only.to_owned()),
        (None, Some(name)) => Ok(name.clone()),
        (None, None) => {
            let mut name = machine();
            name.truncate(50);
            Ok(format!("{name}-{:04x}", fastrand::u16(..)))
        }
    }
}

fn threads(args: &WorkerArgs) -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(processors);
    let room = args
        .memory
        .map_or(u64::MAX, |memory| memory / MEGABYTES_PER_JOB);
    threads.min(usize::try_from(room.max(1)).unwrap_or(usize::MAX))
}

/// Other programs come first. Where that is not possible it is no harm.
fn be_nice(nice: u8) {
    if nice == 0 || !cfg!(unix) {
        return;
    }
    let mut command = Command::new("renice");
    command.args([
        "-n",
        &nice.to_string(),
        "-p",
        &std::process::id().to_string(),
    ]);
    let _ = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

fn log_started(form: LogForm, access: &Access, options: &WorkerOptions) {
    let (url, name, threads) = (access.url(), &options.name, options.threads);
    match form {
        LogForm::Text => line(&format!(
            "worker {name} with {} asks {url} for jobs; Ctrl-C leaves",
            counted(threads as u64, "thread")
        )),
        LogForm::Json => line(&json!({ "time": now(), "event": "start", "worker": name, "grid": url, "threads": threads }).to_string()),
        LogForm::None => {}
    }
}

fn write_log(form: LogForm, worker: &str, log: &Log) {
    let (event, text, seconds) = match log {
        Log::Waiting(why) => ("waiting", why.clone(), None),
        Log::Connected => ("connected", "connected".to_owned(), None),
        Log::Disconnected => (
            "disconnected",
            "the connection is lost, trying again".to_owned(),
            None,
        ),
        Log::Begins(position) => ("begins", position.clone(), None),
        Log::Ends(position, seconds) => ("ends", position.clone(), Some(*seconds)),
        Log::Stopped(position) => ("stopped", position.clone(), None),
        Log::Failed(why) => ("failed", why.clone(), None),
        Log::Refused(why) => ("refused", why.clone(), None),
        Log::Paused => (
            "paused",
            "other programs are busy: no jobs are taken until they rest".to_owned(),
            None,
        ),
        Log::Resumed => ("resumed", "jobs are taken again".to_owned(), None),
        Log::Leaving => ("leaving", "leaving".to_owned(), None),
        _ => return,
    };
    match form {
        LogForm::Text => match (event, seconds) {
            ("begins", _) => {}
            ("ends", Some(seconds)) => line(&format!("{seconds:.1} s for {text}")),
            ("stopped", _) => line(&format!("told to stop {text}")),
            _ => line(&text),
        },
        LogForm::Json => {
            let mut value =
                json!({ "time": now(), "event": event, "worker": worker, "text": text });
            if let Some(seconds) = seconds {
                value["seconds"] = json!(seconds);
            }
            line(&value.to_string());
        }
        LogForm::None => {}
    }
}

fn line(text: &str) {
    // Nobody is left to be told when stderr is closed.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Seconds since 1970.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |time| (time.as_secs_f64() * 1000.0).round() / 1000.0)
}
