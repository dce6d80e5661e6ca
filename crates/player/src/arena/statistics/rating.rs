//! Ratings of many contestants at once: the Bradley-Terry model, which gives each a number such that
//! differences mean expected scores, fitted by D. Hunter's MM algorithm ("MM algorithms for generalized
//! Bradley-Terry models"). A draw is half a win. Error bars are a bootstrap over pairs (B. Efron).

use serde::Serialize;

use super::{Estimate, Tally};

/// Rounds of fitting; each brings the numbers closer.
const ROUNDS: usize = 2000;

/// Every two contestants that met get this many drawn games on top, so that one who won everything is
/// rated high and not infinitely high.
const PRIOR_GAMES: f64 = 1.0;

/// How many times the pairs are drawn anew for the error bars.
const SAMPLES: usize = 200;

/// A contestant's rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// Elo points above the mean of all, with error bars.
    pub elo: Estimate,
}

/// Ratings from a table of results: `table[i][j]` are those of `i` against `j`. The mean rating is 0.
pub fn ratings(table: &[Vec<Tally>], seed: u64) -> Vec<Rating> {
    let points = |tally: &Tally| (tally.points(), f64::from(tally.games()));
    let observed: Vec<Vec<(f64, f64)>> = map_table(table, points);
    let best = fit(&observed);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut samples = vec![Vec::with_capacity(SAMPLES); table.len()];
    for _ in 0..SAMPLES {
        for (all, elo) in samples.iter_mut().zip(fit(&resampled(table, &mut random))) {
            all.push(elo);
        }
    }
    let with_bars = |(value, mut all): (f64, Vec<f64>)| {
        all.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| all[(share * (all.len() - 1) as f64).round() as usize];
        let elo = Estimate {
            low: at(0.025).min(value),
            value,
            high: at(0.975).max(value),
        };
        Rating { elo }
    };
    best.into_iter().zip(samples).map(with_bars).collect()
}

fn map_table<T>(table: &[Vec<Tally>], f: impl Fn(&Tally) -> T) -> Vec<Vec<T>> {
    let rows = table.iter();
    rows.map(|row| row.iter().map(&f).collect()).collect()
}

/// Half points of a pair: one of those that were played, or an unknown one that may be anything. Without
/// the latter, results that are all the same would seem to be certain.
fn drawn_pair(pairs: &[u32; 5], random: &mut fastrand::Rng) -> u32 {
    let count: u32 = pairs.iter().sum();
    let mut chosen = random.u32(..=count);
    for (score, &times) in (0..).zip(pairs) {
        if chosen < times {
            return score;
        }
        chosen -= times;
    }
    random.u32(0..5)
}

/// Points and games of as many pairs as there were, drawn from them with repetition.
fn resampled(table: &[Vec<Tally>], random: &mut fastrand::Rng) -> Vec<Vec<(f64, f64)>> {
    let mut drawn = vec![vec![(0.0, 0.0); table.len()]; table.len()];
    for i in 0..table.len() {
        for j in i + 1..table.len() {
            let pairs = table[i][j].pairs;
            let count: u32 = pairs.iter().sum();
            let mut points = 0.0;
            for _ in 0..count {
                points += f64::from(drawn_pair(&pairs, random)) / 2.0;
            }
            let games = 2.0 * f64::from(count);
            drawn[i][j] = (points, games);
            drawn[j][i] = (games - points, games);
        }
    }
    drawn
}

/// The most likely ratings, in Elo points above their mean.
fn fit(table: &[Vec<(f64, f64)>]) -> Vec<f64> {
    let count = table.len();
    let mut strength = vec![1.0_f64; count];
    for _ in 0..ROUNDS {
        let old = strength.clone();
        for i in 0..count {
            let (mut won, mut met) = (0.0, 0.0);
            for j in (0..count).filter(|&j| j != i) {
                let (points, games) = table[i][j];
                if games > 0.0 {
                    won += points + PRIOR_GAMES / 2.0;
                    met += (games + PRIOR_GAMES) / (strength[i] + strength[j]);
                }
            }
            if met > 0.0 {
                strength[i] = won / met;
            }
        }
        let mean = strength.iter().map(|s| s.ln()).sum::<f64>() / count as f64;
        strength.iter_mut().for_each(|s| *s /= mean.exp());
        let moved = strength.iter().zip(&old).map(|(a, b)| (a / b - 1.0).abs());
        if moved.fold(0.0, f64::max) < 1e-9 {
            break;
        }
    }
    strength.iter().map(|s| 400.0 * s.log10()).collect()
}
