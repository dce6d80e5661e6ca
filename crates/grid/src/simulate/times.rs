//! How long jobs take.

use serde::{Deserialize, Serialize};

use super::{fraction, mix};

/// What a recorded job did.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SampleKind {
    /// It looked at a position for the first time.
    Leaf,
    /// It looked for the next turn of a known position.
    Sibling,
}

/// A recorded job.
#[derive(Debug, Copy, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// What it did.
    pub kind: SampleKind,
    /// How long it took.
    pub seconds: f64,
}

/// Job times to draw from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    leaf: Vec<f64>,
    sibling: Vec<f64>,
}

impl Times {
    /// Draws from these samples. Where one sort is missing, the other is used; times that are not positive and finite
    /// are left out.
    pub fn recorded(samples: &[Sample]) -> Self {
        let of = |kind| {
            let sane = |sample: &&Sample| {
                sample.kind == kind && sample.seconds > 0.0 && sample.seconds.is_finite()
            };
            samples
                .iter()
                .filter(sane)
                .map(|sample| sample.seconds)
                .collect()
        };
        let (mut leaf, mut sibling): (Vec<f64>, Vec<f64>) =
            (of(SampleKind::Leaf), of(SampleKind::Sibling));
        if leaf.is_empty() {
            leaf.clone_from(&sibling);
        }
        if sibling.is_empty() {
            sibling.clone_from(&leaf);
        }
        Self { leaf, sibling }
    }

    /// Every job takes as long as every other.
    pub fn equal(seconds: f64) -> Self {
        Self::recorded(&[Sample {
            kind: SampleKind::Leaf,
            seconds,
        }])
    }

    /// The time of a job; one second if nothing was recorded.
    pub(super) fn draw(&self, kind: SampleKind, chance: u64) -> f64 {
        let samples = match kind {
            SampleKind::Leaf => &self.leaf,
            SampleKind::Sibling => &self.sibling,
        };
        let index = (fraction(mix(chance, 0x71_4e5)) * samples.len() as f64) as usize;
        samples.get(index).copied().unwrap_or(1.0)
    }
}

impl Default for Times {
    /// As wide as real jobs: most take seconds, few take minutes (a log-normal law with a median of 10 s).
    fn default() -> Self {
        // Quantiles of the logistic law stand for the normal one.
        let sample = |step: u32| {
            let p = (f64::from(step) + 0.5) / 64.0;
            10.0 * (p / (1.0 - p)).powf(0.55)
        };
        let leaf = (0..64).map(|step| Sample {
            kind: SampleKind::Leaf,
            seconds: sample(step),
        });
        Self::recorded(&leaf.collect::<Vec<_>>())
    }
}
