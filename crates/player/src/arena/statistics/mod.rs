//! What results mean: score and Elo with error bars, likelihood of superiority, sequential test.
//!
//! The unit is the *pair*: two games with the same opening, one from each side. Their results are not
//! independent of each other, those of different pairs are; a pair's score is one of 0, 1/4, 1/2, 3/4, 1
//! (the "pentanomial" model of M. Van den Bergh). Single games only count where nothing is said about
//! errors.

mod rating;
mod sprt;

use serde::Serialize;

use super::{GameRecord, pair_of};

pub use rating::{Rating, ratings};
pub use sprt::{Sprt, SprtError, SprtState, log_likelihood_ratio};

/// Two-sided 95 % of the normal distribution.
const Z: f64 = 1.959_963_985;

/// Results of one contestant against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// How many pairs scored 0, 1/4, 1/2, 3/4 and 1. Pairs of which a game is missing do not count.
    pub pairs: [u32; 5],
}

/// A number that is known only so well: 95 % error bars.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The lower end.
    pub low: f64,
    /// The best guess.
    pub value: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Converts all three numbers with an increasing function.
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            low: f(self.low),
            value: f(self.value),
            high: f(self.high),
        }
    }
}

impl Tally {
    /// The results of `name` in its games against `other`.
    pub fn of<'a>(
        games: impl IntoIterator<Item = &'a GameRecord>,
        name: &str,
        other: &str,
    ) -> Self {
        let mut games: Vec<(usize, u32)> = games
            .into_iter()
            .filter(|game| game.has(name) && game.has(other))
            .map(|game| (game.game, game.half_points(name)))
            .collect();
        games.sort_unstable();
        games.dedup_by_key(|(number, _)| *number);
        let mut tally = Self::default();
        for &(_, points) in &games {
            match points {
                0 => tally.losses += 1,
                1 => tally.draws += 1,
                _ => tally.wins += 1,
            }
        }
        for pair in games.chunk_by(|a, b| pair_of(a.0) == pair_of(b.0)) {
            if let [(_, one), (_, two)] = pair {
                tally.pairs[(one + two) as usize] += 1;
            }
        }
        tally
    }

    /// The same results seen from the other side.
    pub fn reversed(self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pairs,
        }
    }

    /// Adds the results against somebody else.
    pub fn add(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (mine, theirs) in self.pairs.iter_mut().zip(other.pairs) {
            *mine += theirs;
        }
    }

    /// How many games.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// How many points: a draw is half a point.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    fn pair_count(&self) -> f64 {
        f64::from(self.pairs.iter().sum::<u32>())
    }

    /// Mean and variance of a pair's score; `None` without a pair.
    fn moments(&self) -> Option<(f64, f64)> {
        let count = self.pair_count();
        let weighted = |f: &dyn Fn(f64) -> f64| {
            let terms = self.pairs.iter().enumerate();
            terms
                .map(|(i, &n)| f64::from(n) * f(i as f64 / 4.0))
                .sum::<f64>()
                / count
        };
        if count == 0.0 {
            return None;
        }
        let mean = weighted(&|x| x);
        Some((mean, weighted(&|x| (x - mean).powi(2))))
    }

    /// Mean score of a game with error bars, from complete pairs; `None` without any.
    ///
    /// The bars are Wilson's interval with the pair's variance in the place of a coin's: with `n` pairs,
    /// mean `m` and variance `v`, that of `n * m * (1 - m) / v` coins. Where all pairs scored the same,
    /// nothing is known of the variance and each pair is taken for one coin.
    pub fn score(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        let coin = mean * (1.0 - mean);
        let coins = if variance > 0.0 {
            self.pair_count() * coin / variance
        } else {
            self.pair_count()
        };
        Some(wilson(mean, coins))
    }

    /// The difference in Elo points that the score means; infinite where everything was won or lost.
    pub fn elo(&self) -> Option<Estimate> {
        Some(self.score()?.map(elo_of_score))
    }

    /// How likely it is that the first is the stronger one, by the normal approximation over pairs.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, variance) = self.moments()?;
        let variance = if variance > 0.0 { variance } else { 0.25 };
        Some(normal_cdf(
            (mean - 0.5) / (variance / self.pair_count()).sqrt(),
        ))
    }
}

/// Wilson's 95 % interval for a share `mean` of `count` trials.
fn wilson(mean: f64, count: f64) -> Estimate {
    let z2 = Z * Z / count;
    let centre = (mean + z2 / 2.0) / (1.0 + z2);
    let half = (z2 * (mean * (1.0 - mean) + z2 / 4.0)).sqrt() / (1.0 + z2);
    Estimate {
        low: (centre - half).clamp(0.0, mean),
        value: mean,
        high: (centre + half).clamp(mean, 1.0),
    }
}

/// The Elo difference at which this score is expected.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score that is expected with this Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The normal distribution function, exact to 1e-7: Abramowitz and Stegun, 7.1.26.
fn normal_cdf(x: f64) -> f64 {
    let y = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * y);
    let poly = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let tail = poly.into_iter().fold(0.0, |sum, a| (sum + a) * t) * (-y * y).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests;
