//! Which turns strong players would think of first.
//!
//! The learned attraction of cells ([`PatternBoard`]) ranks turns far better than the zones of their null-turn wins: of the turns that win
//! openings most are among the first ten.

use tengen_evaluation::PatternBoard;
use tengen_rules::{Position, Turn};
use tengen_threats::Index;

/// The same turns, those first that attract most.
pub(super) fn by_attraction(position: &Position, turns: &[Turn]) -> Vec<Turn> {
    let (side, grid) = (position.to_move(), position.grid());
    let mut board = PatternBoard::from_position(position);
    let mut worth = |turn: &Turn| -> i32 {
        let index = |cell| grid.index(cell).map(|index| index as Index);
        let cells: Vec<Index> = turn
            .cells()
            .iter()
            .filter_map(|&cell| index(cell))
            .collect();
        // What a stone attracts changes with the stones before it.
        let firsts = (0..cells.len()).map(|first| {
            let mut sum = 0;
            for place in 0..cells.len() {
                let cell = cells[(first + place) % cells.len()];
                sum += board.attraction(side, cell);
                board.place(side, cell);
            }
            for _ in &cells {
                board.undo();
            }
            sum
        });
        firsts.max().unwrap_or_default()
    };
    let mut ranked: Vec<Turn> = turns.to_vec();
    ranked.sort_by_cached_key(|turn| std::cmp::Reverse(worth(turn)));
    ranked
}

#[cfg(test)]
mod tests {
    use tengen_rules::{Cell, Rules, notation};

    use super::*;

    /// All turns with both stones in a square around the centre.
    fn turns(position: &Position, reach: i16) -> Vec<Turn> {
        let grid = position.grid();
        let middle: Cell = "J10".parse().expect("a cell");
        let near = |cell: &Cell| {
            let apart = |one: i16, other: i16| one.abs_diff(other) <= reach.unsigned_abs();
            apart(cell.x, middle.x) && apart(cell.y, middle.y)
        };
        let cells: Vec<Cell> = grid.cells().filter(near).collect();
        let pairs = cells.iter().enumerate();
        let pairs = pairs.flat_map(|(at, &one)| cells[..at].iter().map(move |&other| [one, other]));
        let turns = pairs.map(|pair| pair.into_iter().collect());
        turns
            .filter(|turn| position.clone().play(turn).is_ok())
            .collect()
    }

    #[test]
    fn turns_that_win_openings_are_among_the_first() {
        // The first is from the proof of TX-d21 in suites/openings/solved, where H8 I9 wins; the second follows it, with a turn that wins
        // after other replies in that proof.
        for (stones, wins) in [
            ("J10 I8 H9 K11 L10 H10 H11", "H8 I9"),
            ("J10 I8 H9 K11 L10 H10 H11 H8 I9 G7 J7", "I13 J12"),
        ] {
            let position = notation::parse_position(stones, Rules::CONNECT6).expect("legal");
            let all = turns(&position, 5);
            let ranked = by_attraction(&position, &all);
            assert_eq!(ranked.len(), all.len());
            let wins: Turn = wins.parse().expect("a turn");
            let place = ranked.iter().position(|turn| *turn == wins);
            assert!(
                place.is_some_and(|place| place < 30),
                "{place:?} of {}",
                ranked.len()
            );
        }
    }

    #[test]
    fn the_best_turn_does_not_depend_on_the_order_of_turns() {
        let stones = "J10 I8 H9 K11 L10 H10 H11";
        let position = notation::parse_position(stones, Rules::CONNECT6).expect("legal");
        let all = turns(&position, 3);
        let ranked = by_attraction(&position, &all);
        let backwards: Vec<Turn> = all.iter().rev().cloned().collect();
        let again = by_attraction(&position, &backwards);
        // Equals keep the order in which they came: the best is one of a kind.
        assert_eq!(ranked[0], again[0]);
        assert!(by_attraction(&position, &[]).is_empty());
    }
}
