//! `tengen opening list`, `stop` and `delete`.

use std::io::Write as _;

use anyhow::bail;
use serde_json::{Value, json};
use tengen_book::{Book, Search, Wanted};

use super::{is_held, number, root_proof, search, shown, state, wait_for_end};
use crate::args::{OpeningDeleteArgs, OpeningListArgs, OpeningStopArgs};
use crate::commands::check::counted;
use crate::output::Output;
use crate::solving::side_name;

/// The searches of a book; where there is no book there are none.
pub(crate) fn list(
    book: Option<&Book>,
    args: &OpeningListArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let searches = book.map(Book::searches).transpose()?.unwrap_or_default();
    if args.json {
        let all = searches.iter().map(|search| as_json(book, search));
        let all: Vec<Value> = all.collect::<anyhow::Result<_>>()?;
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
        let number = |of: u32| match search.snapshot {
            Some(_) => number(of),
            None => "-".to_owned(),
        };
        let proof = book.map(|book| root_proof(book, search)).transpose()?;
        let state = match proof.flatten() {
            Some(proof) => format!("{} wins", proof.attacker),
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

fn as_json(book: Option<&Book>, search: &Search) -> anyhow::Result<Value> {
    let shown = shown(search);
    let number = |of: u32| search.snapshot.as_ref().map(|_| of);
    let proof = book.map(|book| root_proof(book, search)).transpose()?;
    let proof = proof.flatten();
    Ok(json!({
        "id": search.id.0, "title": search.title, "rules": search.rules, "root": search.root,
        "state": state(search), "winner": proof.as_ref().map(|proof| side_name(proof.attacker)),
        "proof": number(shown.proof), "disproof": number(shown.disproof),
        "jobs": shown.answers, "nodes": shown.nodes, "seconds": shown.seconds, "events": search.events,
        "composed": proof.map(|proof| proof.id.to_string()),
    }))
}

pub(crate) fn stop(book: &Book, args: &OpeningStopArgs, out: &mut Output) -> anyhow::Result<()> {
    let id = args.search.id;
    let search = search(book, id)?;
    if !is_held(&search) {
        bail!("search {id} does not run: it is {}", state(&search));
    }
    let wanted = if args.finish_jobs {
        Wanted::Pause
    } else {
        Wanted::Stop
    };
    book.set_wanted(search.id, wanted)?;
    let when = if args.finish_jobs {
        " when its jobs are finished"
    } else {
        ""
    };
    Ok(writeln!(
        out,
        "Search {id} will stop{when}; `tengen opening resume {id}` goes on"
    )?)
}

pub(crate) fn delete(
    book: &Book,
    args: &OpeningDeleteArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let id = args.search.id;
    let search = search(book, id)?;
    wait_for_end(book, search.id)?;
    let deleted = book.delete_search(search.id);
    super::hint_if_owned(deleted, search.id)?;
    let shown = shown(&search);
    Ok(writeln!(
        out,
        "Deleted search {id}: {} ({}, {:.1} s of work); what it has proved stays in the book",
        search.title,
        counted(shown.answers, "job"),
        shown.seconds
    )?)
}
