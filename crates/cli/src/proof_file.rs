//! Proofs in files: reading either form, writing the one that the name means.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use flate2::read::GzDecoder;
use tengen_prover::Proof;

use crate::args::ProofForm;
use crate::error::io_words;
use crate::output::{Output, write_file};
use crate::position_input::{is_stdin, name};

/// Larger files are refused before they are read.
const MAX_BYTES: u64 = 4 << 30;
/// With this a file begins that gzip has packed.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The same for zstd.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// What is packed is unpacked up to this size.
const MAX_UNPACKED: u64 = 1 << 30;

/// The bytes of a file or of stdin.
pub(crate) fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let words = |error: io::Error| anyhow!(io_words(&error));
    let read = || -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let source: &mut dyn Read = if is_stdin(path) {
            &mut io::stdin().lock()
        } else {
            let file = File::open(path).map_err(words)?;
            if file.metadata().map_err(words)?.len() > MAX_BYTES {
                bail!("it is larger than {} GiB, no proof", MAX_BYTES >> 30);
            }
            &mut { file }
        };
        source
            .take(MAX_BYTES)
            .read_to_end(&mut bytes)
            .map_err(words)?;
        Ok(bytes)
    };
    read().with_context(|| format!("cannot read {}", name(path)))
}

/// The bytes that gzip or zstd has packed; others stay as they are.
pub(crate) fn plain(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    if bytes.starts_with(GZIP) {
        unpacked(GzDecoder::new(&bytes[..]))
    } else if bytes.starts_with(ZSTD) {
        let damaged = |error| format!("it cannot be unpacked: {error}");
        unpacked(zstd::Decoder::new(&bytes[..]).map_err(damaged)?)
    } else {
        Ok(bytes)
    }
}

/// The text form of either form, packed text included; the checker reads text only.
///
/// The message says why the bytes are no proof. A text is not looked into: that is the checker's task.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, String> {
    let bytes = plain(bytes)?;
    if Proof::is_compact(&bytes) {
        let proof = Proof::from_compact(&bytes).map_err(|error| error.to_string())?;
        return Ok(proof.to_text());
    }
    String::from_utf8(bytes).map_err(|_| "neither UTF-8 text nor a compact proof".to_owned())
}

/// All that was packed.
fn unpacked(source: impl Read) -> Result<Vec<u8>, String> {
    let mut whole = Vec::new();
    let read = source.take(MAX_UNPACKED + 1).read_to_end(&mut whole);
    read.map_err(|error| format!("it cannot be unpacked: {error}"))?;
    if whole.len() as u64 > MAX_UNPACKED {
        return Err(format!(
            "unpacked it is larger than {} MiB",
            MAX_UNPACKED >> 20
        ));
    }
    Ok(whole)
}

/// A proof that is well-formed. Whether it proves anything is another question.
pub(crate) fn read(path: &Path) -> anyhow::Result<Proof> {
    let text = text(read_bytes(path)?).map_err(|message| anyhow!(message));
    // What came in compact form is validated as text too: it may hold anything.
    text.and_then(|text| Ok(text.parse()?))
        .with_context(|| format!("cannot read proof {}", name(path)))
}

/// The form that a file's name means.
pub(crate) fn form_of(path: &Path) -> Option<ProofForm> {
    match path.extension()?.to_str()?.to_lowercase().as_str() {
        "proof" | "txt" => Some(ProofForm::Text),
        "tproof" => Some(ProofForm::Compact),
        "json" => Some(ProofForm::Json),
        "sgf" => Some(ProofForm::Sgf),
        _ => None,
    }
}

/// The bytes to write for a proof that was asked for under this name: text or compact.
pub(crate) fn bytes_for(path: &Path, compact: bool, proof: &Proof) -> Vec<u8> {
    if compact || form_of(path) == Some(ProofForm::Compact) {
        proof.to_compact()
    } else {
        proof.to_text().into_bytes()
    }
}

/// Fails now if the file could not be written after a long search. Leaves everything as it was.
pub(crate) fn ensure_writable(path: &Path) -> anyhow::Result<()> {
    let existed = path.exists();
    let words = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!("there is no such folder"),
        _ => anyhow!(io_words(&error)),
    };
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(words)
        .with_context(|| format!("cannot write `{}`", path.display()))?;
    if !existed {
        // Left behind, an empty file would do no harm: it is no proof.
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// Writes to a file, or to stdout without one; binary data are kept from a terminal.
pub(crate) fn write(
    path: Option<&Path>,
    bytes: &[u8],
    form: ProofForm,
    out: &mut Output,
) -> anyhow::Result<()> {
    match path.filter(|path| !is_stdin(path)) {
        Some(path) => write_file(path, bytes),
        None if form == ProofForm::Compact && out.is_terminal() => {
            bail!("the compact form is binary: name a file, or redirect the output")
        }
        None => Ok(out.write_all(bytes)?),
    }
}
