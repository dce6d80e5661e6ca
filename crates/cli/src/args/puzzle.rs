//! The commands about puzzles.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tengen_rules::Rules;

/// Make, solve, rate and print puzzles
///
/// A puzzle is a position in which exactly one turn wins by double threats (or by single ones), or exactly one turn
/// defends. A collection is one file; docs/puzzles.md says what is guaranteed.
#[derive(Debug, Subcommand)]
#[command(after_long_help = "\
Examples:
  tengen puzzle generate games.sgf --out mine.puzzles
  tengen puzzle generate --self-play 500 --seed 1 --out mine.puzzles
  tengen puzzle info mine.puzzles
  tengen puzzle export mine.puzzles --to booklet book.html --per-page 6 --language ja
  tengen puzzle rate theirs.sgf")]
pub(crate) enum PuzzleCommand {
    Generate(PuzzleGenerateArgs),
    Info(PuzzleInfoArgs),
    Export(PuzzleExportArgs),
    Check(PuzzleCheckArgs),
    Solve(PuzzleSolveArgs),
    Rate(PuzzleSolveArgs),
    Calibrate(PuzzleCalibrateArgs),
}

/// Look for puzzles in games, in self-play, in a book or among thrown stones
///
/// Every position goes through the same stages: a win by double threats, of three turns or more, shortest length,
/// fewest stones, all other first turns exhausted, a verified proof, and a second search that shares nothing with the
/// first. What survives and is new goes into the collection. The same command again goes on where it stopped; the
/// result does not depend on the number of threads.
#[derive(Debug, Args)]
#[command(after_long_help = "\
FILES are games in any format that `tengen convert` reads, also packed with gzip. A game that cannot be read is \
reported and left out.

Examples:
  tengen puzzle generate littlegolem.txt.gz --out golem.puzzles --threads 2
  tengen puzzle generate --self-play 400 --seed 1 --enough 300 --out mine.puzzles
  tengen puzzle generate --self-play 400 --order 3 --out mine.puzzles
  tengen puzzle generate --book my.book --thrown 10000 --seed 3 --out mine.puzzles")]
pub(crate) struct PuzzleGenerateArgs {
    /// Files of games
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// The collection; made if it is not there
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,

    /// Let Tengen play so many games against itself
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    pub(crate) self_play: usize,

    /// The positions of a book
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,

    /// Throw so many heaps of stones
    #[arg(long, value_name = "HEAPS", default_value_t = 0)]
    pub(crate) thrown: usize,

    /// Which series of games or heaps
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,

    /// The game, for self-play, books and thrown stones
    #[arg(long, value_name = "RULES", default_value = "connect6")]
    pub(crate) rules: Rules,

    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,

    /// 1: wins by double threats, and defences; 2: wins that need single threats; 3: wins that begin with a quiet turn
    ///
    /// Orders 2 and 3 take longer, and find puzzles in few positions.
    #[arg(long, value_name = "ORDER", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub(crate) order: u8,

    /// Stop when the collection has so many puzzles
    #[arg(long, value_name = "PUZZLES")]
    pub(crate) enough: Option<u64>,

    /// Try harder: more positions become puzzles, and each takes longer
    #[arg(long)]
    pub(crate) thorough: bool,

    /// Only puzzles to win
    #[arg(long)]
    pub(crate) no_defences: bool,
}

/// Show what a collection holds: stages, grades, kinds
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen puzzle info mine.puzzles
  tengen puzzle info mine.puzzles --json")]
pub(crate) struct PuzzleInfoArgs {
    /// The collection
    #[arg(value_name = "FILE")]
    pub(crate) collection: PathBuf,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What an export is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleForm {
    /// All puzzles with their solution trees and comments
    Sgf,
    /// One object per line
    Jsonl,
    /// A folder of diagrams
    Svg,
    /// A page to print, solutions at the end; `.pdf` where Chromium is installed
    Booklet,
    /// A folder of proofs for `tengen check`
    Proofs,
}

/// The languages of a booklet.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleLanguage {
    /// English
    En,
    /// Japanese
    Ja,
    /// Chinese, simplified
    ZhHans,
    /// Chinese, traditional
    ZhHant,
}

/// Write a collection as SGF, JSON lines, diagrams, proofs or a booklet
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen puzzle export mine.puzzles --to sgf mine.sgf
  tengen puzzle export mine.puzzles --to booklet book.pdf --per-page 4 --limit 40
  tengen puzzle export mine.puzzles --to proofs proofs/ --grade 6")]
pub(crate) struct PuzzleExportArgs {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    pub(crate) collection: PathBuf,

    /// What to write
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) to: PuzzleForm,

    /// Where: a file, or a folder for diagrams and proofs
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// Only this grade
    #[arg(long, value_name = "GRADE")]
    pub(crate) grade: Option<u8>,

    /// At most so many puzzles
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,

    /// Only puzzles whose solution has at most so many steps
    #[arg(long, value_name = "N")]
    pub(crate) most_steps: Option<u32>,

    /// Puzzles on a page of the booklet
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=12))]
    pub(crate) per_page: u8,

    /// The language of the booklet
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "en")]
    pub(crate) language: PuzzleLanguage,
}

/// Check a collection again: every proof, and by a naive search every length and uniqueness
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit status: 0 if everything is as claimed, 1 if not.

Examples:
  tengen puzzle check mine.puzzles
  tengen puzzle check mine.puzzles --limit 100")]
pub(crate) struct PuzzleCheckArgs {
    /// The collection
    #[arg(value_name = "FILE")]
    pub(crate) collection: PathBuf,

    /// At most so many puzzles
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,

    /// Positions of the naive search, for each puzzle
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub(crate) nodes: u64,
}

/// Solve or rate the positions of a file
///
/// Each game's last position before a whole turn is looked at, or its set-up if no stone is played. `solve` says how it
/// is won by double threats and whether other first turns win too; `rate` also says how hard it is.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen puzzle solve problems.sgf
  tengen puzzle rate problems.txt --json")]
pub(crate) struct PuzzleSolveArgs {
    /// A file of positions, in any format that `tengen convert` reads
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Nodes for each question
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub(crate) nodes: u64,

    /// One JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Say how well ratings predict the ladder of limited solvers
///
/// Fits the weights to every second puzzle and tries them on the others; with --built-in tries the weights that this
/// version has on all.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen puzzle calibrate mine.puzzles
  tengen puzzle calibrate mine.puzzles --built-in
  tengen puzzle calibrate mine.puzzles --write")]
pub(crate) struct PuzzleCalibrateArgs {
    /// The collection
    #[arg(value_name = "FILE")]
    pub(crate) collection: PathBuf,

    /// Try the weights of this version on all puzzles
    #[arg(long)]
    pub(crate) built_in: bool,

    /// Write the ratings of this version's weights into the collection
    #[arg(long)]
    pub(crate) write: bool,
}
