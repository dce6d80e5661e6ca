//! `tengen gomoku show`: what a database proves, and how large it is.

use std::collections::BTreeMap;
use std::io::Write as _;

use serde_json::json;
use tengen_rules::{Rules, notation};

use super::allis::{Allis, print_plies};
use super::{open, root_of};
use crate::args::GomokuShowArgs;
use crate::board_text;
use crate::commands::check::counted;
use crate::output::{Output, grouped};
use crate::view::rules_in_words;

pub(super) fn run(args: &GomokuShowArgs, out: &mut Output) -> anyhow::Result<()> {
    let (database, bytes) = open(&args.file)?;
    let root = root_of(&database)?;
    let rules = root.rules();
    let plies = database.plies();
    if args.json {
        let line = json!({
            "rules": rules.to_string(),
            "position": notation::setup_text(&root.to_setup()),
            "records": database.len(),
            "plies": plies,
            "bytes": bytes.len(),
        });
        return Ok(writeln!(out, "{line:#}")?);
    }
    let style = out.text_style(args.ascii);
    writeln!(out, "{}", rules_in_words(rules))?;
    let board = board_text::draw(&root, None, &BTreeMap::new(), style);
    write!(out, "\n{board}\n{}\n", style.legend())?;
    writeln!(
        out,
        "Black to play wins, as the file says: {}, {}, {} positions with those after Black's moves",
        counted(database.len() as u64, "record"),
        counted(bytes.len() as u64, "byte"),
        grouped(plies.iter().sum::<usize>() as u64)
    )?;
    // His tables are about whole games.
    let whole =
        root.stones().next().is_none() && matches!(rules, Rules::GOMOKU | Rules::GOMOKU_STANDARD);
    print_plies(&plies, whole.then(|| Allis::of(database.wins())), out)
}
