//! `tengen book add-proof` and `check`: what the checker says.

use std::io::Write as _;

use anyhow::{Context as _, anyhow};
use serde_json::json;
use tengen_book::{Book, Checked, StoredProof};

use super::show::one_line;
use crate::args::{AddProofArgs, BookCheckArgs};
use crate::commands::check::counted;
use crate::error::{CheckFailed, ExitWith};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;
use crate::position_input::name;
use crate::progress::ProgressLine;
use crate::proof_file;
use crate::solving::side_name;

pub(crate) fn add(book: &Book, args: &AddProofArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut refused = 0;
    for path in &args.files {
        let text =
            proof_file::text(proof_file::read_bytes(path)?).map_err(|reason| anyhow!(reason));
        let stored = text
            .and_then(|text| Ok(book.add_proof(&text)?))
            .with_context(|| format!("cannot read proof {}", name(path)))?;
        let proof = &stored.proof;
        refused += u64::from(!proof.reason.is_empty());
        if args.json {
            let value = json!({
                "id": proof.id.to_string(), "new": stored.new, "state": proof.state.name(), "reason": proof.reason,
                "rules": proof.rules, "position": proof.position, "attacker": side_name(proof.attacker),
            });
            writeln!(out, "{value}")?;
        } else {
            writeln!(out, "{}: {}", name(path), in_words(&stored))?;
        }
        out.flush()?;
    }
    match refused {
        0 => Ok(()),
        _ => Err(CheckFailed(format!("{} not verified", counted(refused, "proof"))).into()),
    }
}

/// "VERIFIED, Black wins, 12 nodes; proof 0123..., new".
fn in_words(stored: &StoredProof) -> String {
    let proof = &stored.proof;
    let known = if stored.new { "new" } else { "known" };
    if !proof.reason.is_empty() {
        let state = proof.state.name().to_uppercase();
        return format!(
            "{state} {}; proof {}, {known}",
            one_line(&proof.reason),
            proof.id
        );
    }
    let except = match proof.open.len() as u64 {
        0 => String::new(),
        open => format!(
            " except for {}",
            counted(open, "listed reply").replace("replys", "replies")
        ),
    };
    format!(
        "VERIFIED{except}, {} wins, {}; proof {}, {known}",
        proof.attacker,
        counted(proof.nodes, "node"),
        proof.id
    )
}

pub(crate) fn check(book: &Book, args: &BookCheckArgs, out: &mut Output) -> anyhow::Result<()> {
    interrupt::flag();
    let mut line = ProgressLine::new();
    let report = book.check(&mut |done, total| {
        line.draw(&format!("checking proof {} of {total}", done + 1));
        !interrupt::is_stopped()
    })?;
    line.erase();
    if args.json {
        writeln!(out, "{}", in_json(&report))?;
    } else {
        for (id, reason) in &report.failed {
            writeln!(out, "proof {id}: {}", one_line(reason))?;
        }
        writeln!(
            out,
            "{} checked: {} verified, {} verified with exceptions, {} not verified",
            counted(report.proofs, "proof"),
            report.verified,
            report.verified_except,
            report.failed.len()
        )?;
    }
    if !report.complete {
        return Err(ExitWith(INTERRUPTED).into());
    }
    match report.demoted {
        0 => Ok(()),
        demoted => {
            let proofs = counted(demoted, "proof");
            Err(CheckFailed(format!("{proofs} no longer verified")).into())
        }
    }
}

fn in_json(report: &Checked) -> serde_json::Value {
    let failed: Vec<_> = report
        .failed
        .iter()
        .map(|(id, reason)| json!({ "proof": id.to_string(), "reason": reason }))
        .collect();
    json!({
        "proofs": report.proofs, "verified": report.verified, "verified_except": report.verified_except,
        "failed": failed, "demoted": report.demoted, "complete": report.complete,
    })
}
