//! `tengen gomoku play`: White against a proof.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::{Context as _, anyhow, bail};
use tengen_prover::pn::{Database, Play};
use tengen_rules::{Cell, Outcome, Position, Side};

use super::{cell_of, open, root_of, rules_of};
use crate::args::GomokuPlayArgs;
use crate::board_text;
use crate::commands::play::Input;
use crate::output::Output;
use crate::turn_input;
use crate::view::{played_turns, rules_in_words, state_in_words};

pub(super) fn run(args: &GomokuPlayArgs, out: &mut Output) -> anyhow::Result<()> {
    let (database, _) = open(&args.file)?;
    let mut game = Game {
        position: beginning(&database, &args.moves)?,
        database,
        args,
    };
    writeln!(out, "{}", rules_in_words(game.position.rules()))?;
    // Black answers what was given, or moves first.
    if game.position.to_move() == Side::Black {
        game.answer(out)?;
    }
    game.draw(out)?;
    let mut input = Input::new();
    while game.position.outcome().is_none() {
        let Some(line) = input.line("White? ", out)? else {
            break;
        };
        match line.to_lowercase().as_str() {
            "" => continue,
            "quit" | "exit" | "q" => break,
            "undo" | "u" => {
                if !game.undo() {
                    writeln!(out, "There is no move of White to take back")?;
                    continue;
                }
            }
            _ => match turn_input::stones_of(&game.position, &line) {
                Err(message) => {
                    writeln!(out, "{message}")?;
                    continue;
                }
                Ok(cells) => {
                    for cell in cells {
                        game.position.place(cell)?;
                    }
                    if game.position.outcome().is_none() {
                        game.answer(out)?;
                    }
                }
            },
        }
        game.draw(out)?;
    }
    Ok(())
}

/// The given game, or the position of the database.
fn beginning(database: &Database, moves: &[String]) -> anyhow::Result<Position> {
    if moves.is_empty() {
        return root_of(database);
    }
    let mut position = Position::new(rules_of(database)?);
    for word in moves.iter().flat_map(|words| words.split_whitespace()) {
        let number = position.history().count() + 1;
        let of_move = || format!("move {number}");
        let cell: Cell = word
            .parse()
            .map_err(|error| anyhow!("{error}"))
            .with_context(of_move)?;
        position.place(cell).with_context(of_move)?;
    }
    if position.outcome().is_some() {
        bail!(
            "the game is over: {}",
            state_in_words(&position, &played_turns(&position))
        );
    }
    let root = database.root().len();
    let played = position.history().count();
    if played < root {
        bail!("the database is about a position of {root} stones, the moves are {played}");
    }
    Ok(position)
}

struct Game<'a> {
    position: Position,
    database: Database,
    args: &'a GomokuPlayArgs,
}

impl Game<'_> {
    /// Black plays as the proof has it.
    fn answer(&mut self, out: &mut Output) -> anyhow::Result<()> {
        let moves: Vec<(usize, usize)> = self
            .position
            .history()
            .filter_map(|(_, cell)| cell)
            .map(|cell| (cell.x as usize, cell.y as usize))
            .collect();
        let Some(play) = self.database.play_game(&moves) else {
            bail!(
                "the proof does not say what Black plays here: Black has played other moves than it has, or the database is of another \
                 position"
            );
        };
        let cell = cell_of(play.cell());
        let why = match play {
            Play::Known { .. } => "a position of the proof",
            Play::Threat { .. } => "wins by threats",
            Play::Five { .. } => "five in a row",
        };
        self.position.place(cell)?;
        Ok(writeln!(out, "Black: {cell} ({why})")?)
    }

    /// Takes White's last move and Black's answer back.
    fn undo(&mut self) -> bool {
        let root = self.database.root().len();
        if self.position.history().count() < root + 3 {
            return false;
        }
        self.position.undo() && self.position.undo()
    }

    fn draw(&self, out: &mut Output) -> anyhow::Result<()> {
        let style = out.text_style(self.args.ascii);
        let turns = played_turns(&self.position);
        let board = board_text::draw(&self.position, turns.last(), &BTreeMap::new(), style);
        write!(out, "\n{board}\n{}\n", style.legend())?;
        writeln!(out, "{}", state_in_words(&self.position, &turns))?;
        if let Some(Outcome::Win {
            side: Side::White, ..
        }) = self.position.outcome()
        {
            writeln!(out, "The database is wrong: `tengen check` says where")?;
        }
        Ok(())
    }
}
