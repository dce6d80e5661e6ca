//! `tengen opening exclude`, `suggest` and `retry`: what an expert tells a search.

use std::io::Write as _;

use anyhow::{anyhow, bail};
use tengen_book::Book;
use tengen_grid::Follower;
use tengen_grid::runner::{Command, TellError, Told, tell};
use tengen_grid::search::NodeId;
use tengen_rules::Turn;

use super::{is_held, search};
use crate::args::{OpeningExcludeArgs, OpeningRetryArgs, OpeningSuggestArgs, PlaceArgs};
use crate::error::WithHint as _;
use crate::output::Output;

pub(crate) fn exclude(
    book: &Book,
    args: &OpeningExcludeArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    match args.undo {
        true => {
            let allow = |node, turn| Command::Allow { node, turn };
            hand(book, &args.place, out, allow, "may look at TURN again")
        }
        false => {
            let exclude = |node, turn| Command::Exclude { node, turn };
            hand(book, &args.place, out, exclude, "leaves TURN alone")
        }
    }
}

pub(crate) fn suggest(
    book: &Book,
    args: &OpeningSuggestArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let suggest = |node, turn| Command::Suggest { node, turn };
    hand(book, &args.place, out, suggest, "looks at TURN soon")
}

pub(crate) fn retry(book: &Book, args: &OpeningRetryArgs, out: &mut Output) -> anyhow::Result<()> {
    let id = args.search.id;
    let follower = Follower::open(book, search(book, id)?.id)?;
    let line = line(&args.line)?;
    walk(&follower, &line)?;
    let Some(node) = follower.node_at(&line) else {
        bail!(
            "the tree of search {id} has no position after {}",
            args.line
        );
    };
    let told = tell(book, &follower, &Command::Retry { node }).map_err(|error| match error {
        TellError::NotGivenUp(_) => {
            let place = after(&line);
            anyhow!("nothing was given up {place}: there is nothing to try again")
        }
        error => in_words(error, id),
    })?;
    said(
        book,
        id,
        told,
        &format!("asks once more {}", after(&line)),
        out,
    )
}

fn hand(
    book: &Book,
    args: &PlaceArgs,
    out: &mut Output,
    command: fn(NodeId, Turn) -> Command,
    done: &str,
) -> anyhow::Result<()> {
    let id = args.search.id;
    let follower = Follower::open(book, search(book, id)?.id)?;
    let line = line(&args.line)?;
    let wanted = turn(&args.turn.join(" "))?;
    walk(&follower, &line)?;
    let Some((node, turn)) = follower.turn_at(&line, &wanted) else {
        bail!(
            "the tree of search {id} has no position after {}",
            args.line
        );
    };
    // The tree may have the position turned; who asked is answered as he asked.
    let told = tell(book, &follower, &command(node, turn)).map_err(|error| match error {
        TellError::Excluded(_) => anyhow!("{wanted} is excluded already"),
        TellError::NotExcluded(_) => anyhow!("{wanted} is not excluded"),
        TellError::Refuted(_) => anyhow!(TellError::Refuted(wanted.clone())),
        TellError::DecidedTurn(_) => anyhow!(TellError::DecidedTurn(wanted.clone())),
        TellError::Searched(_) => anyhow!(TellError::Searched(wanted.clone())),
        error => in_words(error, id),
    })?;
    let done = done.replace("TURN", &wanted.to_string());
    said(book, id, told, &done, out)
}

fn in_words(error: TellError, id: i64) -> anyhow::Error {
    match error {
        TellError::Solved => anyhow!("search {id} is solved: there is nothing left to do"),
        error => anyhow!(error),
    }
}

fn said(book: &Book, id: i64, told: Told, done: &str, out: &mut Output) -> anyhow::Result<()> {
    let held = is_held(&search(book, id)?);
    let when = match (told, held) {
        (Told::Posted, true) => "its process hears of it within a second".to_owned(),
        _ => format!("`tengen opening resume {id}` goes on"),
    };
    Ok(writeln!(out, "Search {id} {done}; {when}")?)
}

/// Whether the tree has all positions of a line; the first that it has not is named.
fn walk(follower: &Follower, line: &[Turn]) -> anyhow::Result<()> {
    let id = follower.id().0;
    let mut position = follower.root().clone();
    for (index, turn) in line.iter().enumerate() {
        let before = &line[..index];
        let stones = usize::from(position.left());
        position
            .play(turn)
            .map_err(|error| anyhow!("{turn} cannot be played {}: {error}", after(before)))
            .hint(|| {
                let hint = "commas separate the turns of a line: 'K11 L10, J7 K6'";
                (turn.len() > stones).then(|| hint.to_owned())
            })?;
        if follower.node_at(&line[..=index]).is_none() {
            let missing = anyhow!(
                "the tree of search {id} has no turn {turn} {}",
                after(before)
            );
            return Err(missing).hint(|| {
                Some(format!(
                    "`tengen opening watch {id} --once --first 20` shows what it has; `tengen opening suggest` adds a turn"
                ))
            });
        }
    }
    Ok(())
}

fn after(line: &[Turn]) -> String {
    let turns: Vec<String> = line.iter().map(ToString::to_string).collect();
    match turns[..] {
        [] => "at the root".to_owned(),
        _ => format!("after {}", turns.join(", ")),
    }
}

/// Turns with commas between them, or `root`.
fn line(text: &str) -> anyhow::Result<Vec<Turn>> {
    if matches!(text.trim(), "root" | "-" | "") {
        return Ok(Vec::new());
    }
    text.split(',').map(turn).collect()
}

fn turn(text: &str) -> anyhow::Result<Turn> {
    text.parse().map_err(|error| anyhow!("{error}"))
}
