//! The search with virtual workers: how long would it take with a thousand of them?
//!
//! The state machine is the real one. A [`Model`] stands for the game and the workers' answers, [`Times`] for how long
//! the jobs take; both give the same answer for the same job however many workers there are, so that runs can be
//! compared.

mod conditions;
mod fit;
mod grid;
mod model;
mod recording;
mod run;
mod scenarios;
mod speedup;
mod times;

pub use conditions::{Character, Conditions};
pub use grid::{GridRun, simulate_grid};
pub use model::Model;
pub use recording::Recording;
pub use run::{Run, simulate, simulate_tree};
pub use scenarios::{GRID_WORKERS, GridPoint, Scenario, alone, on_grid, scenarios};
pub use speedup::{Curve, Point, WORKERS, speedups};
pub use times::{Sample, SampleKind, Times};

/// Well-mixed bits of two numbers (splitmix64): the only source of chance here.
pub(crate) const fn mix(a: u64, b: u64) -> u64 {
    let mut x = a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// From 0 (included) to 1 (excluded).
fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}
