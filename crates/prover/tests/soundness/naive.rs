//! The game once more, on bit masks of small boards, straight from the definitions: no code of the
//! workspace is used but the numbers in `Rules`.
//!
//! Two searches. [`Forced`] lets the attacker play any whole turn that leaves at least p threats and
//! the defender any turn that meets them: order 1 without any cleverness. [`Replay`] lets the defender
//! play any turn at all, and the attacker those turns that a proof names: if the attacker wins that
//! game, he wins the real one.

use std::collections::HashMap;

use tengen_rules::{Overline, Rules};

/// A set of cells; cell (x, y) is bit y * width + x.
pub(crate) type Mask = u128;

/// One place for a line: its cells, and the cells before and behind it if overlines do not win.
#[derive(Debug, Copy, Clone)]
struct Window {
    cells: Mask,
    ends: Mask,
    /// All cells of the row, column or diagonal.
    whole: Mask,
}

/// What a wrong prover might do; tests show that it claims what is false.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// Adds up the threats of single lines.
    CountPerLine,
    /// Forgets that the defender may complete a line.
    TrustDefender,
    /// Answers only replies with as few stones as possible, and any stones besides.
    NoRelaxed,
}

/// The game: a board of at most 128 cells.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) cells: usize,
    pub(crate) per_turn: u32,
    windows: Vec<Window>,
}

/// The stones of both sides.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Stones {
    pub(crate) attacker: Mask,
    pub(crate) defender: Mask,
}

impl Game {
    pub(crate) fn new(rules: Rules) -> Self {
        let (width, height) = rules.size().expect("a finite board");
        let (width, height) = (i32::from(width), i32::from(height));
        let line = i32::from(rules.line());
        let exact = rules.overline() == Overline::DoesNotWin;
        let on_board = |x: i32, y: i32| (0..width).contains(&x) && (0..height).contains(&y);
        let bit = |x: i32, y: i32| {
            if on_board(x, y) {
                1 << (y * width + x)
            } else {
                0
            }
        };
        let mut windows = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for y in 0..height {
                for x in 0..width {
                    if !on_board(x + (line - 1) * dx, y + (line - 1) * dy) {
                        continue;
                    }
                    let all = |from: i32, to: i32| {
                        let cells = (from..to).map(|i| bit(x + i * dx, y + i * dy));
                        cells.fold(0, |all: Mask, one: Mask| all | one)
                    };
                    let ends = bit(x - dx, y - dy) | bit(x + line * dx, y + line * dy);
                    windows.push(Window {
                        cells: all(0, line),
                        whole: all(-width - height, width + height),
                        ends: if exact { ends } else { 0 },
                    });
                }
            }
        }
        Self {
            cells: (width * height) as usize,
            per_turn: u32::from(rules.per_turn()),
            windows,
        }
    }

    pub(crate) fn empty(&self, stones: Stones) -> Mask {
        let board = Mask::MAX >> (Mask::BITS as usize - self.cells);
        board & !stones.attacker & !stones.defender
    }

    /// The missing cells of all windows that the side can complete with at most `most` stones.
    pub(crate) fn completable(
        &self,
        own: Mask,
        other: Mask,
        most: u32,
    ) -> impl Iterator<Item = Mask> + '_ {
        let open = move |w: &&Window| {
            w.cells & other == 0 && w.ends & own == 0 && (w.cells & !own).count_ones() <= most
        };
        self.windows
            .iter()
            .filter(open)
            .map(move |w| w.cells & !own)
    }

    /// The cells of an open window that lacks just these cells.
    pub(crate) fn window_of(&self, own: Mask, other: Mask, missing: Mask) -> Mask {
        let lacks = |w: &&Window| w.cells & other == 0 && w.cells & !own == missing;
        self.windows.iter().find(lacks).map_or(missing, |w| w.cells)
    }

    pub(crate) fn can_complete(&self, own: Mask, other: Mask, most: u32) -> bool {
        self.completable(own, other, most).next().is_some()
    }

    /// The empty cells of the attacker's threat windows.
    pub(crate) fn threat_windows(&self, stones: Stones) -> Vec<Mask> {
        let windows = self.completable(stones.attacker, stones.defender, self.per_turn);
        let mut windows: Vec<Mask> = windows.collect();
        windows.sort_unstable();
        windows.dedup();
        windows
    }
}

impl Game {
    /// The number of threats as a sum over lines: wrong where lines cross.
    fn threats_per_line(&self, stones: Stones) -> u32 {
        let mut lines: Vec<Mask> = self.windows.iter().map(|w| w.whole).collect();
        lines.sort_unstable();
        lines.dedup();
        let threats = |whole: &Mask| {
            let open = |w: &&Window| {
                let missing = (w.cells & !stones.attacker).count_ones();
                w.whole == *whole
                    && w.cells & stones.defender == 0
                    && w.ends & stones.attacker == 0
                    && missing <= self.per_turn
            };
            let windows: Vec<Mask> = self
                .windows
                .iter()
                .filter(open)
                .map(|w| w.cells & !stones.attacker)
                .collect();
            (0..)
                .find(|&number| can_meet(&windows, number))
                .expect("enough stones meet all")
        };
        lines.iter().map(threats).sum()
    }
}

/// All sets of `size` of these cells.
pub(crate) fn subsets(cells: Mask, size: u32) -> Vec<Mask> {
    fn add(rest: Mask, size: u32, chosen: Mask, list: &mut Vec<Mask>) {
        if size == 0 {
            list.push(chosen);
            return;
        }
        let mut rest = rest;
        while rest.count_ones() >= size {
            let lowest = rest & rest.wrapping_neg();
            rest ^= lowest;
            add(rest, size - 1, chosen | lowest, list);
        }
    }
    let mut list = Vec::new();
    add(cells, size.min(cells.count_ones()), 0, &mut list);
    list
}

/// Whether `stones` stones can meet all windows.
fn can_meet(windows: &[Mask], stones: u32) -> bool {
    let Some(&first) = windows.first() else {
        return true;
    };
    stones > 0
        && subsets(first, 1).into_iter().any(|cell| {
            let rest: Vec<Mask> = windows.iter().copied().filter(|w| w & cell == 0).collect();
            can_meet(&rest, stones - 1)
        })
}

pub(crate) fn meets(reply: Mask, windows: &[Mask]) -> bool {
    windows.iter().all(|window| window & reply != 0)
}

/// Whether the stones that meet the windows are more than needed.
fn relaxed(reply: Mask, windows: &[Mask]) -> bool {
    let fewest = (0..).find(|&number| can_meet(windows, number));
    let fewest = fewest.expect("enough stones meet all");
    !subsets(reply, fewest)
        .into_iter()
        .any(|part| meets(part, windows))
}

/// What is known of a position: won within so many turns, or not within so many.
#[derive(Debug, Copy, Clone, Default)]
struct Known {
    won: Option<u16>,
    not_within: u16,
}

impl Known {
    fn answer(self, depth: u16) -> Option<bool> {
        match self.won {
            Some(within) if within <= depth => Some(true),
            _ if self.not_within >= depth => Some(false),
            _ => None,
        }
    }
}

/// Too many positions: nothing is known.
#[derive(Debug)]
pub(crate) struct TooLarge;

/// Order 1 by brute force.
pub(crate) struct Forced<'a> {
    game: &'a Game,
    pub(crate) mistake: Option<Mistake>,
    known: HashMap<(Stones, u32), Known>,
    left: u64,
}

impl<'a> Forced<'a> {
    pub(crate) fn new(game: &'a Game, most_positions: u64) -> Self {
        Self {
            game,
            mistake: None,
            known: HashMap::new(),
            left: most_positions,
        }
    }

    /// The fewest turns in which threats alone win, the first turn of `stones` stones.
    pub(crate) fn shortest(&mut self, start: Stones, stones: u32) -> Result<Option<u16>, TooLarge> {
        // A turn that wins nothing and threatens places p stones: the board ends the search.
        let most = self.game.empty(start).count_ones() as u16 / 2 + 2;
        if !self.wins(start, stones, most)? {
            return Ok(None);
        }
        for depth in 1..=most {
            if self.wins(start, stones, depth)? {
                return Ok(Some(depth));
            }
        }
        unreachable!("a win within the longest depth was found");
    }

    /// Whether threats alone win within `depth` attacker's turns.
    pub(crate) fn wins(&mut self, at: Stones, stones: u32, depth: u16) -> Result<bool, TooLarge> {
        let game = self.game;
        if game.can_complete(at.attacker, at.defender, stones) {
            return Ok(depth >= 1);
        }
        let empty = game.empty(at);
        if depth < 2 || empty == 0 {
            return Ok(false);
        }
        let key = (at, stones);
        if let Some(answer) = self.known.get(&key).and_then(|known| known.answer(depth)) {
            return Ok(answer);
        }
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        let mut found = false;
        for turn in subsets(empty, stones) {
            if self.forces(at, turn, depth)? {
                found = true;
                break;
            }
        }
        let known = self.known.entry(key).or_default();
        if found {
            known.won = Some(depth);
        } else {
            known.not_within = known.not_within.max(depth);
        }
        Ok(found)
    }

    /// Whether this turn wins by threats within `depth` turns, itself included.
    pub(crate) fn forces(&mut self, at: Stones, turn: Mask, depth: u16) -> Result<bool, TooLarge> {
        let game = self.game;
        let attacker = at.attacker | turn;
        let after = Stones { attacker, ..at };
        let trust = self.mistake == Some(Mistake::TrustDefender);
        if !trust && game.can_complete(at.defender, attacker, game.per_turn) {
            return Ok(false);
        }
        if self.mistake == Some(Mistake::CountPerLine)
            && game.threats_per_line(after) > game.per_turn
        {
            return Ok(true);
        }
        let windows = game.threat_windows(after);
        if windows.len() < game.per_turn as usize || can_meet(&windows, game.per_turn - 1) {
            return Ok(false);
        }
        for reply in subsets(game.empty(after), game.per_turn) {
            if meets(reply, &windows) {
                let defender = at.defender | reply;
                let next = Stones { attacker, defender };
                if !self.wins(next, game.per_turn, depth - 1)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The whole game, in which the attacker plays turns from a list or completes a line, and the
/// defender whatever he likes.
pub(crate) struct Replay<'a> {
    game: &'a Game,
    pub(crate) mistake: Option<Mistake>,
    turns: Vec<Mask>,
    known: HashMap<(Stones, u32), Known>,
    left: u64,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(game: &'a Game, turns: Vec<Mask>, most_positions: u64) -> Self {
        Self {
            game,
            mistake: None,
            turns,
            known: HashMap::new(),
            left: most_positions,
        }
    }

    /// Whether the attacker, to move with `stones` stones, wins within `depth` of his turns.
    pub(crate) fn wins(&mut self, at: Stones, stones: u32, depth: u16) -> Result<bool, TooLarge> {
        let game = self.game;
        if game.can_complete(at.attacker, at.defender, stones) {
            return Ok(depth >= 1);
        }
        let empty = game.empty(at);
        if depth < 2 || empty == 0 {
            return Ok(false);
        }
        let key = (at, stones);
        if let Some(answer) = self.known.get(&key).and_then(|known| known.answer(depth)) {
            return Ok(answer);
        }
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        let fits = |turn: &Mask| turn & !empty == 0 && turn.count_ones() <= stones;
        let turns = self.turns.iter().copied().filter(fits);
        let mut turns: Vec<Mask> = turns.map(|turn| self.whole(turn, empty, stones)).collect();
        // Few replies meet threats: these turns are done with quickly.
        turns.sort_by_cached_key(|turn| {
            let attacker = at.attacker | turn;
            game.threat_windows(Stones { attacker, ..at }).is_empty()
        });
        let mut found = false;
        for turn in turns {
            if self.answers_all(at, turn, depth)? {
                found = true;
                break;
            }
        }
        let known = self.known.entry(key).or_default();
        if found {
            known.won = Some(known.won.map_or(depth, |before| before.min(depth)));
        } else {
            known.not_within = known.not_within.max(depth);
        }
        Ok(found)
    }

    /// A turn must place all its stones; where overlines win, one more is never worse than none.
    fn whole(&self, turn: Mask, empty: Mask, stones: u32) -> Mask {
        let mut turn = turn;
        while turn.count_ones() < stones && turn != empty {
            let rest = empty & !turn;
            turn |= rest & rest.wrapping_neg();
        }
        turn
    }

    /// Whether the attacker wins after this turn, against every reply.
    pub(crate) fn answers_all(
        &mut self,
        at: Stones,
        turn: Mask,
        depth: u16,
    ) -> Result<bool, TooLarge> {
        let game = self.game;
        let attacker = at.attacker | turn;
        if game.can_complete(at.defender, attacker, game.per_turn) {
            return Ok(false);
        }
        let after = Stones { attacker, ..at };
        let windows = game.threat_windows(after);
        for reply in subsets(game.empty(after), game.per_turn) {
            // A reply that leaves a window open loses to the turn that completes it.
            let forgotten = self.mistake == Some(Mistake::NoRelaxed) && relaxed(reply, &windows);
            if meets(reply, &windows) && !forgotten {
                let defender = at.defender | reply;
                let next = Stones { attacker, defender };
                if !self.wins(next, game.per_turn, depth - 1)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
