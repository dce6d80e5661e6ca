//! How hard a puzzle is, for machines: a number from its features, calibrated by a ladder of limited solvers.
//!
//! The target is the logit of the fraction of solvers that fail; weights come from a least-squares fit
//! ([`calibrate`]) to puzzles of Tengen's own self-play, and `tengen puzzle calibrate` says how well they do on
//! puzzles they were not fitted to. The ladder's own result is no feature. This is machine difficulty: people find
//! other things hard, and the page keeps its own record of them.

use crate::ladder::RUNGS;
use crate::puzzle::Features;

/// How many features the model has, the constant included.
pub(crate) const TERMS: usize = 9;

/// The lower ends of the grades from 2 on.
const BOUNDS: [i32; 6] = [1_100, 1_300, 1_500, 1_700, 1_900, 2_100];

/// Points for one unit of the logit: such that grades of 200 points are all used.
const SCALE: f64 = 450.0;

/// How many grades there are.
pub const GRADES: u8 = BOUNDS.len() as u8 + 1;

/// Machine difficulty.
#[derive(Debug, Copy, Clone, PartialEq)]
pub struct Rating;

/// Weights of the terms, in the order of [`terms`]; `tengen puzzle calibrate` prints such a line.
const WEIGHTS: [f64; TERMS] = [
    -2.7798, 0.4604, 0.0181, 0.3488, 0.2308, 0.0433, 0.1648, 0.0508, 0.0488,
];

fn terms(features: &Features) -> [f64; TERMS] {
    let log = |count: f64| (1.0 + count).ln();
    [
        1.0,
        f64::from(features.turns),
        log(f64::from(features.candidates)),
        log(f64::from(features.stronger)),
        log(f64::from(features.tempting)),
        log(f64::from(features.steps)),
        log(f64::from(features.counter_threats)),
        log(features.nodes as f64),
        f64::from(features.spread),
    ]
}

/// What the ladder says: the logit of the fraction of solvers that fail.
fn target(features: &Features) -> f64 {
    let solved = f64::from(features.solved_by);
    let failed = RUNGS.len() as f64 - solved;
    ((failed + 0.5) / (solved + 0.5)).ln()
}

impl Rating {
    /// The rating of a puzzle with these features: about 800 to 2,400.
    pub fn of(features: &Features) -> i32 {
        Self::with(&WEIGHTS, features)
    }

    fn with(weights: &[f64; TERMS], features: &Features) -> i32 {
        let sum: f64 = weights
            .iter()
            .zip(terms(features))
            .map(|(w, t)| w * t)
            .sum();
        (1_500.0 + SCALE * sum).round().clamp(400.0, 3_000.0) as i32
    }
}

/// The grade of a rating, from 1.
pub fn grade_of(rating: i32) -> u8 {
    1 + BOUNDS.iter().filter(|&&bound| rating >= bound).count() as u8
}

/// A fit and how it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The weights.
    pub weights: Vec<f64>,
    /// How many puzzles were fitted and how many were held out.
    pub fitted: usize,
    /// Held out.
    pub held_out: usize,
    /// For each grade by these weights: how many held-out puzzles, and which fraction of the ladder solves them.
    pub grades: Vec<(usize, f64)>,
    /// Rank correlation of rating and ladder failures, held out.
    pub correlation: f64,
    /// Rank correlation of rating and the positions that a solver looks at, held out.
    pub effort: f64,
}

/// Fits the weights to every second puzzle and tries them on the others. With `fixed` the built-in weights are
/// tried on all instead. `effort` is what a solver took for each.
pub fn calibrate(features: &[Features], effort: &[u64], fixed: bool) -> Calibration {
    let fit: Vec<&Features> = features.iter().step_by(2).collect();
    let weights = if fixed { WEIGHTS } else { least_squares(&fit) };
    let held = |number: &usize| fixed || number % 2 == 1;
    let held: Vec<usize> = (0..features.len()).filter(held).collect();
    let ratings: Vec<f64> = held
        .iter()
        .map(|&n| f64::from(Rating::with(&weights, &features[n])))
        .collect();
    let mut grades = vec![(0, 0.0); usize::from(GRADES)];
    for (&number, &rating) in held.iter().zip(&ratings) {
        let grade = &mut grades[usize::from(grade_of(rating as i32)) - 1];
        grade.0 += 1;
        grade.1 += f64::from(features[number].solved_by) / RUNGS.len() as f64;
    }
    for (count, sum) in &mut grades {
        *sum /= (*count).max(1) as f64;
    }
    let failed: Vec<f64> = held
        .iter()
        .map(|&n| -f64::from(features[n].solved_by))
        .collect();
    let effort: Vec<f64> = held.iter().map(|&n| effort[n] as f64).collect();
    Calibration {
        weights: weights.to_vec(),
        fitted: if fixed { 0 } else { fit.len() },
        held_out: held.len(),
        grades,
        correlation: spearman(&ratings, &failed),
        effort: spearman(&ratings, &effort),
    }
}

/// Ridge regression by the normal equations.
fn least_squares(features: &[&Features]) -> [f64; TERMS] {
    let mut matrix = [[0.0; TERMS + 1]; TERMS];
    for features in features {
        let terms = terms(features);
        let target = target(features);
        for (row, &a) in matrix.iter_mut().zip(&terms) {
            for (cell, b) in row.iter_mut().zip(terms.iter().chain([&target])) {
                *cell += a * b;
            }
        }
    }
    for (place, row) in matrix.iter_mut().enumerate() {
        row[place] += 0.5;
    }
    // Gauss and Jordan.
    for pivot in 0..TERMS {
        let best = (pivot..TERMS)
            .max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()))
            .unwrap_or(pivot);
        matrix.swap(pivot, best);
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|cell| *cell /= scale);
        let row = matrix[pivot];
        for (number, other) in matrix.iter_mut().enumerate() {
            if number != pivot {
                let factor = other[pivot];
                other
                    .iter_mut()
                    .zip(row)
                    .for_each(|(cell, value)| *cell -= factor * value);
            }
        }
    }
    matrix.map(|row| row[TERMS])
}

/// Spearman's rank correlation; equal values share their rank. 0 for fewer than two.
pub fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product: f64 = a.iter().zip(&b).map(|(a, b)| (a - mean) * (b - mean)).sum();
    let spread = |ranks: &[f64]| ranks.iter().map(|r| (r - mean).powi(2)).sum::<f64>().sqrt();
    let both = spread(&a) * spread(&b);
    if both == 0.0 { 0.0 } else { product / both }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut begin = 0;
    while begin < order.len() {
        let same = |&&at: &&usize| values[at] == values[order[begin]];
        let end = begin + order[begin..].iter().take_while(same).count();
        let rank = (begin + end + 1) as f64 / 2.0;
        order[begin..end].iter().for_each(|&at| ranks[at] = rank);
        begin = end;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_of_simple_lists() {
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 70.0]) - 1.0).abs() < 1e-9);
        assert!((spearman(&[1.0, 2.0, 3.0], &[9.0, 2.0, 1.0]) + 1.0).abs() < 1e-9);
        // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
        let tied = spearman(&[1.0, 2.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0]);
        assert!((tied - 4.5 / (4.5_f64 * 5.0).sqrt()).abs() < 1e-9, "{tied}");
    }

    #[test]
    fn a_fit_finds_the_weights_that_made_the_targets() {
        // The ladder falls with the turns alone; 5 and 17 meet in all ways in both halves of 850.
        let features: Vec<Features> = (0..850)
            .map(|n| Features {
                turns: 3 + (n % 5) as u8,
                candidates: n % 17,
                solved_by: 20 - 3 * (n % 5) as u8,
                ..Features::default()
            })
            .collect();
        let effort = vec![1; 850];
        let fit = calibrate(&features, &effort, false);
        // Five groups of equal failures against ratings that all differ: no more than sqrt(1 - 1/25) can be had.
        assert!(fit.correlation > 0.979, "{fit:?}");
        assert!(
            fit.weights[1] > 0.5 && fit.weights[2].abs() < 0.05,
            "{fit:?}"
        );
    }

    #[test]
    fn grades_follow_ratings() {
        assert_eq!([900, 1_100, 1_499, 2_500].map(grade_of), [1, 2, 3, GRADES]);
    }
}
