//! `tengen drawn family`: who wins Connect(k,p,q) on the infinite board, and who has shown it.

use std::io::Write as _;

use tengen_drawn::family::{Favoured, Standing, corollary_2, standing};

use super::verified_bounds;
use crate::args::DrawnFamilyArgs;
use crate::output::Output;

pub(super) fn run(args: &DrawnFamilyArgs, out: &mut Output) -> anyhow::Result<()> {
    let verified = verified_bounds()?;
    let least = |per_turn: usize| {
        let bounds = verified.iter().filter(|(p, _)| *p == per_turn);
        bounds.map(|(_, line)| *line).min()
    };
    let games: Vec<[usize; 3]> = match args.game.as_deref() {
        Some(&[line, per_turn, first]) => {
            if first > per_turn {
                anyhow::bail!("q is {first}, expected at most p, which is {per_turn}");
            }
            vec![[line, per_turn, first].map(usize::from)]
        }
        _ => (1..=usize::from(args.to))
            .flat_map(|p| (1..=p).map(move |q| [p + usize::from(args.delta), p, q]))
            .collect(),
    };
    writeln!(
        out,
        "Connect(k,p,q) on the infinite board, q <= p. proved: a certificate of a draw that the checker verified just now. quoted: by \
         hand, in a paper. informal, favours: Table 1 of Wu and Huang (2005), which calls its proofs informal and the rest \
         experiments. Corollary 2: Black wins when p is less than the bound. Wins with proofs of this project: `tengen reproduce family`.\n"
    )?;
    writeln!(
        out,
        "| game             | result     | standing | by                       | bound of Corollary 2 |"
    )?;
    writeln!(
        out,
        "|------------------|------------|----------|--------------------------|---------------------:|"
    )?;
    for [line, per_turn, first] in games {
        let (result, sort, by) = words(standing(line, per_turn, first, least(per_turn)));
        let bound = corollary_2(line, per_turn, first)
            .map_or_else(|| "-".to_owned(), |bound| bound.to_string());
        let game = format!("Connect({line},{per_turn},{first})");
        writeln!(
            out,
            "| {game:<16} | {result:<10} | {sort:<8} | {by:<24} | {bound:>20} |"
        )?;
    }
    Ok(())
}

fn words(standing: Standing) -> (&'static str, &'static str, &'static str) {
    let wins = |side| match side {
        Favoured::Black => "Black wins",
        Favoured::White => "White wins",
    };
    match standing {
        Standing::BlackByCorollary2 => ("Black wins", "quoted", "Wu, Huang, Corollary 2"),
        Standing::Informal(side) => (wins(side), "informal", "Wu, Huang, Table 1"),
        Standing::Favours(Favoured::Black) => ("for Black", "favours", "Wu, Huang, Table 1"),
        Standing::Favours(Favoured::White) => ("for White", "favours", "Wu, Huang, Table 1"),
        Standing::DrawnVerified => ("drawn", "proved", "certificate, VERIFIED"),
        Standing::DrawnQuoted(by) => ("drawn", "quoted", by),
        Standing::Open => ("unknown", "open", ""),
    }
}
