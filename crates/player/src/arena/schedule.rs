//! Which games are played: every two contestants meet with every opening, once from each side.

/// One game to be played. Contestants and openings are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Its number, from 1. Games `2n - 1` and `2n` are a pair: the same opening from both sides.
    pub number: usize,
    /// Which opening.
    pub opening: usize,
    /// Who has Black.
    pub black: usize,
    /// Who has White.
    pub white: usize,
}

/// All games of a round robin, `games` for each two contestants. What a game's number means does not depend
/// on how many games follow it, so a longer match contains the shorter one.
pub fn schedule(contestants: usize, openings: usize, games: usize) -> Vec<Plan> {
    let mut plans = Vec::new();
    if openings == 0 {
        return plans;
    }
    for round in 0..games.div_ceil(2) {
        let opening = round % openings;
        for first in 0..contestants {
            for second in first + 1..contestants {
                for (black, white) in [(first, second), (second, first)] {
                    plans.push(Plan {
                        number: plans.len() + 1,
                        opening,
                        black,
                        white,
                    });
                }
            }
        }
    }
    plans
}

/// The number of a game's pair, from 0.
pub const fn pair_of(game: usize) -> usize {
    (game - 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_from_both_sides() {
        let plans = schedule(3, 2, 6);
        assert_eq!(plans.len(), 18);
        for (index, plan) in plans.iter().enumerate() {
            assert_eq!(plan.number, index + 1);
        }
        for pair in plans.chunks(2) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(
                (pair[0].black, pair[0].white),
                (pair[1].white, pair[1].black)
            );
            assert_eq!(pair_of(pair[0].number), pair_of(pair[1].number));
        }
        // Openings come again when they are used up, and more games change nothing before.
        assert_eq!(plans[12].opening, 0);
        assert_eq!(schedule(3, 2, 4), plans[..12]);
        assert_eq!(schedule(2, 0, 4), []);
    }
}
