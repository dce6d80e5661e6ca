//! `tengen drawn`: Maker-Breaker boards, tilings, and which games are drawn.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Prove that k-in-a-row games are drawn
///
/// Connect(k,p) is drawn when neither player can force a win on any board, with p stones a turn and at most p in the first. The
/// plane is cut into copies of a small board; on each of them White answers, with as many stones, whatever Black places there.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen drawn prove 11 2
  tengen drawn prove 16 3 --out sixteen.draw
  tengen check sixteen.draw
  tengen drawn table --to 12
  tengen drawn family
  tengen drawn picture 11 2 tiling.svg
  tengen drawn solve board.txt --per-turn 2
  tengen drawn search 8 1 --cells 12")]
pub(crate) struct DrawnArgs {
    #[command(subcommand)]
    pub(crate) command: DrawnCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DrawnCommand {
    Prove(DrawnProveArgs),
    Solve(DrawnSolveArgs),
    Table(DrawnTableArgs),
    Family(DrawnFamilyArgs),
    Picture(DrawnPictureArgs),
    Search(DrawnSearchArgs),
}

/// Prove that Connect(K,P) is drawn, with a known tiling, and write the certificate
///
/// Nothing is called drawn before the checker has verified the certificate.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen drawn prove 11 2
  tengen drawn prove 16 3 --out sixteen.draw --json")]
pub(crate) struct DrawnProveArgs {
    /// How many in a row win
    #[arg(value_name = "K")]
    pub(crate) line: usize,

    /// How many stones a turn has
    #[arg(value_name = "P")]
    pub(crate) per_turn: usize,

    /// Where to write the certificate [default: connect-K-P.draw]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Say who wins a Maker-Breaker board
///
/// The file has a line `cells X,Y X,Y ...` and a line `line X,Y X,Y ...` for every line. Black wins by occupying a
/// line; White answers every turn with at most as many stones.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A board of nine cells, all rows and columns:
  cells 0,0 1,0 2,0 0,1 1,1 2,1 0,2 1,2 2,2
  line 0,0 1,0 2,0
  line 0,1 1,1 2,1
  ...

Examples:
  tengen drawn solve board.txt --per-turn 1
  tengen drawn solve board.txt --exclusive 1")]
pub(crate) struct DrawnSolveArgs {
    /// The board; `-` is stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// How many stones Black places at most in a turn
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) per_turn: u8,

    /// Every line has a square where only White may play; Black places any number of stones, and wins with more than B on a
    /// line without a white stone
    #[arg(long, value_name = "B", conflicts_with = "per_turn")]
    pub(crate) exclusive: Option<u32>,

    /// Give up after so many positions
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub(crate) positions: u64,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the least k known to be drawn for each p, and why
///
/// `proved`: a certificate comes with tengen or is given, and the checker has verified it while the table was made. `quoted`: a theorem of a paper.
/// `open`: what is not known.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen drawn table --to 12
  tengen drawn table --to 1000 --json
  tengen drawn table suites/drawn/connect-15-3.draw.gz")]
pub(crate) struct DrawnTableArgs {
    /// More certificates; each is checked
    #[arg(value_name = "CERTIFICATE")]
    pub(crate) certificates: Vec<PathBuf>,

    /// The largest p
    #[arg(long, value_name = "P", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) to: u16,

    /// Print JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Say who wins Connect(k,p,q) on the infinite board, and who has shown it
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen drawn family
  tengen drawn family --delta 4 --to 10
  tengen drawn family --game 6 2 1")]
pub(crate) struct DrawnFamilyArgs {
    /// Only this game: k, p and q
    #[arg(long, num_args = 3, value_names = ["K", "P", "Q"], value_parser = clap::value_parser!(u16).range(1..=999))]
    pub(crate) game: Option<Vec<u16>>,

    /// The games with k - p = D
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=99))]
    pub(crate) delta: u16,

    /// The largest p
    #[arg(long, value_name = "P", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=99))]
    pub(crate) to: u16,
}

/// Draw a tiling, or one of its boards, as SVG
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen drawn picture 11 2 tiling.svg
  tengen drawn picture 16 3 --board board.svg
  tengen drawn picture 11 2 --strategy answers.svg")]
pub(crate) struct DrawnPictureArgs {
    /// How many in a row win
    #[arg(value_name = "K")]
    pub(crate) line: usize,

    /// How many stones a turn has
    #[arg(value_name = "P")]
    pub(crate) per_turn: usize,

    /// The picture; `-` is stdout
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The board with its lines, not the tiling
    #[arg(long)]
    pub(crate) board: bool,

    /// The board with White's answer to each first stone of Black
    #[arg(long, conflicts_with = "board")]
    pub(crate) strategy: bool,
}

/// Look for a tile that proves Connect(K,P) drawn
///
/// Chooses tiles and lines such that every K cells in a row contain a line, and has the game on the tile solved; when Black wins, the
/// lines with which it wins are never chosen again. What is found is written as a certificate after the checker has verified it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
With --state, what was excluded is kept in a file and not tried again; the first Ctrl-C stops.

Examples:
  tengen drawn search 8 1 --cells 12
  tengen drawn search 11 2 --cells 24 --symmetry mirrored --state eleven.txt
  tengen drawn search 10 2 --cells 20 --state ten.txt")]
pub(crate) struct DrawnSearchArgs {
    /// How many in a row win
    #[arg(value_name = "K")]
    pub(crate) line: usize,

    /// How many stones a turn has
    #[arg(value_name = "P", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) per_turn: u8,

    /// How many cells the tile has, or both boards of bands together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=176))]
    pub(crate) cells: u8,

    /// How copies of the tile lie
    #[arg(long, value_enum, default_value = "translations", value_name = "HOW")]
    pub(crate) symmetry: DrawnSymmetry,

    /// The fewest cells of a line [default: P + 1]
    #[arg(long, value_name = "N")]
    pub(crate) shortest: Option<usize>,

    /// The most cells of a line [default: 3 more than the shortest]
    #[arg(long, value_name = "N")]
    pub(crate) longest: Option<usize>,

    /// Keep what is excluded in this file, and go on from it
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Where to write the certificate [default: connect-K-P.draw]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// How copies of a tile lie.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawnSymmetry {
    /// Moved only
    Translations,
    /// Bands of the tile and of its mirror image alternate
    Mirrored,
    /// Every copy is also there turned by 180 degrees
    Rotated,
    /// Two boards: slanted bands to the right and to the left alternate, of equal heights or one row apart
    Bands,
}
