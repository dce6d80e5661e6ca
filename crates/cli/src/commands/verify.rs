//! `tengen verify`: the replies that are not proved to lose, for people or as JSON.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::bail;
use serde_json::{Value, json};
use tengen_prover::{Limits, Request, Solver, VerifyRequest};
use tengen_rules::{Cell, Position, notation};

use crate::args::VerifyArgs;
use crate::board_text::{self, CellMark};
use crate::commands::check::{counted, names, region_of, zone_marks, zones_in_words, zones_of};
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::position_input::{self, is_stdin};
use crate::proof_file;
use crate::solving::{self, Answer, side_name};
use crate::verifying::{
    Verified, after_null_turn, earlier_proof, processors, replies_in_words, reply_in_words,
    searches_in_words, stages, verified,
};
use crate::view::{boards_in_words, cut_in_words, played_turns, rules_in_words, state_in_words};

/// How wide the list of replies is.
const WIDTH: usize = 96;

pub(crate) fn run(args: &VerifyArgs, out: &mut Output) -> anyhow::Result<()> {
    let position = position_input::position(&args.position)?.position;
    if let Some(path) = &args.proof {
        if is_stdin(path) {
            bail!("--proof needs the name of a file");
        }
        proof_file::ensure_writable(path)?;
    }
    let known = args.resume.as_ref();
    let known = known
        .map(|path| earlier_proof(path, &position))
        .transpose()?;

    let stages = stages(args.nodes);
    let request = VerifyRequest {
        stages: &stages,
        threads: args.threads.unwrap_or_else(processors),
        limits: Limits {
            nodes: None,
            time: args.seconds.limit(),
        },
        stop: Some(interrupt::flag()),
        known: known.as_ref(),
        ..VerifyRequest::new(args.order)
    };
    let verified = verified(&position, &request, "")?;
    let mut report = Report {
        args,
        position: &position,
        zones: None,
        proof_bytes: None,
        verified,
    };
    report.write_proof()?;
    if args.zones {
        report.zones = report.find_zones(&request)?;
    }
    if args.json {
        return Ok(writeln!(out, "{:#}", report.json())?);
    }
    report.print(out)
}

/// Everything that is to be said.
struct Report<'a> {
    args: &'a VerifyArgs,
    position: &'a Position,
    verified: Verified,
    zones: Option<FoundZones>,
    proof_bytes: Option<usize>,
}

/// Zones that the checker has computed.
struct FoundZones {
    of_null_turn: bool,
    cells: Vec<Vec<Cell>>,
}

impl Report<'_> {
    fn write_proof(&mut self) -> anyhow::Result<()> {
        let (Some(path), Some(proof)) = (&self.args.proof, &self.verified.found.proof) else {
            return Ok(());
        };
        let bytes = proof_file::bytes_for(path, false, proof);
        write_file(path, &bytes)?;
        self.proof_bytes = Some(bytes.len());
        Ok(())
    }

    /// The zones of the position if it is won and a stone elsewhere can be spared; otherwise those of
    /// a win against the null turn.
    fn find_zones(&self, request: &VerifyRequest<'_>) -> anyhow::Result<Option<FoundZones>> {
        let zones = self.verified.win().map(|win| zones_of(&win.report));
        if let Some(cells) = zones.filter(|zones| !zones.is_empty()) {
            return Ok(Some(FoundZones {
                of_null_turn: false,
                cells,
            }));
        }
        let attacker = self.verified.attacker;
        let position = after_null_turn(self.position, attacker)?;
        let request = Request {
            limits: Limits {
                nodes: request.stages.last().copied(),
                time: request.limits.time,
            },
            stop: request.stop,
            ..Request::new(attacker, request.order)
        };
        let solved = solving::solve(&mut Solver::default(), &position, &request)?;
        let Answer::Win(win) = solved.answer else {
            return Ok(None);
        };
        Ok(Some(FoundZones {
            of_null_turn: true,
            cells: zones_of(&win.report),
        }))
    }

    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        let style = out.text_style(self.args.ascii);
        let rules = self.position.rules();
        let turns = played_turns(self.position);
        let board = board_text::draw(self.position, turns.last(), &self.marks(), style);
        writeln!(out, "{}", rules_in_words(rules))?;
        write!(out, "\n{board}\n{}\n", style.legend())?;
        writeln!(out, "{}", state_in_words(self.position, &turns))?;
        if let Some(note) = cut_in_words(self.position) {
            writeln!(out, "{note}")?;
        }
        writeln!(out)?;
        self.print_result(out)?;
        if self.args.zones {
            self.print_zones(out)?;
        }
        let found = &self.verified.found;
        writeln!(
            out,
            "\nMade {} and {} for {} met: {} in {:.3} s, order {}",
            searches_in_words(found.searches),
            counted(found.replays, "replay"),
            replies_in_words(found.replies),
            counted(found.nodes, "node"),
            found.time.as_secs_f64(),
            self.args.order
        )?;
        if let Some(check) = &self.verified.check {
            let except = match check.report.except.len() {
                0 => "",
                _ => " except for what is listed",
            };
            writeln!(
                out,
                "VERIFIED by the checker{except}: {} in {:.3} s",
                counted(check.report.nodes, "node"),
                check.time.as_secs_f64()
            )?;
        }
        if let (Some(path), Some(bytes)) = (&self.args.proof, self.proof_bytes) {
            let bytes = counted(bytes as u64, "byte");
            writeln!(out, "Proof: {}, {bytes}", path.display())?;
        }
        Ok(())
    }

    fn print_result(&self, out: &mut Output) -> anyhow::Result<()> {
        let attacker = self.verified.attacker;
        if let Some(win) = self.verified.win() {
            let boards = boards_in_words(self.position.rules(), region_of(&win.report));
            return Ok(writeln!(
                out,
                "Every reply loses: {attacker} wins on {boards}"
            )?);
        }
        if let Some(reason) = self.why_unfinished() {
            writeln!(out, "Not finished: {reason}")?;
        }
        let survivors = self.verified.survivors();
        if survivors.iter().any(Vec::is_empty) {
            return Ok(writeln!(
                out,
                "Nothing is proved at order {}: no reply is shown to lose",
                self.args.order
            )?);
        }
        writeln!(
            out,
            "Not proved to lose at order {}: {}, marked ?; all other replies lose",
            self.args.order,
            grouped(survivors.len() as u64)
        )?;
        let turn = usize::from(self.position.left());
        let replies = survivors.iter().map(|stones| reply_in_words(stones, turn));
        for line in wrapped(replies) {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    }

    fn print_zones(&self, out: &mut Output) -> anyhow::Result<()> {
        let Some(zones) = &self.zones else {
            return Ok(writeln!(
                out,
                "No relevance zones: no win after the null turn"
            )?);
        };
        if zones.of_null_turn {
            writeln!(out, "After the null turn:")?;
        }
        Ok(writeln!(out, "{}", zones_in_words(&zones.cells))?)
    }

    /// Cells of open replies; elsewhere zones.
    fn marks(&self) -> BTreeMap<Cell, CellMark> {
        let mut marks = match &self.zones {
            Some(zones) => zone_marks(&zones.cells),
            None => BTreeMap::new(),
        };
        let open = self.verified.survivors().into_iter().flatten();
        marks.extend(open.map(|cell| (cell, CellMark::Open)));
        marks
    }

    fn why_unfinished(&self) -> Option<String> {
        let time = self.args.seconds.limit();
        if self.verified.found.finished {
            return None;
        }
        Some(match time {
            _ if interrupt::is_stopped() => "stopped with Ctrl-C".to_owned(),
            Some(time) => format!("the limit of {} s was reached", time.as_secs_f64()),
            None => "the search did not look at everything".to_owned(),
        })
    }

    fn json(&self) -> Value {
        let (found, win) = (&self.verified.found, self.verified.win());
        let rules = self.position.rules();
        let check = self.verified.check.as_ref().map(|check| {
            json!({
                "verdict": if win.is_some() { "VERIFIED" } else { "VERIFIED except" },
                "nodes": check.report.nodes,
                "visits": check.report.visits,
                "seconds": check.time.as_secs_f64(),
            })
        });
        json!({
            "rules": rules.to_string(),
            "position": notation::setup_text(&self.position.to_setup()),
            "attacker": side_name(self.verified.attacker),
            "order": self.args.order,
            "result": if win.is_some() { "win" } else { "open" },
            "wins_on": win.map(|win| boards_in_words(rules, region_of(&win.report))),
            "survivors": names(&self.verified.survivors()),
            "finished": found.finished,
            "reason": self.why_unfinished(),
            "searches": found.searches,
            "replays": found.replays,
            "replies": found.replies,
            "nodes": found.nodes,
            "seconds": found.time.as_secs_f64(),
            "zones": self.zones.as_ref().map(|zones| names(&zones.cells)),
            "zones_of": self.zones.as_ref().map(|zones| {
                if zones.of_null_turn { "null turn" } else { "position" }
            }),
            "check": check,
            "proof": self.proof_bytes.and(self.args.proof.as_ref()).map(|path| path.display().to_string()),
        })
    }
}

/// "J7 K6, G10 J7, ..." in lines of bounded width.
fn wrapped(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() + 2 <= WIDTH => *line += &format!(", {word}"),
            _ => lines.push(word),
        }
    }
    lines
}
