//! `tengen book show`: one position and its turns, for people.

use std::collections::BTreeMap;
use std::io::Write as _;

use tengen_book::{Book, Claim, Comment, Entry, Opinion, ProofSummary, Stats, TurnEntry};
use tengen_rules::{Position, Side};

use super::show_json;
use crate::args::BookShowArgs;
use crate::board_text;
use crate::commands::check::counted;
use crate::output::{Output, grouped};
use crate::view::{played_turns, rules_in_words, state_in_words};

pub(crate) fn run(book: &Book, args: &BookShowArgs, out: &mut Output) -> anyhow::Result<()> {
    let position = super::position(book, &args.position)?;
    let entry = book.lookup(&position)?;
    if args.json {
        let value = show_json::entry(&position, &entry);
        return Ok(writeln!(out, "{value}")?);
    }
    let style = out.text_style(args.ascii);
    let turns = played_turns(&position);
    let board = board_text::draw(&position, turns.last(), &BTreeMap::new(), style);
    writeln!(out, "{}", rules_in_words(position.rules()))?;
    writeln!(out, "\n{board}\n{}", style.legend())?;
    writeln!(out, "{}", state_in_words(&position, &turns))?;
    if let Some(names) = names_in_words(&entry) {
        writeln!(out, "Name: {names}")?;
    }
    if !entry.known {
        return Ok(writeln!(out, "The book does not have this position")?);
    }
    print_verdict(&entry, out)?;
    print_comments(&position, &entry.comments, out)?;
    print_turns(&entry, args.first, out)
}

/// "TX-b12, Mickey Mouse (en)".
fn names_in_words(entry: &Entry) -> Option<String> {
    let known = entry.names.iter().map(|name| match name.language.as_str() {
        "" => one_line(&name.name),
        language => format!("{} ({language})", one_line(&name.name)),
    });
    let mut names: Vec<String> = entry.opening.iter().cloned().chain(known).collect();
    names.dedup();
    (!names.is_empty()).then(|| names.join(", "))
}

fn print_verdict(entry: &Entry, out: &mut Output) -> anyhow::Result<()> {
    let decisive = entry.proofs.iter().find(|proof| proof.is_win());
    match decisive {
        Some(proof) => writeln!(out, "Proved: {}", proof_in_words(proof))?,
        None => writeln!(out, "Not proved")?,
    }
    for proof in entry.proofs.iter().filter(|proof| !proof.is_win()) {
        let reason = match (&proof.reason[..], proof.open.len()) {
            ("", open) => format!("{} left open", counted(open as u64, "set")),
            (reason, _) => one_line(reason),
        };
        let (state, id) = (proof.state.name(), proof.id);
        writeln!(out, "Proof {id}: {state}, {reason}")?;
    }
    for claim in &entry.claims {
        writeln!(out, "Claimed, not checked: {}", claim_in_words(claim))?;
    }
    for opinion in &entry.opinions {
        writeln!(out, "Opinion: {}", opinion_in_words(opinion))?;
    }
    if entry.stats.games > 0 {
        writeln!(out, "Games: {}", stats_in_words(&entry.stats))?;
    }
    Ok(())
}

/// "Black wins by K11 L10 in 12 turns; VERIFIED by tengen-checker 0.1.0; proof 0123...".
fn proof_in_words(proof: &ProofSummary) -> String {
    let by = match &proof.first {
        Some(turn) => format!(" by {turn}"),
        None => String::new(),
    };
    format!(
        "{} wins{by}, at most {}; VERIFIED by {}, {}; proof {}",
        proof.attacker,
        counted(proof.depth.into(), "turn"),
        proof.checker,
        counted(proof.nodes, "node"),
        proof.id
    )
}

fn claim_in_words(claim: &Claim) -> String {
    let by = by(&claim.source.name);
    format!("{} wins{by}", claim.winner)
}

fn opinion_in_words(opinion: &Opinion) -> String {
    let score = opinion
        .score
        .map_or_else(String::new, |score| format!(" ({score})"));
    let by = by(&opinion.source.name);
    format!("{}{score}{by}", one_line(&opinion.verdict))
}

fn by(source: &str) -> String {
    match source {
        "" => String::new(),
        name => format!(", says {}", one_line(name)),
    }
}

/// "12: Black 7, White 4, drawn 1; 2006-2009".
fn stats_in_words(stats: &Stats) -> String {
    let years = match stats.years {
        Some((first, last)) if first == last => format!("; {first}"),
        Some((first, last)) => format!("; {first}-{last}"),
        None => String::new(),
    };
    format!(
        "{}: Black won {}, White {}, drawn {}{years}",
        grouped(stats.games),
        grouped(stats.black),
        grouped(stats.white),
        grouped(stats.draws)
    )
}

fn print_comments(
    position: &Position,
    comments: &[Comment],
    out: &mut Output,
) -> anyhow::Result<()> {
    for comment in comments.iter().filter(|comment| !comment.text.is_empty()) {
        let mut about: Vec<String> = Vec::new();
        if !comment.language.is_empty() {
            about.push(comment.language.clone());
        }
        if !comment.source.name.is_empty() {
            about.push(one_line(&comment.source.name));
        }
        if !comment.speaks_of(position) {
            about.push(format!("written for {}", comment.written_for));
        }
        let about = match about.is_empty() {
            true => String::new(),
            false => format!(" ({})", about.join(", ")),
        };
        writeln!(out, "\nComment{about}:")?;
        for line in comment.text.lines() {
            writeln!(out, "  {}", one_line(line))?;
        }
    }
    Ok(())
}

fn print_turns(entry: &Entry, first: usize, out: &mut Output) -> anyhow::Result<()> {
    if entry.turns.is_empty() {
        return Ok(writeln!(out, "\nNo turn is known from here")?);
    }
    let shown = match first {
        0 => entry.turns.len(),
        first => first.min(entry.turns.len()),
    };
    let rows: Vec<[String; 4]> = entry.turns[..shown].iter().map(row).collect();
    let head = ["Turn", "Games", "Black won", "What is known"].map(str::to_owned);
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]);
        cells
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2)];
    writeln!(out)?;
    for [turn, games, won, known] in [&head].into_iter().chain(&rows) {
        let line = format!(
            "{turn:<0$}  {games:>1$}  {won:>2$}  {known}",
            widths[0], widths[1], widths[2]
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if shown < entry.turns.len() {
        let more = entry.turns.len() - shown;
        writeln!(out, "and {more} more; --first 0 lists all")?;
    }
    Ok(())
}

fn row(entry: &TurnEntry) -> [String; 4] {
    let mut known = Vec::new();
    if entry.ends {
        known.push("ends the game".to_owned());
    }
    if let Some((winner, _)) = entry.proved {
        known.push(format!("{winner} wins, proved"));
    }
    known.extend(entry.opening.clone());
    known.extend(entry.names.iter().map(|name| one_line(&name.name)));
    if entry.proved.is_none() {
        known.extend(claimed(&entry.claims));
        known.extend(
            entry
                .opinions
                .first()
                .map(|opinion| one_line(&opinion.verdict)),
        );
    }
    if entry.comments > 0 {
        known.push(counted(entry.comments, "comment"));
    }
    let stats = &entry.stats;
    let played = |text: String| {
        if stats.games == 0 {
            String::new()
        } else {
            text
        }
    };
    let percent = (100 * stats.black + stats.games / 2).checked_div(stats.games);
    [
        entry.turn.to_string(),
        played(grouped(stats.games)),
        played(format!("{} %", percent.unwrap_or(0))),
        known.join(", "),
    ]
}

/// "Black wins (claim)", once for each side.
fn claimed(claims: &[Claim]) -> Vec<String> {
    let said = |side: &Side| claims.iter().any(|claim| claim.winner == *side);
    let sides = Side::BOTH.into_iter().filter(said);
    sides.map(|side| format!("{side} wins (claim)")).collect()
}

/// Texts of others stay on one line and cannot drive the terminal.
pub(super) fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect()
}
