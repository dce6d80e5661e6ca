//! The commands that prove wins with quiet turns.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::PositionArgs;
use super::proving::{Time, nodes, seconds, threads};

/// List every reply that is not proved to lose
///
/// The side that has just moved claims to win. Lets the other side pass, then place some stones of its
/// turn, then whole turns, and looks for a win against each; the relevance zones of the wins found
/// show which other replies need not be looked at. What is left are the replies that are not proved to
/// lose; if there are none, the position is won. Everything that is said to lose is covered by a proof
/// that the checker has verified. A reply that is listed may lose all the same.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The searches run in stages of 300, 3,000, 20,000, 100,000 and 1,000,000 nodes each, and every stage tries \
only what the one before left; --nodes ends the stages earlier or adds one. Orders are those of `tengen solve`: \
with 2, the default, every turn after the reply threatens. Orders 3 and 4 attack what is left with quiet turns and may take long.

`J8 + any` in the list stands for all replies with J8, `any` for all replies.

The first Ctrl-C stops and reports what is still open; with --proof what was proved is kept, and --resume \
goes on from there. The second aborts.

Examples:
  tengen verify --rules 19,19,6,2,3 J10 J12 K11 --proof triangle.proof
  tengen verify --rules inf,inf,6,2,3 J10 J11 K10 --zones
  tengen verify J10 I8 H9 K11 L10 --seconds 20 --proof open.proof
  tengen verify J10 I8 H9 K11 L10 --order 3 --resume open.proof --json")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// How much the turns after the reply must threaten: 1 most, 4 least
    #[arg(long, value_name = "ORDER", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) order: u8,

    /// How many nodes each search of the last stage may take [default: 1000000]
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// Stop after so much time, `inf` for never
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    pub(crate) seconds: Time,

    /// How many searches to run at once; the result does not depend on it [default: as many as there
    /// are processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Draw the relevance zones: of the position if every reply loses, otherwise of the win against the
    /// null turn
    #[arg(long)]
    pub(crate) zones: bool,

    /// Write what is proved, complete or not: compact if the name ends in .tproof, otherwise as text
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,

    /// Go on from a proof that --proof wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// Run the papers' experiments again, and print ours beside theirs
///
/// Without an item the items are listed. Every win of `rzop` and `family` has a proof that the checker has
/// verified; `--out` keeps the proofs, and a run that was stopped goes on from them.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Items:
  rzop     Connect(6,2,3) and openings of Connect6: Wu and Lin, Relevance-Zone-Oriented Proof Search
  family   the three-stone starts of Connect(6,2,3), and Table 1 of Wu and Huang, A New Family of
           k-in-a-row Games
  kavalan  depth-first, breadth-first, traditional and two-stage Monte-Carlo tree search on 24
           positions: Yen and Yang, Two-Stage Monte Carlo Tree Search for Connect6, Tables IV and V
  kagami   games of the defender, without and with search: Liu and Lin, A Defensive Strategy
           Combined with Threat-Space Search in Connect6, Tables I to IV
  jlpn     ten openings with one and two workers and five policies, and a simulation with up to
           1,024 workers: Wu and others, Job-Level Proof-Number Search for Connect6, Figures 3 and 4
  drawn    Connect(11,2), Connect(16,3) and others are drawn, and the table of k for p: Chiang, Wu and Lin, Drawn
           k-in-a-row games, Theorems 1 and 2; with --out the certificates and pictures are kept
  mnk      k in a row on boards of up to 64 cells, one stone a turn, each searched to the end: 5,5,4 and 7,7,5 are
           draws, the first player wins 6,5,4, and others; with --out the table is kept as mnk.json
  gomoku   the solution of Go-Moku, its size and what it took: Allis, Searching for Solutions in Games and
           Artificial Intelligence, chapter 5 and Table 5.1; with --database FILE one of `tengen gomoku solve`,
           otherwise of a small instance, a position of four stones; and wins by threats found in two ways, by tree
           search and by db-search, on the same positions

The first Ctrl-C ends the run after the present position, in kagami with the games that are finished; the exit status is then 130. With --out, the next \
run takes over what is finished, after checking its proof again, and goes on with the rest.

Examples:
  tengen reproduce
  tengen reproduce rzop --out rzop
  tengen reproduce family --quick
  tengen reproduce kagami --seconds 1 --out games
  tengen reproduce kagami --nodes 20000
  tengen reproduce kavalan --seconds 20 --out kavalan
  tengen reproduce mnk --out mnk
  tengen reproduce gomoku --database gomoku.db
  tengen reproduce jlpn --seconds 300 --out jlpn
  tengen reproduce jlpn --simulate-only --out jlpn
  tengen reproduce jlpn --simulate-only --recorded openings.book")]
pub(crate) struct ReproduceArgs {
    /// What to reproduce
    #[arg(value_enum, value_name = "ITEM")]
    pub(crate) item: Option<ReproduceItem>,

    /// Keep proofs and counts, or games, in this folder, and take over those that are there
    #[arg(long, value_name = "DIR", requires = "item")]
    pub(crate) out: Option<PathBuf>,

    /// Stop each verification or search after so much time, `inf` for never; in kagami, the time for a turn
    /// [default: 60; kagami: 0.2; jlpn, mnk, gomoku: 300]
    #[arg(long, value_name = "S", requires = "item", value_parser = seconds)]
    pub(crate) seconds: Option<Time>,

    /// In kagami so many nodes for a turn, in mnk for a board, instead of a time: the same whenever it is run
    #[arg(long, value_name = "N", requires = "item", conflicts_with = "seconds", value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// How many searches to run at once; kagami plays one game at a time, jlpn has its own numbers
    #[arg(long, value_name = "N", default_value_t = 1, requires = "item", value_parser = threads)]
    pub(crate) threads: usize,

    /// Only a small part of each table, to see that it works
    #[arg(long, requires = "item")]
    pub(crate) quick: bool,

    /// In jlpn, solve nothing: simulate with the job times that are in the folder, or with made-up ones
    #[arg(long, requires = "item")]
    pub(crate) simulate_only: bool,

    /// In gomoku, the database of a solution; it is checked first
    #[arg(long, value_name = "FILE", requires = "item")]
    pub(crate) database: Option<PathBuf>,

    /// With --simulate-only, take job times and proportions from the searches of this book, not from the folder
    #[arg(long, value_name = "BOOK", requires = "simulate_only")]
    pub(crate) recorded: Option<PathBuf>,
}

impl ReproduceArgs {
    /// The limit of time that was given, or this one; `None` for no limit.
    pub(crate) fn time(&self, default: Duration) -> Option<Duration> {
        self.seconds.map_or(Some(default), Time::limit)
    }
}

/// What can be reproduced.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReproduceItem {
    /// Connect(6,2,3) and openings of Connect6
    Rzop,
    /// Three-stone starts, and the table of Connect games
    Family,
    /// Games of the defender against the other engines
    Kagami,
    /// Two-stage Monte-Carlo tree search and others on positions won by threats
    Kavalan,
    /// Openings by job-level search, its policies and its speed-ups, measured and simulated
    Jlpn,
    /// A grid of up to 10,000 virtual workers that come, go, limp and lie
    Grid,
    /// Tilings that prove games drawn, and the least k for each p
    Drawn,
    /// Who wins k in a row on small boards
    Mnk,
    /// Go-Moku solved: the size of the solution, and what it took
    Gomoku,
}
