//! The numbers behind the evaluation, and where they come from.

use std::str::FromStr;

use tengen_rules::{Overline, Rules};

use super::patterns::{CLASSES, Code, DISTANCES, Shape, Traits};

/// What a pattern is judged for.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Role {
    /// It belongs to the side to move: how much it helps him.
    Mover,
    /// It belongs to the other side: how much it helps that one.
    Waiter,
    /// How attractive the cell is to its owner.
    Attack,
    /// How attractive the cell is to the opponent of its owner.
    Defence,
}

impl Role {
    /// All of them, in the order of the file.
    pub const ALL: [Self; 4] = [Self::Mover, Self::Waiter, Self::Attack, Self::Defence];

    const fn name(self) -> &'static str {
        match self {
            Self::Mover => "mover",
            Self::Waiter => "waiter",
            Self::Attack => "attack",
            Self::Defence => "defence",
        }
    }
}

/// Weights of one role: `[straight classes, diagonal classes, distances, influence]` in one row.
pub const WIDTH: usize = 2 * CLASSES + DISTANCES + 1;

/// The weights of a game, in natural units: the evaluation is the logarithm of the odds that the
/// side to move wins, attraction the logarithm of the odds that a strong player plays there.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// What it is worth to be on the move.
    pub bias: f64,
    /// One row for each [`Role`].
    pub rows: [Vec<f64>; 4],
}

const VERSION: &str = "tengen-weights 1";
const CONNECT6: &str = include_str!("../weights/connect6.txt");
const GOMOKU: &str = include_str!("../weights/gomoku.txt");

impl Weights {
    /// All zero.
    pub fn zero() -> Self {
        Self {
            bias: 0.0,
            rows: std::array::from_fn(|_| vec![0.0; WIDTH]),
        }
    }

    /// The weights for a game: fitted ones where there are some, else by the rule of thumb.
    pub fn of(rules: Rules) -> Self {
        let fitted = match (rules.line(), rules.per_turn(), rules.overline()) {
            (6, 2, Overline::Wins) => CONNECT6,
            (5, 1, _) => GOMOKU,
            _ => return Self::rule_of_thumb(rules),
        };
        fitted
            .parse()
            .expect("the project's own file is well formed")
    }

    /// Weights for any game: what counts is how many turns a line lacks.
    pub fn rule_of_thumb(rules: Rules) -> Self {
        let shape = Shape::new(rules);
        let mut weights = Self::zero();
        let per_turn = usize::from(rules.per_turn());
        for class in 1..CLASSES {
            let missing = shape.missing(class).unwrap_or_default();
            let turns = missing as f64 / per_turn as f64;
            let best = Shape::best_windows(class) as f64;
            let worth = 0.5 * 5.0_f64.powf(-turns) * (1.0 + 0.3 * best);
            let pull = 9.0 - 3.0 * turns + 0.4 * best;
            for slot in [class, CLASSES + class] {
                weights.rows[0][slot] = 1.5 * worth;
                weights.rows[1][slot] = worth;
                weights.rows[2][slot] = pull.max(0.0);
                weights.rows[3][slot] = 0.9 * pull.max(0.0);
            }
        }
        for row in &mut weights.rows[2..] {
            row[2 * CLASSES..2 * CLASSES + DISTANCES].fill(0.1);
        }
        weights
    }

    /// The weight of a pattern in a role.
    pub fn weigh(&self, role: Role, diagonal: bool, traits: &Traits) -> f64 {
        let row = &self.rows[role as usize];
        slots(diagonal, traits)
            .into_iter()
            .map(|(slot, times)| row[slot] * times)
            .sum()
    }

    /// As text, to be read again by `from_str`. `notes` become comments.
    pub fn to_text(&self, notes: &str) -> String {
        let mut text = format!("{VERSION}\n");
        for note in notes.lines() {
            text += &format!("# {note}\n");
        }
        text += &format!("bias {:.4}\n", self.bias);
        for role in Role::ALL {
            text += role.name();
            for weight in &self.rows[role as usize] {
                let rounded = format!(" {weight:.4}");
                text += if rounded.trim().trim_start_matches('-') == "0.0000" {
                    " 0"
                } else {
                    &rounded
                };
            }
            text.push('\n');
        }
        text
    }
}

/// Where the traits of a pattern stand in a row of weights, and how often each counts.
pub fn slots(diagonal: bool, traits: &Traits) -> impl IntoIterator<Item = (usize, f64)> {
    let class = traits.class + if diagonal { CLASSES } else { 0 };
    let distances = traits.at_distance.map(f64::from);
    let distances = distances
        .into_iter()
        .enumerate()
        .map(|(far, times)| (2 * CLASSES + far, times));
    // In tenths, so that its weight is of the size of the others.
    let influence = (2 * CLASSES + DISTANCES, f64::from(traits.influence) / 10.0);
    [(class, 1.0), influence].into_iter().chain(distances)
}

/// What is wrong with a file of weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It does not say that it is one.
    #[error("line 1: expected `{VERSION}`")]
    Version,
    /// A line is not understood.
    #[error("line {0}: expected `bias` or a role (mover, waiter, attack, defence) and its numbers")]
    Line(usize),
    /// A row has the wrong length.
    #[error("line {line}: expected {WIDTH} numbers, found {found}")]
    Width {
        /// The line, from 1.
        line: usize,
        /// How many there are.
        found: usize,
    },
    /// Something is not there.
    #[error("the row of `{0}` is missing")]
    Missing(&'static str),
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line.trim() != VERSION) {
            return Err(WeightsError::Version);
        }
        let mut bias = None;
        let mut rows: [Option<Vec<f64>>; 4] = [const { None }; 4];
        for (number, line) in lines {
            let line_number = number + 1;
            let Some((name, numbers)) = line.split_once(' ').filter(|_| !line.starts_with('#'))
            else {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                return Err(WeightsError::Line(line_number));
            };
            let numbers: Result<Vec<f64>, _> = numbers.split(' ').map(str::parse).collect();
            let numbers = numbers.map_err(|_| WeightsError::Line(line_number))?;
            if name == "bias" {
                bias = numbers.first().copied();
                continue;
            }
            let role = Role::ALL.into_iter().find(|role| role.name() == name);
            let role = role.ok_or(WeightsError::Line(line_number))?;
            if numbers.len() != WIDTH {
                return Err(WeightsError::Width {
                    line: line_number,
                    found: numbers.len(),
                });
            }
            rows[role as usize] = Some(numbers);
        }
        let mut weights = Self::zero();
        weights.bias = bias.ok_or(WeightsError::Missing("bias"))?;
        for role in Role::ALL {
            let row = rows[role as usize].take();
            weights.rows[role as usize] = row.ok_or(WeightsError::Missing(role.name()))?;
        }
        Ok(weights)
    }
}

/// The weights of one pattern as integers.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub(crate) struct Worth {
    /// By [`Role`]; evaluation in units of [`EVALUATION_UNIT`], attraction of [`ATTRACTION_UNIT`].
    pub(crate) roles: [i16; 4],
}

/// Integers to one unit of the evaluation.
pub(crate) const EVALUATION_UNIT: f64 = 10_000.0;
/// Integers to one unit of attraction.
pub(crate) const ATTRACTION_UNIT: f64 = 1_000.0;

/// The worth of every pattern, first of straight, then of diagonal lines.
pub(crate) fn compile(weights: &Weights, shape: &Shape) -> [Vec<Worth>; 2] {
    let whole = |weight: f64, unit: f64| {
        (weight * unit)
            .round()
            .clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
    };
    [false, true].map(|diagonal| {
        let worth = |code: usize| {
            let traits = shape.traits(code as Code);
            let weigh = |role: Role| weights.weigh(role, diagonal, &traits);
            Worth {
                roles: Role::ALL.map(|role| match role {
                    Role::Mover | Role::Waiter => whole(weigh(role), EVALUATION_UNIT),
                    Role::Attack | Role::Defence => whole(weigh(role), ATTRACTION_UNIT),
                }),
            }
        };
        (0..shape.count()).map(worth).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_written() {
        let weights = Weights::rule_of_thumb(Rules::CONNECT6);
        let text = weights.to_text("by hand");
        let again: Weights = text.parse().expect("just written");
        assert_eq!(again.to_text("by hand"), text);
        for rules in [Rules::CONNECT6, Rules::GOMOKU] {
            assert!(
                Weights::of(rules).rows[0]
                    .iter()
                    .any(|&weight| weight != 0.0)
            );
        }
    }

    #[test]
    fn bad_files_are_refused_with_the_line() {
        let text = Weights::zero().to_text("");
        let message = |text: &str| text.parse::<Weights>().expect_err("bad").to_string();
        assert!(message("").contains("line 1"));
        assert!(message(&text.replace("mover 0", "mover")).contains("line 3: expected 152"));
        assert!(message(&text.replace("waiter", "waiting")).contains("line 4"));
        assert!(message(&text.replace("bias 0.0000", "")).contains("`bias` is missing"));
    }
}
