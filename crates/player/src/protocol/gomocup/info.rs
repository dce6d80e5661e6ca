//! What `INFO` tells: clocks, memory, rules, and how much to talk.

use std::time::Duration;

use tengen_rules::Overline;

use super::quoted;
use crate::protocol::{command, least};
use crate::{Clock, Limits};

/// `time_left` of a game without a clock.
const NO_CLOCK: i128 = 2_147_483_647;

/// An engine with less memory than this would be none.
const LEAST_MEMORY: usize = 1 << 20;

/// Everything told so far.
#[derive(Debug)]
pub(super) struct Info {
    pub(super) overline: Overline,
    pub(super) detail: Detail,
    per_turn: Option<Duration>,
    match_clock: MatchClock,
    /// What is left of the match clock; `None` as long as nobody has said.
    left: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
    max_memory: Option<usize>,
    hash_size: Option<usize>,
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum MatchClock {
    /// Nobody has said; `time_left` counts.
    Unknown,
    /// There is none, whatever `time_left` says.
    Absent,
    Starts(Duration),
}

/// What to tell about the search (`show_detail`).
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub(super) struct Detail {
    /// `MESSAGE REALTIME` lines.
    pub(super) realtime: bool,
    /// `INFO PV` blocks.
    pub(super) lines: bool,
}

impl Detail {
    pub(super) const fn any(self) -> bool {
        self.realtime || self.lines
    }
}

impl Default for Info {
    fn default() -> Self {
        Self {
            overline: Overline::Wins,
            detail: Detail::default(),
            per_turn: None,
            match_clock: MatchClock::Unknown,
            left: None,
            nodes: None,
            depth: None,
            max_memory: None,
            hash_size: None,
        }
    }
}

impl Info {
    /// Hears `key value`. Unknown keys mean nothing to us, as the protocol wants it.
    pub(super) fn tell(&mut self, text: &str) -> Result<(), String> {
        let (key, value) = command(text);
        let key = key.to_ascii_lowercase();
        let number = || -> Result<i128, String> {
            let expected = || format!("INFO {key} {} is no number", quoted(value));
            value.parse().map_err(|_| expected())
        };
        let not_negative = || match number()? {
            value @ 0.. => Ok(value),
            value => Err(format!(
                "INFO {key} {value} is negative, expected 0 or more"
            )),
        };
        match key.as_str() {
            "timeout_turn" => self.per_turn = Some(milliseconds(not_negative()?)),
            "timeout_match" => {
                self.match_clock = match not_negative()? {
                    0 => MatchClock::Absent,
                    time => MatchClock::Starts(milliseconds(time)),
                };
                self.restart_clock();
            }
            "time_left" => {
                self.left = match number()? {
                    NO_CLOCK => None,
                    // A manager's clock may have run out already.
                    time => Some(milliseconds(time.max(0))),
                }
            }
            "max_memory" => self.max_memory = bytes(not_negative()?),
            "hash_size" => self.hash_size = bytes(not_negative()?.saturating_mul(1 << 10)),
            "max_node" => self.nodes = u64::try_from(number()?).ok().filter(|&nodes| nodes > 0),
            "max_depth" => self.depth = u32::try_from(number()?).ok().filter(|&depth| depth > 0),
            "rule" => self.overline = overline(not_negative()?)?,
            "show_detail" => {
                let bits = not_negative()?;
                self.detail = Detail {
                    realtime: bits & 1 != 0,
                    lines: bits & 2 != 0,
                };
            }
            // The engine has one thread.
            "thread_num" | "game_type" => {
                not_negative()?;
            }
            "" => return Err("INFO tells nothing, expected a key and a value".to_owned()),
            // `evaluate` is where the mouse is, `folder` where files could be kept.
            _ => {}
        }
        Ok(())
    }

    /// A new game begins.
    pub(super) fn restart_clock(&mut self) {
        self.left = match self.match_clock {
            MatchClock::Starts(time) => Some(time),
            MatchClock::Unknown | MatchClock::Absent => None,
        };
    }

    /// So much time was used; a manager that says `time_left` corrects it.
    pub(super) fn spend(&mut self, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(time));
    }

    /// When to stop thinking.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            clock: Clock {
                per_turn: self.per_turn,
                left: self.left.filter(|_| self.match_clock != MatchClock::Absent),
                increment: Duration::ZERO,
            },
            nodes: self.nodes,
            depth: self.depth,
        }
    }

    /// What the engine may use of `most` bytes. The manager's limit is for the whole process: a quarter is
    /// left for everything beside the tables.
    pub(super) fn memory(&self, most: usize) -> usize {
        let told = least(self.max_memory.map(|bytes| bytes / 4 * 3), self.hash_size);
        told.map_or(most, |told| told.max(LEAST_MEMORY).min(most))
    }
}

/// A time too long for a clock is cut, not refused.
fn milliseconds(value: i128) -> Duration {
    Duration::from_millis(u64::try_from(value).unwrap_or(u64::MAX))
}

/// 0 is no limit.
fn bytes(value: i128) -> Option<usize> {
    (value > 0).then(|| usize::try_from(value).unwrap_or(usize::MAX))
}

/// The rule is a bit mask.
fn overline(rule: i128) -> Result<Overline, String> {
    let name = match rule {
        0 => return Ok(Overline::Wins),
        1 => return Ok(Overline::DoesNotWin),
        _ if rule & 4 != 0 => "renju",
        _ if rule & 8 != 0 => "caro",
        // Quirk: Gomocup means continuous games by 2, Yixin means renju.
        2 | 3 => "continuous game, or renju",
        _ => "unknown",
    };
    Err(format!(
        "INFO rule {rule} ({name}) is not supported, expected 0 (five or more win) or 1 (exactly five)"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> Info {
        let mut info = Info::default();
        for line in lines {
            assert_eq!(info.tell(line), Ok(()), "{line}");
        }
        info
    }

    fn clock(lines: &[&str]) -> (Option<u128>, Option<u128>) {
        let clock = told(lines).limits().clock;
        let millis = |time: Option<Duration>| time.map(|time| time.as_millis());
        (millis(clock.per_turn), millis(clock.left))
    }

    #[test]
    fn clocks() {
        assert_eq!(clock(&[]), (None, None));
        assert_eq!(clock(&["timeout_turn 0"]), (Some(0), None));
        assert_eq!(clock(&["timeout_match 90000"]), (None, Some(90_000)));
        assert_eq!(
            clock(&["timeout_match 90000", "time_left 500"]),
            (None, Some(500))
        );
        assert_eq!(clock(&["time_left -20"]), (None, Some(0)));
        assert_eq!(clock(&["time_left 2147483647"]), (None, None));
        assert_eq!(clock(&["timeout_match 0", "time_left 3000"]), (None, None));
        assert_eq!(
            clock(&["TIMEOUT_TURN 1000", "time_left 99999999999999999999999"]).0,
            Some(1000)
        );
    }

    #[test]
    fn the_clock_runs_while_nobody_says_what_is_left() {
        let mut info = told(&["timeout_match 1000"]);
        info.spend(Duration::from_millis(300));
        assert_eq!(info.limits().clock.left, Some(Duration::from_millis(700)));
        info.spend(Duration::from_secs(300));
        assert_eq!(info.limits().clock.left, Some(Duration::ZERO));
        info.restart_clock();
        assert_eq!(info.limits().clock.left, Some(Duration::from_secs(1)));
    }

    #[test]
    fn memory_is_what_is_told_and_never_more_than_ours() {
        const MIB: usize = 1 << 20;
        let memory = |lines: &[&str]| told(lines).memory(256 * MIB) / MIB;
        assert_eq!(memory(&[]), 256);
        assert_eq!(memory(&["max_memory 0"]), 256);
        assert_eq!(memory(&["max_memory 1000000000"]), 256);
        assert_eq!(memory(&["max_memory 83886080"]), 60);
        assert_eq!(memory(&["hash_size 16384"]), 16);
        assert_eq!(memory(&["max_memory 83886080", "hash_size 16384"]), 16);
        assert_eq!(memory(&["max_memory 83886080", "max_memory 0"]), 256);
        assert_eq!(memory(&["max_memory 5"]), 1);
    }

    #[test]
    fn rules_are_known_or_refused() {
        let mut info = told(&["rule 1"]);
        for (rule, name) in [
            ("4", "renju"),
            ("5", "renju"),
            ("8", "caro"),
            ("2", "continuous"),
            ("16", "unknown"),
        ] {
            let refused = info
                .tell(&format!("rule {rule}"))
                .expect_err("not supported");
            assert!(refused.contains(name), "{refused}");
        }
        assert_eq!(info.overline, Overline::DoesNotWin);
        for bad in [
            "",
            "rule",
            "rule x",
            "timeout_turn -1",
            "time_left 1e3",
            "max_memory ,",
        ] {
            assert!(info.tell(bad).is_err(), "{bad}");
        }
        for fine in [
            "folder C:\\x y",
            "evaluate 3,4",
            "what is this",
            "thread_num 8",
            "max_node -1",
        ] {
            assert_eq!(info.tell(fine), Ok(()));
        }
    }
}
