//! `tengen check` on databases of Go-Moku: long checks on several threads, watched.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde_json::json;
use tengen_checker::{GomokuDatabase, GomokuLimits, GomokuReport, GomokuVerdict};

use super::check::{Judged, counted, json_line};
use crate::args::CheckArgs;
use crate::interrupt;
use crate::output::{Output, grouped};
use crate::progress::watched;

/// Checks a database; `None` if Ctrl-C comes first.
pub(super) fn judge(bytes: &[u8], args: &CheckArgs) -> anyhow::Result<Option<Judged>> {
    let database = match GomokuDatabase::read(bytes) {
        Ok(database) => database,
        Err(error) => return Ok(Some(Judged::Damaged(error.to_string()))),
    };
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    let limits = GomokuLimits {
        threads: args.threads.unwrap_or_else(processors),
        sample: args.sample.map(|number| (number, args.seed)),
        seconds: args
            .seconds
            .and_then(|time| Some(time.limit()?.as_secs_f64())),
        stop: Some(interrupt::flag()),
    };
    let verdict = verdict(&database, &limits)?;
    let stopped = matches!(verdict, GomokuVerdict::Undecided(_)) && interrupt::is_stopped();
    Ok((!stopped).then_some(Judged::Gomoku(verdict)))
}

/// What the checker says of a database, watched.
pub(crate) fn verdict(
    database: &GomokuDatabase<'_>,
    limits: &GomokuLimits<'_>,
) -> anyhow::Result<GomokuVerdict> {
    let (done, all) = (AtomicU64::new(0), AtomicU64::new(0));
    let line = || {
        let [done, all] = [&done, &all].map(|number| grouped(number.load(Ordering::Relaxed)));
        format!("{done} of {all} records checked")
    };
    Ok(watched(line, || {
        database.check(limits, |records, of| {
            done.fetch_max(records, Ordering::Relaxed);
            all.store(of, Ordering::Relaxed);
        })
    })?)
}

/// Prints what was verified.
pub(super) fn print(
    name: &str,
    word: &str,
    report: &GomokuReport,
    size: u64,
    seconds: f64,
    args: &CheckArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    if args.json {
        let details = json!({
            "rules": report.rules,
            "position": report.position,
            "attacker": "black",
            "records": report.records,
            "strategies": report.strategies,
            "checked": report.checked,
            "replies": report.replies,
            "to_records": report.to_records,
            "at_once": report.at_once,
            "by_strategies": report.by_strategies,
            "steps": report.steps,
            "plies": report.plies,
            "threads": report.threads,
        });
        let line = json_line(name, word, size, seconds, details);
        return Ok(writeln!(out, "{line}")?);
    }
    let claim = if report.checked == report.records {
        "Black wins".to_owned()
    } else {
        let checked = grouped(report.checked);
        format!("no proof, only {checked} records were looked at")
    };
    writeln!(
        out,
        "{word} {name}: {claim}, {}, {}, {} bytes, {seconds:.3} s",
        counted(report.records, "record"),
        counted_y(report.strategies, "strateg"),
        grouped(size),
    )?;
    writeln!(out, "  {} {}", report.rules, report.position)?;
    writeln!(
        out,
        "  {} of White: {} lead to records, {} lose at once, {} to strategies ({})",
        counted_y(report.replies, "repl"),
        grouped(report.to_records),
        grouped(report.at_once),
        grouped(report.by_strategies),
        counted(report.steps, "step"),
    )?;
    Ok(())
}

/// "1 reply", "2,000 replies".
fn counted_y(number: u64, stem: &str) -> String {
    let ending = if number == 1 { "y" } else { "ies" };
    format!("{} {stem}{ending}", grouped(number))
}
