//! How a grid was over time: one reading a second in, means over short and over long stretches out. No clock is in here, and
//! the room it takes is bounded.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;

/// What is seen at a moment.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Workers' threads that are there.
    pub(crate) threads: usize,
    /// Those that have a job.
    pub(crate) busy: usize,
    /// Jobs that wait.
    pub(crate) queued: usize,
    /// Answers until now.
    pub(crate) done: u64,
}

/// How it was during a stretch of time.
#[derive(Debug, Copy, Clone, Default, PartialEq, Serialize)]
pub struct Sample {
    /// It ended so many seconds ago.
    pub ago: f64,
    /// Workers' threads that were there, in the mean.
    pub threads: f64,
    /// Those that had a job, in the mean.
    pub busy: f64,
    /// Jobs that waited, in the mean.
    pub queued: f64,
    /// Answers a minute.
    pub per_minute: f64,
}

/// How far back one looks.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Span {
    /// The last hour, every five seconds.
    Hour,
    /// The last day, every minute.
    Day,
}

impl Span {
    /// How long a stretch is.
    pub const fn every(self) -> Duration {
        match self {
            Self::Hour => Duration::from_secs(5),
            Self::Day => Duration::from_secs(60),
        }
    }

    const fn count(self) -> usize {
        match self {
            Self::Hour => 720,
            Self::Day => 1_440,
        }
    }
}

/// The last hour and the last day.
#[derive(Debug)]
pub(crate) struct History {
    hour: Ring,
    day: Ring,
}

impl Default for History {
    fn default() -> Self {
        Self {
            hour: Ring::new(Span::Hour),
            day: Ring::new(Span::Day),
        }
    }
}

impl History {
    /// Something is seen.
    pub(crate) fn record(&mut self, now: Duration, reading: Reading) {
        self.hour.record(now, reading);
        self.day.record(now, reading);
    }

    /// How it was, the oldest first.
    pub(crate) fn samples(&self, now: Duration, span: Span) -> Vec<Sample> {
        let ring = match span {
            Span::Hour => &self.hour,
            Span::Day => &self.day,
        };
        let told = |(at, sample): &(Duration, Sample)| Sample {
            ago: now.saturating_sub(*at).as_secs_f64(),
            ..*sample
        };
        ring.samples.iter().map(told).collect()
    }

    /// Answers a minute over the last minute, or since it began.
    pub(crate) fn per_minute(&self) -> f64 {
        let minute = 60 / Span::Hour.every().as_secs() as usize;
        let last = self.hour.samples.iter().rev().take(minute);
        let count = last.len().max(1);
        last.map(|(_, sample)| sample.per_minute).sum::<f64>() / count as f64
    }
}

#[derive(Debug)]
struct Ring {
    span: Span,
    samples: VecDeque<(Duration, Sample)>,
    /// Since when, and what had been answered by then.
    since: Option<(Duration, u64)>,
    readings: u32,
    sum: Reading,
}

impl Ring {
    fn new(span: Span) -> Self {
        Self {
            span,
            samples: VecDeque::new(),
            since: None,
            readings: 0,
            sum: Reading::default(),
        }
    }

    fn record(&mut self, now: Duration, reading: Reading) {
        self.readings += 1;
        self.sum.threads += reading.threads;
        self.sum.busy += reading.busy;
        self.sum.queued += reading.queued;
        let (since, done) = *self.since.get_or_insert((now, reading.done));
        let length = now.saturating_sub(since);
        if length < self.span.every() {
            return;
        }
        let mean = |sum: usize| sum as f64 / f64::from(self.readings);
        let sample = Sample {
            ago: 0.0,
            threads: mean(self.sum.threads),
            busy: mean(self.sum.busy),
            queued: mean(self.sum.queued),
            per_minute: reading.done.saturating_sub(done) as f64 * 60.0 / length.as_secs_f64(),
        };
        self.samples.push_back((now, sample));
        if self.samples.len() > self.span.count() {
            self.samples.pop_front();
        }
        (self.readings, self.sum) = (0, Reading::default());
        self.since = Some((now, reading.done));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(second: u64, busy: usize, done: u64) -> (Duration, Reading) {
        let reading = Reading {
            threads: 4,
            busy,
            queued: 2,
            done,
        };
        (Duration::from_secs(second), reading)
    }

    #[test]
    fn stretches_have_means_and_rates() {
        let mut history = History::default();
        for second in 0..=10 {
            // Two threads work in the first five seconds, four in the others; one answer a second.
            let (now, reading) = seen(second, if second <= 5 { 2 } else { 4 }, second);
            history.record(now, reading);
        }
        let now = Duration::from_secs(12);
        let samples = history.samples(now, Span::Hour);
        assert_eq!(samples.len(), 2);
        let expected = |ago, busy| Sample {
            ago,
            threads: 4.0,
            busy,
            queued: 2.0,
            per_minute: 60.0,
        };
        assert_eq!(samples, [expected(7.0, 2.0), expected(2.0, 4.0)]);
        assert_eq!(history.per_minute(), 60.0);
        assert_eq!(history.samples(now, Span::Day), []);
    }

    #[test]
    fn a_day_is_kept_and_no_more() {
        let mut history = History::default();
        for second in 0..100_000 {
            let (now, reading) = seen(second, 1, second / 2);
            history.record(now, reading);
        }
        let now = Duration::from_secs(99_999);
        for (span, oldest) in [(Span::Hour, 3_600.0), (Span::Day, 86_400.0)] {
            let samples = history.samples(now, span);
            assert_eq!(samples.len(), span.count());
            assert!(samples[0].ago <= oldest, "{}", samples[0].ago);
            assert!(samples.iter().all(|it| it.busy == 1.0 && it.threads == 4.0));
            let ordered = samples.windows(2).all(|two| two[0].ago > two[1].ago);
            assert!(ordered, "the oldest first");
        }
        assert!((history.per_minute() - 30.0).abs() < 7.0);
    }

    #[test]
    fn pauses_and_steps_back_are_no_harm() {
        let mut history = History::default();
        for (second, done) in [(0, 9), (1, 9), (500, 9), (505, 3), (505, 3), (600, 3)] {
            let (now, reading) = seen(second, 1, done);
            history.record(now, reading);
        }
        let samples = history.samples(Duration::from_secs(600), Span::Hour);
        assert_eq!(samples.len(), 3);
        assert!(samples.iter().all(|sample| sample.per_minute == 0.0));
    }
}
