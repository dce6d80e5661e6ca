//! The exact search behind every puzzle: wins by turns that need a whole turn to be answered (VCDT, order 1
//! of the prover), with all defences one at a time and, when asked, with every choice of free stones.
//!
//! The prover looks for *a* win and gives the defender all his defences at once where it can; a puzzle needs
//! the *shortest* win and *all* winning first turns, so here every defence is played by itself and every turn
//! is tried. A failure under a limit is never taken for a disproof: [`Answer::Unknown`].
//!
//! Attacker's turns are counted with the one that completes the line: 1 completes it, 2 makes more threats
//! than one turn can answer, and so on, as `depth` in `tengen solve`.

use smallvec::SmallVec;
use tengen_rules::{Cell, Key, Overline, Position, Rules, Side};
use tengen_threats::{Index, LineBoard, SmallDefences, SmallThreatTurns};

use crate::looks::sort_by_looks;
use crate::table::{NEVER, Table};

/// The stones of one turn, as cells of the board. Fewer than the turn has when the others are free.
pub type Stones = SmallVec<[Index; 2]>;

/// What is known after a question.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Yes.
    Yes,
    /// No: everything was tried.
    No,
    /// A limit was reached.
    Unknown,
}

/// Where the stones go that a turn has left when the others make enough threats.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FreeStones {
    /// Nowhere, or where they make a threat. A `No` is then only about such turns.
    Useful,
    /// Nowhere, or where they make a threat, alone or with the turn's other stone.
    Threatening,
    /// Everywhere: nothing is missed.
    All,
}

/// A winning first turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WinningTurn {
    /// The stones that win, none of which can be left out.
    pub stones: Stones,
    /// Within how many attacker's turns, counted from this one.
    pub within: u8,
}

/// Whether puzzles of these rules can be made: turns of two stones at most, and overlines win.
pub fn suits(rules: Rules) -> bool {
    rules.per_turn() <= 2 && rules.overline() == Overline::Wins && rules.size().is_some()
}

/// Longer wins than this are not looked for.
pub const LONGEST: u8 = 60;

/// Numbers of turns that are tried one after the other.
const STEPS: [u8; 9] = [2, 3, 4, 5, 6, 8, 11, 16, LONGEST];

/// Working memory: keep it and use it for many searches.
#[derive(Debug)]
pub struct Memory {
    table: Table,
    turns: Vec<SmallThreatTurns>,
    defences: Vec<SmallDefences>,
    lists: Vec<Vec<Stones>>,
}

impl Memory {
    /// With a table of 2^`bits` entries of 16 bytes.
    pub fn new(bits: u32) -> Self {
        Self {
            table: Table::new(bits),
            turns: Vec::new(),
            defences: Vec::new(),
            lists: Vec::new(),
        }
    }
}

/// A search for wins of one side on one position.
#[derive(Debug)]
pub struct Attack<'a> {
    /// The board; between calls it stands at the position.
    pub board: LineBoard,
    attacker: Side,
    per_turn: u8,
    memory: &'a mut Memory,
    /// How free stones are placed.
    pub free: FreeStones,
    /// At most so many turns are tried in each position, by looks; for limited solvers.
    pub(crate) widest: usize,
    /// Positions looked at.
    pub nodes: u64,
    /// Where it gives up.
    pub limit: u64,
    stopped: bool,
    /// Something was cut off by depth since this was last cleared.
    cut: bool,
    /// How often a stone on this cell was part of a turn that won, or of a reply that held: tried first.
    success: [Vec<u32>; 2],
}

/// Searches with other free stones must not meet in the table.
const ALL_FREE: Key = 0xbb67_ae85_84ca_a73b;
const THREATENING_FREE: Key = 0x3c6e_f372_fe94_f82b;

impl<'a> Attack<'a> {
    /// A search for wins of the side to move, which must have a whole turn.
    pub fn new(position: &Position, memory: &'a mut Memory, limit: u64) -> Self {
        Self::on(
            LineBoard::from_position(position),
            position.to_move(),
            memory,
            limit,
        )
    }

    /// The same for stones on a board.
    pub fn on(board: LineBoard, attacker: Side, memory: &'a mut Memory, limit: u64) -> Self {
        debug_assert!(suits(board.rules()));
        memory.table.next_search();
        Self {
            per_turn: board.rules().per_turn(),
            success: [0, 1].map(|_| vec![0; board.grid().len()]),
            board,
            attacker,
            memory,
            free: FreeStones::Useful,
            widest: usize::MAX,
            nodes: 0,
            limit,
            stopped: false,
            cut: false,
        }
    }

    /// Who shall win.
    pub const fn attacker(&self) -> Side {
        self.attacker
    }

    /// Whether the limit was reached.
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Gives the search so many nodes from now on.
    pub fn allow(&mut self, nodes: u64) {
        self.limit = self.nodes.saturating_add(nodes);
        self.stopped = false;
    }

    fn key(&self) -> Key {
        match self.free {
            FreeStones::Useful => self.board.stones_key(),
            FreeStones::Threatening => self.board.stones_key() ^ THREATENING_FREE,
            FreeStones::All => self.board.stones_key() ^ ALL_FREE,
        }
    }

    /// Whether the attacker wins within so many turns.
    pub fn wins_within(&mut self, turns: u8) -> Answer {
        self.cut = false;
        let found = self.win_within(turns);
        self.answer(found)
    }

    fn answer(&self, found: bool) -> Answer {
        match (found, self.stopped) {
            (true, _) => Answer::Yes,
            (false, true) => Answer::Unknown,
            (false, false) => Answer::No,
        }
    }

    /// The fewest turns in which the attacker wins, at most `longest`; `Ok(None)` if he does not, `Err` if
    /// a limit was reached. Fewest among the turns with the free stones asked for.
    pub fn shortest(&mut self, longest: u8) -> Result<Option<u8>, LimitReached> {
        for turns in 1..=longest {
            match self.wins_within(turns) {
                Answer::Yes => return Ok(Some(turns)),
                Answer::Unknown => return Err(LimitReached),
                Answer::No if !self.cut => return Ok(None),
                Answer::No => {}
            }
        }
        Ok(None)
    }

    /// Whether the attacker wins at all, by growing numbers of turns: a search without a bound loses itself in long
    /// lines where a short win exists.
    pub fn wins(&mut self) -> Answer {
        self.deepen(&STEPS, |attack, turns| attack.wins_within(turns))
    }

    /// Whether a first turn wins at all, likewise.
    pub fn turn_wins(&mut self, turn: &[Index]) -> Answer {
        self.deepen(&STEPS, |attack, turns| attack.turn_wins_within(turn, turns))
    }

    fn deepen(&mut self, steps: &[u8], mut ask: impl FnMut(&mut Self, u8) -> Answer) -> Answer {
        for &turns in steps {
            match ask(self, turns) {
                Answer::No if self.cut => {}
                answer => return answer,
            }
        }
        // No win within the last step, which is longer than anything that is looked for.
        Answer::No
    }

    /// Whether a first turn wins within so many turns, itself counted.
    pub fn turn_wins_within(&mut self, turn: &[Index], turns: u8) -> Answer {
        self.cut = false;
        let found = self.turn_win_within(turn, turns);
        self.answer(found)
    }

    /// The fewest turns in which this first turn wins, as [`shortest`](Self::shortest).
    pub fn shortest_of_turn(
        &mut self,
        turn: &[Index],
        longest: u8,
    ) -> Result<Option<u8>, LimitReached> {
        for turns in 1..=longest {
            match self.turn_wins_within(turn, turns) {
                Answer::Yes => return Ok(Some(turns)),
                Answer::Unknown => return Err(LimitReached),
                Answer::No if !self.cut => return Ok(None),
                Answer::No => {}
            }
        }
        Ok(None)
    }

    /// The first turns that are tried: each makes as many threats as a turn has stones, and stops the
    /// defender. None if the attacker completes a line at once.
    pub fn first_turns(&mut self) -> Vec<Stones> {
        let mut list = Vec::new();
        if !self.board.has_threat(self.attacker) {
            let mut turns = self.memory.turns.pop().unwrap_or_default();
            let mut defences = self.memory.defences.pop().unwrap_or_default();
            self.list_turns(&mut turns, &mut defences, &mut list);
            self.memory.turns.push(turns);
            self.memory.defences.push(defences);
        }
        list
    }

    /// All winning first turns of at most `longest` attacker's turns, each as the stones that cannot be left
    /// out, at most `most` of them: a turn of one stone stands for all turns that contain it.
    ///
    /// With [`FreeStones::All`] and a `longest` of [`LONGEST`] nothing is missed but wins of more than that.
    pub fn winning_turns(
        &mut self,
        longest: u8,
        most: usize,
    ) -> Result<Vec<WinningTurn>, LimitReached> {
        let mut found: Vec<WinningTurn> = Vec::new();
        for stones in self.first_turns() {
            // A stone that wins alone wins with any other: turns of one stone come before those with it.
            let contains = |win: &WinningTurn| win.stones.iter().all(|cell| stones.contains(cell));
            if found.iter().any(contains) {
                continue;
            }
            let answer = match longest {
                LONGEST => self.turn_wins(&stones),
                _ => self.turn_wins_within(&stones, longest),
            };
            match answer {
                Answer::Yes => found.push(WinningTurn {
                    stones,
                    within: longest,
                }),
                Answer::No => {}
                Answer::Unknown => return Err(LimitReached),
            }
            if found.len() >= most {
                break;
            }
        }
        Ok(found)
    }

    /// The critical defences against the threats on the board; `None` if there are fewer threats than a
    /// turn has stones, an empty list if there are more than one turn can answer.
    pub fn defences(&mut self) -> Option<Vec<Stones>> {
        let mut small = self.memory.defences.pop().unwrap_or_default();
        self.board.small_defences(self.attacker, &mut small);
        let enough = small.threats >= self.per_turn;
        let list = enough.then(|| replies(&small));
        self.memory.defences.push(small);
        list
    }

    /// Places stones of one side.
    pub fn place_all(&mut self, side: Side, stones: &[Index]) {
        for &cell in stones {
            self.board.place(side, cell);
        }
    }

    /// Takes back as many stones as these.
    pub fn undo_all(&mut self, stones: &[Index]) {
        for _ in stones {
            self.board.undo();
        }
    }

    /// Whether the attacker, to move, wins within so many turns.
    fn win_within(&mut self, turns: u8) -> bool {
        self.nodes += 1;
        if self.nodes >= self.limit {
            self.stopped = true;
            return false;
        }
        // Step 1. A line can be completed: a window with enough stones needs no more than a turn.
        if self.board.has_threat(self.attacker) {
            return turns >= 1;
        }
        if turns < 2 {
            self.cut = true;
            return false;
        }
        // Step 2. What is known.
        let key = self.key();
        let known = self.memory.table.get(key);
        if known.win_within != 0 && known.win_within <= turns {
            return true;
        }
        if known.none_within >= turns {
            self.cut |= known.none_within != NEVER;
            return false;
        }
        // Step 3. Every turn that makes enough threats.
        let cut_before = std::mem::replace(&mut self.cut, false);
        let mut threat_turns = self.memory.turns.pop().unwrap_or_default();
        let mut defences = self.memory.defences.pop().unwrap_or_default();
        let mut list = self.memory.lists.pop().unwrap_or_default();
        self.list_turns(&mut threat_turns, &mut defences, &mut list);
        self.memory.turns.push(threat_turns);
        self.memory.defences.push(defences);
        let mut found = false;
        if self.widest == usize::MAX {
            self.best_first(self.attacker, &mut list);
        } else {
            // Cut off by width: nothing is disproved any more.
            sort_by_looks(&mut self.board, self.attacker, &mut list);
            self.cut |= list.len() > self.widest;
            list.truncate(self.widest);
        }
        for turn in &list {
            found = self.turn_win_within(turn, turns);
            if found {
                self.praise(self.attacker, turn);
            }
            if found || self.stopped {
                break;
            }
        }
        list.clear();
        self.memory.lists.push(list);
        // Step 4. Remember; a search that was stopped knows nothing.
        let mut known = self.memory.table.get(key);
        if found {
            known.win_within = turns;
            self.memory.table.put(key, known);
        } else if !self.stopped {
            known.none_within = if self.cut { turns } else { NEVER };
            self.memory.table.put(key, known);
        }
        // What was cut off on the way to a win does not matter.
        self.cut = cut_before || (self.cut && !found);
        found
    }

    /// Whether this turn wins within so many turns, itself counted.
    fn turn_win_within(&mut self, turn: &[Index], turns: u8) -> bool {
        let mut complete = false;
        for &cell in turn {
            complete |= self.board.place(self.attacker, cell);
        }
        let found = complete || self.after_turn(turns);
        self.undo_all(turn);
        found
    }

    fn after_turn(&mut self, turns: u8) -> bool {
        if self.board.has_threat(!self.attacker) {
            return false;
        }
        let mut small = self.memory.defences.pop().unwrap_or_default();
        self.board.small_defences(self.attacker, &mut small);
        let threats = small.threats;
        let mut list = self.memory.lists.pop().unwrap_or_default();
        list.extend(replies(&small));
        self.memory.defences.push(small);
        let found = if threats < self.per_turn {
            false
        } else if turns < 2 || (turns < 3 && !list.is_empty()) {
            self.cut = true;
            false
        } else {
            self.best_first(!self.attacker, &mut list);
            self.all_answered(&list, turns - 1)
        };
        list.clear();
        self.memory.lists.push(list);
        found
    }

    fn all_answered(&mut self, replies: &[Stones], turns: u8) -> bool {
        for reply in replies {
            // The defender has no threat, so that no reply completes a line.
            self.place_all(!self.attacker, reply);
            let found = self.win_within(turns);
            self.undo_all(reply);
            if !found {
                self.praise(!self.attacker, reply);
                return false;
            }
        }
        true
    }

    /// How often a stone of this side on the cell was part of a success.
    pub(crate) fn successes(&self, side: Side, cell: Index) -> u32 {
        self.success[side as usize][usize::from(cell)]
    }

    fn praise(&mut self, side: Side, stones: &[Index]) {
        for &cell in stones {
            self.success[side as usize][usize::from(cell)] += 1;
        }
    }

    /// Those with the most successful stones first; equal ones stay in order.
    fn best_first(&self, side: Side, list: &mut [Stones]) {
        let success = &self.success[side as usize];
        let sum = |stones: &Stones| -> u32 {
            let each = stones.iter().map(|&cell| success[usize::from(cell)]);
            each.sum()
        };
        list.sort_by_key(|stones| std::cmp::Reverse(sum(stones)));
    }

    /// The turns with enough threats that also meet every threat of the defender; turns of one stone first.
    fn list_turns(
        &self,
        turns: &mut SmallThreatTurns,
        defences: &mut SmallDefences,
        list: &mut Vec<Stones>,
    ) {
        let stones = self.per_turn;
        let mut blocks: &[[Index; 2]] = &[];
        if self.board.has_threat(!self.attacker) {
            self.board.small_defences(!self.attacker, defences);
            if defences.threats > stones {
                return;
            }
            blocks = &defences.sets;
        }
        let hits = |set: &[Index; 2], cell: Index| set[0] == cell || set[1] == cell;
        self.board
            .small_threat_turns(self.attacker, stones, self.per_turn, turns);
        for &single in &turns.singles {
            if blocks.iter().all(|set| hits(set, single)) {
                list.push(Stones::from_slice(&[single]));
            }
        }
        for pair in &turns.pairs {
            let met = |set: &[Index; 2]| hits(set, pair[0]) || hits(set, pair[1]);
            if blocks.iter().all(met) {
                list.push(Stones::from_slice(pair));
            }
        }
        if stones < 2 {
            return;
        }
        for &single in &turns.singles {
            let mut with = |cell: Index| {
                let met = |set: &[Index; 2]| hits(set, single) || hits(set, cell);
                if cell != single && blocks.iter().all(met) {
                    // Two stones that are enough alone make a pair that is met twice.
                    let again = cell < single && turns.singles.contains(&cell);
                    if !again {
                        list.push(Stones::from_slice(&[single, cell]));
                    }
                }
            };
            if let Some(set) = blocks.iter().find(|set| !hits(set, single)) {
                with(set[0]);
                if set[1] != set[0] {
                    with(set[1]);
                }
            } else if self.free == FreeStones::All {
                let cells = 0..self.board.grid().len() as Index;
                cells
                    .filter(|&cell| self.board.stone(cell).is_none())
                    .for_each(with);
            } else {
                turns.makers.iter().copied().for_each(&mut with);
                if self.free == FreeStones::Threatening {
                    let joined = self.joined(single).into_iter();
                    let new = joined.filter(|cell| !turns.makers.contains(cell));
                    new.for_each(with);
                }
            }
        }
    }

    /// The cells on which a stone makes a threat together with this one.
    fn joined(&self, stone: Index) -> Vec<Index> {
        let rules = self.board.rules();
        let line = i16::from(rules.line());
        let at = self.board.cell(stone);
        let mut cells = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for first in 1 - line..=0 {
                let window: Option<Vec<Index>> = (first..first + line)
                    .map(|step| {
                        self.board
                            .index(Cell::new(at.x + dx * step, at.y + dy * step))
                    })
                    .collect();
                let Some(window) = window else { continue };
                let of = |side: Side| {
                    let stones = window.iter();
                    stones
                        .filter(|&&cell| self.board.stone(cell) == Some(side))
                        .count()
                };
                let enough = usize::from(rules.line() - rules.per_turn()).saturating_sub(2);
                if of(!self.attacker) == 0 && of(self.attacker) >= enough {
                    let empty = |cell: &Index| self.board.stone(*cell).is_none() && *cell != stone;
                    cells.extend(window.into_iter().filter(empty));
                }
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

fn replies(small: &SmallDefences) -> Vec<Stones> {
    let singles = small
        .singles
        .iter()
        .map(|&cell| Stones::from_slice(&[cell]));
    let pairs = small.pairs.iter().map(|pair| Stones::from_slice(pair));
    singles.chain(pairs).collect()
}

/// The search ended before it knew.
#[derive(Debug, Copy, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the limit of nodes was reached")]
pub struct LimitReached;
