//! How much work a thread has done: the time that it ran on a processor.
//!
//! The clock on the wall says too much on a busy machine, and what it says cannot be compared from one run to the next.

use std::time::Duration;

/// How long this thread has run on a processor. Threads that it has started are not counted.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Where the system does not tell: what the clock on the wall says.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
