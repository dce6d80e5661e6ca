//! The collection that comes with Tengen: 300 puzzles from its own self-play, made with
//! `tengen puzzle generate --self-play` (see suites/puzzles/README.md) and embedded so that the trainer works at once.

use std::sync::LazyLock;

use crate::puzzle::Puzzle;

const LINES: &str = include_str!("../../../suites/puzzles/starter.jsonl");

static STARTER: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let lines = LINES.lines().filter(|line| !line.is_empty());
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
});

/// The puzzles that come with Tengen, easiest first.
pub fn starter() -> &'static [Puzzle] {
    &STARTER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_puzzle() {
        let lines = LINES.lines().filter(|line| !line.is_empty()).count();
        assert_eq!(starter().len(), lines);
        assert!(LINES.len() < 1_000_000, "{} bytes", LINES.len());
    }
}
