//! `tengen gomoku`: Go-Moku solved, and its solution as an opponent.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tengen_rules::Rules;

use super::grid::GridUseArgs;
use super::proving::{Time, seconds, threads};

/// Solve Go-Moku, and play against the solution
///
/// Five in a row with one stone a turn, on boards up to 15x15: proof-number search over positions, with wins by threats at its
/// leaves, finds what Black plays against every reply. The result is a database that `tengen check` verifies.
#[derive(Debug, Args)]
#[command(after_long_help = "\
docs/gomoku.md says how it works and why it is right, docs/gomoku-format.md what a database is.

Examples:
  tengen gomoku solve --out gomoku.db
  tengen gomoku solve H8 L10 I9 G7 --out opening.db
  tengen check opening.db
  tengen gomoku show opening.db
  tengen gomoku play opening.db")]
pub(crate) struct GomokuArgs {
    #[command(subcommand)]
    pub(crate) command: GomokuCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GomokuCommand {
    Solve(GomokuSolveArgs),
    Play(GomokuPlayArgs),
    Show(GomokuShowArgs),
}

/// Prove that Black wins, from the empty board or a position, and write the database
///
/// What is proved is kept in FILE.journal as it is found, so the same command goes on after Ctrl-C, after a limit and after kill -9. Counts of
/// all runs are kept in FILE.json. Progress is shown on a terminal; elsewhere a line tells of each of White's second moves that
/// is answered.
#[derive(Debug, Args)]
#[command(after_long_help = "\
From the empty board Black takes the centre; White's second moves, up to symmetry, are worked on one by one, by one thread each. From the
empty board of 15x15 it takes hours. A position has Black to move and as many black stones as white ones; one that Black does not win is searched
until a limit comes.

With --grid the workers of a grid (`tengen worker`) do the work; what they find is played through again before it is kept, and the database is
checked as ever. The same command goes on with or without a grid. --memory is the workers' own then.

Exit status 0 also if it is not solved: the last lines, and `result` in JSON, say how far it came. 130 if it was stopped with Ctrl-C.

Examples:
  tengen gomoku solve --out gomoku.db
  tengen gomoku solve --rules gomoku-standard --out standard.db --threads 2 --memory 6G
  tengen gomoku solve H8 L10 I9 G7 --out opening.db --seconds 60
  tengen gomoku solve --rules 9,9,5,1,1 E5 F6 --out nine.db --json
  tengen gomoku solve --out gomoku.db --grid nats://TOKEN@localhost:4222")]
pub(crate) struct GomokuSolveArgs {
    /// Stones in the order of play, or a set-up, with Black to move; nothing is the empty board
    #[arg(value_name = "POSITION")]
    pub(crate) words: Vec<String>,

    /// The game: gomoku, gomoku-standard, or m,n,5,1,1 on a board of at most 15x15
    #[arg(long, value_name = "RULES", default_value = "gomoku")]
    pub(crate) rules: Rules,

    /// Where to write the database; FILE.journal and FILE.json are beside it
    #[arg(long, value_name = "FILE", default_value = "gomoku.db")]
    pub(crate) out: PathBuf,

    /// How many third moves are worked on at once, or workers' threads on a grid [default: as many as there are]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// What all trees may take together: bytes, or with K, M or G
    #[arg(long, value_name = "BYTES", default_value = "4G", value_parser = bytes)]
    pub(crate) memory: usize,

    /// Stop after so much time, `inf` for never
    #[arg(long, value_name = "S", default_value = "inf", value_parser = seconds)]
    pub(crate) seconds: Time,

    #[command(flatten)]
    pub(crate) grid: GridUseArgs,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Play White against a proof: it wins
///
/// Shows what Black plays after the given moves, and asks for White's moves until the game is over. The database is believed; `tengen
/// check` says whether it is right.
#[derive(Debug, Args)]
#[command(after_long_help = "\
MOVES are a game from the empty board, Black's and White's moves in turn; those that lead to the position of the database may have any order
and orientation. White's moves are read from stdin, one a line, until its end; `undo` takes the last one back, `quit` ends.

Examples:
  tengen gomoku play gomoku.db
  tengen gomoku play gomoku.db H8 I9
  echo 'I9' | tengen gomoku play gomoku.db --ascii")]
pub(crate) struct GomokuPlayArgs {
    /// The database
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The game so far [default: the position of the database]
    #[arg(value_name = "MOVES")]
    pub(crate) moves: Vec<String>,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// Show what a database proves, and its positions by ply beside those of Allis
#[derive(Debug, Args)]
#[command(after_long_help = "\
Shows what the file says; `tengen check` checks it.

Examples:
  tengen gomoku show gomoku.db
  tengen gomoku show gomoku.db --json")]
pub(crate) struct GomokuShowArgs {
    /// The database
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Use only ASCII characters [default: when the locale is not UTF-8]
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// The least that a search can work with.
const LEAST: usize = 64 << 20;

/// "4G", "500M" or a number of bytes.
fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("`{text}` is no number of bytes, expected one such as 4G or 500M");
    let (digits, unit) = match text.char_indices().last() {
        Some((end, 'k' | 'K')) => (&text[..end], 1 << 10),
        Some((end, 'm' | 'M')) => (&text[..end], 1 << 20),
        Some((end, 'g' | 'G')) => (&text[..end], 1 << 30),
        _ => (text, 1),
    };
    let number: usize = digits.parse().map_err(|_| wrong())?;
    match number.checked_mul(unit).ok_or_else(wrong)? {
        few if few < LEAST => Err(format!("{text} is too little, expected at least 64M")),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("500m"), Ok(500 << 20));
        assert_eq!(bytes("100000000"), Ok(100_000_000));
        for wrong in ["", "G", "-1", "1.5G", "4T", "1K", "99999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
