//! The line around an empty cell as one side sees it.
//!
//! A *pattern* is the state of the `reach` cells on both sides of a cell in one direction: empty, own,
//! or blocked (the opponent's, or off the board). It is numbered in base 3, the farthest cell before the
//! centre first.

use tengen_rules::Rules;

/// How far a pattern reaches on each side; longer lines are judged by this part of them.
const MOST_REACH: usize = 5;

/// The number of a pattern.
pub type Code = u16;

/// The size and meaning of the patterns of a game.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Cells on each side of the centre.
    pub reach: usize,
    /// The length of the windows that are counted.
    window: usize,
    /// Stones that a window of the game has beyond those counted here.
    beyond: usize,
}

/// A cell as one side sees it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Sight {
    Empty,
    Own,
    Blocked,
}

/// Kinds of patterns that are told apart by their windows.
pub const CLASSES: usize = 1 + (MOST_MISSING + 1) * MOST_BEST * SECONDS;
/// Stones that a line lacks after a stone on the centre: more counts as this.
const MOST_MISSING: usize = 5;
/// Windows that lack the fewest stones: more counts as this.
const MOST_BEST: usize = 4;
/// Windows that lack one more: none, one or two, more.
const SECONDS: usize = 3;
/// Distances of own stones.
pub const DISTANCES: usize = MOST_REACH;

/// What a pattern is like, after a stone on its centre.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Traits {
    /// Which windows there are; 0 is none, so that the line is dead.
    pub class: usize,
    /// How many own stones stand at distance 1, 2, ... with nothing of the opponent's between.
    pub at_distance: [u8; DISTANCES],
    /// The exponent of the influence: one for each free cell, more for own stones, the nearer the more.
    pub influence: u8,
}

impl Shape {
    /// The patterns of a game.
    pub fn new(rules: Rules) -> Self {
        let line = usize::from(rules.line());
        let reach = (line - 1).min(MOST_REACH);
        Self {
            reach,
            window: reach + 1,
            beyond: line - (reach + 1),
        }
    }

    /// How many patterns there are.
    pub fn count(&self) -> usize {
        3_usize.pow(2 * self.reach as u32)
    }

    /// What a cell contributes to the code when it stops being empty: once for own stones, twice for
    /// blocked cells. `step` is its signed distance from the centre.
    pub fn power(&self, step: i32) -> Code {
        let reach = self.reach as i32;
        debug_assert!(step != 0 && step.abs() <= reach);
        let place = if step < 0 {
            step + reach
        } else {
            step + reach - 1
        };
        3_u16.pow(place as u32)
    }

    fn sight(&self, code: Code, step: i32) -> Sight {
        match code / self.power(step) % 3 {
            0 => Sight::Empty,
            1 => Sight::Own,
            _ => Sight::Blocked,
        }
    }

    /// How many stones a line through the centre lacks at least in patterns of this class, after a
    /// stone on the centre; `None` for dead patterns.
    pub fn missing(&self, class: usize) -> Option<usize> {
        let number = class.checked_sub(1)?;
        Some(number / (MOST_BEST * SECONDS) + self.beyond)
    }

    /// How many windows lack so few, in patterns of this class.
    pub fn best_windows(class: usize) -> usize {
        class
            .checked_sub(1)
            .map_or(0, |number| number / SECONDS % MOST_BEST + 1)
    }

    /// Reads a pattern.
    pub fn traits(&self, code: Code) -> Traits {
        let reach = self.reach as i32;
        // The free part around the centre, and the own stones in it.
        let open = |sign: i32| {
            (1..=reach)
                .take_while(|&far| self.sight(code, sign * far) != Sight::Blocked)
                .count() as i32
        };
        let (back, ahead) = (open(-1), open(1));
        let own = |step: i32| step == 0 || self.sight(code, step) == Sight::Own;
        let mut at_distance = [0; DISTANCES];
        let mut influence = 0;
        for step in (-back..=ahead).filter(|&step| step != 0) {
            let far = step.unsigned_abs() as usize;
            if own(step) {
                at_distance[far - 1] += 1;
                influence += 12 - far as u8;
            } else {
                influence += 1;
            }
        }
        let window = self.window as i32;
        let lacks = (-back..=ahead - window + 1)
            .filter(|&start| start + window > 0 && start <= 0)
            .map(|start| (start..start + window).filter(|&step| !own(step)).count());
        let lacks: Vec<usize> = lacks.collect();
        Traits {
            class: class_of(&lacks),
            at_distance,
            influence,
        }
    }
}

/// The class of a pattern whose windows lack so many stones each.
fn class_of(lacks: &[usize]) -> usize {
    let Some(&fewest) = lacks.iter().min() else {
        return 0;
    };
    let count = |number: usize| lacks.iter().filter(|&&lack| lack == number).count();
    let seconds = match count(fewest + 1) {
        0 => 0,
        1 | 2 => 1,
        _ => 2,
    };
    let best = count(fewest).min(MOST_BEST) - 1;
    1 + (fewest.min(MOST_MISSING) * MOST_BEST + best) * SECONDS + seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x` own, `o` blocked, `.` empty; the centre is `*`.
    fn traits(rules: Rules, picture: &str) -> Traits {
        let shape = Shape::new(rules);
        let centre = picture.find('*').expect("a centre") as i32;
        let mut code = 0;
        for step in -(shape.reach as i32)..=shape.reach as i32 {
            let place = centre + step;
            let seen = usize::try_from(place)
                .ok()
                .and_then(|at| picture.as_bytes().get(at));
            let digit = match seen {
                Some(b'.') => 0,
                Some(b'x') => 1,
                Some(b'*') => continue,
                _ => 2,
            };
            code += shape.power(step) * digit;
        }
        shape.traits(code)
    }

    #[test]
    fn windows_are_told_apart() {
        let six = Rules::CONNECT6;
        let shape = Shape::new(six);
        let missing = |picture: &str| shape.missing(traits(six, picture).class);
        assert_eq!(missing(".....*....."), Some(5));
        assert_eq!(missing("..xxx*....."), Some(2));
        assert_eq!(missing("oxxxx*o"), None);
        assert_eq!(missing("oxxxx*.o"), Some(1));
        assert_eq!(missing("xxxxx*"), Some(0));
        // The same stones, live and dead.
        let live = traits(six, ".xxx*....");
        let dead = traits(six, "oxxx*..o");
        assert_eq!(shape.missing(live.class), shape.missing(dead.class));
        assert!(Shape::best_windows(live.class) > Shape::best_windows(dead.class));
    }

    #[test]
    fn distance_and_influence_end_at_the_opponent() {
        let seen = traits(Rules::CONNECT6, "x.o.x*.x..o");
        assert_eq!(seen.at_distance, [1, 1, 0, 0, 0]);
        assert_eq!(seen.influence, 11 + 1 + 1 + 10 + 1 + 1);
    }

    #[test]
    fn mirror_images_are_the_same() {
        let mirrored: String = "..x.o*xx..o".chars().rev().collect();
        let (a, b) = (
            traits(Rules::CONNECT6, "..x.o*xx..o"),
            traits(Rules::CONNECT6, &mirrored),
        );
        assert_eq!(a, b);
    }

    #[test]
    fn every_game_has_patterns() {
        for line in 2..=19 {
            let rules: Rules = format!("19,19,{line},1,1").parse().expect("legal rules");
            let shape = Shape::new(rules);
            for code in (0..shape.count()).step_by(97) {
                assert!(shape.traits(code as Code).class < CLASSES);
            }
        }
    }
}
