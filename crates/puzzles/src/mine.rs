//! The pipeline: a position comes in, and perhaps a puzzle comes out. Every stage counts what it lets through.

use tengen_checker::{Limits, check_claim, check_partial_claim};
use tengen_prover::{Proof, Tactics};
use tengen_rules::{Cell, Position, Rules, Side, notation};

use crate::attack::{Answer, FreeStones, LONGEST, Stones};
use crate::ladder::Ladder;
use crate::looks::looks;
use crate::minimal::{Effort, Failure, Goal, Minimal, minimise};
use crate::puzzle::{Features, Kind, Puzzle, Step, Theme, Try};
use crate::rating::{Rating, grade_of};
use crate::recheck::{Claim, Doubt, recheck};
use crate::second::Second;
use crate::shape::shape_key;
use crate::solution::{Node, names, proof, solution, steps};
use crate::stage::{Counts, Stage};
use crate::stand::{Stand, Workshop};

/// What is looked for and how hard.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Options {
    /// Nodes for the first look at a position.
    pub screen: u64,
    /// Nodes while stones are taken off.
    pub effort: Effort,
    /// Positions of the naive search.
    pub recheck: u64,
    /// The fewest attacker's turns of a puzzle.
    pub shortest: u8,
    /// The most.
    pub longest: u8,
    /// The most stones on the board.
    pub stones: usize,
    /// The order of the wins: 1 for double threats, 2 for single threats, 3 for quiet turns (and then nothing else).
    pub order: u8,
    /// Whether defence puzzles are looked for too.
    pub defences: bool,
    /// How many of the shortest first turns are tried as the solution, one after the other.
    pub first_turns: usize,
}

impl Options {
    /// Tries harder: more of the positions become puzzles, and each takes longer.
    pub fn thorough() -> Self {
        let usual = Self::default();
        Self {
            first_turns: 8,
            screen: 4_000,
            recheck: 60_000,
            stones: 44,
            effort: Effort {
                choice: FEWEST_CANDIDATES as usize,
                ..usual.effort
            },
            ..usual
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            screen: 1_500,
            effort: Effort {
                win: 5_000,
                fewer: 5_000,
                unique: 20_000,
                choice: 0,
            },
            recheck: 20_000,
            shortest: 3,
            longest: 12,
            stones: 36,
            order: 1,
            defences: true,
            first_turns: 1,
        }
    }
}

/// Takes positions and gives puzzles. Deterministic: the same position gives the same puzzle.
#[derive(Debug)]
pub struct Miner {
    pub(crate) workshop: Workshop,
    pub(crate) tactics: Tactics,
    pub(crate) options: Options,
}

/// Entries of the table for the prover's quick looks, as a power of two.
const TACTICS_BITS: u32 = 14;

/// Nodes to write the solution down.
pub(crate) const WRITING: u64 = 60_000;

/// Searches of orders 2 and 3 have so many times the positions.
const SECOND_TIMES: u64 = 30;
const QUIET_TIMES: u64 = 20;

/// First turns to choose from.
const FEWEST_CANDIDATES: u32 = 3;

/// Tries that are kept.
pub(crate) const TRIES: usize = 4;

impl Miner {
    /// For one game, which must be one that [`suits`](crate::suits).
    pub fn new(rules: Rules, options: Options) -> Self {
        Self {
            workshop: Workshop::new(rules),
            tactics: Tactics::new(TACTICS_BITS),
            options,
        }
    }

    /// The searches' tables.
    pub const fn workshop(&mut self) -> &mut Workshop {
        &mut self.workshop
    }

    /// Looks for a puzzle in which the attacker wins, with a whole turn to play.
    pub fn win(
        &mut self,
        stand: &Stand,
        source: &str,
        counts: &mut Counts,
    ) -> Option<(Puzzle, Proof)> {
        counts.add(Stage::Position);
        let (first_turns, turns) = self.screen(stand, counts)?;
        let mut minimal = Err(Failure::Double);
        for turn in &first_turns {
            let goal = Goal {
                turn,
                turns,
                order: 1,
                effort: self.options.effort,
            };
            minimal = minimise(&mut self.workshop, stand, goal);
            if minimal != Err(Failure::Double) {
                break;
            }
        }
        let minimal = match minimal {
            Ok(minimal) => minimal,
            Err(failure) => {
                counts.add(failure.into());
                return None;
            }
        };
        counts.add(Stage::Unique);
        if minimal.stand.own.len() + minimal.stand.other.len() > self.options.stones {
            return None;
        }
        counts.add(Stage::Clear);
        let ladder = Ladder::climb(&mut self.workshop, &minimal.stand, self.options.longest);
        if ladder.greedy() {
            return None;
        }
        let first = self.first_turn(&minimal)?;
        // With hardly a choice there is nothing to find.
        if first.candidates < FEWEST_CANDIDATES {
            counts.add(Stage::Obvious);
            return None;
        }
        counts.add(Stage::NotObvious);
        let mut attack = self.workshop.attack(&minimal.stand, WRITING);
        let nodes = solution(&mut attack, &minimal.turn, minimal.turns).ok()?;
        counts.add(Stage::Solved);
        let setup = minimal.stand.to_setup();
        let proof = proof(&nodes, setup.clone(), minimal.stand.attacker, Vec::new());
        let position = notation::setup_text(&setup);
        if !verified(
            &proof,
            minimal.stand.rules,
            &position,
            minimal.stand.attacker,
        ) {
            return None;
        }
        counts.add(Stage::Verified);
        match self.recheck(&minimal, 1, &[]) {
            Ok(_) => counts.add(Stage::Rechecked),
            Err(Doubt::Undecided(_)) => {
                counts.add(Stage::Undecided);
                return None;
            }
            Err(_) => return None,
        }
        let features = self.features(&minimal, &first, &nodes, ladder, 1);
        Some((
            self.puzzle(&minimal, first, &nodes, features, 1, source),
            proof,
        ))
    }

    /// The shortest win, if there is one that is long enough.
    fn screen(&mut self, stand: &Stand, counts: &mut Counts) -> Option<(Vec<Stones>, u8)> {
        let mut attack = self.workshop.attack(stand, self.options.screen);
        if attack.board.has_threat(stand.attacker) {
            return None;
        }
        let turns = attack.shortest(self.options.longest).ok()??;
        counts.add(Stage::Won);
        if turns < self.options.shortest {
            return None;
        }
        counts.add(Stage::NotAtOnce);
        attack.allow(self.options.effort.win);
        let found = attack.winning_turns(turns, self.options.first_turns).ok()?;
        let stones = found.into_iter().map(|win| win.stones).collect();
        Some((stones, turns))
    }

    /// What there is to choose from at the beginning.
    pub(crate) fn first_turn(&mut self, minimal: &Minimal) -> Option<FirstTurn> {
        let side = minimal.stand.attacker;
        let mut attack = self.workshop.attack(&minimal.stand, WRITING);
        let turns = attack.first_turns();
        let solution = looks(&mut attack.board, side, &minimal.turn);
        let mut first = FirstTurn {
            candidates: turns.len() as u32,
            ..FirstTurn::default()
        };
        let mut tries = Vec::new();
        for turn in turns {
            let strength = looks(&mut attack.board, side, &turn);
            let same = minimal.turn.iter().all(|cell| turn.contains(cell));
            if same {
                continue;
            }
            first.stronger += u32::from(strength > solution);
            let mut held = Vec::new();
            attack.place_all(side, &turn);
            let defences = if attack.board.has_threat(!side) {
                Vec::new()
            } else {
                attack.defences().unwrap_or_default()
            };
            for reply in &defences {
                attack.place_all(!side, reply);
                if attack.wins() == Answer::No {
                    held.push(reply.clone());
                }
                attack.undo_all(reply);
            }
            attack.undo_all(&turn);
            if let [only] = &held[..] {
                if defences.len() > 1 {
                    first.tempting += 1;
                    tries.push((
                        std::cmp::Reverse((defences.len(), strength)),
                        turn,
                        only.clone(),
                    ));
                }
            } else if let Some(any) = held.first() {
                tries.push((std::cmp::Reverse((0, strength)), turn, any.clone()));
            }
        }
        first.nodes = attack.nodes;
        tries.sort_by_key(|entry| entry.0);
        let cells = |stones: &Stones| -> Vec<Cell> {
            stones.iter().map(|&cell| attack.board.cell(cell)).collect()
        };
        first.tries = tries
            .iter()
            .take(TRIES)
            .map(|(rank, turn, reply)| Try {
                turn: names(&cells(turn)),
                reply: names(&cells(reply)),
                defences: rank.0.0.max(1) as u8,
            })
            .collect();
        (!attack.is_stopped()).then_some(first)
    }

    pub(crate) fn recheck(
        &self,
        minimal: &Minimal,
        order: u8,
        refutations: &[Vec<Cell>],
    ) -> Result<u64, Doubt> {
        let stand = &minimal.stand;
        let turn: Vec<Cell> = minimal
            .turn
            .iter()
            .map(|&cell| self.workshop.cell(cell))
            .collect();
        let (width, height) = stand.rules.size().unwrap_or((0, 0));
        let claim = Claim {
            size: (usize::from(width), usize::from(height)),
            line: usize::from(stand.rules.line()),
            per_turn: usize::from(stand.rules.per_turn()),
            own: &places(&stand.own),
            other: &places(&stand.other),
            turn: &places(&turn),
            turns: minimal.turns,
            order,
            refutations: &refutations.iter().map(|r| places(r)).collect::<Vec<_>>(),
        };
        recheck(&claim, nodes_of(order, self.options.recheck))
    }

    pub(crate) fn features(
        &mut self,
        minimal: &Minimal,
        first: &FirstTurn,
        nodes: &[Node],
        ladder: Ladder,
        order: u8,
    ) -> Features {
        let main = main_line(nodes);
        let stones: Vec<Cell> = main
            .iter()
            .take(2)
            .flat_map(|&at| nodes[at].turn.clone())
            .collect();
        let apart = |a: &Cell, b: &Cell| (a.x - b.x).abs().max((a.y - b.y).abs());
        let spread = stones
            .iter()
            .flat_map(|a| stones.iter().map(move |b| apart(a, b)))
            .max();
        Features {
            turns: minimal.turns,
            candidates: first.candidates,
            stronger: first.stronger,
            tempting: first.tempting,
            steps: nodes.len() as u32,
            counter_threats: nodes.iter().filter(|node| node.counter_threat).count() as u32,
            nodes: first.nodes,
            spread: spread.unwrap_or(0) as u8,
            stones: (minimal.stand.own.len() + minimal.stand.other.len()) as u32,
            only_turns: self.only_turns(minimal, nodes, &main, order),
            solved_by: ladder.count(),
        }
    }

    /// In how many positions of the main line only one turn wins, the first included.
    fn only_turns(&mut self, minimal: &Minimal, nodes: &[Node], main: &[usize], order: u8) -> u8 {
        let side = minimal.stand.attacker;
        let mut attack = self
            .workshop
            .attack(&minimal.stand, nodes_of(order, self.options.effort.unique));
        attack.free = FreeStones::Useful;
        let mut only = 0;
        for &at in main {
            let turns = match order {
                // A quiet turn is the first one, and has no rival.
                3 if at == 0 => Ok(1),
                1 | 3 => attack.winning_turns(LONGEST, 2).map(|found| found.len()),
                _ => {
                    let mut second = Second::new(attack);
                    let found = second.winning_turns(LONGEST, 2);
                    attack = second.attack;
                    found.map(|found| found.len())
                }
            };
            only += u8::from(nodes[at].within > 1 && turns == Ok(1));
            let index = |cells: &[Cell], attack: &crate::attack::Attack<'_>| -> Stones {
                cells
                    .iter()
                    .filter_map(|&cell| attack.board.index(cell))
                    .collect()
            };
            let turn = index(&nodes[at].turn, &attack);
            attack.place_all(side, &turn);
            if let Some((reply, _)) = nodes[at].replies.first() {
                let reply = index(reply, &attack);
                attack.place_all(!side, &reply);
            }
        }
        only
    }

    pub(crate) fn puzzle(
        &self,
        minimal: &Minimal,
        first: FirstTurn,
        nodes: &[Node],
        features: Features,
        order: u8,
        source: &str,
    ) -> Puzzle {
        let turn: Vec<Cell> = minimal
            .turn
            .iter()
            .map(|&cell| self.workshop.cell(cell))
            .collect();
        let steps: Vec<Step> = steps(nodes);
        let rating = Rating::of(&features);
        let mut themes = vec![match order {
            1 => Theme::DoubleThreat,
            2 => Theme::SingleThreat,
            _ if threatens(&minimal.stand, &turn) => Theme::SingleThreat,
            _ => Theme::Quiet,
        }];
        if features.counter_threats > 0 {
            themes.push(Theme::CounterThreat);
        }
        if defender_threatens(&minimal.stand) {
            themes.push(Theme::UnderThreat);
        }
        if minimal.turn.len() < usize::from(minimal.stand.rules.per_turn()) {
            themes.push(Theme::OneStone);
        }
        if minimal.turns >= 5 {
            themes.push(Theme::Long);
        }
        Puzzle {
            id: shape_key(&minimal.core.own, &turn, if order == 1 { 0 } else { order }),
            kind: Kind::Win,
            rules: minimal.stand.rules.to_string(),
            position: notation::setup_text(&minimal.stand.to_setup()),
            order,
            solution: names(&turn),
            steps,
            tries: first.tries,
            refutations: Vec::new(),
            themes,
            features,
            rating,
            grade: grade_of(rating),
            source: source.to_owned(),
        }
    }
}

/// What there is to choose from at the beginning of a puzzle.
#[derive(Debug, Default)]
pub(crate) struct FirstTurn {
    pub(crate) candidates: u32,
    pub(crate) stronger: u32,
    pub(crate) tempting: u32,
    pub(crate) nodes: u64,
    pub(crate) tries: Vec<Try>,
}

const fn nodes_of(order: u8, nodes: u64) -> u64 {
    match order {
        1 => nodes,
        2 => nodes.saturating_mul(SECOND_TIMES),
        _ => nodes.saturating_mul(QUIET_TIMES),
    }
}

fn defender_threatens(stand: &Stand) -> bool {
    let Ok(position) = Position::from_setup(&stand.to_setup()) else {
        return false;
    };
    tengen_threats::LineBoard::from_position(&position).has_threat(!stand.attacker)
}

/// Whether the turn makes a threat.
fn threatens(stand: &Stand, turn: &[Cell]) -> bool {
    let mut setup = stand.to_setup();
    setup.stones_of_mut(stand.attacker).extend_from_slice(turn);
    let Ok(position) = Position::from_setup(&setup) else {
        return false;
    };
    tengen_threats::LineBoard::from_position(&position).has_threat(stand.attacker)
}

fn main_line(nodes: &[Node]) -> Vec<usize> {
    let mut line = vec![0];
    while let Some((_, next)) = nodes[line[line.len() - 1]].replies.first() {
        line.push(*next);
    }
    line
}

/// Cells in plain numbers.
pub(crate) fn places(cells: &[Cell]) -> Vec<(usize, usize)> {
    cells
        .iter()
        .map(|cell| (cell.x as usize, cell.y as usize))
        .collect()
}

/// Whether the checker accepts the proof of exactly this claim.
pub(crate) fn verified(proof: &Proof, rules: Rules, position: &str, attacker: Side) -> bool {
    let attacker = match attacker {
        Side::Black => "black",
        Side::White => "white",
    };
    let (text, rules) = (proof.to_text(), rules.to_string());
    if proof.except.is_empty() {
        check_claim(&text, &rules, position, attacker, &Limits::default()).is_verified()
    } else {
        let verdict = check_partial_claim(&text, &rules, position, attacker, &Limits::default());
        matches!(verdict, tengen_checker::Verdict::VerifiedExcept(_))
    }
}
