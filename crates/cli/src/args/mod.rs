//! The command line: names, options and help texts, and nothing else.

mod book;
mod drawn;
mod engine;
mod gomoku;
mod grid;
mod matches;
mod opening;
mod playing;
mod proving;
mod puzzle;
mod serving;
mod verifying;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use tengen_rules::Rules;
use tengen_rules::notation::{Charset, Format};

pub(crate) use book::{
    AddProofArgs, BookAnnotateArgs, BookArgs, BookCheckArgs, BookCommand, BookExportArgs, BookForm,
    BookImportArgs, BookInfoArgs, BookMergeArgs, BookSearchArgs, BookShowArgs,
};
pub(crate) use drawn::{
    DrawnArgs, DrawnCommand, DrawnFamilyArgs, DrawnPictureArgs, DrawnProveArgs, DrawnSearchArgs,
    DrawnSolveArgs, DrawnSymmetry, DrawnTableArgs,
};
pub(crate) use engine::EngineArgs;
pub(crate) use gomoku::{
    GomokuArgs, GomokuCommand, GomokuPlayArgs, GomokuShowArgs, GomokuSolveArgs,
};
pub(crate) use grid::{
    GridAccessArgs, GridCommand, GridKeysCommand, GridStatusArgs, GridUpArgs, GridUseArgs, LogForm,
    WorkerArgs,
};
pub(crate) use matches::{ArenaArgs, MatchArgs, TournamentArgs};
pub(crate) use opening::{
    AtlasArgs, Attacker, EffortArgs, OpeningArgs, OpeningCommand, OpeningDeleteArgs,
    OpeningExcludeArgs, OpeningExportArgs, OpeningForm, OpeningListArgs, OpeningResumeArgs,
    OpeningRetryArgs, OpeningSolveArgs, OpeningStartArgs, OpeningStopArgs, OpeningSuggestArgs,
    OpeningWatchArgs, PlaceArgs, RootArgs, RunArgs,
};
pub(crate) use playing::{AnalyzeArgs, PlayArgs, SideChoice, ThinkArgs};
pub(crate) use proving::{
    CheckArgs, ExportArgs, ImportArgs, ProofCommand, ProofForm, ProofShowArgs, SolveArgs,
};
pub(crate) use puzzle::{
    PuzzleCalibrateArgs, PuzzleCheckArgs, PuzzleCommand, PuzzleExportArgs, PuzzleForm,
    PuzzleGenerateArgs, PuzzleInfoArgs, PuzzleLanguage, PuzzleSolveArgs,
};
pub(crate) use serving::ServeArgs;
pub(crate) use verifying::{ReproduceArgs, ReproduceItem, VerifyArgs};

const AFTER_HELP: &str = "\
A POSITION is a list of stones in the order of play, or a set-up:
  J10 I8 H9 K11 L10             Black's first stone, then two stones a turn
  B:J10,K11 W:I8 to-move:W      any stones; `left:1` inside a turn

Columns are A, B, ... with I; rows count from 1 at the bottom.

Rules are connect6 (the default), gomoku, gomoku-standard, tic-tac-toe, or m,n,k,p,q: an m x n board \
(`inf,inf` for an infinite one), k in a row win, p stones a turn, q in the first; a sixth word `exact` \
when overlines do not win.

Exit status: 0 done, 1 a check failed, 2 bad input or usage, 101 a bug in tengen, 130 stopped with \
Ctrl-C before the end.";

/// The workbench for Connect6 and every other k-in-a-row game Connect(m,n,k,p,q)
#[derive(Debug, Parser)]
#[command(
    name = "tengen",
    version,
    after_long_help = AFTER_HELP,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// When to use colour; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN"
    )]
    pub(crate) color: ColorWhen,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to use colour.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Even in a file or a pipe
    Always,
    /// Not at all
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(ServeArgs),
    Show(ShowArgs),
    Threats(ThreatsArgs),
    Solve(Box<SolveArgs>),
    Verify(Box<VerifyArgs>),
    Play(Box<PlayArgs>),
    Analyze(Box<AnalyzeArgs>),
    Check(CheckArgs),
    #[command(subcommand)]
    Proof(ProofCommand),
    Book(Box<BookArgs>),
    Opening(Box<OpeningArgs>),
    Worker(Box<WorkerArgs>),
    #[command(subcommand)]
    Grid(GridCommand),
    #[command(subcommand)]
    Puzzle(PuzzleCommand),
    Match(Box<MatchArgs>),
    Engine(EngineArgs),
    Drawn(Box<DrawnArgs>),
    Gomoku(Box<GomokuArgs>),
    Tournament(Box<TournamentArgs>),
    Convert(ConvertArgs),
    Reproduce(ReproduceArgs),
    Perft(PerftArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Where a position comes from.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// Stones in the order of play, or a set-up; `-` reads stdin; nothing is the empty board
    #[arg(value_name = "POSITION")]
    pub(crate) words: Vec<String>,

    /// The game: connect6, gomoku, gomoku-standard, tic-tac-toe or m,n,k,p,q [default: connect6, or
    /// what the file says]
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Rules>,

    /// Read the position from a file in any format
    #[arg(long, short, value_name = "FILE", conflicts_with = "words")]
    pub(crate) file: Option<PathBuf>,

    /// The file's format [default: from its name and content]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// The file's character set, such as utf-8, gbk, shift-jis or windows-1251 [default: a guess]
    #[arg(long, value_name = "NAME")]
    pub(crate) charset: Option<Charset>,

    /// Which game of the file, counted from 1 [default: the first]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) game: Option<u32>,

    /// The position after so many stones of the main line [default: the last]
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<usize>,
}

/// Draw a position in the terminal or as a picture
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen show J10 I8 H9 K11 L10
  tengen show --threats 'B:H10,I10,J10,K10 W:F4,G6 to-move:W'
  tengen show --rules gomoku H8 I9 G7
  tengen show --file game.sgf --at 12 --svg board.svg")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Mark the cells of threats, and list wins, threats and defences
    #[arg(long, short)]
    pub(crate) threats: bool,

    /// Write a picture to FILE (`-` for stdout) instead of drawing in the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// List wins, threats and defences of both sides
///
/// For each side: the turns that win at once, the number of threats (how many stones the other side
/// needs to stop them all, exact), the windows that threaten, all critical defences, and the live
/// and dead shapes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A window is k cells in a row. It is a threat when it holds at least k-p stones of one side and none of \
the other. A critical defence is a set of cells that stops every threat and needs each of its stones: \
`normal` when it has as many stones as there are threats, `relaxed` when it has more.

With --turns, a turn is listed without stones that contribute nothing; any may be added.

Examples:
  tengen threats J10 I8 H9 K11 L10 J7 K6
  tengen threats --turns 2 J10 I8 H9 K11 L10
  tengen threats --json --file game.sgf --at 23")]
pub(crate) struct ThreatsArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// List the turns of the side to move that make at least T threats
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) turns: Option<u8>,

    /// How many entries of a long list to print; 0 means all
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub(crate) first: usize,

    /// Print JSON, with complete lists
    #[arg(long)]
    pub(crate) json: bool,
}

/// Convert game records between formats
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen convert game.sgf game.psq
  tengen convert library.lib library.sgf
  tengen convert --to moves --game 2 games.sgf
  echo 'J10 I8 H9' | tengen convert - --from moves --to ccgc")]
pub(crate) struct ConvertArgs {
    /// The file to read; `-` is stdin
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,

    /// The file to write; without it, or with `-`, stdout
    #[arg(value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The format of IN [default: from its name and content]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) from: Option<Format>,

    /// The format to write [default: from OUT's name]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) to: Option<Format>,

    /// IN's character set, such as utf-8, gbk, shift-jis or windows-1251 [default: a guess]
    #[arg(long, value_name = "NAME")]
    pub(crate) charset: Option<Charset>,

    /// The game, when IN does not say it
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Rules>,

    /// Only this game of IN, counted from 1 [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) game: Option<u32>,
}

/// Count all sequences of turns, the classical test of rules
///
/// A turn is an unordered set of stones. Games that end earlier are not counted.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen perft 2
  tengen perft 9 --rules tic-tac-toe
  tengen perft 1 J10 I8 H9
  tengen perft --suite suites/perft")]
pub(crate) struct PerftArgs {
    /// How many turns
    #[arg(value_name = "DEPTH", required_unless_present = "suite")]
    pub(crate) depth: Option<u32>,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Check a .perft file, or all of a folder, instead
    #[arg(long, value_name = "PATH", exclusive = true)]
    pub(crate) suite: Option<PathBuf>,
}

/// Measure speed, and print a signature of behaviour
///
/// The last line is the signature: numbers that depend on what the code does and never on how fast
/// it does it. When they change, behaviour has changed.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen bench
  tengen bench --quick | tail -n 1")]
pub(crate) struct BenchArgs {
    /// Only compute the signature; measure no speeds
    #[arg(long)]
    pub(crate) quick: bool,
}

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen completions bash > ~/.local/share/bash-completion/completions/tengen
  tengen completions fish > ~/.config/fish/completions/tengen.fish")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: Shell,
}

/// Print the manual page, or write the pages of all commands to a folder
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen man | man -l -
  tengen man ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder to write to; it is made when missing
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// Offers the formats' names in help, completions and messages.
fn format_parser() -> impl clap::builder::TypedValueParser<Value = Format> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Format::ALL.map(|format| format.name()))
        .map(|name| name.parse().expect("every format's name is read"))
}
