//! Fits the weights of the evaluation; `docs/evaluation.md` describes the data and the result.
//!
//! ```text
//! cargo run --release -p tengen-player --example fit -- weights RULES OUT GAMES...
//! cargo run --release -p tengen-player --example fit -- selfplay RULES COUNT NODES SEED > games.txt
//! ```

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

mod draw;
mod games;
mod regression;
mod samples;
mod selfplay;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use tengen_evaluation::{WIDTH, Weights};
use tengen_rules::Rules;

use crate::games::Game;
use crate::samples::Reader;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["weights", rules, out, games @ ..] if !games.is_empty() => {
            weights(rules.parse()?, out, games)
        }
        ["selfplay", rules, count, nodes, seed] => {
            selfplay::run(
                rules.parse()?,
                count.parse()?,
                nodes.parse()?,
                seed.parse()?,
            );
            Ok(())
        }
        _ => {
            Err("expected `weights RULES OUT GAMES...` or `selfplay RULES COUNT NODES SEED`".into())
        }
    }
}

/// One choice in so many is learned from: there are more than enough.
const CHOICES: usize = 3;

fn weights(rules: Rules, out: &str, files: &[&str]) -> Outcome {
    let mut games: Vec<Game> = Vec::new();
    for file in files {
        games.extend(games::read(Path::new(file), rules)?);
    }
    // One game in ten is kept for judging the fit.
    let (mut held_out, mut rest) = (Vec::new(), Vec::new());
    for (number, game) in games.iter().enumerate() {
        if number % 10 == 0 {
            &mut held_out
        } else {
            &mut rest
        }
        .push(game);
    }
    let mut reader = Reader::new(rules);
    let mut all = |games: &[&Game]| {
        let mut samples = Vec::new();
        let mut choices = Vec::new();
        for game in games {
            samples.extend(reader.samples(game));
            choices.extend(reader.choices(game, CHOICES));
        }
        (samples, choices)
    };
    let (samples, choices) = all(&rest);
    let (held_samples, held_choices) = all(&held_out);
    eprintln!(
        "{} games, {} positions, {} choices",
        games.len(),
        samples.len(),
        choices.len()
    );
    let (bias, outcome, loss) = regression::outcomes(&samples, &held_samples, 20);
    let (choice, choice_loss, near_the_top) = regression::choices(&choices, &held_choices, 6);
    let mut weights = Weights::zero();
    weights.bias = bias;
    for place in 0..WIDTH {
        weights.rows[0][place] = outcome[place];
        // The waiter's patterns are subtracted.
        weights.rows[1][place] = -outcome[WIDTH + place];
        weights.rows[2][place] = choice[place];
        weights.rows[3][place] = choice[WIDTH + place];
    }
    let notes = format!(
        "{} games, {} quiet positions, {} stones of winners; one game in ten held out\n\
         outcome: log loss {loss:.4} on {} positions held out (a coin has 0.6931)\n\
         choice: log loss {choice_loss:.4} on {} stones held out, {:.1} % among the first ten cells",
        games.len(),
        samples.len() + held_samples.len(),
        choices.len() + held_choices.len(),
        held_samples.len(),
        held_choices.len(),
        100.0 * near_the_top,
    );
    println!("{notes}");
    fs::write(out, weights.to_text(&notes))?;
    Ok(())
}
