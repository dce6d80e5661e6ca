//! `tengen book search`: names, comments and sources.

use std::io::Write as _;

use serde_json::json;
use tengen_book::{Book, Hit, HitKind};

use super::show::one_line;
use crate::args::BookSearchArgs;
use crate::output::Output;

/// More of a comment is seen with `tengen book show`.
const LONGEST: usize = 100;

pub(crate) fn run(book: &Book, args: &BookSearchArgs, out: &mut Output) -> anyhow::Result<()> {
    let hits = book.search_text(&args.words.join(" "))?;
    if args.json {
        let hits: Vec<_> = hits.iter().map(in_json).collect();
        return Ok(writeln!(out, "{}", serde_json::Value::Array(hits))?);
    }
    if hits.is_empty() {
        writeln!(out, "Nothing has these words")?;
    }
    for hit in &hits {
        let text = one_line(&hit.text);
        let shown: String = text.chars().take(LONGEST).collect();
        let dots = if shown.len() < text.len() { "..." } else { "" };
        let place = match &hit.position {
            Some((rules, setup)) if rules == "connect6" => format!("  {setup}"),
            Some((rules, setup)) => format!("  {setup} ({rules})"),
            None => String::new(),
        };
        writeln!(out, "{}: {shown}{dots}{place}", word(hit.kind))?;
    }
    Ok(())
}

const fn word(kind: HitKind) -> &'static str {
    match kind {
        HitKind::Name => "name",
        HitKind::Comment => "comment",
        HitKind::Source => "source",
    }
}

fn in_json(hit: &Hit) -> serde_json::Value {
    let place = hit.position.as_ref();
    json!({
        "kind": word(hit.kind),
        "text": hit.text,
        "rules": place.map(|(rules, _)| rules),
        "position": place.map(|(_, setup)| setup),
    })
}
