//! `simple`: `time MS` and `go STONES`, the whole game each time; the answer is `move STONES`.

use tengen_rules::Position;

use super::{Client, Heard, letters};
use crate::Limits;

/// It remembers nothing.
pub(super) struct Simple;

impl Client for Simple {
    fn hello(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn ask(&mut self, position: &Position, limits: &Limits) -> Vec<String> {
        let stones = position.history().filter_map(|(_, cell)| cell);
        let go = format!("go {}", letters::text(stones));
        let time = limits.clock.budget();
        let time = time.map(|time| format!("time {}", time.as_millis()));
        time.into_iter().chain([go.trim_end().to_owned()]).collect()
    }

    fn hear(&mut self, line: &str) -> Result<Heard, String> {
        letters::hear(line)
    }

    fn bye(&self) -> &'static str {
        "quit"
    }
}
