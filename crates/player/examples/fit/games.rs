//! Games to learn from.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use tengen_rules::{Cell, Position, Rules, Side};

/// A game and who won it.
pub(crate) struct Game {
    pub(crate) stones: Vec<Cell>,
    /// `None` is a draw.
    pub(crate) winner: Option<Side>,
}

/// Reads games, one a line: `black`, `white` or `draw` and the stones, as `selfplay` writes them; or a
/// number and the turns, as LittleGolem's collection has them (150 turns are a draw, otherwise the side
/// that moved last has won). A name that ends in `.gz` is unpacked.
pub(crate) fn read(path: &Path, rules: Rules) -> io::Result<Vec<Game>> {
    let file = File::open(path)?;
    let packed = path.extension().is_some_and(|end| end == "gz");
    let reader: Box<dyn Read> = if packed {
        Box::new(flate2::read::GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut games = Vec::new();
    for line in BufReader::new(reader).lines() {
        games.extend(game(&line?, rules));
    }
    Ok(games)
}

fn game(line: &str, rules: Rules) -> Option<Game> {
    let (first, rest) = line.trim().split_once([' ', '\t'])?;
    let stones = stones_of(rest);
    let winner = match first {
        "black" => Some(Side::Black),
        "white" => Some(Side::White),
        "draw" => None,
        _ if rest.split_whitespace().count() >= 150 => None,
        _ => last_mover(&stones, rules),
    };
    Some(Game { stones, winner })
}

/// `j9l11` is two cells.
fn stones_of(text: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut word = String::new();
    for letter in text.chars().chain([' ']) {
        if !letter.is_ascii_digit() && word.ends_with(|c: char| c.is_ascii_digit()) {
            cells.extend(word.parse::<Cell>());
            word.clear();
        }
        if letter.is_ascii_alphanumeric() {
            word.push(letter);
        }
    }
    cells
}

fn last_mover(stones: &[Cell], rules: Rules) -> Option<Side> {
    let mut position = Position::new(rules);
    let mut last = None;
    for &cell in stones {
        let side = position.to_move();
        if position.place(cell).is_err() {
            break;
        }
        last = Some(side);
    }
    last
}
