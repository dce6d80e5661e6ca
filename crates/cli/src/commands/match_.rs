//! `tengen match`: two engines, many games, and what the result means.

use std::io::Write as _;

use serde::Serialize;
use tengen_player::arena::statistics::{Estimate, Sprt, SprtState, Tally};
use tengen_player::arena::{GameRecord, pair_of};
use tengen_rules::Side;

use super::arena::{Session, words};
use crate::args::MatchArgs;
use crate::error::ExitWith;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;

pub(crate) fn run(args: &MatchArgs, out: &mut Output) -> anyhow::Result<()> {
    let contestants = vec![args.first.clone(), args.second.clone()];
    let mut session = Session::new(contestants, &args.arena)?;
    let [first, second] = [0, 1].map(|i| session.contestants[i].name.clone());
    let decided = |games: &[GameRecord]| {
        let test = |sprt: &Sprt| sprt.state(&in_order(games, &first, &second));
        args.sprt.as_ref().map(test) > Some(SprtState::Running)
    };
    if !args.arena.json {
        session.introduce(out)?;
    }
    session.play(out, decided)?;
    let report = Report::new(&session, &first, &second, args.sprt);
    if args.arena.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        report.print(out)?;
    }
    if interrupt::is_stopped() {
        return Err(ExitWith(INTERRUPTED).into());
    }
    Ok(())
}

/// The results of all pairs before the first one that is not complete. A test that took the games as they
/// end would hear of short games first; and with node limits this one does not depend on concurrency.
fn in_order(games: &[GameRecord], first: &str, second: &str) -> Tally {
    let mut numbers: Vec<usize> = games.iter().map(|game| game.game).collect();
    numbers.sort_unstable();
    let whole = numbers
        .iter()
        .zip(1..)
        .take_while(|(n, i)| **n == *i)
        .count()
        / 2;
    let before = games.iter().filter(|game| pair_of(game.game) < whole);
    Tally::of(before, first, second)
}

/// The results as JSON has them.
#[derive(Serialize)]
struct Report {
    first: String,
    second: String,
    games: usize,
    planned: usize,
    tally: Tally,
    as_black: [u32; 3],
    as_white: [u32; 3],
    score: Option<Estimate>,
    elo: Option<Estimate>,
    superiority: Option<f64>,
    sprt: Option<Test>,
    turns: f64,
    reasons: String,
    rejected_claims: usize,
}

#[derive(Serialize)]
struct Test {
    #[serde(flatten)]
    sprt: Sprt,
    ratio: f64,
    bounds: (f64, f64),
    pairs: u32,
    state: SprtState,
}

impl Report {
    fn new(session: &Session, first: &str, second: &str, sprt: Option<Sprt>) -> Self {
        let games = &session.games;
        let tally = Tally::of(games, first, second);
        let with = |side: Side| {
            let mut counts = [0; 3];
            let mine = |game: &&GameRecord| match side {
                Side::Black => game.black == first,
                Side::White => game.white == first,
            };
            for game in games.iter().filter(mine) {
                counts[2 - game.half_points(first) as usize] += 1;
            }
            counts
        };
        let turns: usize = games.iter().map(|game| game.turns).sum();
        let test = |sprt: Sprt| {
            let tally = in_order(games, first, second);
            Test {
                ratio: sprt.ratio(&tally),
                bounds: sprt.bounds(),
                pairs: tally.pairs.iter().sum(),
                state: sprt.state(&tally),
                sprt,
            }
        };
        Self {
            first: first.to_owned(),
            second: second.to_owned(),
            games: games.len(),
            planned: session.plans.len(),
            score: tally.score(),
            elo: tally.elo(),
            superiority: tally.superiority(),
            tally,
            as_black: with(Side::Black),
            as_white: with(Side::White),
            sprt: sprt.map(test),
            turns: turns as f64 / games.len().max(1) as f64,
            reasons: words::reasons(games),
            rejected_claims: games.iter().map(|game| game.rejected_claims.len()).sum(),
        }
    }

    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        let Self { first, second, .. } = self;
        writeln!(out)?;
        if self.games == 0 {
            writeln!(out, "{first} - {second}: no game was finished")?;
            return Ok(());
        }
        let list = |[wins, draws, losses]: [u32; 3]| format!("+{wins} ={draws} -{losses}");
        writeln!(out, "{first} against {second}, {} games:", self.games)?;
        writeln!(
            out,
            "  {} wins, {} draws, {} losses; as Black {}, as White {}",
            self.tally.wins,
            self.tally.draws,
            self.tally.losses,
            list(self.as_black),
            list(self.as_white),
        )?;
        if let (Some(score), Some(elo), Some(los)) = (&self.score, &self.elo, self.superiority) {
            writeln!(out, "  score     {}", words::percent(score))?;
            writeln!(out, "  Elo       {}", words::elo(elo))?;
            writeln!(out, "  stronger  {:.1} % likely", los * 100.0)?;
        }
        let pairs = self.tally.pairs;
        writeln!(
            out,
            "  pairs     {} lost 0-2, {} at 0.5, {} at 1, {} at 1.5, {} won 2-0",
            pairs[0], pairs[1], pairs[2], pairs[3], pairs[4],
        )?;
        writeln!(
            out,
            "  ended by  {}; {:.1} turns on average",
            self.reasons, self.turns
        )?;
        if let Some(test) = &self.sprt {
            test.print(out)?;
        }
        if self.rejected_claims > 0 {
            let count = self.rejected_claims;
            writeln!(
                out,
                "  {count} claimed wins were rejected by the checker: see games.jsonl"
            )?;
        }
        Ok(())
    }
}

impl Test {
    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        let Sprt { elo0, elo1, .. } = self.sprt;
        let state = match self.state {
            SprtState::Running => "not decided".to_owned(),
            SprtState::Elo0 => format!("Elo {elo0} accepted"),
            SprtState::Elo1 => format!("Elo {elo1} accepted"),
        };
        let (low, high) = self.bounds;
        writeln!(
            out,
            "  SPRT      Elo {elo0} or {elo1}: ratio {:.2} in [{low:.2}, {high:.2}] after {} pairs: {state}",
            self.ratio, self.pairs,
        )?;
        Ok(())
    }
}
