//! Games of Tengen against itself, as a source of positions: quick, uneven, and the same for the same seed.

use tengen_player::arena::random_openings;
use tengen_player::{Engine as _, Level, LevelPlayer, Limits, Options, Task};
use tengen_rules::{Cell, Position, Rules};

/// A game without an end is cut here.
const MOST_STONES: usize = 120;

/// Nodes for a turn: enough for sensible shapes, few enough for mistakes that make puzzles.
const NODES: u64 = 1_500;

/// Game `number` of the series `seed`: a random beginning, then two players of different strength.
pub fn self_play(rules: Rules, seed: u64, number: u64) -> Vec<Cell> {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
    let turns = 2 + (seed % 3) as u32;
    let opening = random_openings(rules, 1, turns, seed);
    let mut stones: Vec<Cell> = opening
        .into_iter()
        .flat_map(|opening| opening.stones)
        .collect();
    let Ok(mut position) = Position::replay(rules, &stones) else {
        return stones;
    };
    let levels = [[4, 6], [5, 4], [6, 5], [6, 6]][(seed / 3 % 4) as usize];
    let mut players = levels.map(|number| {
        let level = Level::new(number).expect("there are ten levels");
        let options = Options {
            seed,
            memory: 1 << 22,
        };
        LevelPlayer::new(level, &options)
    });
    let task = Task::new(Limits {
        nodes: Some(NODES),
        ..Limits::default()
    });
    while position.outcome().is_none() && stones.len() < MOST_STONES {
        let player = &mut players[position.to_move() as usize];
        let Ok(answer) = player.think(&position, &task) else {
            break;
        };
        let before = stones.len();
        for cell in &answer.best().turn {
            if position.place(cell).is_err() {
                break;
            }
            stones.push(cell);
        }
        if stones.len() == before {
            break;
        }
    }
    stones
}
