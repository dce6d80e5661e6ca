//! How often somebody may ask.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Requests a second, for a long time.
const STEADY: f64 = 100.0;
/// Requests at once, after a rest.
const BURST: f64 = 500.0;
/// More addresses than this are forgotten when they have rested.
const MOST_CLIENTS: usize = 1_000;

/// A token bucket for each address.
#[derive(Debug, Default)]
pub(crate) struct Rates(Mutex<HashMap<IpAddr, Bucket>>);

#[derive(Debug)]
struct Bucket {
    left: f64,
    filled: Instant,
}

impl Bucket {
    fn fill(&mut self, now: Instant) {
        let seconds = now.saturating_duration_since(self.filled).as_secs_f64();
        self.left = BURST.min(self.left + seconds * STEADY);
        self.filled = now;
    }
}

impl Rates {
    /// Counts a request; `false` if it is one too many.
    pub(crate) fn allow(&self, client: IpAddr, now: Instant) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST_CLIENTS {
            buckets.retain(|_, bucket| {
                bucket.fill(now);
                bucket.left < BURST
            });
        }
        let bucket = buckets.entry(client).or_insert(Bucket {
            left: BURST,
            filled: now,
        });
        bucket.fill(now);
        let allowed = bucket.left >= 1.0;
        if allowed {
            bucket.left -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::time::Duration;

    const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn a_burst_is_fine_and_a_flood_is_not() {
        let rates = Rates::default();
        let start = Instant::now();
        let allowed = |now| (0..2_000).filter(|_| rates.allow(CLIENT, now)).count();
        assert_eq!(allowed(start), BURST as usize);
        assert_eq!(allowed(start + Duration::from_secs(1)), STEADY as usize);
        assert_eq!(allowed(start + Duration::from_secs(100)), BURST as usize);
        let other = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
        assert!(rates.allow(other, start + Duration::from_secs(100)));
    }

    #[test]
    fn addresses_are_forgotten() {
        let rates = Rates::default();
        let start = Instant::now();
        for number in 0..5_000_u32 {
            let now = start + Duration::from_millis(u64::from(number) * 20);
            rates.allow(IpAddr::V4(Ipv4Addr::from(number)), now);
        }
        assert!(rates.0.lock().expect("unlocked").len() <= MOST_CLIENTS + 1);
    }
}
