//! The commands about searches that solve openings.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tengen_grid::search::Selection;
use tengen_rules::Side;

use super::proving::{Time, seconds, threads};
use super::{GridUseArgs, PositionArgs};

/// Solve openings by themselves
///
/// A job-level proof-number search keeps a tree of positions; each leaf is looked at by a job that takes seconds to
/// hours, several at a time. Everything is journaled in the book, so a search survives any crash and can be stopped and
/// resumed for ever. When the root is solved, one proof of it is composed from the jobs' proofs and checked.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A POSITION may also be a name: TX-d21, or a traditional one that the book knows. docs/openings.md says how it works.

Examples:
  tengen opening solve TX-d21 --proof tx-d21.proof
  tengen opening start J10 H9 L9
  tengen opening watch 1
  tengen opening atlas --region 5x5 --seconds 3600 --svg atlas.svg")]
pub(crate) struct OpeningArgs {
    /// The book [default: tengen.book in the user's folder for data]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) book: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: OpeningCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OpeningCommand {
    Solve(OpeningSolveArgs),
    Start(OpeningStartArgs),
    Resume(OpeningResumeArgs),
    Watch(OpeningWatchArgs),
    Stop(OpeningStopArgs),
    Delete(OpeningDeleteArgs),
    List(OpeningListArgs),
    Export(OpeningExportArgs),
    Exclude(OpeningExcludeArgs),
    Suggest(OpeningSuggestArgs),
    Retry(OpeningRetryArgs),
    Atlas(AtlasArgs),
}

/// What is searched, and how the next job is chosen.
#[derive(Debug, Args)]
pub(crate) struct RootArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// What is supposed of positions that are being worked on: virtual-win, virtual-loss, greedy,
    /// virtual-equivalence or patient; or uct, which goes by the mean of the verdicts instead of proof numbers, for
    /// positions that will not be solved
    #[arg(long, value_name = "POLICY", default_value_t)]
    pub(crate) policy: Selection,

    /// Whose win is looked for; `both` looks for either, at more than twice the effort
    #[arg(long, value_name = "SIDE", default_value = "black")]
    pub(crate) attacker: Attacker,

    /// Numbers of new positions from Table 1 of the paper instead of counts of surviving replies
    #[arg(long)]
    pub(crate) table_one: bool,

    /// The same with other numbers than the paper's for some verdicts: a JSON file with proof and disproof numbers, such as
    /// {"b4": [1, 20], "stable": [5, 5]}
    #[arg(long, value_name = "FILE", conflicts_with = "table_one")]
    pub(crate) table: Option<PathBuf>,
}

/// Whose win a search looks for.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Attacker {
    Black,
    White,
    Both,
}

impl Attacker {
    /// The side, if it is one.
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::Black => Some(Side::Black),
            Self::White => Some(Side::White),
            Self::Both => None,
        }
    }
}

/// With what it is searched.
#[derive(Debug, Clone, Args)]
pub(crate) struct EffortArgs {
    /// How many jobs to run at once [default: as many as there are processors, or workers on the grid]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) workers: Option<usize>,

    /// How long one job may take, `inf` for as long as it wants
    #[arg(long, value_name = "S", default_value = "inf", value_parser = seconds)]
    pub(crate) job_seconds: Time,

    /// How many positions one job may look at [default: as many as it wants]
    #[arg(long, value_name = "N")]
    pub(crate) job_nodes: Option<u64>,
}

/// How a search is run here.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    #[command(flatten)]
    pub(crate) grid: GridUseArgs,

    /// Stop after so much time, `inf` for never
    #[arg(long, value_name = "S", default_value = "inf", value_parser = seconds)]
    pub(crate) seconds: Time,

    /// Write the proof when it is solved: compact if the name ends in .tproof, otherwise as text
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which search.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// The number of the search; `tengen opening list` shows it
    #[arg(value_name = "ID", value_parser = search_number)]
    pub(crate) id: i64,
}

/// Solve an opening, here and now
///
/// A search of the same root with the same policy is resumed. Progress is shown on a terminal; the first Ctrl-C stops
/// and keeps everything.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit status 0 also if the opening is not solved: the last lines, and `state` in JSON, say how it ended.

Examples:
  tengen opening solve TX-d21
  tengen opening solve J10 H9 L9 --workers 2 --seconds 300 --proof h9l9.proof
  tengen opening solve TX-q22 --grid nats://TOKEN@localhost:4222
  tengen opening solve --rules 6,6,4,1,1 B:C3 W:F6 to-move:B --book small.book --json")]
pub(crate) struct OpeningSolveArgs {
    #[command(flatten)]
    pub(crate) root: RootArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Begin a search in the background and print its number
#[derive(Debug, Args)]
#[command(after_long_help = "\
The search goes on when the terminal is closed. `tengen opening watch ID` shows it, `stop ID` ends it, `resume ID` goes on.

Examples:
  tengen opening start TX-q22
  tengen opening start J10 J9 K12 --workers 1 --policy greedy")]
pub(crate) struct OpeningStartArgs {
    #[command(flatten)]
    pub(crate) root: RootArgs,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    #[command(flatten)]
    pub(crate) grid: GridUseArgs,
}

/// Go on with a search
///
/// It runs here until it is solved, the time is over or Ctrl-C is pressed. If another process was told to stop it and
/// has not done so yet, this one waits.
#[derive(Debug, Args)]
#[command(after_long_help = "\
`tengen opening start` with the same position goes on in the background.

Examples:
  tengen opening resume 3
  tengen opening resume 3 --seconds 3600 --proof solved.proof")]
pub(crate) struct OpeningResumeArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Show the tree of a search, live
///
/// Proof numbers, verdicts, jobs at work, speed, and a rough guess of the time that is left. Ctrl-C ends the watching;
/// the search goes on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
In the tree, `+` is proved for Black and `-` for White, `*` is being worked on, `x` was excluded by hand. The numbers are how much is \
missing until Black's win is proved, and White's.

Examples:
  tengen opening watch 3
  tengen opening watch 3 --once --depth 4 --first 20")]
pub(crate) struct OpeningWatchArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Show it once and end [default: unless on a terminal]
    #[arg(long)]
    pub(crate) once: bool,

    /// How many turns deep
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) depth: usize,

    /// How many turns of each position, the most hopeful ones
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) first: usize,
}

/// Ask the process that runs a search to stop
#[derive(Debug, Args)]
#[command(after_long_help = "\
What was answered until then is kept. `tengen opening resume ID` goes on.

Examples:
  tengen opening stop 3
  tengen opening stop 3 --finish-jobs")]
pub(crate) struct OpeningStopArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Let the jobs in flight finish before
    #[arg(long)]
    pub(crate) finish_jobs: bool,
}

/// Delete a search with its tree and its journal
///
/// What it has proved stays in the book, and so do the turns of a solved opening. A search that runs is not deleted.
#[derive(Debug, Args)]
#[command(after_long_help = "\
There is no way back: `tengen book export --to jsonl FILE` before it keeps everything.

Examples:
  tengen opening delete 3
  tengen opening stop 3 && tengen opening delete 3")]
pub(crate) struct OpeningDeleteArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// List the searches of the book
#[derive(Debug, Args)]
#[command(after_long_help = "\
The states: `new` has not run yet, `running`, `stopping` was told to, `stopped`, `paused`, `stuck` has nothing left to try, \
`interrupted` lost its process; `Black wins` and `White wins` are proved.

Examples:
  tengen opening list
  tengen opening list --json")]
pub(crate) struct OpeningListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a search can be exported as.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum OpeningForm {
    /// The tree, for viewers
    Sgf,
    /// The journal, one event a line
    Jsonl,
    /// The proof of a solved root
    Proof,
}

/// Write the tree, the journal or the proof of a search
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen opening export 3 --to sgf tree.sgf
  tengen opening export 3 --to proof tx-d21.proof
  tengen opening export 3 --to jsonl -")]
pub(crate) struct OpeningExportArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// What to write
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) to: OpeningForm,

    /// The file; `-` is stdout
    #[arg(value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// A turn at a position of a search.
#[derive(Debug, Args)]
pub(crate) struct PlaceArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Where: the turns from the root to the position with commas between them, or `root`
    #[arg(value_name = "LINE")]
    pub(crate) line: String,

    /// The turn, for example K11 L10
    #[arg(value_name = "TURN", required = true)]
    pub(crate) turn: Vec<String>,
}

/// Tell a search which turn not to look at
///
/// An excluded turn still has to be refuted before its position counts as lost: this changes where the search looks,
/// never what is true.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A search that runs hears of it within a second.

Examples:
  tengen opening exclude 3 root K11 L10
  tengen opening exclude 3 'K11 L10, J7 K6' H8 I9
  tengen opening exclude 3 'K11 L10, J7 K6' H8 I9 --undo")]
pub(crate) struct OpeningExcludeArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    /// Allow an excluded turn again
    #[arg(long)]
    pub(crate) undo: bool,
}

/// Tell a search which turn to look at soon
#[derive(Debug, Args)]
#[command(after_long_help = "\
A search that runs hears of it within a second. A suggestion cannot be taken back; `tengen opening exclude` makes the search leave \
the turn alone.

Examples:
  tengen opening suggest 3 root K11 L10
  tengen opening suggest 3 'K11 L10, J7 K6' H8 I9")]
pub(crate) struct OpeningSuggestArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// Tell a search to ask once more about a position
///
/// For positions that the workers have given up, or of whose turns they said, without a proof, that all lose: with other limits
/// they may find more.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A search that runs hears of it within a second.

Examples:
  tengen opening retry 3 root
  tengen opening retry 3 'K11 L10, J7 K6' && tengen opening resume 3 --job-seconds inf")]
pub(crate) struct OpeningRetryArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Where: the turns from the root to the position with commas between them, or `root`
    #[arg(value_name = "LINE")]
    pub(crate) line: String,
}

/// Work through all White second turns near the centre
///
/// Each opening is a search in the book, and every worker has one of its own. Each turn of an opening is as long as all its turns
/// before; those come first that seem to be nearest to a proof and have had little time. It can be stopped and resumed for
/// ever, and says after every turn what is proved.
#[derive(Debug, Args)]
#[command(after_long_help = "\
With no time at all (--seconds 0) it only says what the book knows.

Examples:
  tengen opening atlas --region 5x5 --seconds 10800 --svg atlas.svg
  tengen opening atlas --region H8-L12 --seconds 0
  tengen opening atlas --seconds inf")]
pub(crate) struct AtlasArgs {
    /// Where both stones are: 5x5 and so on around the centre, or CELL-CELL
    #[arg(long, value_name = "REGION", default_value = "7x7")]
    pub(crate) region: String,

    /// Stop after so much time, `inf` for never
    #[arg(long, value_name = "S", default_value = "600", value_parser = seconds_or_none)]
    pub(crate) seconds: Time,

    /// How long each opening is looked at in its first turn
    #[arg(long, value_name = "S", default_value_t = 30.0)]
    pub(crate) first_round: f64,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    /// What is supposed of positions that are being worked on
    #[arg(long, value_name = "POLICY", default_value_t)]
    pub(crate) policy: Selection,

    /// Whose wins are looked for; `both` looks for either, at more than twice the effort
    #[arg(long, value_name = "SIDE", default_value = "black")]
    pub(crate) attacker: Attacker,

    /// Write a picture, again after each opening
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Seconds as everywhere, and 0.
fn seconds_or_none(text: &str) -> Result<Time, String> {
    match text.parse() {
        Ok(0.0_f64) => Ok(Time::Limit(std::time::Duration::ZERO)),
        _ => seconds(text),
    }
}

/// The number of a search.
fn search_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| {
        format!("`{text}` is no number of a search; `tengen opening list` shows the numbers")
    })
}
