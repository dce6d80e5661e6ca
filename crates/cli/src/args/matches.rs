//! `match` and `tournament`.

use std::path::PathBuf;

use clap::Args;
use tengen_player::arena::Spec;
use tengen_player::arena::statistics::Sprt;
use tengen_rules::Rules;

/// Play two engines against each other
///
/// Each opening is played twice, once from each side. A win that an engine proves ends the game as soon as
/// the checker has verified the proof.
#[derive(Debug, Args)]
#[command(after_long_help = "\
An engine is one of ours, or a command that speaks a protocol:
  alphabeta, level-5, ...        by name
  alphabeta@nodes=5000,name=x    with limits and a name of its own
  gomocup:./pbrain-x             sau:, cloudict: and simple: are the other protocols
  'simple:./engine --threads 1'  with arguments

Limits after `@` (seconds, game-seconds, increment, nodes, depth) replace those of the match for that \
engine; `memory` (MiB) and `name` can be set there too.

With --out the games are kept in DIR: settings.json, games.jsonl and a SGF file each. The same command \
again plays what is missing; --games may grow.

Examples:
  tengen match alphabeta level-5
  tengen match alphabeta mcts --seconds 0.5 --games 40 --out results
  tengen match alphabeta@nodes=20000 alphabeta@nodes=10000 --seed 7
  tengen match alphabeta level-9 --sprt 0,20
  tengen match alphabeta gomocup:./pbrain-x --rules 20,20,5,1,1 --game-seconds 180")]
pub(crate) struct MatchArgs {
    /// The first engine, whose results are shown
    #[arg(value_name = "A")]
    pub(crate) first: Spec,

    /// The second engine
    #[arg(value_name = "B")]
    pub(crate) second: Spec,

    #[command(flatten)]
    pub(crate) arena: ArenaArgs,

    /// Stop as soon as one of two Elo differences is clearly the better guess:
    /// `elo0,elo1[,alpha,beta]`; alpha and beta are 0.05 when left out
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
}

/// Play a round robin and print the cross table
///
/// Every two engines play a match: see `tengen match --help` for engines, openings and limits.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen tournament alphabeta mcts defender --seconds 0.5 --games 20
  tengen tournament alphabeta level-3 level-5 level-7 --out round --html round.html
  tengen tournament alphabeta simple:./mine cloudict:./theirs --json")]
pub(crate) struct TournamentArgs {
    /// The engines, at least two
    #[arg(value_name = "ENGINE", required = true)]
    pub(crate) engines: Vec<Spec>,

    #[command(flatten)]
    pub(crate) arena: ArenaArgs,

    /// Write the cross table as a web page
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// What holds in every game.
#[derive(Debug, Args)]
pub(crate) struct ArenaArgs {
    /// Where games begin: stones in play order, one opening a line, `#` comments, `-` for the empty
    /// board [default: the built-in file for connect6, random ones for other games]
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,

    /// How many games two engines play, an even number; openings come again when they are used up
    /// [default: twice the number of openings]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) games: Option<u32>,

    /// Seconds for a turn [default: 1 when there is no other limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,

    /// Seconds for a whole game
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) game_seconds: Option<f64>,

    /// Seconds added to those of the game after each turn
    #[arg(long, value_name = "S", value_parser = seconds, requires = "game_seconds")]
    pub(crate) increment: Option<f64>,

    /// Nodes for a turn; with this limit alone a match can be repeated exactly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// How many turns deep to look
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// The game [default: connect6, or what the openings file says]
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Rules>,

    /// How many games at a time [default: half the processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) concurrency: Option<u16>,

    /// Where random choices start
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Memory of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) memory: u32,

    /// Milliseconds an engine may overstep its time before it loses [default: 2 seconds and as much
    /// again as the time itself, so that a busy machine loses no game]
    #[arg(long, value_name = "MS")]
    pub(crate) margin: Option<u64>,

    /// A game of so many turns is a draw [default: none; 200 on an infinite board]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: Option<u32>,

    /// Play every game to its end, also when a win is proved
    #[arg(long)]
    pub(crate) no_adjudication: bool,

    /// Keep the games in this folder, and go on from those it has
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print the results as JSON, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|&seconds| seconds.is_finite() && seconds > 0.0)
        .ok_or_else(|| format!("expected a number of seconds above 0, found `{text}`"))
}
