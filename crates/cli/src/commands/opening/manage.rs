//! `tengen opening list`, `stop`, `exclude` and `suggest`.

use std::io::Write as _;

use anyhow::{Context as _, anyhow, bail};
use serde_json::{Value, json};
use tengen_book::{Book, Search, Wanted};
use tengen_grid::Follower;
use tengen_grid::runner::Command;
use tengen_rules::{Turn, notation};

use super::{number, search, shown, state};
use crate::args::{OpeningHandArgs, OpeningListArgs, OpeningStopArgs};
use crate::output::Output;

pub(crate) fn list(book: &Book, args: &OpeningListArgs, out: &mut Output) -> anyhow::Result<()> {
    let searches = book.searches()?;
    if args.json {
        let all: Vec<Value> = searches.iter().map(as_json).collect();
        return Ok(writeln!(out, "{:#}", Value::from(all))?);
    }
    if searches.is_empty() {
        return Ok(writeln!(
            out,
            "No searches; `tengen opening solve POSITION` begins one"
        )?);
    }
    writeln!(
        out,
        "{:>4}  {:<12} {:>9} {:>9} {:>8} {:>10}  Opening",
        "ID", "State", "Proof", "Disproof", "Jobs", "Work"
    )?;
    for search in &searches {
        let shown = shown(search);
        let state = match &shown.winner {
            Some(winner) => format!("{winner} wins"),
            None => state(search),
        };
        writeln!(
            out,
            "{:>4}  {:<12} {:>9} {:>9} {:>8} {:>8.1} s  {}",
            search.id.0,
            state,
            number(shown.proof),
            number(shown.disproof),
            shown.answers,
            shown.seconds,
            search.title
        )?;
    }
    Ok(())
}

fn as_json(search: &Search) -> Value {
    let shown = shown(search);
    json!({
        "id": search.id.0, "title": search.title, "rules": search.rules, "root": search.root,
        "state": state(search), "winner": shown.winner, "proof": shown.proof, "disproof": shown.disproof,
        "jobs": shown.answers, "nodes": shown.nodes, "seconds": shown.seconds, "events": search.events,
        "composed": shown.composed,
    })
}

pub(crate) fn stop(book: &Book, args: &OpeningStopArgs, out: &mut Output) -> anyhow::Result<()> {
    let search = search(book, args.id)?;
    if search.owner.as_ref().is_none_or(|owner| !owner.alive) {
        bail!("search {} does not run", args.id);
    }
    let wanted = if args.finish_jobs {
        Wanted::Pause
    } else {
        Wanted::Stop
    };
    book.set_wanted(search.id, wanted)?;
    Ok(writeln!(
        out,
        "Search {} will stop; `tengen opening resume {}` goes on",
        args.id, args.id
    )?)
}

pub(crate) fn exclude(book: &Book, args: &OpeningHandArgs, out: &mut Output) -> anyhow::Result<()> {
    hand(book, args, out, |node, turn| match args.undo {
        true => Command::Allow { node, turn },
        false => Command::Exclude { node, turn },
    })
}

pub(crate) fn suggest(book: &Book, args: &OpeningHandArgs, out: &mut Output) -> anyhow::Result<()> {
    if args.undo {
        bail!("a suggestion cannot be undone; exclude the turn instead");
    }
    hand(book, args, out, |node, turn| Command::Suggest {
        node,
        turn,
    })
}

fn hand(
    book: &Book,
    args: &OpeningHandArgs,
    out: &mut Output,
    command: impl Fn(tengen_grid::search::NodeId, Turn) -> Command,
) -> anyhow::Result<()> {
    let search = search(book, args.id)?;
    let follower = Follower::open(book, search.id)?;
    let line = line(&args.line)?;
    let turn: Turn = args.turn.parse().map_err(|error| anyhow!("{error}"))?;
    let place = follower.turn_at(&line, &turn);
    let (node, turn) = place.with_context(|| {
        format!(
            "the tree of search {} has no position after {}",
            args.id, args.line
        )
    })?;
    let position = follower
        .position(node)
        .context("its line cannot be played")?;
    let mut next = position.clone();
    next.play(&turn).with_context(|| {
        let setup = notation::setup_text(&position.to_setup());
        format!("{} cannot be played in {setup}", args.turn)
    })?;
    if next.outcome().is_some() {
        bail!(
            "{} ends the game: there is nothing to search after it",
            args.turn
        );
    }
    book.post_command(search.id, &command(node, turn).to_json())?;
    Ok(writeln!(out, "Told search {}", args.id)?)
}

/// Turns with commas between them, or `root`.
fn line(text: &str) -> anyhow::Result<Vec<Turn>> {
    if matches!(text.trim(), "root" | "-" | "") {
        return Ok(Vec::new());
    }
    text.split(',')
        .map(|turn| turn.parse().map_err(|error| anyhow!("{error}")))
        .collect()
}
