//! How busy the other programs of this machine are, for workers that pause while somebody uses it.
//!
//! Linux counts the time of programs that are nice apart from that of others. So neither this worker, nor other workers
//! here, nor what else runs in the background keeps it from working.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use tengen_grid::nats::Leave;

/// How often they are looked at.
const EVERY: Duration = Duration::from_secs(2);
/// Busy for so many looks, and the worker pauses; calm for so many, and it goes on.
const BUSY_LOOKS: u32 = 2;
const CALM_LOOKS: u32 = 5;

/// Lets a worker pause while others use more than this percentage of the processors.
pub(super) fn pause_for(percent: u8, nice: bool, leave: Arc<Leave>) -> anyhow::Result<()> {
    let mut last = look(nice).context("--pause-when-busy needs Linux, and /proc")?;
    thread::Builder::new()
        .name("others".to_owned())
        .spawn(move || {
            let mut judge = Judge::default();
            loop {
                thread::sleep(EVERY);
                let Ok(now) = look(nice) else { continue };
                let busy = now.share_since(&last) * 100.0 > f64::from(percent);
                last = now;
                leave.pause(judge.pauses(busy));
            }
        })?;
    Ok(())
}

/// Changes its mind only when something lasts.
#[derive(Debug, Default)]
struct Judge {
    pauses: bool,
    /// So many looks in a row speak against it.
    against: u32,
}

impl Judge {
    fn pauses(&mut self, busy: bool) -> bool {
        self.against = if busy == self.pauses {
            0
        } else {
            self.against + 1
        };
        let enough = if self.pauses { CALM_LOOKS } else { BUSY_LOOKS };
        if self.against >= enough {
            self.pauses = !self.pauses;
            self.against = 0;
        }
        self.pauses
    }
}

/// Time since the machine started, in ticks of all processors together.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
struct Look {
    /// Of programs that are not nice, and not this one.
    others: u64,
    all: u64,
}

impl Look {
    /// How much of the processors others have used since then, from 0 to 1.
    fn share_since(&self, before: &Self) -> f64 {
        let all = self.all.saturating_sub(before.all);
        if all == 0 {
            return 0.0;
        }
        self.others.saturating_sub(before.others) as f64 / all as f64
    }
}

fn look(nice: bool) -> anyhow::Result<Look> {
    let machine = fs::read_to_string("/proc/stat")?;
    let own = fs::read_to_string("/proc/self/stat")?;
    read(&machine, &own, nice).ok_or_else(|| anyhow!("/proc/stat is not what was expected"))
}

/// What `/proc/stat` and `/proc/self/stat` say.
fn read(machine: &str, own: &str, nice: bool) -> Option<Look> {
    let line = machine.lines().next()?.strip_prefix("cpu ")?;
    // user nice system idle iowait irq softirq steal; guests are counted among the first two.
    let times = line.split_whitespace().take(8).map(str::parse);
    let times: Vec<u64> = times.collect::<Result<_, _>>().ok()?;
    let [user, _nice, system, _idle, _wait, irq, soft, ..] = times[..] else {
        return None;
    };
    // The name of a program may hold anything, so counting begins after it.
    let (_, own) = own.rsplit_once(')')?;
    let own: Vec<&str> = own.split_whitespace().collect();
    let own_user: u64 = own.get(11)?.parse().ok()?;
    let own_system: u64 = own.get(12)?.parse().ok()?;
    let mine = own_system + if nice { 0 } else { own_user };
    Some(Look {
        others: (user + system + irq + soft).saturating_sub(mine),
        all: times.iter().sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "77 (a) b (c) R 1 1 1 0 -1 0 0 0 0 0 300 20 0 0 30 10 3 0 0 0";

    #[test]
    fn others_are_what_is_neither_nice_nor_ours() {
        let machine = "cpu  1000 900 200 5000 7 1 2 3 0 0\ncpu0 1 2 3\n";
        let nice = read(machine, OWN, true).expect("readable");
        assert_eq!((nice.others, nice.all), (1_203 - 20, 7_113));
        let eager = read(machine, OWN, false).expect("readable");
        assert_eq!(eager.others, 1_203 - 320);
        let later = Look {
            others: nice.others + 50,
            all: nice.all + 200,
        };
        assert!((later.share_since(&nice) - 0.25).abs() < 1e-9);
        assert!(nice.share_since(&nice).abs() < 1e-9);
        for wrong in ["", "cpu", "cpu  1 2 x", "cpu  1 2 3", "mem 1 2 3 4 5 6 7 8"] {
            assert_eq!(read(wrong, OWN, true), None, "{wrong}");
        }
        assert_eq!(read(machine, "no name", true), None);
    }

    #[test]
    fn only_what_lasts_pauses_and_resumes() {
        let mut judge = Judge::default();
        let mut told = |busy: bool| judge.pauses(busy);
        assert!(!told(true) && !told(false) && !told(true));
        assert!(told(true), "busy twice in a row");
        for _ in 0..CALM_LOOKS - 1 {
            assert!(told(false));
        }
        assert!(told(true), "busy again");
        let calm: Vec<bool> = (0..CALM_LOOKS).map(|_| told(false)).collect();
        assert_eq!(calm, [true, true, true, true, false]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_can_be_read() {
        let look = look(true).expect("Linux");
        assert!(look.all > 0 && look.others <= look.all);
    }
}
