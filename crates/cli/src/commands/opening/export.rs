//! `tengen opening export`: the tree, the journal or the proof of a search.

use std::collections::HashSet;
use std::io::Write as _;

use anyhow::{Context as _, bail};
use tengen_book::Book;
use tengen_grid::Follower;
use tengen_grid::search::NodeId;
use tengen_rules::notation::{self, Format};
use tengen_rules::{Action, Placement, Record, Turn};

use super::{number, root_proof, search};
use crate::args::{OpeningExportArgs, OpeningForm};
use crate::output::{Output, write_file};
use crate::position_input::is_stdin;
use crate::proof_file;

pub(crate) fn run(book: &Book, args: &OpeningExportArgs, out: &mut Output) -> anyhow::Result<()> {
    let bytes = match args.to {
        OpeningForm::Sgf => tree(book, args)?,
        OpeningForm::Jsonl => journal(book, args)?,
        OpeningForm::Proof => proof(book, args)?,
    };
    if is_stdin(&args.output) {
        return Ok(out.write_all(&bytes)?);
    }
    write_file(&args.output, &bytes)
}

fn journal(book: &Book, args: &OpeningExportArgs) -> anyhow::Result<Vec<u8>> {
    let mut text = String::new();
    for event in book.events(search(book, args.search.id)?.id, 0) {
        text += &event?.1;
        text.push('\n');
    }
    Ok(text.into_bytes())
}

fn proof(book: &Book, args: &OpeningExportArgs) -> anyhow::Result<Vec<u8>> {
    let id = args.search.id;
    let Some(proof) = root_proof(book, &search(book, id)?)? else {
        bail!("search {id} is not solved, it has no proof yet");
    };
    let text = book.proof_text(proof.id)?;
    let proof: tengen_prover::Proof = text.context("the book has lost the proof")?.parse()?;
    Ok(proof_file::bytes_for(&args.output, false, &proof))
}

/// The tree as a record; a position that is reached in several ways has its turns after the first of them.
fn tree(book: &Book, args: &OpeningExportArgs) -> anyhow::Result<Vec<u8>> {
    let follower = Follower::open(book, search(book, args.search.id)?.id)?;
    let mut record = Record::new(follower.root().to_setup());
    let mut seen = HashSet::new();
    let mut stack = vec![(NodeId::ROOT, Record::ROOT, follower.root().clone())];
    while let Some((node, at, position)) = stack.pop() {
        let Some(view) = follower.search().node(node) else {
            continue;
        };
        let mut words = match view.decided {
            Some(winner) => format!("{winner} wins, proved"),
            None => format!(
                "proof {}, disproof {}",
                number(view.numbers.proof),
                number(view.numbers.disproof)
            ),
        };
        let first = seen.insert(node);
        if !first {
            words += "; continued elsewhere";
        }
        record.node_mut(at).comment = words;
        if !first {
            continue;
        }
        for edge in follower.edges_in(node, &position) {
            let mut next = position.clone();
            if next.play(&edge.turn).is_ok() {
                let end = play(&mut record, at, view.side, &edge.turn);
                stack.push((edge.node, end, next));
            }
        }
    }
    Ok(notation::write(Format::Sgf, &[record])?)
}

fn play(
    record: &mut Record,
    mut at: tengen_rules::NodeId,
    side: tengen_rules::Side,
    turn: &Turn,
) -> tengen_rules::NodeId {
    for cell in turn {
        at = record.add(at, Action::Place(Placement { side, cell }));
    }
    at
}
