//! `tengen solve`: one position, for people or as JSON.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::bail;
use serde_json::{Value, json};
use tengen_checker::Limits as CheckLimits;
use tengen_prover::{Limits, Progress, ReplyKind, Request, Solver};
use tengen_rules::{Cell, Outcome, Position, Side, Turn, notation};

use crate::args::SolveArgs;
use crate::board_text;
use crate::commands::check::{counted, region_of, zone_marks, zones_in_words, zones_of};
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::position_input::{self, is_stdin};
use crate::solving::{self, Answer, Claim, Solved, Win, accepted, side_name};
use crate::strategy::{self, After, Exchange};
use crate::verifying::after_null_turn;
use crate::view::{
    PlayedTurn, boards_in_words, cells_in_words, cut_in_words, played_turns, rules_in_words,
    state_in_words,
};
use crate::{progress, proof_file};

/// Without any limit, so long.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &SolveArgs, out: &mut Output) -> anyhow::Result<()> {
    // clap forgets `requires` where the required option would conflict with what is given.
    for (option, given) in [
        ("--threads", args.threads.is_some()),
        ("--proofs", args.proofs.is_some()),
    ] {
        if given {
            bail!("{option} needs --jsonl FILE");
        }
    }
    let loaded = position_input::position(&args.position)?.position;
    refuse_unsolvable(&loaded)?;
    let attacker = args.attacker.map_or(loaded.to_move(), Side::from);
    let null_turn = attacker != loaded.to_move();
    let position = if null_turn {
        after_null_turn(&loaded, attacker)?
    } else {
        loaded.clone()
    };
    if let Some(path) = &args.proof {
        if is_stdin(path) {
            bail!("--proof needs the name of a file");
        }
        proof_file::ensure_writable(path)?;
    }

    let progress = Progress::default();
    let request = Request {
        shortest: args.shortest,
        limits: limits(args),
        stop: Some(interrupt::flag()),
        progress: Some(&progress),
        ..Request::new(attacker, args.order)
    };
    let start = Instant::now();
    let line = || {
        let nodes = progress.nodes.load(Ordering::Relaxed);
        let seconds = start.elapsed().as_secs_f64();
        let speed = grouped((nodes as f64 / seconds) as u64);
        let depth = progress.depth.load(Ordering::Relaxed);
        let turn: Turn = progress.turn().into_iter().collect();
        format!(
            "{} nodes, {speed} nodes/s, {seconds:.1} s, {depth} turns deep, trying {turn}",
            grouped(nodes)
        )
    };
    let solved = progress::watched(line, || {
        solving::solve(&mut Solver::default(), &position, &request)
    })??;

    let mut report = Report {
        args,
        loaded: &loaded,
        position: &position,
        attacker,
        null_turn,
        solved,
        proof_bytes: None,
    };
    report.write_proof()?;
    if args.json {
        return Ok(writeln!(out, "{:#}", report.json())?);
    }
    report.print(out)
}

/// Nothing can be won in a game that is over.
pub(crate) fn refuse_unsolvable(position: &Position) -> anyhow::Result<()> {
    refuse_finished(position)?;
    // The search takes turns of at most p stones.
    let (left, per_turn) = (position.left(), position.rules().per_turn());
    if left > per_turn {
        bail!("a first turn of {left} stones is longer than the others and cannot be solved");
    }
    Ok(())
}

/// There is nothing to think about in a game that is over.
pub(crate) fn refuse_finished(position: &Position) -> anyhow::Result<()> {
    match position.outcome() {
        Some(Outcome::Win { side, cells }) => {
            bail!("the game is over: {side} has won with {cells}")
        }
        Some(Outcome::Draw) => bail!("the game is over: the board is full"),
        None => Ok(()),
    }
}

/// The limits that are asked for; some limit there is always unless `inf` was asked for.
pub(crate) fn limits(args: &SolveArgs) -> Limits {
    let time = match (args.seconds, args.nodes) {
        (Some(time), _) => time.limit(),
        (None, Some(_)) => None,
        (None, None) => Some(DEFAULT_TIME),
    };
    Limits {
        nodes: args.nodes,
        time,
    }
}

/// Everything that is to be said.
struct Report<'a> {
    args: &'a SolveArgs,
    loaded: &'a Position,
    position: &'a Position,
    attacker: Side,
    null_turn: bool,
    solved: Solved,
    proof_bytes: Option<usize>,
}

impl Report<'_> {
    /// Writes the proof of a win. With zones it claims more than was checked, so it is checked again.
    fn write_proof(&mut self) -> anyhow::Result<()> {
        let (Some(path), Answer::Win(win)) = (&self.args.proof, &mut self.solved.answer) else {
            return Ok(());
        };
        if self.args.zones {
            win.proof.zones = zones_of(&win.report);
            let claim = Claim::new(self.position, self.attacker);
            let text = win.proof.to_text();
            let Some(verdict) = solving::verdict(text, Some(claim), CheckLimits::default()) else {
                bail!("stopped before the zones were checked; no proof is written");
            };
            accepted(verdict)?;
        }
        let bytes = proof_file::bytes_for(path, self.args.compact, &win.proof);
        write_file(path, &bytes)?;
        self.proof_bytes = Some(bytes.len());
        Ok(())
    }

    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        let style = out.text_style(self.args.ascii);
        writeln!(out, "{}", rules_in_words(self.position.rules()))?;
        let (board, last, marks) = match &self.solved.answer {
            Answer::Win(win) => {
                let marks = if self.args.zones {
                    zone_marks(&zones_of(&win.report))
                } else {
                    BTreeMap::new()
                };
                (
                    self.after_first_turn(win),
                    Some(self.first_turn(win)),
                    marks,
                )
            }
            _ => {
                let last = played_turns(self.loaded).pop();
                (self.loaded.clone(), last, BTreeMap::new())
            }
        };
        let drawn = board_text::draw(&board, last.as_ref(), &marks, style);
        write!(out, "\n{drawn}\n{}\n", style.legend())?;
        writeln!(
            out,
            "{}",
            state_in_words(self.loaded, &played_turns(self.loaded))
        )?;
        if self.null_turn {
            writeln!(
                out,
                "{} passes: solved as if {} were to play a whole turn",
                !self.attacker, self.attacker
            )?;
        }
        if let Some(note) = cut_in_words(&board) {
            writeln!(out, "{note}")?;
        }
        writeln!(out)?;
        match &self.solved.answer {
            Answer::Win(win) => self.print_win(win, out)?,
            Answer::None => writeln!(
                out,
                "{}: no win of order {}; there may be others",
                self.attacker, self.args.order
            )?,
            Answer::Unknown => {
                writeln!(out, "{}: unknown: {}", self.attacker, self.why_unknown())?;
            }
        }
        writeln!(
            out,
            "Searched {} in {:.3} s, order {}",
            counted(self.solved.nodes, "node"),
            self.solved.time.as_secs_f64(),
            self.args.order
        )?;
        if let Answer::Win(win) = &self.solved.answer {
            writeln!(
                out,
                "VERIFIED by the checker: {} in {:.3} s",
                counted(win.report.nodes, "node"),
                win.check_time.as_secs_f64()
            )?;
        }
        if let (Some(path), Some(bytes)) = (&self.args.proof, self.proof_bytes) {
            let bytes = counted(bytes as u64, "byte");
            writeln!(out, "Proof: {}, {bytes}", path.display())?;
        }
        Ok(())
    }

    fn print_win(&self, win: &Win, out: &mut Output) -> anyhow::Result<()> {
        let turns = counted(u64::from(win.depth), "turn");
        let how_long = if self.args.shortest {
            format!("the shortest of order {}, {turns}", self.args.order)
        } else {
            format!("at most {turns}")
        };
        let first = cells_in_words(&self.first_turn(win).cells);
        writeln!(
            out,
            "{}: win on {}, {how_long}: {first}, marked ( )",
            self.attacker,
            self.wins_on(win)
        )?;
        if self.args.zones {
            writeln!(out, "{}", zones_in_words(&zones_of(&win.report)))?;
        }
        writeln!(out, "\nMain line, against the longest defence:")?;
        let line = strategy::main_line(&win.proof, self.position);
        for (exchange, number) in line.iter().zip(1..) {
            writeln!(
                out,
                "{}",
                exchange_in_words(exchange, number, self.attacker)
            )?;
        }
        if line
            .last()
            .is_some_and(|last| last.after == After::Unstoppable)
        {
            let number = line.len() + 1;
            writeln!(out, "{number:>3}. {} completes a line", self.attacker)?;
        }
        writeln!(out)?;
        Ok(())
    }

    fn why_unknown(&self) -> String {
        let limits = limits(self.args);
        if interrupt::is_stopped() {
            return "stopped with Ctrl-C".to_owned();
        }
        if let Some(nodes) = limits.nodes.filter(|&nodes| self.solved.nodes >= nodes) {
            return format!("the limit of {} was reached", counted(nodes, "node"));
        }
        if let Some(time) = limits.time.filter(|&time| self.solved.time >= time) {
            return format!("the limit of {} s was reached", time.as_secs_f64());
        }
        "the search found no win, but did not look at everything".to_owned()
    }

    fn wins_on(&self, win: &Win) -> String {
        boards_in_words(self.position.rules(), region_of(&win.report))
    }

    fn first_turn(&self, win: &Win) -> PlayedTurn {
        let cells = win.proof.nodes.first().map(|node| node.turn.clone());
        PlayedTurn {
            side: self.attacker,
            cells: cells.unwrap_or_default(),
        }
    }

    fn after_first_turn(&self, win: &Win) -> Position {
        let mut position = self.position.clone();
        for cell in self.first_turn(win).cells {
            if position.place(cell).is_err() {
                // An infinite board that stretches too far to be drawn.
                break;
            }
        }
        position
    }

    fn json(&self) -> Value {
        let (result, win) = match &self.solved.answer {
            Answer::Win(win) => ("win", Some(win)),
            Answer::None => ("none", None),
            Answer::Unknown => ("unknown", None),
        };
        let line = win.map(|win| {
            let line = strategy::main_line(&win.proof, self.position);
            let turns = line
                .iter()
                .flat_map(|exchange| self.exchange_json(exchange));
            turns.collect::<Vec<_>>()
        });
        let zones = win.filter(|_| self.args.zones).map(|win| {
            let zones = zones_of(&win.report);
            zones.iter().map(|zone| names(zone)).collect::<Vec<_>>()
        });
        let check = win.map(|win| {
            json!({
                "verdict": "VERIFIED",
                "nodes": win.report.nodes,
                "visits": win.report.visits,
                "seconds": win.check_time.as_secs_f64(),
            })
        });
        json!({
            "rules": self.position.rules().to_string(),
            "position": notation::setup_text(&self.loaded.to_setup()),
            "attacker": side_name(self.attacker),
            "null_turn": self.null_turn,
            "result": result,
            "reason": matches!(self.solved.answer, Answer::Unknown).then(|| self.why_unknown()),
            "order": self.args.order,
            "turn": win.map(|win| names(&self.first_turn(win).cells)),
            "depth": win.map(|win| win.depth),
            "wins_on": win.map(|win| self.wins_on(win)),
            "main_line": line,
            "zones": zones,
            "nodes": self.solved.nodes,
            "seconds": self.solved.time.as_secs_f64(),
            "check": check,
            "proof": self.proof_bytes.and(self.args.proof.as_ref()).map(|path| path.display().to_string()),
        })
    }

    fn exchange_json(&self, exchange: &Exchange) -> Vec<Value> {
        let attack = json!({ "side": side_name(self.attacker), "stones": names(&exchange.turn) });
        let reply = exchange.reply.as_ref().map(|reply| {
            let kind = kind_name(reply.kind);
            json!({ "side": side_name(!self.attacker), "stones": names(&reply.stones), "kind": kind })
        });
        [attack].into_iter().chain(reply).collect()
    }
}

pub(crate) fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

const fn kind_name(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::Full => "full",
        ReplyKind::SemiNull => "semi-null",
        ReplyKind::Null => "null",
        ReplyKind::Macro => "macro",
    }
}

/// "  1. Black K9 L8     White J7 K6".
fn exchange_in_words(exchange: &Exchange, number: usize, attacker: Side) -> String {
    let turn = cells_in_words(&exchange.turn);
    let defender = !attacker;
    let rest = match (&exchange.reply, exchange.after) {
        (Some(reply), _) => {
            let cells = cells_in_words(&reply.stones);
            match reply.kind {
                ReplyKind::Null => format!("{defender} elsewhere"),
                ReplyKind::SemiNull => format!("{defender} {cells}, the rest elsewhere"),
                ReplyKind::Full | ReplyKind::Macro => format!("{defender} {cells}"),
            }
        }
        (None, After::Line) => "a complete line".to_owned(),
        (None, After::Unstoppable) => format!("more threats than {defender} can stop"),
        (None, After::Open) => format!("whatever {defender} plays, see the proof"),
    };
    format!("{number:>3}. {attacker} {turn:<12} {rest}")
}
