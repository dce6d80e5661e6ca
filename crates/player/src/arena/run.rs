//! Plays many games at a time.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use tengen_rules::{BySide, Side};

use super::own::STACK;
use super::referee::{Ending, Game};
use super::{Check, Conditions, Entry, GameRecord, Opening, Plan, Spec};

/// How often the listener is asked whether to go on.
const PERIOD: Duration = Duration::from_millis(100);

/// Contestants, openings and conditions.
#[derive(Clone, Copy)]
pub struct Arena<'a> {
    /// Who plays, with different names.
    pub contestants: &'a [Spec],
    /// Where games begin.
    pub openings: &'a [Opening],
    /// What holds in every game.
    pub conditions: &'a Conditions,
    /// Accepts or refuses claimed wins.
    pub check: Check<'a>,
}

/// What a running match tells.
#[derive(Debug)]
pub enum Event {
    /// A game is over.
    Finished(Box<GameRecord>),
    /// Some time has passed.
    Tick,
}

impl Arena<'_> {
    /// Plays these games, `concurrency` at a time, until all are played or the listener breaks off; games
    /// that are not finished then are lost. The result of a game does not depend on the others.
    ///
    /// # Errors
    ///
    /// If no threads can be made.
    pub fn run(
        &self,
        plans: &[Plan],
        concurrency: usize,
        mut listener: impl FnMut(Event) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let halt = AtomicBool::new(false);
        let stopped = || halt.load(Ordering::Relaxed);
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..concurrency.clamp(1, plans.len().max(1)) {
                let (sender, next, stopped) = (sender.clone(), &next, &stopped);
                let work = move || {
                    while let Some(plan) = plans.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(record) = self.play(plan, stopped) else {
                            return;
                        };
                        if sender.send(record).is_err() {
                            return;
                        }
                    }
                };
                if let Err(error) = thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, work)
                {
                    halt.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            drop(sender);
            loop {
                let event = match receiver.recv_timeout(PERIOD) {
                    Ok(record) => Event::Finished(Box::new(record)),
                    Err(RecvTimeoutError::Timeout) => Event::Tick,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                };
                if listener(event).is_break() {
                    halt.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        })
    }

    /// One game; `None` when the match was stopped.
    fn play(&self, plan: &Plan, stopped: &(dyn Fn() -> bool + Sync)) -> Option<GameRecord> {
        let specs = BySide {
            black: &self.contestants[plan.black],
            white: &self.contestants[plan.white],
        };
        let paces = BySide {
            black: specs.black.pace(self.conditions.pace),
            white: specs.white.pace(self.conditions.pace),
        };
        let opening = &self.openings[plan.opening];
        let mut game = Game::new(self.conditions, opening, paces, self.check, stopped);
        let enter = |side: Side| {
            specs[side].enter(&Entry {
                rules: self.conditions.rules,
                side,
                memory_mib: self.conditions.memory_mib,
                seed: game_seed(self.conditions.seed, plan.number, side),
                stopped,
            })
        };
        let ending = match (enter(Side::Black), enter(Side::White)) {
            (Ok(mut black), Ok(mut white)) => game.play(BySide {
                black: black.as_mut(),
                white: white.as_mut(),
            }),
            (Err(fault), _) => Ending::fault(Side::Black, &fault),
            (_, Err(fault)) => Ending::fault(Side::White, &fault),
        };
        Some(GameRecord {
            game: plan.number,
            opening: plan.opening + 1,
            black: specs.black.name.clone(),
            white: specs.white.name.clone(),
            ..game.into_record(ending?)
        })
    }
}

/// The seed of one engine in one game: depends on nothing but its place in the schedule.
fn game_seed(seed: u64, game: usize, side: Side) -> u64 {
    let place = 2 * game as u64 + u64::from(side == Side::White);
    fastrand::Rng::with_seed(seed.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15))).u64(..)
}
