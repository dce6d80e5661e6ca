//! Logistic regression by Adam: outcomes (two classes) and choices (one of many cells).

use tengen_evaluation::WIDTH;

use crate::samples::{Choice, Sample};

/// Weights that follow gradients.
struct Adam {
    weights: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

/// Pulls all weights towards zero, so that what the data does not say stays small.
const DECAY: f64 = 1e-5;

impl Adam {
    fn new(width: usize) -> Self {
        Self {
            weights: vec![0.0; width],
            mean: vec![0.0; width],
            square: vec![0.0; width],
            steps: 0,
        }
    }

    fn step(&mut self, gradient: &[f64], rate: f64) {
        self.steps += 1;
        let (slow, fast) = (
            1.0 - 0.9_f64.powi(self.steps),
            1.0 - 0.999_f64.powi(self.steps),
        );
        for (place, &pull) in gradient.iter().enumerate() {
            let pull = pull + DECAY * self.weights[place];
            self.mean[place] = 0.9 * self.mean[place] + 0.1 * pull;
            self.square[place] = 0.999 * self.square[place] + 0.001 * pull * pull;
            self.weights[place] -=
                rate * (self.mean[place] / slow) / ((self.square[place] / fast).sqrt() + 1e-8);
        }
    }
}

/// The bias and the weights of mover and waiter, with the loss on `held_out`.
pub(crate) fn outcomes(
    samples: &[Sample],
    held_out: &[Sample],
    epochs: usize,
) -> (f64, Vec<f64>, f64) {
    let scale = spread(samples);
    let mut adam = Adam::new(2 * WIDTH + 1);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut random = fastrand::Rng::with_seed(3);
    let mut gradient = vec![0.0; 2 * WIDTH + 1];
    for epoch in 0..epochs {
        random.shuffle(&mut order);
        let rate = 0.01 * 0.85_f64.powi(epoch as i32);
        for batch in order.chunks(256) {
            gradient.fill(0.0);
            for &number in batch {
                let sample = &samples[number];
                let error = chance(&adam.weights, &scale, sample) - f64::from(sample.result);
                let error = error / batch.len() as f64;
                for (place, &feature) in sample.features.iter().enumerate() {
                    gradient[place] += error * f64::from(feature) / scale[place];
                }
                gradient[2 * WIDTH] += error;
            }
            adam.step(&gradient, rate);
        }
    }
    let loss = loss(&adam.weights, &scale, held_out);
    let bias = adam.weights[2 * WIDTH];
    let weights = adam
        .weights
        .iter()
        .zip(&scale)
        .map(|(weight, scale)| weight / scale);
    (bias, weights.collect(), loss)
}

/// The standard deviation of each feature.
fn spread(samples: &[Sample]) -> Vec<f64> {
    let count = samples.len().max(1) as f64;
    (0..2 * WIDTH)
        .map(|place| {
            let values = || {
                samples
                    .iter()
                    .map(|sample| f64::from(sample.features[place]))
            };
            let mean = values().sum::<f64>() / count;
            let square = values().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
            // Features that hardly ever occur must not get huge weights.
            square.sqrt().max(0.05)
        })
        .collect()
}

fn chance(weights: &[f64], scale: &[f64], sample: &Sample) -> f64 {
    let sum = sample.features.iter().zip(weights.iter().zip(scale));
    let sum: f64 = sum
        .map(|(&feature, (weight, scale))| f64::from(feature) * weight / scale)
        .sum();
    1.0 / (1.0 + (-sum - weights[2 * WIDTH]).exp())
}

fn loss(weights: &[f64], scale: &[f64], samples: &[Sample]) -> f64 {
    let one = |sample: &Sample| {
        let chance = chance(weights, scale, sample).clamp(1e-9, 1.0 - 1e-9);
        let result = f64::from(sample.result);
        -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

/// The weights of attack and defence, with the loss on `held_out` and how often the choice is among
/// the first ten.
pub(crate) fn choices(
    choices: &[Choice],
    held_out: &[Choice],
    epochs: usize,
) -> (Vec<f64>, f64, f64) {
    let mut adam = Adam::new(2 * WIDTH);
    let mut order: Vec<usize> = (0..choices.len()).collect();
    let mut random = fastrand::Rng::with_seed(4);
    let mut gradient = vec![0.0; 2 * WIDTH];
    for epoch in 0..epochs {
        random.shuffle(&mut order);
        let rate = 0.02 * 0.7_f64.powi(epoch as i32);
        for batch in order.chunks(64) {
            gradient.fill(0.0);
            for &number in batch {
                let choice = &choices[number];
                let chances = chances(&adam.weights, choice);
                for (cell, features) in choice.cells.iter().enumerate() {
                    let error = chances[cell] - f64::from(u8::from(cell == choice.played));
                    let error = error / batch.len() as f64;
                    for &(slot, times) in features {
                        gradient[usize::from(slot)] += error * f64::from(times);
                    }
                }
            }
            adam.step(&gradient, rate);
        }
    }
    let mut loss = 0.0;
    let mut near_the_top = 0;
    for choice in held_out {
        let chances = chances(&adam.weights, choice);
        let played = chances[choice.played];
        loss -= played.max(1e-12).ln();
        let better = chances.iter().filter(|&&chance| chance > played).count();
        near_the_top += usize::from(better < 10);
    }
    let count = held_out.len().max(1) as f64;
    (adam.weights, loss / count, near_the_top as f64 / count)
}

fn chances(weights: &[f64], choice: &Choice) -> Vec<f64> {
    let pull = |features: &Vec<(u16, f32)>| -> f64 {
        let worth = features.iter();
        worth
            .map(|&(slot, times)| weights[usize::from(slot)] * f64::from(times))
            .sum()
    };
    let pulls: Vec<f64> = choice.cells.iter().map(pull).collect();
    let most = pulls.iter().copied().fold(f64::MIN, f64::max);
    let mut chances: Vec<f64> = pulls.iter().map(|pull| (pull - most).exp()).collect();
    let sum: f64 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= sum);
    chances
}
