//! The commands about the book.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tengen_rules::Rules;
use tengen_rules::notation::{Charset, Format};

use super::{PositionArgs, format_parser};

/// Keep, ask and share what is known about openings
///
/// A book is one file: positions up to symmetry, turns, verdicts with their checked proofs, names, comments, statistics
/// of games, and the journals of searches. docs/book.md describes it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A POSITION may also be a name: TX-d21, or a traditional one that the book knows, such as Mickey Mouse.

Examples:
  tengen book import games.sgf library.lib
  tengen book show TX-d21
  tengen book annotate J10 I8 K8 --name 'Mickey Mouse' --language en
  tengen book --book shared.book export --to jsonl all.jsonl")]
pub(crate) struct BookArgs {
    /// The book [default: tengen.book in the user's folder for data, beside what `tengen serve` keeps]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) book: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: BookCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    Show(BookShowArgs),
    Search(BookSearchArgs),
    Import(BookImportArgs),
    Merge(BookMergeArgs),
    Export(BookExportArgs),
    Annotate(BookAnnotateArgs),
    AddProof(AddProofArgs),
    Check(BookCheckArgs),
    Info(BookInfoArgs),
}

/// Show what the book knows of a position
///
/// The board, names, who wins by which proof, what is said without proof, comments, and the known turns with what is
/// known after them. A position is found in every orientation and shown in the one asked for; of turns that are
/// mirror images of each other there is one.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen book show TX-d21
  tengen book show J10 I8 H9 K11 L10
  tengen book show Mickey Mouse
  tengen book show --json J10")]
pub(crate) struct BookShowArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// How many turns to list; 0 means all
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) first: usize,

    /// Print JSON, with all turns
    #[arg(long)]
    pub(crate) json: bool,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// Search names, comments and sources for words
#[derive(Debug, Args)]
#[command(after_long_help = "\
A text is found when for each of the WORDS it has one that begins so.

Examples:
  tengen book search mickey
  tengen book search --json critical defence")]
pub(crate) struct BookSearchArgs {
    /// What to look for
    #[arg(value_name = "WORDS", required = true)]
    pub(crate) words: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Read games, trees and books as JSON lines
///
/// Every format that `tengen convert` reads, also packed with gzip. Trees bring turns, comments, names and marks; games
/// count in the statistics, each once, however often it is imported. Files that end in .jsonl are lines of a book; their proofs are
/// checked again.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen book import games.sgf --source 'Taiwan Open 2009' --licence CC0-1.0
  tengen book import littlegolem.txt.gz --url https://littlegolem.net
  tengen book import --language de --charset windows-1252 alt.lib
  tengen book import other.jsonl")]
pub(crate) struct BookImportArgs {
    /// The files; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// The files' format [default: from name and content]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// The files' character set, such as utf-8, gbk or windows-1251 [default: a guess]
    #[arg(long, value_name = "NAME")]
    pub(crate) charset: Option<Charset>,

    /// The game, when the files do not say it
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Rules>,

    /// Who or what the files come from [default: the file's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,

    /// Where they can be found
    #[arg(long, value_name = "URL", default_value = "")]
    pub(crate) url: String,

    /// Under which licence they may be used
    #[arg(long, value_name = "LICENCE", default_value = "")]
    pub(crate) licence: String,

    /// The language of their comments, such as en or zh-Hant
    #[arg(long, value_name = "TAG", default_value = "")]
    pub(crate) language: String,

    /// Whether main lines are games that count [default: those of collections, and of SGF those with players or a
    /// result]
    #[arg(long, value_name = "BOOL")]
    pub(crate) games: Option<bool>,
}

/// Take over everything from other books
///
/// Nothing is lost and nothing is there twice: differing comments are both kept, a game counts once, proofs are checked
/// again, and a search that went on in the other book goes on here. Merging twice changes nothing.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen book merge friend.book
  tengen book --book all.book merge a.book b.book")]
pub(crate) struct BookMergeArgs {
    /// The other books; they are not changed
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

/// Write the book for other programs, or all of it as JSON lines
///
/// SGF and RenLib get turns, names, comments and marks; JSON lines have every fact, and reading them gives the same book.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen book export --to jsonl all.jsonl
  tengen book export --to sgf --from TX-d21 d21.sgf
  tengen book export --to renlib --from '-' --rules gomoku library.lib")]
pub(crate) struct BookExportArgs {
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: BookForm,

    /// Only the tree from this position or name on [default: every tree of the book]
    #[arg(long, value_name = "POSITION")]
    pub(crate) from: Option<String>,

    /// The game of --from
    #[arg(long, value_name = "RULES", requires = "from")]
    pub(crate) rules: Option<Rules>,

    /// The file to write; `-` is stdout
    #[arg(value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// How a book is written.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum BookForm {
    /// A tree for every start
    Sgf,
    /// Every fact of the book
    Jsonl,
    /// RenLib: games of 15x15 with one stone a turn
    Renlib,
}

/// Add a name or a comment to a position
#[derive(Debug, Args)]
#[command(after_long_help = "\
A comment speaks of cells as the position is given; shown for a turned position, it says so.

Examples:
  tengen book annotate J10 I8 K8 --name 'Mickey Mouse' --language en
  tengen book annotate TX-d21 --comment 'K11 L10 wins' --source 'I-Chen Wu'")]
pub(crate) struct BookAnnotateArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// A comment to add
    #[arg(long, value_name = "TEXT", required_unless_present = "name")]
    pub(crate) comment: Option<String>,

    /// A traditional name to add
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The language of both, such as en or zh-Hant
    #[arg(long, value_name = "TAG", default_value = "")]
    pub(crate) language: String,

    /// Who says so
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) source: String,
}

/// Have proofs checked and keep them
///
/// A position is proved when the checker has VERIFIED a proof without exceptions, and in no other way.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit status: 0 if every proof is VERIFIED, perhaps except for listed replies; otherwise 1. What is not VERIFIED is kept \
too, as what it is.

Examples:
  tengen book add-proof win.proof
  tengen book add-proof proofs/*.tproof")]
pub(crate) struct AddProofArgs {
    /// The proofs, in text or compact form; `-` is stdin
    #[arg(value_name = "PROOF", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Print JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Check every proof of the book again
///
/// What the checker does not verify today proves nothing in the book from then on. Exit status: 1 if the book had
/// called such a proof verified.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen book check
  tengen book --book shared.book check --json")]
pub(crate) struct BookCheckArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Say how much the book has
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen book info
  tengen book --book shared.book info --json")]
pub(crate) struct BookInfoArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
