//! The sequential probability ratio test: plays until it is clear which of two hypotheses about the Elo
//! difference is the better one (A. Wald). As the distribution of a pair's score is not known, the
//! generalised test takes for each hypothesis the most likely distribution that fits it (M. Van den Bergh,
//! "The Generalized Sequential Probability Ratio Test", as in Fishtest).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Tally, score_of_elo};

/// The hypotheses and how often either may be accepted wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference of the first hypothesis.
    pub elo0: f64,
    /// That of the second, which is larger.
    pub elo1: f64,
    /// How often the second is accepted although the first holds.
    pub alpha: f64,
    /// How often the first is accepted although the second holds.
    pub beta: f64,
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtState {
    /// Not decided.
    Running,
    /// The difference is `elo0` rather than `elo1`.
    Elo0,
    /// The difference is `elo1` rather than `elo0`.
    Elo1,
}

impl Sprt {
    /// The log-likelihood ratio of the second hypothesis to the first.
    pub fn ratio(&self, tally: &Tally) -> f64 {
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let counts = tally.pairs.map(f64::from);
        let [s0, s1] = [self.elo0, self.elo1].map(score_of_elo);
        log_likelihood_ratio(&scores, &counts, s0, s1)
    }

    /// Below the first number `elo0` is accepted, above the second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        let low = (self.beta / (1.0 - self.alpha)).ln();
        let high = ((1.0 - self.beta) / self.alpha).ln();
        (low, high)
    }

    /// Whether it is decided.
    pub fn state(&self, tally: &Tally) -> SprtState {
        let ratio = self.ratio(tally);
        let (low, high) = self.bounds();
        if ratio <= low {
            SprtState::Elo0
        } else if ratio >= high {
            SprtState::Elo1
        } else {
            SprtState::Running
        }
    }
}

/// The most likely distribution over `scores` with mean `mean`, when each was seen with frequency
/// `seen`: `seen / (1 + t * (score - mean))`, with the `t` for which the mean comes out.
fn most_likely(scores: &[f64], seen: &[f64], mean: f64) -> Vec<f64> {
    let (first, last) = (scores[0], scores[scores.len() - 1]);
    // The function decreases between its poles, from infinity to minus infinity.
    let (mut low, mut high) = (-1.0 / (last - mean), 1.0 / (mean - first));
    let excess = |t: f64| -> f64 {
        let terms = scores.iter().zip(seen);
        terms
            .map(|(&a, &p)| p * (a - mean) / (1.0 + t * (a - mean)))
            .sum()
    };
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = f64::midpoint(low, high);
    let terms = scores.iter().zip(seen);
    terms.map(|(&a, &p)| p / (1.0 + t * (a - mean))).collect()
}

/// The generalised log-likelihood ratio of mean score `s1` to mean score `s0` after outcomes with these
/// scores, ascending, were counted so often. What was never seen counts as 1/1000, so that nothing is
/// impossible.
pub fn log_likelihood_ratio(scores: &[f64], counts: &[f64], s0: f64, s1: f64) -> f64 {
    if counts.iter().sum::<f64>() <= 0.0 {
        return 0.0;
    }
    let counts: Vec<f64> = counts.iter().map(|&n| n.max(1e-3)).collect();
    let total: f64 = counts.iter().sum();
    let seen: Vec<f64> = counts.iter().map(|&n| n / total).collect();
    let [p0, p1] = [s0, s1].map(|mean| most_likely(scores, &seen, mean));
    let terms = counts.iter().zip(p0.iter().zip(&p1));
    terms.map(|(n, (p0, p1))| n * (p1 / p0).ln()).sum()
}

/// Why a test is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// Not two or four numbers.
    #[error("expected elo0,elo1 or elo0,elo1,alpha,beta, found `{0}`")]
    Form(String),
    /// The hypotheses are the wrong way round.
    #[error("the second Elo difference must be larger than the first, found `{0}`")]
    Order(String),
    /// No probability of an error, or too large a one.
    #[error("alpha and beta must be above 0 and below 0.5, found `{0}`")]
    Errors(String),
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
        let numbers = numbers.map_err(|_| SprtError::Form(text.to_owned()))?;
        let (elo0, elo1, alpha, beta) = match numbers[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(SprtError::Form(text.to_owned())),
        };
        if !(elo0.abs() <= 2000.0 && elo1.abs() <= 2000.0) {
            return Err(SprtError::Form(text.to_owned()));
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order(text.to_owned()));
        }
        let small = |p: f64| p > 0.0 && p < 0.5;
        if !(small(alpha) && small(beta)) {
            return Err(SprtError::Errors(text.to_owned()));
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
        } = self;
        f.pad(&format!("{elo0},{elo1},{alpha},{beta}"))
    }
}
