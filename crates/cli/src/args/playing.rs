//! The commands that ask engines.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tengen_player::{EngineKind, Level};

use super::PositionArgs;
use super::proving::{Time, nodes, seconds};

/// How long an engine may think; what comes first counts.
#[derive(Debug, Args)]
pub(crate) struct ThinkArgs {
    /// Think so long, `inf` for as long as it takes [default: 5, or inf with --nodes or --depth]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<Time>,

    /// Look at so many turns
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// Look so many turns ahead, where the engine counts them
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
}

/// List the best turns of a position and what an engine thinks of them
///
/// On a terminal the table is drawn anew while the engine thinks. Verdicts are opinions, from `loss likely
/// 4` over `stable` to `win likely 4`, unless they are `proved`: then a checker that shares no code with the
/// engine has verified the proof.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Scores are seen from the side to move. `every other turn loses (proved)` says that nothing but the \
excluded turns can save the side to move.

With --json the answer is one object: `lines` has a `turn`, `verdict`, `status` (Bw and Ww for proved wins, \
B4 to B1 and W4 to W1 for likely ones, stable, unstable1, unstable2), `proved`, `wins_on`, `score` in \
hundredths and `main_line` for each turn, best first; `others_lose`, `nodes`, `seconds` and `depth` are about \
the whole.

The first Ctrl-C stops thinking and prints what is known; the second aborts.

Examples:
  tengen analyze J10 I8 H9 K11 L10
  tengen analyze --multi 5 --seconds 60 --file game.sgf --at 12
  tengen analyze --exclude 'K11 L10' --exclude J9 J10 I8 H9
  tengen analyze --rules gomoku --nodes 100000 --json H8 I9 G7")]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// How many turns to list
    #[arg(long, short, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=35))]
    pub(crate) multi: u8,

    /// Leave a turn out, such as 'K11 L10'; fewer stones than a turn has leave out every turn with them;
    /// may be given more than once
    #[arg(long, short = 'x', value_name = "TURN")]
    pub(crate) exclude: Vec<String>,

    /// Which engine
    #[arg(long, short, value_name = "NAME", default_value = "alphabeta")]
    pub(crate) engine: EngineKind,

    #[command(flatten)]
    pub(crate) think: ThinkArgs,

    /// Write the proof that every other turn loses, or else that of the best turn: compact if the name
    /// ends in .tproof, otherwise as text
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// Play against an engine in the terminal
///
/// Type turns such as `K11 L10`, or one stone at a time, and `help` for the commands: undo, redo, hint, threats,
/// level, swap, save and others.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Level 1 is for somebody who has just learned the rules, level 10 plays as well as it can.

Ctrl-C while the engine thinks makes it play what it has found; a second one, or one while you think, ends \
the game. Turns and commands can come from a pipe, too; the end of the input ends the game.

Examples:
  tengen play
  tengen play --level 3 --side white
  tengen play --rules gomoku --level 7 --seconds 2
  tengen play --file game.sgf --at 12 --side random
  tengen play --engine alphabeta J10 I8 H9")]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// How strong the opponent is, from 1 to 10
    #[arg(long, short, value_name = "N", default_value = "5", value_parser = level)]
    pub(crate) level: Level,

    /// Which side you play
    #[arg(long, value_enum, value_name = "SIDE", default_value = "black")]
    pub(crate) side: SideChoice,

    /// Play against this engine instead of a level
    #[arg(long, short, value_name = "NAME", conflicts_with = "level")]
    pub(crate) engine: Option<EngineKind>,

    #[command(flatten)]
    pub(crate) think: ThinkArgs,

    /// Where random choices start [default: another place each time]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// The side that a person plays.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideChoice {
    /// Black
    Black,
    /// White
    White,
    /// Either, by chance
    Random,
}

fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| format!("there is no level `{text}`, expected 1 to 10"))
}
