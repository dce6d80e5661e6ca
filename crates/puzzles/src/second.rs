//! Wins of order 2 (VCST) in which one turn makes a single threat, so that the defender has a stone to spare once; all
//! others make two or more. (With two such turns everything takes thousands of times as long.)
//!
//! What makes this exhaustive at all is that more stones of a side never hurt it (overlines win). A stone that makes a
//! threat may have any of 300 companions: whole groups of them are placed at once, and if the attacker does not even win with
//! all of these, he wins with none. Likewise a group of the defender's spare stones, placed at once, that does not save him. Only
//! where a group decides nothing it is halved. Cells of a group share no window.
//!
//! Not guaranteed: that a `No` is right about wins of order 1 with a useless free stone ([`FreeStones::Useful`]
//! is what the inner search uses); [`crate::recheck`] knows no such exception.

use std::collections::HashMap;

use tengen_rules::{Key, Side};
use tengen_threats::{Index, LineBoard, SmallDefences, SmallThreatTurns};

use crate::attack::{Answer, Attack, LONGEST, LimitReached, Stones};
use crate::looks::sort_by_looks;

/// Cells on which the defender's spare stone is tried by itself before groups are.
const DISTURBING: usize = 16;

/// Longer wins are not judged as wins.
const FARTHEST: u8 = 12;

/// Companions of each group that one would think of.
const COMPANIONS: usize = 2;

/// A search for wins of order 2 on the board of an [`Attack`].
#[derive(Debug)]
pub(crate) struct Second<'a> {
    /// The search of order 1, and the board.
    pub(crate) attack: Attack<'a>,
    /// No win within so many turns, a win within so many (0: none known).
    known: HashMap<Key, (u8, u8)>,
    /// Whether a turn with a single threat may still come.
    single: bool,
    stopped: bool,
}

impl<'a> Second<'a> {
    /// With the nodes of the search of order 1.
    pub(crate) fn new(attack: Attack<'a>) -> Self {
        Self {
            attack,
            known: HashMap::new(),
            single: true,
            stopped: false,
        }
    }

    /// Gives the search so many nodes from now on.
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.attack.allow(nodes);
        self.stopped = false;
    }

    const fn attacker(&self) -> Side {
        self.attack.attacker()
    }

    /// The fewest turns of a win, at most `longest`.
    pub(crate) fn shortest(&mut self, longest: u8) -> Result<Option<u8>, LimitReached> {
        for turns in 1..=longest {
            let found = self.win(turns);
            self.decided()?;
            if found {
                return Ok(Some(turns));
            }
        }
        Ok(None)
    }

    fn decided(&self) -> Result<(), LimitReached> {
        match self.stopped {
            true => Err(LimitReached),
            false => Ok(()),
        }
    }

    /// Whether a first turn wins within so many turns, itself counted; [`LONGEST`] for any number.
    pub(crate) fn turn_wins_within(&mut self, turn: &[Index], turns: u8) -> Answer {
        let found = self.turn_wins(turn, turns);
        match (found, self.stopped) {
            (_, true) => Answer::Unknown,
            (true, false) => Answer::Yes,
            (false, false) => Answer::No,
        }
    }

    /// All first turns that win within so many turns, each as the stones that cannot be left out, at most `most`.
    pub(crate) fn winning_turns(
        &mut self,
        longest: u8,
        most: usize,
    ) -> Result<Vec<Stones>, LimitReached> {
        let mut found: Vec<Stones> = Vec::new();
        if self.attack.board.has_threat(self.attacker()) {
            return Ok(found);
        }
        for group in self.groups() {
            if found.len() >= most {
                break;
            }
            self.winners(&group, longest, most, &mut found);
            self.decided()?;
        }
        Ok(found)
    }

    /// The turns of a group that win.
    fn winners(&mut self, group: &Group, longest: u8, most: usize, found: &mut Vec<Stones>) {
        // A turn that contains a winning one is no other solution.
        let within = |win: &Stones, all: &[Index]| win.iter().all(|cell| all.contains(cell));
        let last = group.companions.len() < 2;
        let met = found
            .iter()
            .any(|win| within(win, &group.stones) || (last && within(win, &group.all())));
        if found.len() >= most || met || !self.turn_wins(&group.all(), longest) {
            return;
        }
        if self.stopped {
            return;
        }
        match group.halves() {
            None => found.push(group.all()),
            Some(halves) => {
                for half in halves {
                    self.winners(&half, longest, most, found);
                }
            }
        }
    }

    /// Whether the attacker, to move, wins within so many turns; a limit makes it a no.
    fn win(&mut self, turns: u8) -> bool {
        match self.first_order(turns) {
            Answer::Yes => return true,
            Answer::Unknown => return false,
            Answer::No => {}
        }
        if turns < 3 || !self.single {
            return false;
        }
        let key = self.attack.board.stones_key();
        let (none, win) = self.known.get(&key).copied().unwrap_or_default();
        if win != 0 && win <= turns {
            return true;
        }
        if none >= turns {
            return false;
        }
        let mut found = false;
        for group in self.groups() {
            found = self.group_wins(&group, turns);
            if found || self.stopped {
                break;
            }
        }
        if !self.stopped {
            let now = if found { (none, turns) } else { (turns, win) };
            self.known.insert(key, now);
        }
        found
    }

    fn first_order(&mut self, turns: u8) -> Answer {
        let answer = match turns {
            LONGEST => self.attack.wins(),
            _ => self.attack.wins_within(turns),
        };
        self.stopped |= answer == Answer::Unknown;
        answer
    }

    fn group_wins(&mut self, group: &Group, turns: u8) -> bool {
        if !self.turn_wins(&group.all(), turns) || self.stopped {
            return false;
        }
        match group.halves() {
            None => true,
            Some(halves) => halves.iter().any(|half| self.group_wins(half, turns)),
        }
    }

    /// All turns of order 2, in groups: with two threats, with one, and stones that make one with every companion.
    fn groups(&mut self) -> Vec<Group> {
        let side = self.attacker();
        let mut groups: Vec<Group> = Vec::new();
        let blocks = match self.blocks() {
            Some(blocks) => blocks,
            None => return groups,
        };
        let hits = |set: &[Index; 2], cell: Index| set[0] == cell || set[1] == cell;
        let board = &self.attack.board;
        let mut turns = SmallThreatTurns::default();
        board.small_threat_turns(side, 2, 1, &mut turns);
        let empty = |&cell: &Index| board.stone(cell).is_none();
        let cells: Vec<Index> = (0..board.grid().len() as Index).filter(empty).collect();
        for &maker in &turns.singles {
            let missed = blocks.iter().find(|set| !hits(set, maker));
            let stops = |cell: Index| {
                let met = |set: &[Index; 2]| hits(set, maker) || hits(set, cell);
                cell != maker && blocks.iter().all(met)
            };
            if missed.is_none() {
                groups.push(Group::of(&[maker]));
            }
            let companions: Vec<Index> = cells.iter().copied().filter(|&c| stops(c)).collect();
            groups.extend(self.apart(companions).into_iter().map(|companions| Group {
                stones: Stones::from_slice(&[maker]),
                companions,
            }));
        }
        for pair in &turns.pairs {
            let met = |set: &[Index; 2]| hits(set, pair[0]) || hits(set, pair[1]);
            if blocks.iter().all(met) {
                groups.push(Group::of(pair));
            }
        }
        groups
    }

    /// First turns that one would think of, the strongest-looking first: a stone that makes a threat comes with
    /// companions that promise something.
    pub(crate) fn thinkable(&mut self) -> Vec<Stones> {
        let side = self.attacker();
        let mut list: Vec<Stones> = Vec::new();
        for group in self.groups() {
            if group.companions.is_empty() {
                if group.stones.len() == 2 {
                    list.push(group.stones);
                }
                continue;
            }
            let board = &self.attack.board;
            let mut companions = group.companions.clone();
            companions.sort_by_key(|&cell| std::cmp::Reverse((board.promise(side, cell), cell)));
            for &cell in companions.iter().take(COMPANIONS) {
                let mut stones = group.stones.clone();
                stones.push(cell);
                stones.sort_unstable();
                list.push(stones);
            }
        }
        list.sort_unstable();
        list.dedup();
        sort_by_looks(&mut self.attack.board, side, &mut list);
        list
    }

    /// A reply after which the attacker does not win any more; `None` if he does, or nobody knows.
    pub(crate) fn refutation(&mut self, turn: &[Index]) -> Option<Stones> {
        let side = self.attacker();
        self.attack.place_all(side, turn);
        let found = self.reply_that_holds(LONGEST);
        self.attack.undo_all(turn);
        found.filter(|_| !self.stopped)
    }

    /// Whether every block of the turn's threats alone loses to order 1: the defender must find his other stone.
    pub(crate) fn blocks_alone_lose(&mut self, turn: &[Index]) -> bool {
        let side = self.attacker();
        self.attack.place_all(side, turn);
        let blocks = self.blocks_of_defender().singles;
        let lose = !blocks.is_empty()
            && blocks.iter().all(|&block| {
                self.against(&[block], |search| {
                    search.first_order(LONGEST) == Answer::Yes
                })
            });
        self.attack.undo_all(turn);
        lose
    }

    /// What a first turn is worth.
    pub(crate) fn judge(&mut self, turn: &[Index]) -> Judged {
        let side = self.attacker();
        self.attack.place_all(side, turn);
        let judged = self.judge_after();
        self.attack.undo_all(turn);
        match self.stopped {
            true => Judged::Unknown,
            false => judged,
        }
    }

    fn judge_after(&mut self) -> Judged {
        let small = self.blocks_of_defender();
        let safe = !self.attack.board.has_threat(!self.attacker());
        match small.threats {
            0 if safe => return Judged::NoThreat,
            3.. if safe => return Judged::Decides,
            _ => {}
        }
        // With more and more turns: the reply that one turn fewer does not beat is the most stubborn.
        for within in 3..=FARTHEST {
            if self.stopped {
                return Judged::Unknown;
            }
            if self.replies_lose(within) {
                let reply = self.reply_that_holds(within - 2);
                return reply.map_or(Judged::Unknown, |reply| Judged::Wins { within, reply });
            }
        }
        let reply = self.reply_that_holds(LONGEST);
        reply.map_or(Judged::Unknown, |reply| Judged::Fails { reply })
    }

    /// A reply after which the attacker does not win within so many turns.
    fn reply_that_holds(&mut self, turns: u8) -> Option<Stones> {
        if self.attack.board.has_threat(!self.attacker()) {
            let line = self.attack.board.winning_set(!self.attacker(), 2)?;
            return Some(Stones::from_vec(line));
        }
        let small = self.blocks_of_defender();
        if small.threats > 2 {
            return None;
        }
        let lost = |search: &mut Self, reply: &[Index]| {
            search.against(reply, |search| search.win(turns)) || search.stopped
        };
        self.after(&small, |search| search.first_that_holds(&small, lost))
    }

    fn first_that_holds(
        &mut self,
        small: &SmallDefences,
        lost: impl Fn(&mut Self, &[Index]) -> bool,
    ) -> Option<Stones> {
        let pairs = small.pairs.iter().map(|pair| Stones::from_slice(pair));
        for reply in pairs {
            if !lost(self, &reply) {
                return Some(reply);
            }
        }
        let blocks = small.singles.clone();
        for block in blocks {
            // Where the block alone holds, so does every whole reply with it.
            for cell in self.disturbing().into_iter().filter(|&cell| cell != block) {
                let reply = Stones::from_slice(&[block, cell]);
                if !lost(self, &reply) {
                    return Some(reply);
                }
            }
        }
        None
    }

    /// What the attacker must meet; `None` if he cannot.
    fn blocks(&self) -> Option<Vec<[Index; 2]>> {
        let (board, defender) = (&self.attack.board, !self.attacker());
        if !board.has_threat(defender) {
            return Some(Vec::new());
        }
        let mut small = SmallDefences::default();
        board.small_defences(defender, &mut small);
        (small.threats <= 2).then_some(small.sets)
    }

    fn apart(&self, cells: Vec<Index>) -> Vec<Vec<Index>> {
        apart(&self.attack.board, cells)
    }

    /// Whether the attacker wins with these stones, as many as they are, within so many turns.
    fn turn_wins(&mut self, stones: &[Index], turns: u8) -> bool {
        if self.stopped {
            return false;
        }
        let mut complete = false;
        for &cell in stones {
            complete |= self.attack.board.place(self.attacker(), cell);
        }
        let found = complete || self.replies_lose(turns);
        self.attack.undo_all(stones);
        found
    }

    fn replies_lose(&mut self, turns: u8) -> bool {
        if self.attack.board.has_threat(!self.attacker()) || turns < 2 {
            return false;
        }
        let rest = if turns == LONGEST { LONGEST } else { turns - 1 };
        let small = self.blocks_of_defender();
        match small.threats {
            0 => return false,
            1 if !self.single => return false,
            1 | 2 => {}
            _ => return true,
        }
        self.after(&small, |search| search.each_loses(&small, rest))
    }

    /// Asks what follows a turn that can be answered so: a single threat is the last one.
    pub(crate) fn after<T>(
        &mut self,
        small: &SmallDefences,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let single = self.single;
        self.single = single && small.threats > 1;
        let answer = ask(self);
        self.single = single;
        answer
    }

    fn each_loses(&mut self, small: &SmallDefences, rest: u8) -> bool {
        // Step 1. The block alone loses to order 1; most turns fail here.
        for &block in &small.singles {
            if !self.against(&[block], |search| search.first_order(rest) == Answer::Yes) {
                return false;
            }
        }
        // Step 2. Replies of two stones that are both needed.
        for pair in &small.pairs {
            if !self.against(pair, |search| search.win(rest)) {
                return false;
            }
        }
        // Step 3. The block and any other stone, the most disturbing first.
        for &block in &small.singles {
            if !self.against(&[block], |search| search.spare_stones_lose(rest)) {
                return false;
            }
        }
        true
    }

    /// The empty cells, those first on which stones of either side were successful.
    pub(crate) fn disturbing(&self) -> Vec<Index> {
        let board = &self.attack.board;
        let empty = |&cell: &Index| board.stone(cell).is_none();
        let mut cells: Vec<Index> = (0..board.grid().len() as Index).filter(empty).collect();
        let successes = |side: Side, cell: Index| self.attack.successes(side, cell);
        let both = |cell: Index| successes(Side::Black, cell) + successes(Side::White, cell);
        cells.sort_by_key(|&cell| std::cmp::Reverse(both(cell)));
        cells
    }

    /// What the defender can do against the threats on the board.
    pub(crate) fn blocks_of_defender(&self) -> SmallDefences {
        let mut small = SmallDefences::default();
        let board = &self.attack.board;
        board.small_defences(self.attacker(), &mut small);
        small
    }

    /// The cells on which the defender's other stone makes the attacker take more than so many turns. The block is on
    /// the board.
    pub(crate) fn delays(&mut self, turns: u8) -> Result<Vec<Index>, LimitReached> {
        let mut delaying = Vec::new();
        let mut groups = self.apart(self.disturbing());
        while let Some(group) = groups.pop() {
            let fast = self.against(&group, |search| search.win_by(&group, turns));
            self.decided()?;
            if fast {
                continue;
            }
            if let [cell] = group[..] {
                delaying.push(cell);
            } else {
                let (first, second) = group.split_at(group.len() / 2);
                groups.extend([first.to_vec(), second.to_vec()]);
            }
        }
        delaying.sort_unstable();
        Ok(delaying)
    }

    /// Order 1 against a group, order 2 against a single stone.
    fn win_by(&mut self, group: &[Index], turns: u8) -> bool {
        match group.len() {
            1 => self.win(turns),
            _ => self.first_order(turns) == Answer::Yes,
        }
    }

    /// Whether the attacker wins wherever the defender's other stone goes.
    fn spare_stones_lose(&mut self, turns: u8) -> bool {
        let mut cells = self.disturbing();
        let rest = cells.split_off(DISTURBING.min(cells.len()));
        let alone = cells.into_iter().map(|cell| vec![cell]);
        let groups: Vec<Vec<Index>> = alone.chain(self.apart(rest)).collect();
        groups
            .iter()
            .all(|group| self.spare_group_loses(group, turns))
    }

    fn spare_group_loses(&mut self, group: &[Index], turns: u8) -> bool {
        if self.against(group, |search| search.win_by(group, turns)) {
            return true;
        }
        if group.len() < 2 {
            return false;
        }
        let (first, second) = group.split_at(group.len() / 2);
        !self.stopped
            && self.spare_group_loses(first, turns)
            && self.spare_group_loses(second, turns)
    }

    /// Asks with these stones of the defender on the board; no if they complete a line.
    fn against(&mut self, stones: &[Index], ask: impl FnOnce(&mut Self) -> bool) -> bool {
        let mut complete = false;
        for &cell in stones {
            complete |= self.attack.board.place(!self.attacker(), cell);
        }
        let found = !complete && ask(self);
        self.attack.undo_all(stones);
        found && !self.stopped
    }
}

/// Cells in groups of which no two share a window.
pub(crate) fn apart(board: &LineBoard, cells: Vec<Index>) -> Vec<Vec<Index>> {
    let line = i32::from(board.rules().line());
    // A prime: cells of one group on a row, a column or a diagonal are a multiple of it apart.
    let prime = |number: &i32| (2..*number).all(|divisor| number % divisor != 0);
    let colours = (line.max(5)..).find(prime).unwrap_or(line);
    let mut groups = vec![Vec::new(); colours as usize];
    for cell in cells {
        let at = board.cell(cell);
        let colour = (i32::from(at.x) + 2 * i32::from(at.y)).rem_euclid(colours);
        groups[colour as usize].push(cell);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// What a first turn is worth.
#[derive(Debug, Clone)]
pub(crate) enum Judged {
    /// It makes no threat.
    NoThreat,
    /// It makes more threats than one turn can answer.
    Decides,
    /// It wins within so many turns, this one included, also against the most stubborn reply.
    Wins { within: u8, reply: Stones },
    /// It does not win after this reply.
    Fails { reply: Stones },
    /// A limit was reached.
    Unknown,
}

/// Turns that are tried together: these stones, each with one of the companions.
#[derive(Debug, Clone)]
struct Group {
    stones: Stones,
    companions: Vec<Index>,
}

impl Group {
    fn of(stones: &[Index]) -> Self {
        Self {
            stones: Stones::from_slice(stones),
            companions: Vec::new(),
        }
    }

    fn all(&self) -> Stones {
        let all = self.stones.iter().chain(&self.companions);
        all.copied().collect()
    }

    fn halves(&self) -> Option<[Self; 2]> {
        (self.companions.len() > 1).then(|| {
            let (first, second) = self.companions.split_at(self.companions.len() / 2);
            [first, second].map(|companions| Self {
                stones: self.stones.clone(),
                companions: companions.to_vec(),
            })
        })
    }
}
