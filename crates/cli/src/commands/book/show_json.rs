//! What the book knows of a position, for scripts.

use serde_json::{Value, json};
use tengen_book::{Claim, Entry, Name, Opinion, ProofId, Source, Stats, TurnEntry};
use tengen_rules::{Position, Side, notation};

use crate::solving::side_name;

pub(super) fn entry(position: &Position, entry: &Entry) -> Value {
    let proofs: Vec<Value> = entry
        .proofs
        .iter()
        .map(|proof| {
            json!({
                "id": proof.id.to_string(), "position": proof.position, "attacker": side_name(proof.attacker),
                "state": proof.state.name(), "reason": proof.reason, "open": proof.open,
                "turn": proof.first.as_ref().map(ToString::to_string), "depth": proof.depth, "nodes": proof.nodes,
                "checker": proof.checker, "checked": proof.checked, "bytes": proof.bytes,
            })
        })
        .collect();
    let comments: Vec<Value> = entry
        .comments
        .iter()
        .map(|comment| {
            json!({
                "text": comment.text, "language": comment.language, "marks": comment.marks,
                "written_for": comment.written_for, "source": source(&comment.source), "at": comment.at,
            })
        })
        .collect();
    json!({
        "rules": position.rules().to_string(),
        "position": notation::setup_text(&position.to_setup()),
        "known": entry.known,
        "opening": entry.opening,
        "names": names(&entry.names),
        "proved": proved(entry.proved),
        "proofs": proofs,
        "claims": claims(&entry.claims),
        "opinions": opinions(&entry.opinions),
        "comments": comments,
        "games": stats(&entry.stats),
        "turns": entry.turns.iter().map(turn).collect::<Vec<_>>(),
    })
}

fn turn(entry: &TurnEntry) -> Value {
    let cells: Vec<String> = entry.turn.cells().iter().map(ToString::to_string).collect();
    json!({
        "turn": cells,
        "ends": entry.ends,
        "opening": entry.opening,
        "names": names(&entry.names),
        "proved": proved(entry.proved),
        "claims": claims(&entry.claims),
        "opinions": opinions(&entry.opinions),
        "comments": entry.comments,
        "turns": entry.turns,
        "games": stats(&entry.stats),
    })
}

fn proved(proved: Option<(Side, ProofId)>) -> Value {
    proved.map_or(
        Value::Null,
        |(winner, proof)| json!({ "winner": side_name(winner), "proof": proof.to_string() }),
    )
}

fn source(source: &Source) -> Value {
    json!({ "name": source.name, "url": source.url, "licence": source.licence })
}

fn names(names: &[Name]) -> Vec<Value> {
    let name = |name: &Name| json!({ "name": name.name, "language": name.language, "source": source(&name.source) });
    names.iter().map(name).collect()
}

fn claims(claims: &[Claim]) -> Vec<Value> {
    let claim = |claim: &Claim| json!({ "winner": side_name(claim.winner), "source": source(&claim.source), "at": claim.at });
    claims.iter().map(claim).collect()
}

fn opinions(opinions: &[Opinion]) -> Vec<Value> {
    let opinion = |opinion: &Opinion| {
        json!({
            "verdict": opinion.verdict, "score": opinion.score, "source": source(&opinion.source), "at": opinion.at,
        })
    };
    opinions.iter().map(opinion).collect()
}

fn stats(stats: &Stats) -> Value {
    json!({
        "games": stats.games, "black": stats.black, "white": stats.white, "draws": stats.draws,
        "years": stats.years.map(|(first, last)| [first, last]),
    })
}
