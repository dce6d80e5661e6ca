//! `tengen drawn table`: for every p the least k known to be drawn, by whom, and how well it is founded.

use std::io::Write as _;
use std::path::PathBuf;

use serde_json::json;
use tengen_drawn::induction::{self, Induction, Step};

use super::{bound_of, verified_bounds};
use crate::args::DrawnTableArgs;
use crate::output::Output;

/// One line of the table.
pub(crate) struct Row {
    pub(crate) per_turn: usize,
    pub(crate) line: usize,
    /// `proved` or `quoted`.
    pub(crate) standing: &'static str,
    pub(crate) by: String,
    pub(crate) theorem_2: usize,
    pub(crate) hsieh_tsai: usize,
}

/// All rows up to some p. Certificates are checked now, and so are these files.
pub(crate) fn rows(to: usize, more: &[PathBuf]) -> anyhow::Result<Vec<Row>> {
    let mut verified = verified_bounds()?;
    for path in more {
        verified.push(bound_of(path)?);
    }
    let induction = Induction::new(2 * to + 20);
    let row = |per_turn: usize| {
        let game = induction
            .least(per_turn)
            .expect("Theorem 2 reaches every p");
        let theorem_2 = induction::theorem_2(per_turn);
        let certificate = verified
            .iter()
            .filter(|(p, _)| *p == per_turn)
            .map(|(_, k)| *k)
            .min();
        let (line, standing, by) = match certificate {
            Some(line) => (line, "proved", "certificate, VERIFIED".to_owned()),
            None if per_turn == 1 => (8, "quoted", "Zetters 1980".to_owned()),
            None => (theorem_2, "quoted", chain_in_words(&induction.chain(game))),
        };
        Row {
            per_turn,
            line,
            standing,
            by,
            theorem_2,
            hsieh_tsai: induction::hsieh_tsai(per_turn),
        }
    };
    Ok((1..=to).map(row).collect())
}

/// "NX(2,1) by 9, N(6,3) by 12": each game with its lemma.
fn chain_in_words(chain: &[Step]) -> String {
    let words: Vec<String> = chain
        .iter()
        .map(|step| {
            let game = step.game.to_string();
            format!("{} by {}", game.trim_start_matches("MBBoard"), step.lemma)
        })
        .collect();
    format!("Theorem 2: {}", words.join(", "))
}

pub(super) fn run(args: &DrawnTableArgs, out: &mut Output) -> anyhow::Result<()> {
    let rows = rows(usize::from(args.to), &args.certificates)?;
    if args.json {
        for row in rows {
            let object = json!({ "per_turn": row.per_turn, "line": row.line, "standing": row.standing,
                "by": row.by, "theorem_2": row.theorem_2, "hsieh_tsai": row.hsieh_tsai });
            writeln!(out, "{object}")?;
        }
        return Ok(());
    }
    writeln!(
        out,
        "Connect(k,p) is drawn for every k from here on. proved: by a certificate that the checker verified just now; \
         quoted: by a theorem of a paper, with the lemmas of Chiang, Wu and Lin (2011) that lead to it; N(L,p) \
         stands for MBBoardN(L,p), NX(L,b) for MBBoardNX(L,b), and k = 3L - 1. Smaller k are open, except that Black wins \
         Connect(5,1) on boards of 15x15 (Allis), and what `tengen drawn family` says.\n"
    )?;
    writeln!(
        out,
        "|    p |    k | standing | Theorem 2 | Hsieh-Tsai 4p+7 | by |"
    )?;
    writeln!(
        out,
        "|-----:|-----:|----------|----------:|----------------:|----|"
    )?;
    for row in rows {
        writeln!(
            out,
            "| {:>4} | {:>4} | {:<8} | {:>9} | {:>15} | {} |",
            row.per_turn, row.line, row.standing, row.theorem_2, row.hsieh_tsai, row.by
        )?;
    }
    Ok(())
}
