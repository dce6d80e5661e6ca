//! The same search by the threads of this machine: they share the third moves of all second moves.
//!
//! What is due is a third move and a round of it, or the race of a second move. First comes what costs least: few fourth moves that
//! resist, or little work for each. So all second moves have had a short look before any has a long one, and the threads meet at the same
//! second move only when little else is left. A third move begins every round with a new tree: what the last one has proved is
//! in the records, and with them the new one looks in better places.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{
    Board, Cell, Limits, MOST_THIRDS, News, ROUNDS, Solver, Stage, Third, Work, canonical,
    may_fail, not_much_worse, praise, xy,
};

/// How often a thread that has nothing to do looks whether it is told to stop.
const PERIOD: Duration = Duration::from_millis(50);

/// A position that is to be won, after two stones.
#[derive(Debug)]
pub(super) struct Goal {
    /// White's stone, if this is one of all second moves.
    second: Option<Cell>,
    board: Board,
    won: AtomicBool,
}

impl Goal {
    pub(super) const fn new(second: Option<Cell>, board: Board) -> Self {
        let won = AtomicBool::new(false);
        Self { second, board, won }
    }
}

/// What threads share.
struct Front<'a> {
    solver: &'a Solver,
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(News) + Sync),
    goals: &'a [Goal],
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    ready: BTreeMap<Due, Unit>,
    /// Of each goal.
    fields: Vec<Field>,
    /// Threads that may find something new to do.
    at_work: usize,
    /// How many units there were.
    units: usize,
}

/// When something is due, the lowest first: what it costs, the goal, and a number of its own.
type Due = (u64, usize, usize);

/// How many fourth moves may resist a third move that has had no round yet.
const UNKNOWN: usize = 12;

/// What a thread does at once.
enum Unit {
    Race,
    /// Whoever has won the race goes on in the same tree.
    First(Box<Third>),
    /// So many rounds of it are over.
    Round(Cell, usize),
}

impl Unit {
    /// With so many fourth moves to be answered.
    fn cost(&self, fourths: usize) -> u64 {
        match *self {
            Self::Race => 0,
            Self::First(_) => fourths as u64,
            Self::Round(_, round) => 3_u64
                .saturating_pow(round as u32)
                .saturating_mul(fourths as u64),
        }
    }
}

/// The third moves of a goal.
#[derive(Default)]
struct Field {
    /// Those that are worked on, with how many fourth moves resisted them last.
    failures: HashMap<Cell, usize>,
    /// Others, the best last.
    untried: Vec<Cell>,
    /// The last round that somebody is asked for.
    rounds: usize,
    /// Units that are not done.
    left: usize,
}

impl Field {
    fn best(&self) -> Option<usize> {
        let known = self.failures.values().copied();
        known.min().filter(|&failures| failures < usize::MAX)
    }

    /// How many third moves did better.
    fn rank(&self, failures: usize) -> usize {
        let others = self.failures.values();
        others.filter(|&&other| other < failures).count()
    }
}

impl Solver {
    /// Works on all of these until each is proved or given up, or it is told to stop.
    pub(super) fn solve_all(
        &self,
        goals: &[Goal],
        stop: &AtomicBool,
        tell: &(dyn Fn(News) + Sync),
    ) {
        let front = Front {
            solver: self,
            stop,
            tell,
            goals,
            state: Mutex::default(),
            changed: Condvar::new(),
        };
        front.begin();
        std::thread::scope(|scope| {
            for _ in 0..self.settings.threads.max(1) {
                scope.spawn(|| {
                    while let Some((goal, unit)) = front.next() {
                        let _at_work = AtWork(&front);
                        front.work(goal, unit);
                    }
                });
            }
        });
    }
}

/// A thread is at work. If it panics, all others stop too.
struct AtWork<'a>(&'a Front<'a>);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop.store(true, Ordering::Relaxed);
        }
        self.0.lock().at_work -= 1;
        self.0.changed.notify_all();
    }
}

impl Front<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) {
        let mut state = self.lock();
        for number in 0..self.goals.len() {
            state.fields.push(Field::default());
            self.ask(&mut state, number, Unit::Race, 0);
        }
    }

    fn ask(&self, state: &mut State, goal: usize, unit: Unit, fourths: usize) {
        state.units += 1;
        state.fields[goal].left += 1;
        let due = (unit.cost(fourths), goal, state.units);
        state.ready.insert(due, unit);
    }

    /// What a thread is to do; waits if others may still find something. `None` at the end.
    fn next(&self) -> Option<(usize, Unit)> {
        let mut state = self.lock();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some((due, unit)) = state.ready.pop_first() {
                state.at_work += 1;
                return Some((due.1, unit));
            }
            if state.at_work == 0 {
                return None;
            }
            let waited = self.changed.wait_timeout(state, PERIOD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn say(&self, goal: usize, stage: Stage, third: Option<&Third>, work: Work) {
        (self.tell)(News {
            second: self.goals[goal].second.map(xy),
            stage,
            third: third.map(|third| xy(third.stone)),
            records: self.solver.records.len(),
            work,
            elsewhere: Duration::ZERO,
        });
    }

    fn work(&self, number: usize, unit: Unit) {
        let (goal, solver) = (&self.goals[number], self.solver);
        if solver.records.contains(&canonical(&goal.board).0) {
            self.end(number, None);
            return;
        }
        match unit {
            Unit::Race => {
                self.say(number, Stage::Race, None, Work::default());
                let told = |work| self.say(number, Stage::Race, None, work);
                let (thirds, untried) = solver.race(&goal.board, self.stop, &told);
                self.raced(number, thirds, untried);
            }
            Unit::First(third) => self.prove(number, 0, *third),
            Unit::Round(stone, round) => {
                let (effort, _) = solver.settings.round_here(round);
                self.prove(number, round, solver.third(&goal.board, stone, effort));
            }
        }
    }

    fn raced(&self, number: usize, thirds: Vec<Third>, untried: Vec<Cell>) {
        let mut state = self.lock();
        let field = &mut state.fields[number];
        field.untried = untried;
        for third in &thirds {
            field.failures.insert(third.stone, usize::MAX);
        }
        for (rank, third) in thirds.into_iter().enumerate() {
            let (unit, fourths) = match rank {
                // It is due before the races of later goals, so few of these trees wait.
                0 => (Unit::First(Box::new(third)), 0),
                _ => (Unit::Round(third.stone, 0), UNKNOWN + rank),
            };
            self.ask(&mut state, number, unit, fourths);
        }
        state.fields[number].left -= 1;
        self.give_up_if_over(state, number);
    }

    /// One round of a third move.
    fn prove(&self, number: usize, round: usize, mut third: Third) {
        let (goal, solver) = (&self.goals[number], self.solver);
        let (_, expansions) = solver.settings.round_here(round);
        // Whoever is much worse than the best, in whichever round, is not looked at further.
        let best = self.lock().fields[number].best();
        let open = third.tree.open_replies(third.at).len();
        let at = Stage::Proving { open, round };
        self.say(number, at, Some(&third), Work::default());
        let told = |third: &Third, open, work| {
            self.say(number, Stage::Proving { open, round }, Some(third), work);
        };
        let over = || self.stop.load(Ordering::Relaxed) || goal.won.load(Ordering::Relaxed);
        let limits = Limits {
            expansions,
            may_fail: may_fail(best),
            threads: solver.settings.threads.max(1),
            stop: self.stop,
            over: &over,
        };
        if solver.prove(&mut third, &limits, &told) {
            praise(&solver.good, &goal.board, third.stone);
            self.end(number, Some(&third));
            return;
        }
        solver.salvage(&third.tree, self.stop);
        if over() {
            return;
        }
        let failures = third.failures;
        let at = Stage::Round { failures, round };
        self.say(number, at, Some(&third), Work::default());
        self.end_round(number, round, &third);
    }

    /// A round is over: what comes next for this third move, and for the others of its goal.
    fn end_round(&self, number: usize, round: usize, third: &Third) {
        let mut state = self.lock();
        let (field, failures) = (&mut state.fields[number], third.failures);
        field.left -= 1;
        field.failures.insert(third.stone, failures);
        let best = field.best().unwrap_or(failures);
        let stays = field.rank(failures) < MOST_THIRDS && failures <= not_much_worse(best);
        let next = round + 1;
        // Whoever did badly in the race may have been judged too soon: one more each round.
        let another = if next > field.rounds && next < ROUNDS {
            field.rounds = next;
            field.untried.pop()
        } else {
            None
        };
        if !stays {
            field.failures.remove(&third.stone);
        } else if next < ROUNDS {
            let unit = Unit::Round(third.stone, next);
            self.ask(&mut state, number, unit, failures);
        }
        if let Some(stone) = another {
            state.fields[number].failures.insert(stone, usize::MAX);
            self.ask(&mut state, number, Unit::Round(stone, next), UNKNOWN);
        }
        self.give_up_if_over(state, number);
    }

    /// Gives a goal up for which nothing is left to be done.
    fn give_up_if_over(&self, state: MutexGuard<'_, State>, number: usize) {
        let left = state.fields[number].left;
        drop(state);
        if left == 0 {
            self.say(number, Stage::GivenUp, None, Work::default());
        }
    }

    /// A goal is done: its other third moves are of no use.
    fn end(&self, number: usize, winner: Option<&Third>) {
        if self.goals[number].won.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut state = self.lock();
        state.ready.retain(|due, _| due.1 != number);
        drop(state);
        self.say(number, Stage::Won, winner, Work::default());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::pn::solve::Settings;

    #[test]
    fn whoever_has_not_had_a_round_is_neither_best_nor_better() {
        let field = Field {
            failures: HashMap::from([(1, 7), (2, 3), (3, usize::MAX)]),
            ..Field::default()
        };
        assert_eq!(field.best(), Some(3));
        assert_eq!((field.rank(3), field.rank(7), field.rank(8)), (0, 1, 2));
        let fresh = Field {
            failures: HashMap::from([(1, usize::MAX)]),
            ..Field::default()
        };
        assert_eq!(fresh.best(), None);
    }

    #[test]
    fn threads_end_when_they_are_told_though_others_are_at_work() {
        let settings = Settings {
            threads: 3,
            ..Settings::default()
        };
        let rules = "gomoku".parse().expect("rules");
        let empty = tengen_rules::Position::new(rules);
        let solver = Solver::of(&empty, settings).expect("suitable");
        let stop = AtomicBool::new(false);
        let races = AtomicUsize::new(0);
        let outcome = solver.solve(&stop, &|news| {
            if news.stage == Stage::Race && races.fetch_add(1, Ordering::Relaxed) == 8 {
                stop.store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(outcome.expect("no journal"), super::super::Outcome::Open);
        assert!(races.into_inner() > 8);
    }
}
