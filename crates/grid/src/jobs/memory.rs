//! What a worker remembers from job to job. It only saves time: any worker finds it again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tengen_prover::Proof;
use tengen_rules::{Position, PositionKey, Turn, notation};

/// Of so many positions the ranked turns are remembered; of so many the rest.
const MOST_RANKED: usize = 500;
const MOST_POSITIONS: usize = 4_000;

/// A position, by its game and stones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Name(String);

impl Name {
    pub(super) fn of(position: &Position) -> Self {
        let stones = notation::setup_text(&position.to_setup());
        Self(format!("{} {stones}", position.rules()))
    }
}

/// A reply that resisted turns.
#[derive(Debug, Clone)]
pub(super) struct Stubborn {
    pub(super) reply: Turn,
    /// How many.
    pub(super) turns: u32,
    /// It must be answered first, so it resists every turn.
    pub(super) threatens: bool,
}

/// Shared by all threads.
#[derive(Debug, Default)]
pub(super) struct Memory {
    stubborn: Mutex<HashMap<Name, Vec<Stubborn>>>,
    ranked: Mutex<HashMap<Name, Vec<Turn>>>,
    praised: Mutex<HashMap<Turn, u32>>,
    begun: Mutex<HashMap<Name, Box<Proof>>>,
    alone: Mutex<HashMap<PositionKey, bool>>,
}

impl Memory {
    /// The replies that resisted turns of a position, those that resisted most first.
    pub(super) fn stubborn(&self, position: &Name) -> Vec<Stubborn> {
        let known = locked(&self.stubborn).get(position).cloned();
        let mut known = known.unwrap_or_default();
        known.sort_by(|a, b| b.turns.cmp(&a.turns).then_with(|| a.reply.cmp(&b.reply)));
        known
    }

    /// A reply has resisted one more turn; `threatens` is asked where it is new.
    pub(super) fn resisted(&self, position: &Name, reply: Turn, threatens: impl Fn() -> bool) {
        let mut stubborn = locked(&self.stubborn);
        let known = room(&mut stubborn, MOST_POSITIONS)
            .entry(position.clone())
            .or_default();
        match known.iter_mut().find(|known| known.reply == reply) {
            Some(known) => known.turns += 1,
            None => known.push(Stubborn {
                reply,
                turns: 1,
                threatens: threatens(),
            }),
        }
    }

    /// The turns of a position, ranked.
    pub(super) fn ranked(&self, position: &Name) -> Option<Vec<Turn>> {
        locked(&self.ranked).get(position).cloned()
    }

    pub(super) fn keep_ranked(&self, position: &Name, turns: &[Turn]) {
        let mut ranked = locked(&self.ranked);
        room(&mut ranked, MOST_RANKED).insert(position.clone(), turns.to_vec());
    }

    /// Whether stones win where the other side has none.
    pub(super) fn stands_alone(&self, shape: &PositionKey) -> Option<bool> {
        locked(&self.alone).get(shape).copied()
    }

    pub(super) fn keep_alone(&self, shape: PositionKey, stands: bool) {
        room(&mut locked(&self.alone), MOST_POSITIONS).insert(shape, stands);
    }

    /// How good a turn was elsewhere.
    pub(super) fn praise_of(&self, turn: &Turn) -> u32 {
        locked(&self.praised).get(turn).copied().unwrap_or_default()
    }

    pub(super) fn praise(&self, turn: &Turn, worth: u32) {
        let mut praised = locked(&self.praised);
        let praise = praised.entry(turn.clone()).or_default();
        *praise = praise.saturating_add(worth);
    }

    /// What a verification of a position has proved so far: the next one goes on from there.
    pub(super) fn take_begun(&self, position: &Name) -> Option<Box<Proof>> {
        locked(&self.begun).remove(position)
    }

    pub(super) fn keep_begun(&self, position: Name, proof: Box<Proof>) {
        let mut begun = locked(&self.begun);
        room(&mut begun, MOST_POSITIONS).insert(position, proof);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets all when there is no room for one more: what is needed soon is soon known again.
fn room<K: Eq + Hash, V>(known: &mut HashMap<K, V>, most: usize) -> &mut HashMap<K, V> {
    if known.len() >= most {
        known.clear();
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::Rules;

    fn name(text: &str, rules: Rules) -> Name {
        Name::of(&notation::parse_position(text, rules).expect("legal"))
    }

    #[test]
    fn games_with_the_same_stones_are_kept_apart() {
        let small: Rules = "15,15,6,2,1".parse().expect("rules");
        let memory = Memory::default();
        memory.keep_ranked(
            &name("H8", Rules::CONNECT6),
            &["A1 A2".parse().expect("a turn")],
        );
        assert!(memory.ranked(&name("H8", Rules::CONNECT6)).is_some());
        assert!(memory.ranked(&name("H8", small)).is_none());
    }

    #[test]
    fn who_resisted_most_comes_first_and_old_positions_are_forgotten() {
        let memory = Memory::default();
        let here = name("J10", Rules::CONNECT6);
        let turn = |text: &str| text.parse::<Turn>().expect("a turn");
        memory.resisted(&here, turn("A1 A2"), || false);
        memory.resisted(&here, turn("B1 B2"), || true);
        memory.resisted(&here, turn("B1 B2"), || unreachable!("it is known"));
        let known = memory.stubborn(&here);
        assert_eq!(known[0].reply, turn("B1 B2"));
        assert_eq!((known[0].turns, known[0].threatens), (2, true));
        for number in 0..MOST_POSITIONS {
            memory.resisted(&Name(number.to_string()), turn("A1 A2"), || false);
        }
        assert!(memory.stubborn(&here).is_empty());
    }
}
