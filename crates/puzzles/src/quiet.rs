//! Quiet wins (order 3): one first turn that need not threaten anything, and after it double threats alone against
//! every reply.
//!
//! A turn has 50,000 replies and as many rivals. What makes this exhaustive at all is that more stones of a side never hurt
//! it (overlines win): stones are tried in heaps. What loses against a heap of the defender's stones loses against any two
//! of them, and what is refuted with a heap of the attacker's stones is refuted with any two. A heap that decides
//! nothing is halved; cells that promise most are in heaps of their own, and replies that held are tried first.
//!
//! Not guaranteed: that a refutation is right about wins of order 1 with a free stone that threatens nothing
//! ([`FreeStones::Threatening`] is what the inner search uses); [`crate::recheck`] knows no such exception.

use std::cmp::Reverse;

use tengen_prover::{Proof, VerifyRequest, verify};
use tengen_rules::{Cell, Position, Setup, Side};
use tengen_threats::{Index, SmallDefences};

use crate::attack::{Answer, Attack, FreeStones, LONGEST, LimitReached, Stones};
use crate::looks::sort_by_looks;

/// Nodes of order 1 for a heap, and for a whole turn.
const HEAP_NODES: u64 = 400;
const TURN_NODES: u64 = 40_000;

/// Replies that are tried against a heap, and against a whole turn.
const HEAP_REPLIES: usize = 4;
const TURN_REPLIES: usize = 24;

/// The largest heap of each of a turn's two stones.
const HEAP: usize = 12;

/// Cells that are never part of a heap.
const VITAL: usize = 10;

/// Nodes of the verifier's searches, stage by stage, and of all together: for a look, and for the proof that is kept.
const LOOK: (&[u64], u64) = (&[300, 3_000], 200_000);
const PROOF: (&[u64], u64) = (&[300, 3_000, 20_000], 2_000_000);

/// With more replies that resist the verifier, a turn is not worth more.
const RESISTED: usize = 12;

/// Cells of which one thinks first, in pairs.
const THINKABLE: usize = 16;

/// With fewer of these pairs there is hardly a choice: the defender's threats say what to do.
pub(crate) const FEWEST_TURNS: usize = 10;

/// A search for turns after which every reply loses to double threats.
#[derive(Debug)]
pub(crate) struct Quiet<'a> {
    /// The search of order 1, and the board.
    pub(crate) attack: Attack<'a>,
    /// Replies that held, and how often; the most successful first.
    held: Vec<(u32, Stones)>,
    /// Nodes of all searches.
    limit: u64,
}

/// A turn has a stone of each heap, or two of the first if the second is empty.
type Heaps = (Vec<Index>, Vec<Index>);

impl<'a> Quiet<'a> {
    /// With the nodes of the search of order 1.
    pub(crate) fn new(mut attack: Attack<'a>) -> Self {
        if attack.free == FreeStones::Useful {
            attack.free = FreeStones::Threatening;
        }
        Self {
            limit: attack.limit,
            attack,
            held: Vec::new(),
        }
    }

    const fn attacker(&self) -> Side {
        self.attack.attacker()
    }

    /// Gives one search so many nodes.
    fn allow(&mut self, nodes: u64) -> Result<(), LimitReached> {
        let left = self.limit.saturating_sub(self.attack.nodes);
        self.attack.allow(nodes.min(left));
        if left == 0 { Err(LimitReached) } else { Ok(()) }
    }

    /// Whether double threats alone win, without the quiet turn.
    pub(crate) fn first_order(&mut self) -> Answer {
        match self.allow(TURN_NODES) {
            Ok(()) => self.attack.wins(),
            Err(LimitReached) => Answer::Unknown,
        }
    }

    /// Whether the turn wins within so many turns, itself counted.
    pub(crate) fn turn_wins_within(&mut self, turn: &[Index], turns: u8) -> Answer {
        match self.replies_that_hold(turn, turns - 1, 1) {
            Ok(replies) if replies.is_empty() => Answer::Yes,
            Ok(_) => Answer::No,
            Err(LimitReached) => Answer::Unknown,
        }
    }

    /// The fewest turns in which this turn wins, at most `longest`.
    pub(crate) fn shortest_of_turn(
        &mut self,
        turn: &[Index],
        longest: u8,
    ) -> Result<Option<u8>, LimitReached> {
        let mut turns = 3;
        while turns <= longest {
            let holding = self.replies_that_hold(turn, turns - 1, 1)?;
            let Some(reply) = holding.first() else {
                return Ok(Some(turns));
            };
            match self.turns_after(turn, reply)? {
                Some(after) => turns = (after + 1).max(turns + 1),
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// In how many turns the attacker wins after his turn and a reply.
    pub(crate) fn turns_after(
        &mut self,
        turn: &[Index],
        reply: &[Index],
    ) -> Result<Option<u8>, LimitReached> {
        let side = self.attacker();
        self.allow(TURN_NODES)?;
        self.attack.place_all(side, turn);
        self.attack.place_all(!side, reply);
        let turns = self.attack.shortest(LONGEST);
        self.attack.undo_all(reply);
        self.attack.undo_all(turn);
        turns
    }

    /// Replies to a turn after which the attacker does not win within so many turns, at most `most`.
    pub(crate) fn replies_that_hold(
        &mut self,
        turn: &[Index],
        turns: u8,
        most: usize,
    ) -> Result<Vec<Stones>, LimitReached> {
        self.attack.place_all(self.attacker(), turn);
        let found = self.holding(turns, most);
        self.attack.undo_all(turn);
        found
    }

    fn holding(&mut self, turns: u8, most: usize) -> Result<Vec<Stones>, LimitReached> {
        let mut found = Vec::new();
        let mut open = self.heaps(&[]);
        while let Some((left, right)) = open.pop() {
            let all: Stones = left.iter().chain(&right).copied().collect();
            let whole = all.len() <= 2;
            let lost =
                self.reply_loses(&all, turns, if whole { TURN_NODES } else { HEAP_NODES })?;
            match (lost, whole) {
                (Answer::Yes, _) => {}
                (_, false) => open.extend(halves(left, right)),
                (Answer::No, true) => found.push(all),
                (Answer::Unknown, true) => return Err(LimitReached),
            }
            if found.len() >= most {
                break;
            }
        }
        Ok(found)
    }

    /// Whether the attacker wins within so many turns against these stones.
    fn reply_loses(
        &mut self,
        reply: &[Index],
        turns: u8,
        nodes: u64,
    ) -> Result<Answer, LimitReached> {
        self.allow(nodes)?;
        let defender = !self.attacker();
        let mut complete = false;
        for &cell in reply {
            complete |= self.attack.board.place(defender, cell);
        }
        let lost = match (complete, turns) {
            (true, _) => Answer::No,
            (false, LONGEST) => self.attack.wins(),
            (false, turns) => self.attack.wins_within(turns),
        };
        self.attack.undo_all(reply);
        Ok(lost)
    }

    /// Other winning first turns, of this order or a lower one: none of them contains these stones, if there are any. At
    /// most `most`.
    pub(crate) fn others(
        &mut self,
        turn: &[Index],
        most: usize,
    ) -> Result<Vec<Stones>, LimitReached> {
        let mut found: Vec<Stones> = Vec::new();
        let mut open = self.heaps(turn);
        while let Some((left, right)) = open.pop() {
            let all: Stones = left.iter().chain(&right).copied().collect();
            let contains =
                |win: &[Index]| !win.is_empty() && win.iter().all(|cell| all.contains(cell));
            if all.len() <= 2 && (contains(turn) || found.iter().any(|win| contains(win))) {
                continue;
            }
            if self.refute(&all, HEAP_REPLIES, HEAP_NODES)?.is_some() {
                continue;
            }
            if all.len() > 2 {
                open.extend(halves(left, right));
            } else if self.refute(&all, TURN_REPLIES, TURN_NODES)?.is_none() && self.decide(&all)? {
                found.push(all);
                if found.len() >= most {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Replies of which one refutes every other turn, if [`others`](Self::others) has found none: no reply at all is
    /// the first that is tried.
    pub(crate) fn refutations(&self) -> Vec<Stones> {
        self.held.iter().map(|(_, reply)| reply.clone()).collect()
    }

    /// A reply to a turn after which no win of order 1 exists; `None` if it wins, or nobody knows.
    pub(crate) fn refutation(&mut self, turn: &Stones) -> Option<Stones> {
        let known = self.refute(turn, TURN_REPLIES, TURN_NODES).ok()?;
        if known.is_some() {
            return known;
        }
        match self.decide(turn) {
            Ok(false) => self.refute(turn, TURN_REPLIES, TURN_NODES).ok()?,
            _ => None,
        }
    }

    /// All turns of two stones in heaps, the last first: those with cells that promise most, and with `turn`.
    fn heaps(&self, turn: &[Index]) -> Vec<Heaps> {
        let mut vital = self.promising();
        vital.sort_by_key(|cell| !turn.contains(cell));
        let rest = vital.split_off(VITAL.min(vital.len()));
        let parts: Vec<Vec<Index>> = self
            .apart(rest)
            .iter()
            .flat_map(|group| group.chunks(HEAP).map(<[Index]>::to_vec))
            .collect();
        let mut heaps: Vec<Heaps> = Vec::new();
        for (number, &cell) in vital.iter().enumerate() {
            let others = vital[number + 1..].iter();
            heaps.extend(others.map(|&other| (vec![cell], vec![other])));
            heaps.extend(parts.iter().map(|part| (vec![cell], part.clone())));
        }
        for (number, part) in parts.iter().enumerate() {
            heaps.push((part.clone(), Vec::new()));
            let others = parts[number + 1..].iter();
            heaps.extend(others.map(|other| (part.clone(), other.clone())));
        }
        heaps.reverse();
        heaps
    }

    /// The empty cells, those that promise most to either side first.
    fn promising(&self) -> Vec<Index> {
        let board = &self.attack.board;
        let empty = |&cell: &Index| board.stone(cell).is_none();
        let mut cells: Vec<Index> = (0..board.grid().len() as Index).filter(empty).collect();
        let promise =
            |cell: Index| board.promise(Side::Black, cell) + board.promise(Side::White, cell);
        cells.sort_by_key(|&cell| (Reverse(promise(cell)), cell));
        cells
    }

    /// Cells in groups of which no two share a window.
    fn apart(&self, cells: Vec<Index>) -> Vec<Vec<Index>> {
        crate::second::apart(&self.attack.board, cells)
    }

    /// A reply that is known to hold against these stones: after it there is no win of order 1.
    fn refute(
        &mut self,
        stones: &[Index],
        replies: usize,
        nodes: u64,
    ) -> Result<Option<Stones>, LimitReached> {
        let (attacker, defender) = (self.attacker(), !self.attacker());
        self.attack.place_all(attacker, stones);
        let mut list: Vec<Stones> = Vec::new();
        if let Some(line) = self.attack.board.winning_set(defender, 2) {
            list.push(Stones::from_vec(line));
        } else {
            list.push(Stones::new());
            let known = self.held.iter().map(|(_, reply)| reply.clone());
            list.extend(known.filter(|reply| !reply.iter().any(|cell| stones.contains(cell))));
            list.truncate(replies);
        }
        let mut refuted = Ok(None);
        for reply in list {
            match self.holds(&reply, nodes) {
                Ok(true) => refuted = Ok(Some(reply)),
                Ok(false) => continue,
                Err(limit) => refuted = Err(limit),
            }
            break;
        }
        self.attack.undo_all(stones);
        refuted
    }

    /// Whether the reply to what is on the board leaves no win of order 1.
    fn holds(&mut self, reply: &Stones, nodes: u64) -> Result<bool, LimitReached> {
        let holds = self.reply_loses(reply, LONGEST, nodes)? == Answer::No;
        if holds && !reply.is_empty() {
            match self.held.iter_mut().find(|(_, known)| known == reply) {
                Some((times, _)) => *times += 1,
                None => self.held.push((1, reply.clone())),
            }
            self.held.sort_by_key(|&(times, _)| Reverse(times));
        }
        Ok(holds)
    }

    /// Whether a whole turn wins, by the verifier; the replies that resist it are tried to the end.
    fn decide(&mut self, turn: &Stones) -> Result<bool, LimitReached> {
        let replies = match self.verified(turn, LOOK).ok_or(LimitReached)? {
            Ok(_) => return Ok(true),
            Err(replies) => replies,
        };
        self.attack.place_all(self.attacker(), turn);
        let mut held = Ok(false);
        for reply in replies.iter().take(RESISTED) {
            held = self.holds(reply, TURN_NODES);
            if held != Ok(false) {
                break;
            }
        }
        self.attack.undo_all(turn);
        match held? {
            true => Ok(false),
            false => Err(LimitReached),
        }
    }

    /// Whether the turn wins, as far as a quick look of the verifier sees.
    pub(crate) fn wins(&self, turn: &[Index]) -> bool {
        matches!(self.verified(turn, LOOK), Some(Ok(_)))
    }

    /// A proof that the turn wins.
    pub(crate) fn proof(&self, turn: &[Index]) -> Option<Proof> {
        let proof = self.verified(turn, PROOF)?;
        proof.ok().map(|proof| *proof)
    }

    /// A proof that the turn wins, or replies that resist the verifier.
    fn verified(
        &self,
        turn: &[Index],
        (stages, nodes): (&[u64], u64),
    ) -> Option<Result<Box<Proof>, Vec<Stones>>> {
        let board = &self.attack.board;
        let mut setup = Setup::empty(board.rules());
        for cell in 0..board.grid().len() as Index {
            if let Some(side) = board.stone(cell) {
                setup.stones_of_mut(side).push(board.cell(cell));
            }
        }
        let cells: Vec<Cell> = turn.iter().map(|&cell| board.cell(cell)).collect();
        let side = self.attacker();
        let mut before = setup.clone();
        before.to_move = side;
        setup.stones_of_mut(side).extend_from_slice(&cells);
        setup.to_move = !side;
        let after = Position::from_setup(&setup).ok()?;
        let mut request = VerifyRequest::new(1);
        request.stages = stages;
        request.patience = Some(RESISTED);
        request.limits.nodes = Some(nodes);
        let verified = verify(&after, &request).ok()?;
        if verified.survivors.is_empty() {
            let mut proof = verified.proof?;
            proof.position = before;
            proof.region = None;
            proof.nodes.first_mut()?.turn = cells;
            return Some(Ok(proof));
        }
        let index = |cells: &Vec<Cell>| -> Stones {
            cells.iter().filter_map(|&cell| board.index(cell)).collect()
        };
        Some(Err(verified.resisted.iter().map(index).collect()))
    }

    /// First turns that one would think of, the strongest-looking first.
    pub(crate) fn thinkable(&mut self) -> Vec<Stones> {
        let side = self.attacker();
        let board = &self.attack.board;
        let mut cells = self.promising();
        let mut blocks = SmallDefences::default();
        if board.has_threat(!side) {
            board.small_defences(!side, &mut blocks);
        }
        let stops = |cell: Index| blocks.sets.iter().any(|set| set.contains(&cell));
        cells.sort_by_key(|&cell| (!stops(cell), Reverse(board.promise(side, cell))));
        cells.truncate(THINKABLE);
        let mut list: Vec<Stones> = Vec::new();
        for (number, &one) in cells.iter().enumerate() {
            for &other in &cells[number + 1..] {
                let mut stones = Stones::from_slice(&[one, other]);
                stones.sort_unstable();
                list.push(stones);
            }
        }
        // Where the defender completes a line first, nobody thinks of anything else.
        list.retain(|turn| {
            self.attack.place_all(side, turn);
            let stopped = !self.attack.board.has_threat(!side);
            self.attack.undo_all(turn);
            stopped
        });
        sort_by_looks(&mut self.attack.board, side, &mut list);
        list
    }

    /// The strongest-looking turn that makes a threat.
    pub(crate) fn strongest_threat(&mut self) -> Option<Stones> {
        let side = self.attacker();
        let mut list = self.thinkable();
        list.retain(|turn| {
            self.attack.place_all(side, turn);
            let threatens = self.attack.board.has_threat(side);
            self.attack.undo_all(turn);
            threatens
        });
        list.into_iter().next()
    }

    /// A whole reply to a turn: where stones are missing, those are added that promise most.
    pub(crate) fn whole_after(&mut self, turn: &[Index], reply: &[Index]) -> Stones {
        let (attacker, defender) = (self.attacker(), !self.attacker());
        self.attack.place_all(attacker, turn);
        self.attack.place_all(defender, reply);
        let mut stones = Stones::from_slice(reply);
        let missing = 2_usize.saturating_sub(reply.len());
        stones.extend(self.promising().into_iter().take(missing));
        self.attack.undo_all(reply);
        self.attack.undo_all(turn);
        stones
    }
}

fn halves(left: Vec<Index>, right: Vec<Index>) -> Vec<Heaps> {
    let split = |heap: &[Index]| {
        let (some, rest) = heap.split_at(heap.len() / 2);
        (some.to_vec(), rest.to_vec())
    };
    if right.is_empty() {
        let (some, rest) = split(&left);
        let within = [some.clone(), rest.clone()].map(|half| (half, Vec::new()));
        let several = within.into_iter().filter(|(half, _)| half.len() > 1);
        return several.chain([(some, rest)]).collect();
    }
    if left.len() > right.len() {
        let (some, rest) = split(&left);
        vec![(some, right.clone()), (rest, right)]
    } else {
        let (some, rest) = split(&right);
        vec![(left.clone(), some), (left, rest)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stand::{Stand, Workshop};
    use tengen_rules::Rules;

    /// All pairs of empty cells.
    fn pairs(attack: &Attack<'_>) -> Vec<Stones> {
        let empty = |&cell: &Index| attack.board.stone(cell).is_none();
        let cells: Vec<Index> = (0..attack.board.grid().len() as Index)
            .filter(empty)
            .collect();
        let with = |number: usize| {
            let others = cells[number + 1..].to_vec();
            let one = cells[number];
            others
                .into_iter()
                .map(move |other| Stones::from_slice(&[one, other]))
        };
        (0..cells.len()).flat_map(with).collect()
    }

    /// In how many turns a first turn wins, by trying every reply; `None` if one holds.
    fn by_brute_force(attack: &mut Attack<'_>, turn: &Stones) -> Option<u8> {
        let (attacker, defender) = (attack.attacker(), !attack.attacker());
        attack.place_all(attacker, turn);
        let mut longest = Some(0);
        if attack.board.has_threat(defender) {
            longest = None;
        }
        for reply in pairs(attack) {
            let Some(so_far) = longest else { break };
            attack.place_all(defender, &reply);
            attack.allow(u64::MAX);
            let after = attack.shortest(LONGEST).expect("no limit");
            longest = after.map(|after| so_far.max(after));
            attack.undo_all(&reply);
        }
        attack.undo_all(turn);
        longest.map(|longest| longest + 1)
    }

    /// Stones thrown on a small board, of which neither side has a threat.
    fn thrown(rules: Rules, seed: u64) -> Stand {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let (width, height) = rules.size().expect("a finite board");
        let mut cells: Vec<Cell> = Vec::new();
        while cells.len() < 9 {
            let (x, y) = (next(u64::from(width)), next(u64::from(height)));
            let cell = Cell::new(x as i16, y as i16);
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        let mut other = cells.split_off(5);
        cells.sort_unstable();
        other.sort_unstable();
        Stand {
            rules,
            attacker: Side::Black,
            own: cells,
            other,
        }
    }

    #[test]
    fn heaps_find_what_brute_force_finds() {
        let rules: Rules = "6,6,5,2,1".parse().expect("rules");
        let mut workshop = Workshop::new(rules);
        let (mut wins, mut losses) = (0, 0);
        // Most positions have no win: some of these, and some of those that have.
        let won = [112, 122, 131, 143, 179, 243, 265, 294, 322, 348];
        for seed in (0..60).chain(won) {
            let stand = thrown(rules, seed);
            let mut attack = workshop.attack(&stand, u64::MAX);
            attack.free = FreeStones::All;
            if attack.board.has_threat(Side::Black) || attack.wins() != Answer::No {
                continue;
            }
            let winning: Vec<(Stones, u8)> = pairs(&attack)
                .into_iter()
                .filter_map(|turn| by_brute_force(&mut attack, &turn).map(|turns| (turn, turns)))
                .collect();
            let mut quiet = Quiet::new(attack);
            quiet.limit = u64::MAX;
            let mut found = quiet.others(&[], usize::MAX).expect("no limit");
            found.iter_mut().for_each(|turn| turn.sort_unstable());
            found.sort_unstable();
            let expected: Vec<Stones> = winning.iter().map(|(turn, _)| turn.clone()).collect();
            assert_eq!(found, expected, "{stand:?}");
            for (turn, turns) in &winning {
                let shortest = quiet.shortest_of_turn(turn, LONGEST);
                assert_eq!(shortest, Ok(Some(*turns)), "{stand:?} {turn:?}");
            }
            match winning.is_empty() {
                true => losses += 1,
                false => wins += 1,
            }
        }
        assert!(wins >= 10 && losses >= 10, "{wins} {losses}");
    }
}
