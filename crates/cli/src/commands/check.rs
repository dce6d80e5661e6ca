//! `tengen check`: the checker's verdict on files, one a line.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use serde_json::{Value, json};
use tengen_checker::{
    DrawReport, DrawVerdict, GomokuVerdict, Limits, Report, Verdict, check_draw,
    is_draw_certificate, is_gomoku_database,
};
use tengen_rules::{Cell, Position, Side, notation};

use super::check_gomoku as gomoku;
use crate::args::CheckArgs;
use crate::board_text::{self, CellMark};
use crate::claim_text::{claim_in_words, open_replies_in_words};
use crate::error::{ExitWith, complain};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{Output, grouped};
use crate::position_input::is_stdin;
use crate::proof_file;
use crate::solving::{self, Claim};
use crate::view::rules_in_words;

/// How many open replies are listed.
const MOST_LISTED: usize = 8;

pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> anyhow::Result<()> {
    interrupt::flag();
    let expected = args.position.as_deref().map(|text| {
        notation::parse_position(text, args.rules)
            .map_err(|error| anyhow::anyhow!(error.reason().to_owned()))
            .context("--position")
    });
    let expected = expected.transpose()?;
    let mut codes = Vec::new();
    for path in &args.files {
        // One missing file does not keep the others from being checked.
        let bytes = match proof_file::read_bytes(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                out.flush()?;
                complain(&error);
                codes.push(2);
                continue;
            }
        };
        let size = bytes.len() as u64;
        let start = Instant::now();
        let plain = proof_file::plain(bytes);
        if let Ok(bytes) = &plain
            && is_gomoku_database(bytes)
        {
            if expected.is_some() {
                anyhow::bail!(
                    "{} is a database of Go-Moku: it has a position of its own",
                    name_of_file(path)
                );
            }
            let Some(judged) = gomoku::judge(bytes, args)? else {
                return Err(ExitWith(INTERRUPTED).into());
            };
            let seconds = start.elapsed().as_secs_f64();
            print(path, &judged, size, seconds, args, out)?;
            out.flush()?;
            codes.push(judged.exit_code());
            continue;
        }
        let judged = match plain.and_then(proof_file::text) {
            Ok(text) if is_draw_certificate(&text) => {
                if expected.is_some() {
                    anyhow::bail!(
                        "{} is a certificate of a draw: it is about no position",
                        name_of_file(path)
                    );
                }
                Some(Judged::Draw(check_draw(&text, &limits(args))))
            }
            Ok(text) => verdict(text, expected.as_ref(), args),
            Err(message) => Some(Judged::Damaged(message)),
        };
        let Some(judged) = judged else {
            return Err(ExitWith(INTERRUPTED).into());
        };
        let seconds = start.elapsed().as_secs_f64();
        print(path, &judged, size, seconds, args, out)?;
        out.flush()?;
        codes.push(judged.exit_code());
    }
    match worst(&codes) {
        0 => Ok(()),
        code => Err(ExitWith(code).into()),
    }
}

/// A rejected proof weighs more than an undecided one.
pub(crate) fn worst(codes: &[u8]) -> u8 {
    if codes.contains(&1) {
        1
    } else {
        codes.iter().copied().max().unwrap_or(0)
    }
}

/// What is said of a file.
pub(super) enum Judged {
    /// By the checker.
    Checked(Verdict),
    /// By the checker, about a certificate of a draw.
    Draw(DrawVerdict),
    /// By the checker, about a database of Go-Moku.
    Gomoku(GomokuVerdict),
    /// It never came to the checker: malformed.
    Damaged(String),
}

impl Judged {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Checked(verdict) => verdict.exit_code(),
            Self::Draw(verdict) => verdict.exit_code(),
            Self::Gomoku(verdict) => verdict.exit_code(),
            Self::Damaged(_) => 1,
        }
    }

    const fn word(&self) -> &'static str {
        match self {
            Self::Checked(Verdict::Verified(_))
            | Self::Draw(DrawVerdict::Verified(_))
            | Self::Gomoku(GomokuVerdict::Verified(_)) => "VERIFIED",
            Self::Gomoku(GomokuVerdict::VerifiedSample(_)) => "VERIFIED sample",
            Self::Checked(Verdict::VerifiedExcept(_)) => "VERIFIED except",
            Self::Checked(Verdict::Undecided(_))
            | Self::Draw(DrawVerdict::Undecided(_))
            | Self::Gomoku(GomokuVerdict::Undecided(_)) => "UNDECIDED",
            Self::Checked(Verdict::Rejected(_))
            | Self::Gomoku(GomokuVerdict::Rejected(_))
            | Self::Draw(DrawVerdict::Rejected(_))
            | Self::Damaged(_) => "REJECTED",
        }
    }

    const fn report(&self) -> Option<&Report> {
        match self {
            Self::Checked(Verdict::Verified(report) | Verdict::VerifiedExcept(report)) => {
                Some(report)
            }
            _ => None,
        }
    }

    fn reason(&self) -> Option<String> {
        match self {
            Self::Checked(Verdict::Verified(_) | Verdict::VerifiedExcept(_))
            | Self::Draw(DrawVerdict::Verified(_))
            | Self::Gomoku(GomokuVerdict::Verified(_) | GomokuVerdict::VerifiedSample(_)) => None,
            Self::Gomoku(GomokuVerdict::Rejected(fault)) => Some(fault.to_string()),
            Self::Gomoku(GomokuVerdict::Undecided(reason)) => Some(reason.clone()),
            Self::Checked(Verdict::Rejected(reason) | Verdict::Undecided(reason))
            | Self::Draw(DrawVerdict::Rejected(reason) | DrawVerdict::Undecided(reason)) => {
                Some(reason.to_string())
            }
            Self::Damaged(message) => Some(message.clone()),
        }
    }
}

fn limits(args: &CheckArgs) -> Limits {
    Limits {
        seconds: args
            .seconds
            .and_then(|time| Some(time.limit()?.as_secs_f64())),
        nodes: None,
        memory_bytes: args.memory,
    }
}

fn name_of_file(path: &Path) -> String {
    if is_stdin(path) {
        "stdin".to_owned()
    } else {
        one_line(&path.display().to_string())
    }
}

fn verdict(text: String, expected: Option<&Position>, args: &CheckArgs) -> Option<Judged> {
    let limits = limits(args);
    // The position is asked for, the attacker is not: whoever the file names is fine.
    let claim = expected.map(|position| {
        let attacker = text.lines().find_map(|line| line.strip_prefix("attacker "));
        let attacker = match attacker.map(str::trim) {
            Some("white") => Side::White,
            _ => Side::Black,
        };
        Claim::new(position, attacker)
    });
    solving::verdict(text, claim, limits).map(Judged::Checked)
}

fn print(
    path: &Path,
    judged: &Judged,
    size: u64,
    seconds: f64,
    args: &CheckArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let name = name_of_file(path);
    if let Judged::Draw(DrawVerdict::Verified(report)) = judged {
        return print_draw(&name, report, size, seconds, args, out);
    }
    if let Judged::Gomoku(GomokuVerdict::Verified(report) | GomokuVerdict::VerifiedSample(report)) =
        judged
    {
        return gomoku::print(&name, judged.word(), report, size, seconds, args, out);
    }
    let (word, report) = (judged.word(), judged.report());
    if args.json {
        let details = json!({
            "reason": judged.reason(),
            "rules": report.map(|report| &report.rules),
            "position": report.map(|report| &report.position),
            "attacker": report.map(|report| &report.attacker),
            "except": report.map(|report| names(&sets_of(&report.except))),
            "region": report.and_then(region_of).map(|(low, high)| [low, high].map(name_of)),
            "depth": report.map(|report| report.depth),
            "nodes": report.map(|report| report.nodes),
            "visits": report.map(|report| report.visits),
        });
        let line = json_line(&name, word, size, seconds, details);
        return Ok(writeln!(out, "{line}")?);
    }
    let cost = format!("{} bytes, {seconds:.3} s", grouped(size));
    let Some(report) = report else {
        let reason = one_line(&judged.reason().unwrap_or_default());
        return Ok(writeln!(out, "{word} {name}: {reason}; {cost}")?);
    };
    let attacker = if report.attacker == "white" {
        Side::White
    } else {
        Side::Black
    };
    let except = sets_of(&report.except);
    let open = match except.len() {
        0 => String::new(),
        1 => " 1 reply,".to_owned(),
        n => format!(" {} replies,", grouped(n as u64)),
    };
    writeln!(
        out,
        "{word}{open} {name}: {}, {}, {}, {cost}",
        claim_in_words(attacker, &except, region_of(report)),
        counted(u64::from(report.depth), "turn"),
        counted(report.nodes, "node"),
    )?;
    writeln!(out, "  {} {}", report.rules, report.position)?;
    if !except.is_empty() {
        writeln!(out, "  {}", open_replies_in_words(&except, MOST_LISTED))?;
    }
    if args.zones && except.is_empty() {
        print_zones(report, out)?;
    } else if args.zones {
        writeln!(out, "  No relevance zones: they are those of a win")?;
    }
    Ok(())
}

/// What is said of every file, and what is said of this one.
pub(super) fn json_line(name: &str, word: &str, size: u64, seconds: f64, details: Value) -> Value {
    let mut line = json!({
        "file": name,
        "verdict": word,
        "reason": null,
        "bytes": size,
        "seconds": seconds,
    });
    if let (Some(line), Value::Object(details)) = (line.as_object_mut(), details) {
        line.extend(details);
    }
    line
}

fn print_draw(
    name: &str,
    report: &DrawReport,
    size: u64,
    seconds: f64,
    args: &CheckArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    if args.json {
        let details = json!({
            "draw": { "line": report.line, "per_turn": report.per_turn },
            "positions": report.positions,
            "answers": report.answers,
        });
        let line = json_line(name, "VERIFIED", size, seconds, details);
        return Ok(writeln!(out, "{line}")?);
    }
    writeln!(
        out,
        "VERIFIED {name}: {report} on every board and for every q <= {}, {}, {}, {} bytes, {seconds:.3} s",
        report.per_turn,
        counted(report.positions, "position"),
        counted(report.answers, "answer"),
        grouped(size),
    )?;
    Ok(())
}

/// "1 node", "2,000 nodes".
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

fn print_zones(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let rules = report.rules.parse()?;
    let position = notation::parse_position(&report.position, rules)?;
    let zones = zones_of(report);
    let board = board_text::draw(&position, None, &zone_marks(&zones), out.text_style(false));
    write!(out, "\n{}\n\n{board}\n", rules_in_words(rules))?;
    writeln!(out, "{}\n", zones_in_words(&zones))?;
    Ok(())
}

/// The zones as cells.
pub(crate) fn zones_of(report: &Report) -> Vec<Vec<Cell>> {
    sets_of(&report.zones)
}

pub(crate) fn sets_of(sets: &[Vec<(i32, i32)>]) -> Vec<Vec<Cell>> {
    let cells = |set: &Vec<_>| set.iter().copied().filter_map(cell_of).collect();
    sets.iter().map(cells).collect()
}

pub(crate) fn region_of(report: &Report) -> Option<(Cell, Cell)> {
    let (low, high) = report.region?;
    Some((cell_of(low)?, cell_of(high)?))
}

/// The checker reads no cell that is farther away than this.
fn cell_of((x, y): (i32, i32)) -> Option<Cell> {
    Some(Cell::new(i16::try_from(x).ok()?, i16::try_from(y).ok()?))
}

pub(crate) fn names(sets: &[Vec<Cell>]) -> Vec<Vec<String>> {
    let names = |set: &Vec<Cell>| set.iter().copied().map(name_of).collect();
    sets.iter().map(names).collect()
}

fn name_of(cell: Cell) -> String {
    cell.to_string()
}

/// Each cell with the first zone it belongs to.
pub(crate) fn zone_marks(zones: &[Vec<Cell>]) -> BTreeMap<Cell, CellMark> {
    let mut marks = BTreeMap::new();
    for (zone, number) in zones.iter().zip(1..) {
        for &cell in zone {
            marks.entry(cell).or_insert(CellMark::Zone(number));
        }
    }
    marks
}

/// "Relevance zones: Z1 has 30 cells, Z2 63, Z3 120; ...".
pub(crate) fn zones_in_words(zones: &[Vec<Cell>]) -> String {
    if zones.is_empty() {
        return "Relevance zones: the whole board".to_owned();
    }
    let sizes: Vec<String> = zones
        .iter()
        .zip(1..)
        .map(|(zone, number)| format!("Z{number} {}", counted(zone.len() as u64, "cell")))
        .collect();
    let and = if zones.len() > 1 {
        " and all that follow"
    } else {
        ""
    };
    format!(
        "Relevance zones: {}; a digit marks the first zone of a cell, which is in that one{and}",
        sizes.join(", ")
    )
}
