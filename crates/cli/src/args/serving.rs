//! The command that serves the workbench.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

/// Open the workbench: the page with board, tree, engines and library
///
/// Everything stays on this machine: one SQLite file in the data folder, and a server that only this machine can
/// reach. docs/server.md describes the API, how to let others in, and how to back up.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen serve --open
  tengen serve --data ~/games --port 8080
  tengen serve --puzzles mine.puzzles
  tengen serve --gomoku gomoku.db.zst
  tengen serve --bind 0.0.0.0 --token \"$(cat token.txt)\"")]
pub(crate) struct ServeArgs {
    /// The folder of the database; it is made when missing [default: tengen in the user's folder for data]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// The address to listen on; others than this machine's own demand a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,

    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = tengen_server::Config::PORT)]
    pub(crate) port: u16,

    /// What visitors must know: open /?token=T once, or send `Authorization: Bearer T`
    #[arg(long, value_name = "T", value_parser = token)]
    pub(crate) token: Option<String>,

    /// A collection of puzzles for the trainer, beside the one that comes with Tengen; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) puzzles: Vec<PathBuf>,

    /// A proof that Black wins Go-Moku, to play White against in the page; may be packed with zstd or gzip
    ///
    /// It is believed: `tengen check FILE` verifies it.
    #[arg(long, value_name = "FILE")]
    pub(crate) gomoku: Option<PathBuf>,

    /// How many jobs run at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) workers: Option<u16>,

    #[command(flatten)]
    pub(crate) grid: super::GridAccessArgs,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
}

/// Short tokens can be guessed.
fn token(text: &str) -> Result<String, String> {
    let fine = |c: char| c.is_ascii_graphic();
    if text.len() < 8 || !text.chars().all(fine) {
        return Err("expected at least 8 letters, digits or signs without blanks".to_owned());
    }
    Ok(text.to_owned())
}
