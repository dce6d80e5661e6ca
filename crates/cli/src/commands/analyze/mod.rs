//! `tengen analyze`: the best turns of a position, for people or as JSON.

mod table;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use serde_json::{Value, json};
use tengen_player::{Answer, Options, Task};
use tengen_prover::Proof;
use tengen_rules::{Cell, Position, Turn, notation};

use crate::args::AnalyzeArgs;
use crate::board_text::{self, CellMark};
use crate::commands::check::{counted, region_of};
use crate::commands::solve::{names, refuse_finished};
use crate::opinion::{CheckedLine, Opinion, verdict_in_words};
use crate::output::{Output, write_file};
use crate::position_input::{self, is_stdin};
use crate::progress::ProgressLine;
use crate::solving::side_name;
use crate::verifying::reply_in_words;
use crate::view::{
    boards_in_words, cut_in_words, played_turns, rules_in_words, state_in_words, turn_in_words,
};
use crate::{interrupt, proof_file, thinking, turn_input};
use table::LiveTable;

pub(crate) fn run(args: &AnalyzeArgs, out: &mut Output) -> anyhow::Result<()> {
    let position = position_input::position(&args.position)?.position;
    refuse_finished(&position)?;
    let exclude = excluded(args, &position)?;
    if let Some(path) = &args.proof {
        if is_stdin(path) {
            bail!("--proof needs the name of a file");
        }
        proof_file::ensure_writable(path)?;
    }
    let task = Task {
        limits: thinking::limits(&args.think),
        exclude: &exclude,
        lines: args.multi.into(),
        stop: Some(interrupt::flag()),
        progress: None,
    };
    let answer = watched(args, &position, &task, out)?;
    let mut report = Report {
        args,
        position: &position,
        exclude: &exclude,
        opinion: Opinion::new(&position, answer, &exclude)?,
        proof_bytes: None,
    };
    report.write_proof()?;
    if args.json {
        return Ok(writeln!(out, "{:#}", report.json())?);
    }
    report.print(out)
}

/// The turns that are to be left out, each of which must be possible.
fn excluded(args: &AnalyzeArgs, position: &Position) -> anyhow::Result<Vec<Turn>> {
    let turn = |text: &String| {
        let cells = turn_input::stones_of(position, text)
            .map_err(|message| anyhow!(message))
            .with_context(|| format!("--exclude `{text}`"))?;
        Ok(cells.into_iter().collect())
    };
    args.exclude.iter().map(turn).collect()
}

/// Thinks while the table, or at least a line, shows how far it is.
fn watched(
    args: &AnalyzeArgs,
    position: &Position,
    task: &Task<'_>,
    out: &mut Output,
) -> anyhow::Result<Answer> {
    let mut engine = args.engine.build(&Options::default());
    let mut live = LiveTable::new(out).filter(|_| !args.json);
    let mut line = ProgressLine::new();
    let start = Instant::now();
    let answer = thinking::think(&mut *engine, position, task, |so_far| {
        let state = table::state(so_far, start.elapsed().as_secs_f64());
        match &mut live {
            Some(live) => live.draw(so_far, &state, out),
            None => {
                let best = so_far.and_then(|answer| answer.lines.first());
                let best = best.map_or_else(String::new, |best| format!(", best {}", best.turn));
                line.draw(&format!("{state}{best}"));
            }
        }
    });
    if let Some(live) = &mut live {
        live.erase(out);
    }
    answer
}

/// Everything that is to be said.
struct Report<'a> {
    args: &'a AnalyzeArgs,
    position: &'a Position,
    exclude: &'a [Turn],
    opinion: Opinion,
    proof_bytes: Option<usize>,
}

impl Report<'_> {
    /// The proof worth keeping and what it shows: that all other turns lose says most.
    fn proof(&self) -> Option<(&Proof, String)> {
        if let Some((proof, _)) = &self.opinion.others_lose {
            return Some((proof, self.others_in_words().to_owned()));
        }
        let best = self.opinion.lines.first()?;
        best.check.as_ref()?;
        let proof = best.line.verdict.proof()?;
        let what = format!("{} wins after {}", proof.attacker, best.line.turn);
        Some((proof, what))
    }

    fn write_proof(&mut self) -> anyhow::Result<()> {
        let (Some(path), Some((proof, _))) = (&self.args.proof, self.proof()) else {
            return Ok(());
        };
        let bytes = proof_file::bytes_for(path, false, proof);
        write_file(path, &bytes)?;
        self.proof_bytes = Some(bytes.len());
        Ok(())
    }

    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        self.print_board(out)?;
        let lines = self.opinion.lines.iter();
        let lines = lines.map(|line| (&line.line, Some(line.check.is_some())));
        writeln!(out)?;
        for line in table::lines(lines) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
        let mover = self.position.to_move();
        if let Some(CheckedLine { line, check }) = self.opinion.lines.first() {
            let words = verdict_in_words(&line.verdict, mover, check.is_some());
            writeln!(out, "With {} {words}", line.turn)?;
        }
        for line in &self.opinion.lines {
            if let (Some(boards), Some(proof)) = (self.wins_on(line), line.line.verdict.proof()) {
                let (turn, winner) = (&line.line.turn, proof.attacker);
                writeln!(out, "{turn}: {winner} wins on {boards} (proved)")?;
            }
        }
        if self.opinion.others_lose.is_some() {
            writeln!(out, "{mover}: {} (proved)", self.others_in_words())?;
        }
        self.print_work(out)
    }

    fn print_board(&self, out: &mut Output) -> anyhow::Result<()> {
        let style = out.text_style(self.args.ascii);
        let turns = played_turns(self.position);
        let board = board_text::draw(self.position, turns.last(), &self.marks(), style);
        writeln!(out, "{}", rules_in_words(self.position.rules()))?;
        write!(out, "\n{board}\n{}", style.legend())?;
        writeln!(out, "  1, 2, ... the turns below, the best first")?;
        writeln!(out, "{}", state_in_words(self.position, &turns))?;
        if let Some(turn) = turns.last().filter(|turn| !turn.cells.is_empty()) {
            writeln!(out, "Last turn: {}, marked ( )", turn_in_words(turn))?;
        }
        if let Some(note) = cut_in_words(self.position) {
            writeln!(out, "{note}")?;
        }
        if !self.exclude.is_empty() {
            let left = usize::from(self.position.left());
            let turns = self.exclude.iter();
            let turns: Vec<String> = turns
                .map(|turn| reply_in_words(turn.cells(), left))
                .collect();
            writeln!(out, "Excluded: {}", turns.join(", "))?;
        }
        Ok(())
    }

    fn print_work(&self, out: &mut Output) -> anyhow::Result<()> {
        let opinion = &self.opinion;
        let stopped = if interrupt::is_stopped() {
            ", stopped with Ctrl-C"
        } else {
            ""
        };
        writeln!(
            out,
            "{}: {} in {:.3} s, depth {}{stopped}",
            self.args.engine,
            counted(opinion.nodes, "node"),
            opinion.time.as_secs_f64(),
            opinion.depth,
        )?;
        let (mut proofs, mut nodes, mut time) = (0, 0, Duration::ZERO);
        for check in opinion.checks() {
            proofs += 1;
            nodes += check.report.nodes;
            time += check.time;
        }
        if proofs > 0 {
            writeln!(
                out,
                "VERIFIED by the checker: {}, {} in {:.3} s",
                counted(proofs, "proof"),
                counted(nodes, "node"),
                time.as_secs_f64()
            )?;
        }
        match (&self.args.proof, self.proof_bytes, self.proof()) {
            (Some(path), Some(bytes), Some((_, what))) => {
                let bytes = counted(bytes as u64, "byte");
                writeln!(out, "Proof that {what}: {}, {bytes}", path.display())?;
            }
            (Some(path), ..) => {
                let path = path.display();
                writeln!(
                    out,
                    "Proof: {path} is not written, the best turn is not proved"
                )?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The cells of the turns, each with the number of the best turn that has it.
    fn marks(&self) -> BTreeMap<Cell, CellMark> {
        let mut marks = BTreeMap::new();
        for (number, line) in (1..).zip(&self.opinion.lines) {
            for cell in &line.line.turn {
                marks.entry(cell).or_insert(CellMark::Choice(number));
            }
        }
        marks
    }

    /// On which boards the checker has found the turn decided.
    fn wins_on(&self, line: &CheckedLine) -> Option<String> {
        let report = &line.check.as_ref()?.report;
        Some(boards_in_words(self.position.rules(), region_of(report)))
    }

    const fn others_in_words(&self) -> &'static str {
        if self.exclude.is_empty() {
            "every turn loses"
        } else {
            "every other turn loses"
        }
    }

    fn json(&self) -> Value {
        let mover = self.position.to_move();
        let turn = |turn: &Turn| names(turn.cells());
        let lines = self.opinion.lines.iter().map(|checked| {
            let line = &checked.line;
            json!({
                "turn": turn(&line.turn),
                "verdict": line.verdict.to_string(),
                "status": line.verdict.status(mover),
                "proved": checked.check.is_some(),
                "wins_on": self.wins_on(checked),
                "score": line.score.0,
                "main_line": line.main_line.iter().map(turn).collect::<Vec<_>>(),
            })
        });
        json!({
            "rules": self.position.rules().to_string(),
            "position": notation::setup_text(&self.position.to_setup()),
            "to_move": side_name(mover),
            "left": self.position.left(),
            "engine": self.args.engine.to_string(),
            "excluded": self.exclude.iter().map(turn).collect::<Vec<_>>(),
            "lines": lines.collect::<Vec<_>>(),
            "others_lose": self.opinion.others_lose.is_some(),
            "nodes": self.opinion.nodes,
            "seconds": self.opinion.time.as_secs_f64(),
            "depth": self.opinion.depth,
            "stopped": interrupt::is_stopped(),
            "proof": self.proof_bytes.and(self.args.proof.as_ref()).map(|path| path.display().to_string()),
        })
    }
}
