//! `tengen puzzle generate`.

use std::io::Write as _;
use std::time::Instant;

use anyhow::{Context as _, bail};
use tengen_puzzles::{Collection, Counts, Options, Plan, SelfPlay, Source, Stage, Thrown, suits};

use super::sources;
use crate::args::PuzzleGenerateArgs;
use crate::error::ExitWith;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;
use crate::progress::ProgressLine;

pub(crate) fn run(args: &PuzzleGenerateArgs, out: &mut Output) -> anyhow::Result<()> {
    if !suits(args.rules) {
        bail!(
            "puzzles are made for finite boards with one or two stones a turn where overlines win"
        );
    }
    if args.files.is_empty() && args.self_play == 0 && args.thrown == 0 && args.book.is_none() {
        bail!("there is nothing to look at; give files, --self-play N, --book FILE or --thrown N");
    }
    if args.order > 1 && args.rules.per_turn() != 2 {
        bail!(
            "puzzles of order {} are made for games with two stones a turn",
            args.order
        );
    }
    let mut collection = Collection::open(&args.out)
        .with_context(|| format!("cannot open the collection `{}`", args.out.display()))?;
    let mut all: Vec<Box<dyn Source>> = Vec::new();
    for path in &args.files {
        let (source, skipped) = sources::read(path)?;
        for reason in skipped.iter().take(20) {
            eprintln(&format!("tengen: left out: {reason}"));
        }
        if skipped.len() > 20 {
            eprintln(&format!("tengen: left out: {} more", skipped.len() - 20));
        }
        all.push(Box::new(source));
    }
    let (rules, seed) = (args.rules, args.seed);
    if args.self_play > 0 {
        let games = args.self_play;
        all.push(Box::new(SelfPlay { rules, seed, games }));
    }
    if let Some(path) = &args.book {
        all.push(Box::new(sources::book(path, rules)?));
    }
    if args.thrown > 0 {
        let games = args.thrown;
        all.push(Box::new(Thrown { rules, seed, games }));
    }
    let options = Options {
        defences: !args.no_defences,
        order: args.order,
        ..if args.thorough {
            Options::thorough()
        } else {
            Options::default()
        }
    };
    let plan = Plan {
        rules,
        options,
        threads: args.threads,
        enough: args.enough,
    };
    let stop = interrupt::flag();
    let begun = Instant::now();
    let mut counts = Counts::default();
    for source in &all {
        let mut line = ProgressLine::new();
        let before = counts;
        let run = tengen_puzzles::run(
            &mut collection,
            source.as_ref(),
            &plan,
            stop,
            |done, counts| {
                let mut sum = before;
                sum.merge(counts);
                line.draw(&progress(done, source.len(), &sum, begun));
            },
        )?;
        counts.merge(&run);
    }
    let seconds = begun.elapsed().as_secs_f64();
    for stage in Stage::ALL {
        let count = counts.of(stage);
        if count == 0 {
            continue;
        }
        writeln!(
            out,
            "{:<28} {count:>10} {:>10.2}/s",
            stage.name(),
            count as f64 / seconds
        )?;
    }
    writeln!(
        out,
        "{} puzzles in `{}`, {seconds:.1} s",
        collection.len()?,
        args.out.display()
    )?;
    if interrupt::is_stopped() {
        out.flush()?;
        return Err(ExitWith(INTERRUPTED).into());
    }
    Ok(())
}

/// Where new puzzles of all kinds are counted.
const NEW: [Stage; 4] = [
    Stage::New,
    Stage::DefenceNew,
    Stage::SecondNew,
    Stage::QuietNew,
];

fn progress(done: u64, of: usize, counts: &Counts, begun: Instant) -> String {
    let seconds = begun.elapsed().as_secs_f64().max(0.001);
    let rate = |stage: Stage| counts.of(stage) as f64 / seconds;
    format!(
        "{done} of {of} games, {:.0} positions/s, {:.1} won/s, {:.2} unique/s, {} new puzzles ({:.0}/min)",
        rate(Stage::Position),
        rate(Stage::Won) + rate(Stage::Second) + rate(Stage::Quiet),
        rate(Stage::Unique) + rate(Stage::SecondUnique) + rate(Stage::QuietUnique),
        NEW.map(|stage| counts.of(stage)).iter().sum::<u64>(),
        60.0 * NEW.map(rate).iter().sum::<f64>(),
    )
}

#[expect(clippy::print_stderr, reason = "talk goes to stderr")]
fn eprintln(text: &str) {
    eprintln!("{text}");
}
