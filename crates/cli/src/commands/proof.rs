//! `tengen proof`: proofs for people and for other programs.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use anyhow::{Context as _, anyhow, bail};
use tengen_checker::{Limits, Verdict};
use tengen_prover::Proof;
use tengen_rules::Position;
use tengen_rules::notation::{self, Format};

use crate::args::{ExportArgs, ImportArgs, ProofCommand, ProofForm, ProofShowArgs};
use crate::board_text;
use crate::claim_text::{claim_in_words, open_replies_in_words};
use crate::commands::check::counted;
use crate::error::{CheckFailed, ExitWith, WithHint as _};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;
use crate::position_input::{is_stdin, name};
use crate::view::{rules_in_words, stones};
use crate::{proof_file, proof_sgf, proof_tree, solving, strategy};

pub(crate) fn run(command: &ProofCommand, out: &mut Output) -> anyhow::Result<()> {
    match command {
        ProofCommand::Show(args) => show(args, out),
        ProofCommand::Export(args) => export(args, out),
        ProofCommand::Import(args) => import(args, out),
    }
}

fn show(args: &ProofShowArgs, out: &mut Output) -> anyhow::Result<()> {
    let proof = proof_file::read(&args.file)?;
    let node = args.node as usize;
    if node >= proof.nodes.len() {
        let nodes = counted(proof.nodes.len() as u64, "node");
        bail!("{} has {nodes}, there is no node {node}", name(&args.file));
    }
    let position = strategy::position_of(&proof, node)
        .with_context(|| format!("the way to node {node} cannot be played"))?;
    let style = out.text_style(args.ascii);
    let board = board_text::draw(&position, None, &BTreeMap::new(), style);
    writeln!(out, "{}", rules_in_words(position.rules()))?;
    writeln!(
        out,
        "Claim: {}, {} to move; {}, not checked here",
        claim_in_words(proof.attacker, &proof.except, proof.region),
        proof.position.to_move,
        counted(proof.nodes.len() as u64, "node")
    )?;
    if !proof.except.is_empty() {
        writeln!(out, "{}", open_replies_in_words(&proof.except, usize::MAX))?;
    }
    write!(out, "\n{board}\n{}\n", style.legend())?;
    writeln!(
        out,
        "Node {node}: {} to play, {} left\n",
        position.to_move(),
        stones(position.left().into())
    )?;
    let tree = proof_tree::draw(&proof, node, args.depth, &position);
    Ok(write!(out, "{tree}")?)
}

fn export(args: &ExportArgs, out: &mut Output) -> anyhow::Result<()> {
    let file = args.output.as_deref().filter(|path| !is_stdin(path));
    let form = args
        .to
        .or_else(|| proof_file::form_of(file?))
        .ok_or_else(|| match file {
            Some(path) => anyhow!("`{}` does not say which form to write", path.display()),
            None => anyhow!("which form to write is missing"),
        })
        .hint(|| Some("name it with --to: text, compact, json, sgf".to_owned()))?;
    let proof = proof_file::read(&args.file)?;
    let bytes = match form {
        ProofForm::Text => proof.to_text().into_bytes(),
        ProofForm::Compact => proof.to_compact(),
        ProofForm::Json => format!("{}\n", proof.to_json()).into_bytes(),
        ProofForm::Sgf => sgf(&proof, args.most as usize)?,
    };
    proof_file::write(file, &bytes, form, out)
}

fn sgf(proof: &Proof, most: usize) -> anyhow::Result<Vec<u8>> {
    let position = Position::from_setup(&proof.position)?;
    let record = proof_sgf::record(proof, &position, most);
    if record.len() > most {
        // Talk, not data: the file says it too, where it was cut.
        let _ = writeln!(
            io::stderr(),
            "tengen: the tree was cut at {most} stones; --most N allows more"
        );
    }
    notation::write(Format::Sgf, &[record]).context("cannot write sgf")
}

fn import(args: &ImportArgs, out: &mut Output) -> anyhow::Result<()> {
    interrupt::flag();
    let file = args.output.as_deref().filter(|path| !is_stdin(path));
    let bytes = proof_file::read_bytes(&args.file)?;
    let was_compact = Proof::is_compact(&bytes);
    let form = match file.and_then(proof_file::form_of) {
        Some(form @ (ProofForm::Text | ProofForm::Compact)) => form,
        Some(_) => {
            bail!("import writes text or the compact form; `tengen proof export` writes others")
        }
        None if was_compact => ProofForm::Text,
        None => ProofForm::Compact,
    };
    let rejected =
        |reason: String| CheckFailed(format!("{} is not imported: {reason}", name(&args.file)));
    let text = proof_file::text(bytes).map_err(|reason| rejected(format!("REJECTED {reason}")))?;
    let Some(verdict) = solving::verdict(text.clone(), None, Limits::default()) else {
        return Err(ExitWith(INTERRUPTED).into());
    };
    match &verdict {
        Verdict::Verified(_) | Verdict::VerifiedExcept(_) => {}
        Verdict::Rejected(_) => return Err(rejected(verdict.to_string()).into()),
        Verdict::Undecided(_) => bail!(rejected(verdict.to_string()).0),
    }
    let proof: Proof = text
        .parse()
        .with_context(|| format!("cannot read proof {}", name(&args.file)))?;
    let bytes = match form {
        ProofForm::Compact => proof.to_compact(),
        _ => proof.to_text().into_bytes(),
    };
    proof_file::write(file, &bytes, form, out)?;
    if let Some(path) = file {
        let claim = claim_in_words(proof.attacker, &proof.except, proof.region);
        let nodes = counted(proof.nodes.len() as u64, "node");
        // The message is a courtesy; the file is written.
        let _ = writeln!(
            io::stderr(),
            "{}: VERIFIED, {claim}, {nodes}, {}",
            path.display(),
            counted(bytes.len() as u64, "byte")
        );
    }
    Ok(())
}
