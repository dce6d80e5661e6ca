//! Defence puzzles: the opponent threatens twice, there are several ways to stop it, and all of them but one lose.
//!
//! "Lose" is proved: a win by double threats against each, in one proof with the surviving turn as its exception.
//! "Survives" means that no win by double threats is left, with everything exhausted; a win by other means may
//! exist.

use tengen_prover::Proof;
use tengen_rules::{Cell, Position, notation};
use tengen_threats::Index;

use crate::attack::{Answer, Attack, FreeStones, LONGEST, Stones};
use crate::mine::{Miner, places, verified};
use crate::puzzle::{Features, Kind, Puzzle, Theme};
use crate::rating::{Rating, grade_of};
use crate::recheck::{Claim, recheck_defence};
use crate::shape::shape_key;
use crate::solution::{Node, TooLarge, add_win, names, proof, steps};
use crate::stage::{Counts, Stage};
use crate::stand::{Stand, Workshop};

/// Fewer ways to stop the threats leave too little choice.
const FEWEST: usize = 3;

/// The lost defences, and the one that is not.
struct Split {
    lost: Vec<Stones>,
    only: Stones,
    /// Attacker's turns to win against the hardest of the lost ones.
    longest: u8,
}

impl Miner {
    /// Looks for a puzzle in which the side to move has one defence. The position must be before a whole turn.
    pub fn defence(
        &mut self,
        position: &Position,
        source: &str,
        counts: &mut Counts,
    ) -> Option<(Puzzle, Proof)> {
        // Here the side that has just moved attacks.
        let whole = Stand::of(position).attacked_by(!position.to_move());
        let split = split(
            &mut self.workshop,
            &whole,
            FreeStones::Useful,
            self.options.screen,
        )?;
        if split.longest < 3 {
            return None;
        }
        let stand = self.fewer(&whole, &split.only);
        let split = self::split(
            &mut self.workshop,
            &stand,
            FreeStones::All,
            self.options.effort.unique,
        )?;
        // With fewer stones a loss may come sooner.
        if split.longest < 3 {
            return None;
        }
        counts.add(Stage::Defence);
        if stand.own.len() + stand.other.len() > self.options.stones {
            return None;
        }
        let nodes = self.lost(&stand, &split).ok()?;
        let only: Vec<Cell> = split
            .only
            .iter()
            .map(|&cell| self.workshop.cell(cell))
            .collect();
        let mut setup = stand.to_setup();
        setup.to_move = !stand.attacker;
        let proof = proof(&nodes, setup.clone(), stand.attacker, vec![only.clone()]);
        let text = notation::setup_text(&setup);
        let (width, height) = stand.rules.size()?;
        let claim = Claim {
            size: (usize::from(width), usize::from(height)),
            line: usize::from(stand.rules.line()),
            per_turn: usize::from(stand.rules.per_turn()),
            own: &places(&stand.own),
            other: &places(&stand.other),
            turn: &places(&only),
            turns: split.longest,
            order: 1,
            refutations: &[],
        };
        if !verified(&proof, stand.rules, &text, stand.attacker)
            || recheck_defence(&claim, self.options.recheck).is_err()
        {
            return None;
        }
        counts.add(Stage::DefenceRechecked);
        let features = Features {
            turns: split.longest,
            candidates: split.lost.len() as u32 + 1,
            tempting: split.lost.len() as u32,
            steps: nodes.len() as u32,
            counter_threats: nodes.iter().filter(|node| node.counter_threat).count() as u32,
            nodes: nodes.len() as u64,
            stones: (stand.own.len() + stand.other.len()) as u32,
            ..Features::default()
        };
        let rating = Rating::of(&features);
        let puzzle = Puzzle {
            id: shape_key(&stand.own, &only, 1),
            kind: Kind::Defence,
            rules: stand.rules.to_string(),
            position: text,
            order: 1,
            solution: names(&only),
            steps: steps(&nodes),
            tries: Vec::new(),
            refutations: Vec::new(),
            themes: vec![Theme::Defence],
            features,
            rating,
            grade: grade_of(rating),
            source: source.to_owned(),
        };
        Some((puzzle, proof))
    }

    /// Takes off two stones of each side at a time, the farthest first, as long as the only defence stays so.
    fn fewer(&mut self, whole: &Stand, only: &[Index]) -> Stand {
        let near = self.workshop.cell(only[0]);
        let far = |cells: &[Cell]| {
            let mut cells = cells.to_vec();
            let distance = |cell: &Cell| (cell.x - near.x).abs().max((cell.y - near.y).abs());
            cells.sort_by_key(|cell| (-distance(cell), *cell));
            cells
        };
        let each = usize::from(whole.rules.per_turn());
        let mut stand = whole.clone();
        let (own, other) = (far(&whole.own), far(&whole.other));
        let pairs: Vec<(&[Cell], &[Cell])> = own
            .chunks_exact(each)
            .zip(other.chunks_exact(each))
            .collect();
        for (own, other) in pairs {
            let mut fewer = stand.clone();
            fewer.own.retain(|cell| !own.contains(cell));
            fewer.other.retain(|cell| !other.contains(cell));
            let nodes = self.options.effort.fewer;
            let kept = split(&mut self.workshop, &fewer, FreeStones::Useful, nodes);
            if kept.is_some_and(|kept| kept.only.as_slice() == only) {
                stand = fewer;
            }
        }
        stand
    }

    /// A root without a turn, and the win against each lost defence.
    fn lost(&mut self, stand: &Stand, split: &Split) -> Result<Vec<Node>, TooLarge> {
        let mut attack = self.workshop.attack(stand, 60_000);
        let mut nodes = vec![Node::root()];
        let mut replies = Vec::new();
        for reply in &split.lost {
            attack.place_all(!stand.attacker, reply);
            let counter = attack.board.has_threat(!stand.attacker);
            let child = add_win(&mut attack, LONGEST, &mut nodes)?;
            nodes[child].counter_threat = counter;
            attack.undo_all(reply);
            let cells: Vec<Cell> = reply.iter().map(|&cell| attack.board.cell(cell)).collect();
            replies.push((cells, child));
        }
        replies
            .sort_by_key(|(cells, child)| (std::cmp::Reverse(nodes[*child].within), cells.clone()));
        nodes[0].within = nodes.iter().map(|node| node.within).max().unwrap_or(0);
        nodes[0].replies = replies;
        Ok(nodes)
    }
}

/// Tries every defence; `None` if there are too few, or not exactly one holds.
fn split(workshop: &mut Workshop, stand: &Stand, free: FreeStones, nodes: u64) -> Option<Split> {
    let defender = !stand.attacker;
    let mut attack: Attack<'_> = workshop.attack(stand, nodes);
    attack.free = free;
    if attack.board.has_threat(defender) {
        return None;
    }
    let defences = attack.defences()?;
    if defences.len() < FEWEST {
        return None;
    }
    let mut lost = Vec::new();
    let mut only = None;
    let mut longest = 0;
    for reply in defences {
        attack.place_all(defender, &reply);
        attack.allow(nodes);
        let answer = attack.wins();
        let within = match answer {
            Answer::Yes => attack.shortest(LONGEST).ok().flatten(),
            _ => None,
        };
        attack.undo_all(&reply);
        match (answer, within) {
            (Answer::Yes, Some(within)) => {
                longest = longest.max(within);
                lost.push(reply);
            }
            (Answer::No, _) if only.is_none() => only = Some(reply),
            _ => return None,
        }
    }
    Some(Split {
        lost,
        only: only?,
        longest,
    })
}
