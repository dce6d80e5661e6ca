//! A run: many items (games) through the pipeline on several threads, the results in the items' order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use tengen_prover::Proof;
use tengen_rules::{Cell, Position, Rules, Side};
use tengen_threats::Index;

use crate::attack::{Answer, Stones};
use crate::mine::{Miner, Options};
use crate::puzzle::Puzzle;
use crate::quiet::Quiet;
use crate::second::Second;
use crate::stage::Counts;
use crate::stand::Stand;

/// Before this many stones no puzzle is looked for.
const FEWEST_STONES: u32 = 9;

/// Nodes to see whether a quiet solution still wins.
const QUIET_PART: u64 = 200_000;

/// What came of one item.
#[derive(Debug, Default)]
pub struct Found {
    /// The puzzles, in the order of the game.
    pub puzzles: Vec<(Puzzle, Proof)>,
    /// What was counted.
    pub counts: Counts,
}

/// The last puzzle of a side in a game.
#[derive(Debug, Default)]
struct Had {
    solution: Vec<Cell>,
    turns: u8,
}

impl Miner {
    /// All puzzles of a game, of its positions before whole turns, each with either side as the attacker: stones are
    /// taken off and put there anyway, so that it does not matter whose turn it was. While the solution of a puzzle is
    /// still there, or was played, the positions of that side are parts of that puzzle and left out.
    pub fn game(&mut self, start: Position, stones: &[Cell], source: &str) -> Found {
        let mut found = Found::default();
        let mut had = [const { None }; 2];
        let mut position = start;
        let mut stones = stones.iter();
        loop {
            let number = position.count(Side::Black) + position.count(Side::White);
            if position.left() == position.rules().per_turn() && number >= FEWEST_STONES {
                self.position(&position, source, &mut had, &mut found);
            }
            let Some(&cell) = stones.next() else { break };
            if position.place(cell).is_err() || position.outcome().is_some() {
                break;
            }
        }
        found
    }

    fn position(
        &mut self,
        position: &Position,
        source: &str,
        had: &mut [Option<Had>; 2],
        found: &mut Found,
    ) {
        let number = position.count(Side::Black) + position.count(Side::White);
        let source = format!("{source}, after {number} stones");
        for side in [position.to_move(), !position.to_move()] {
            let stand = Stand::of(position).attacked_by(side);
            let had = &mut had[side as usize];
            if had.as_ref().is_some_and(|had| self.is_part(&stand, had)) {
                continue;
            }
            *had = None;
            let puzzle = match self.options.order {
                1 => self.win(&stand, &source, &mut found.counts),
                2 => self.second(&stand, &source, &mut found.counts),
                _ => self.quiet(&stand, &source, &mut found.counts),
            };
            if let Some(puzzle) = puzzle {
                let cells = puzzle.0.solution.iter();
                *had = Some(Had {
                    solution: cells.filter_map(|name| name.parse().ok()).collect(),
                    turns: puzzle.0.features.turns,
                });
                // With the same solution it is the same puzzle with other stones around it.
                let twin = |(other, _): &(Puzzle, Proof)| other.solution == puzzle.0.solution;
                if !found.puzzles.iter().any(twin) {
                    found.puzzles.push(puzzle);
                }
            }
        }
        if self.options.defences && self.options.order == 1 {
            found
                .puzzles
                .extend(self.defence(position, &source, &mut found.counts));
        }
    }

    /// Whether the puzzle's solution was played, or still wins here.
    fn is_part(&mut self, stand: &Stand, had: &Had) -> bool {
        let played = |cell: &Cell| stand.own.contains(cell);
        if had.solution.iter().all(played) {
            return true;
        }
        let turn: Stones = had
            .solution
            .iter()
            .map(|&cell| self.workshop.index(cell))
            .collect();
        let mut attack = self.workshop.attack(stand, self.options.screen);
        let free = |&cell: &Index| attack.board.stone(cell).is_none();
        if attack.board.has_threat(stand.attacker) || !turn.iter().all(free) {
            return false;
        }
        let answer = match self.options.order {
            1 => attack.turn_wins_within(&turn, had.turns),
            2 => Second::new(attack).turn_wins_within(&turn, had.turns),
            _ => {
                attack.allow(QUIET_PART);
                Quiet::new(attack).turn_wins_within(&turn, had.turns)
            }
        };
        answer == Answer::Yes
    }

    /// The puzzle in one position, if it is before a whole turn.
    pub fn single(&mut self, position: &Position, source: &str) -> Found {
        let mut found = Found::default();
        if position.left() == position.rules().per_turn() && position.outcome().is_none() {
            self.position(position, source, &mut [const { None }; 2], &mut found);
        }
        found
    }
}

/// Runs `work` on the items `0..items` with some threads, each with its own miner. The results come in order; `None`
/// when `stop` was set before all were done.
pub fn in_parallel(
    rules: Rules,
    options: Options,
    threads: usize,
    items: usize,
    stop: &AtomicBool,
    miners: &mut Vec<Miner>,
    work: impl Fn(&mut Miner, usize) -> Found + Sync,
) -> Option<Vec<Found>> {
    miners.resize_with(threads.max(1), || Miner::new(rules, options));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Found>>> = Mutex::new((0..items).map(|_| None).collect());
    thread::scope(|scope| {
        for miner in miners.iter_mut() {
            let (next, results, work) = (&next, &results, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let item = next.fetch_add(1, Ordering::Relaxed);
                    if item >= items {
                        break;
                    }
                    let found = work(miner, item);
                    results.lock().expect("no worker panics with the lock")[item] = Some(found);
                }
            });
        }
    });
    let results = results.into_inner().expect("all workers are done");
    results.into_iter().collect()
}

/// Where positions come from: numbered items, each a game from some start.
pub trait Source: Sync {
    /// The name under which a collection remembers how far it was read. It must tell apart what differs.
    fn name(&self) -> String;
    /// How many items there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// A game: its start, its stones in order, and what it is called.
    fn item(&self, number: usize) -> Option<(Position, Vec<Cell>, String)>;
}

/// How a run shall go.
#[derive(Debug, Copy, Clone)]
pub struct Plan {
    /// The game.
    pub rules: Rules,
    /// What is looked for.
    pub options: Options,
    /// How many threads search. The result does not depend on it.
    pub threads: usize,
    /// The run ends when the collection has so many puzzles.
    pub enough: Option<u64>,
}

/// Items between two transactions.
const BATCH: usize = 32;

/// Reads a source from where earlier runs have left it, into a collection. `progress` hears after every batch how many
/// items are done, and what this run has counted. Ends when all is read, when there is enough, or when `stop` is set.
pub fn run(
    collection: &mut crate::Collection,
    source: &dyn Source,
    plan: &Plan,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64, &Counts),
) -> Result<Counts, crate::CollectionError> {
    let name = match plan.options.order {
        1 => source.name(),
        order => format!("{}, order {order}", source.name()),
    };
    let mut done = collection.done(&name)? as usize;
    let mut all = Counts::default();
    let mut miners = Vec::new();
    while done < source.len() {
        if let Some(enough) = plan.enough
            && collection.len()? >= enough
        {
            break;
        }
        let items = BATCH.min(source.len() - done);
        let work = |miner: &mut Miner, item: usize| match source.item(done + item) {
            Some((start, stones, title)) if start.rules() == plan.rules => {
                miner.game(start, &stones, &title)
            }
            _ => Found::default(),
        };
        let found = in_parallel(
            plan.rules,
            plan.options,
            plan.threads,
            items,
            stop,
            &mut miners,
            work,
        );
        let Some(found) = found else { break };
        let mut counts = Counts::default();
        found.iter().for_each(|found| counts.merge(&found.counts));
        let puzzles: Vec<(Puzzle, Proof)> =
            found.into_iter().flat_map(|found| found.puzzles).collect();
        done += items;
        let before = collection.counts()?;
        collection.add(&name, done as u64, &puzzles, counts)?;
        let after = collection.counts()?;
        all.merge(&after.since(&before));
        progress(done as u64, &all);
    }
    Ok(all)
}

/// Games of Tengen against itself.
#[derive(Debug, Copy, Clone)]
pub struct SelfPlay {
    /// The game.
    pub rules: Rules,
    /// The series.
    pub seed: u64,
    /// How many.
    pub games: usize,
}

impl Source for SelfPlay {
    fn name(&self) -> String {
        format!("self-play {} seed {}", self.rules, self.seed)
    }

    fn len(&self) -> usize {
        self.games
    }

    fn item(&self, number: usize) -> Option<(Position, Vec<Cell>, String)> {
        let stones = crate::self_play(self.rules, self.seed, number as u64);
        let title = format!("self-play {}, game {}", self.seed, number + 1);
        Some((Position::new(self.rules), stones, title))
    }
}

/// Stones thrown near the centre: shapes that no game has.
#[derive(Debug, Copy, Clone)]
pub struct Thrown {
    /// The game.
    pub rules: Rules,
    /// The series.
    pub seed: u64,
    /// How many.
    pub games: usize,
}

impl Source for Thrown {
    fn name(&self) -> String {
        format!("thrown {} seed {}", self.rules, self.seed)
    }

    fn len(&self) -> usize {
        self.games
    }

    fn item(&self, number: usize) -> Option<(Position, Vec<Cell>, String)> {
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64;
        let opening = tengen_player::arena::random_openings(self.rules, 1, 14, seed);
        let stones = opening
            .into_iter()
            .flat_map(|opening| opening.stones)
            .collect();
        let title = format!("thrown {}, number {}", self.seed, number + 1);
        Some((Position::new(self.rules), stones, title))
    }
}
