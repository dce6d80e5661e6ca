//! The commands about wins and their proofs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use tengen_rules::{Rules, Side};

use super::PositionArgs;

/// Look for a win by threats, prove it and have the proof checked
///
/// Looks for a win of the side to move in which every turn threatens, or, from order 3 on, is verified
/// against every reply. A win is reported only after the checker, which shares no code with the
/// search, has verified its proof. `no win of order 2`
/// says nothing about other wins, and `unknown` says nothing at all.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Orders: 1 uses only turns that take a whole turn to answer (VCDT in Connect6, fours in Go-Moku), 2 also \
turns that leave the defender one stone (VCST, threes), 3 and 4 also quiet turns, verified against every \
reply: first depth-first, then, from 200,000 nodes on, best-first. They find more and take longer.

With --jsonl every line is an object such as
  {\"id\":1,\"rules\":\"connect6\",\"black\":[\"J10\",\"K11\"],\"white\":[\"I8\"],\"to_move\":\"black\",\"left\":2}
(`left` is optional) and gives a line such as
  {\"id\":1,\"result\":\"win\",\"order\":2,\"turn\":[\"K9\",\"L8\"],\"depth\":5,\"nodes\":812,\"seconds\":0.01,\"proof\":null}
in the order of the input; `result` is win, none or unknown, `depth` counts the attacker's turns. A line \
that cannot be understood gives {\"id\":...,\"error\":\"...\"}, and the exit status is 2.

The first Ctrl-C stops the search and reports what is known; the second aborts.

Examples:
  tengen solve --order 1 'B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B' --proof win.proof
  tengen solve --rules gomoku --zones H8 A1 H9 A3 I9 A5 --shortest
  tengen solve --file game.sgf --at 30 --attacker white --seconds 60
  tengen solve --jsonl positions.jsonl --nodes 100000 --proofs proofs")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Who shall win; if it is not this side's turn, the other side passes first [default: the side
    /// to move]
    #[arg(long, value_enum, value_name = "SIDE")]
    pub(crate) attacker: Option<SideName>,

    /// How much the turns must threaten: 1 most, 4 least
    #[arg(long, value_name = "ORDER", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) order: u8,

    /// Give up after so many nodes
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// Give up after so much time, `inf` for never [default: 10, or inf with --nodes]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<Time>,

    /// The win with the fewest turns of its order
    #[arg(long)]
    pub(crate) shortest: bool,

    /// Draw the relevance zones: cells where the defender's stones could matter; with --proof the
    /// proof claims them
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) zones: bool,

    /// Write the proof of a win: compact if the name ends in .tproof, otherwise as text
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub(crate) proof: Option<PathBuf>,

    /// Write proofs in the compact form
    #[arg(long)]
    pub(crate) compact: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) json: bool,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Solve a file of positions (`-` for stdin), one JSON object a line
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["words", "file", "format", "charset", "game", "at", "attacker"]
    )]
    pub(crate) jsonl: Option<PathBuf>,

    /// Write a proof of every win into this folder
    #[arg(long, value_name = "DIR", requires = "jsonl")]
    pub(crate) proofs: Option<PathBuf>,

    /// How many positions to solve at once [default: as many as there are processors]
    #[arg(long, value_name = "N", requires = "jsonl", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

/// Check proofs: VERIFIED, REJECTED or UNDECIDED
///
/// Prints one verdict a file, with a checker that shares no code with the search and takes nothing
/// from the file on trust but the attacker's turns. A proof may leave replies open: `VERIFIED except`
/// says that the attacker wins against all others, which is no win. REJECTED says that the file proves nothing, not
/// that its claim is false; UNDECIDED that a limit was reached or the argument is not available for
/// these rules.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit status: 0 if every proof is VERIFIED, perhaps except for listed replies; 1 if one is REJECTED; otherwise 2, if one is UNDECIDED or \
cannot be read.

Examples:
  tengen check win.proof
  tengen check --zones win.tproof
  tengen check --position 'B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B' win.proof
  tengen check --seconds 60 --memory 2000 proofs/*.proof
  tengen check --sample 1000 gomoku.db")]
pub(crate) struct CheckArgs {
    /// The proofs, in text or compact form; `-` is stdin
    #[arg(value_name = "PROOF", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// UNDECIDED after so much time for one proof, `inf` for never [default: inf]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<Time>,

    /// UNDECIDED when results take so many MiB [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = memory)]
    pub(crate) memory: Option<usize>,

    /// REJECTED unless the proof is about this position and leaves no reply open
    #[arg(long, value_name = "POSITION")]
    pub(crate) position: Option<String>,

    /// The game of --position
    #[arg(
        long,
        value_name = "RULES",
        requires = "position",
        default_value = "connect6"
    )]
    pub(crate) rules: Rules,

    /// Look at N records only of a database of Go-Moku, chosen at random: quick, and no proof
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,

    /// Which records a sample has
    #[arg(long, value_name = "SEED", requires = "sample", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many threads check a database of Go-Moku [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Draw the relevance zones that the checker computed
    #[arg(long)]
    pub(crate) zones: bool,

    /// Print JSON, one object a line
    #[arg(long, conflicts_with = "zones")]
    pub(crate) json: bool,
}

/// Show proofs, and turn them into other forms
#[derive(Debug, Subcommand)]
#[command(after_long_help = "\
Examples:
  tengen proof show win.proof --depth 2
  tengen proof export win.proof win.sgf
  tengen proof import win.tproof win.proof")]
pub(crate) enum ProofCommand {
    Show(ProofShowArgs),
    Export(ExportArgs),
    Import(ImportArgs),
}

/// Draw a proof as a tree of turns and replies
///
/// Shows what the file says; it is not checked here.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Replies are a whole turn, a semi-null turn (some stones are played elsewhere), the null turn (all are), \
or a macro turn in braces: the defender gets all those stones at once, although he could place a part \
of them only.

Examples:
  tengen proof show win.proof
  tengen proof show win.proof --node 12 --depth 1")]
pub(crate) struct ProofShowArgs {
    /// The proof, in text or compact form; `-` is stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Begin at this node, and draw its board
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) node: u32,

    /// How many turns of the attacker to show
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: u32,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// Write a proof as text, in compact form, as JSON or as SGF
///
/// In SGF every reply is a variation, with comments. A macro turn is replaced by the real defences it
/// stands for; stones that are played elsewhere become a pass.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen proof export win.proof win.sgf
  tengen proof export win.tproof --to text
  tengen proof export win.proof --to json | jq '.nodes | length'")]
pub(crate) struct ExportArgs {
    /// The proof, in text or compact form; `-` is stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The file to write; without it, or with `-`, stdout
    #[arg(value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The form to write [default: from OUT's name]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) to: Option<ProofForm>,

    /// How many stones and passes an SGF tree may have; longer lines are cut, with a comment
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) most: u32,
}

/// Check a proof and write it in the other form, text or compact
///
/// Nothing is written unless the proof is VERIFIED.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen proof import win.proof win.tproof
  tengen proof import win.tproof > win.proof")]
pub(crate) struct ImportArgs {
    /// The proof, in text or compact form; `-` is stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The file to write; without it, or with `-`, stdout
    #[arg(value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// A side as the command line names it.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideName {
    /// Black
    Black,
    /// White
    White,
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Self {
        match name {
            SideName::Black => Self::Black,
            SideName::White => Self::White,
        }
    }
}

/// The forms of a proof.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProofForm {
    /// One node a line: .proof, .txt
    Text,
    /// Binary: .tproof
    Compact,
    /// For programs that show proofs: .json
    Json,
    /// A tree of games: .sgf
    Sgf,
}

/// A limit of time.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Time {
    /// So long.
    Limit(Duration),
    /// No limit.
    Endless,
}

impl Time {
    pub(crate) const fn limit(self) -> Option<Duration> {
        match self {
            Self::Limit(time) => Some(time),
            Self::Endless => None,
        }
    }
}

/// A positive number of seconds, or `inf`.
pub(super) fn seconds(text: &str) -> Result<Time, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is no number of seconds"))?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err(format!(
            "{text} seconds leave no time, expected more than 0, or inf for no limit"
        ));
    }
    // Thirty years are as good as no limit, and the clock can count them.
    Ok(if seconds < 1e9 {
        Time::Limit(Duration::from_secs_f64(seconds))
    } else {
        Time::Endless
    })
}

pub(super) fn nodes(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("0 nodes find nothing, expected at least 1".to_owned()),
        Ok(nodes) => Ok(nodes),
        Err(_) => Err(format!("`{text}` is no number of nodes")),
    }
}

pub(super) fn memory(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(0) => Err("0 MiB hold nothing, expected at least 1".to_owned()),
        Ok(mebibytes) => Ok(mebibytes.saturating_mul(1 << 20)),
        Err(_) => Err(format!("`{text}` is no number of MiB")),
    }
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("0 threads do nothing, expected at least 1".to_owned()),
        Ok(threads) if threads <= 4096 => Ok(threads),
        Ok(threads) => Err(format!("{threads} threads, expected at most 4096")),
        Err(_) => Err(format!("`{text}` is no number of threads")),
    }
}
