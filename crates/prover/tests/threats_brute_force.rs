//! Go-Moku's threat search against two slow searches that share nothing with it, on 20,000 positions of small boards.
//!
//! - *Brute force* plays the rest of the game with every stone of both sides. What the threat search calls won must be
//!   won there, and the checker must verify it.
//! - The *twin* plays threes and fours of the attacker, found by their definition, and every reply on the board. It must
//!   say the same as the threat search, also where that has found nothing.

use std::collections::HashMap;
use std::ops::Range;

use tengen_checker::{Limits, check_claim};
use tengen_prover::pn::{Threats, Win, win_by_threats};
use tengen_rules::{Cell, Overline, Position, Rules, Side, notation};

/// Stones, or empty cells: bit 8y + x. Column 7 stays empty, so that no row goes on behind the edge.
type Stones = u64;

/// From one cell to the next in each direction.
const STEPS: [u32; 4] = [1, 8, 9, 7];

fn cells(stones: Stones) -> impl Iterator<Item = Stones> {
    (0..u64::BITS)
        .map(|bit| 1 << bit)
        .filter(move |cell| stones & cell != 0)
}

/// A board of at most 7x7 on which five in a row win.
#[derive(Debug, Clone, Copy)]
struct Board {
    all: Stones,
    exactly: bool,
}

impl Board {
    fn new(rules: Rules) -> Self {
        let (width, height) = rules.size().expect("finite");
        assert!(width <= 7 && height <= 7, "one word");
        let row: Stones = (1 << width) - 1;
        Self {
            all: (0..height).map(|y| row << (8 * y)).sum(),
            exactly: rules.overline() == Overline::DoesNotWin,
        }
    }

    /// Whether these stones have a row that wins in this direction.
    fn has_five_along(self, own: Stones, step: u32) -> bool {
        let five = (1..5).fold(own, |row, place| row & own >> (place * step));
        match self.exactly {
            true => five & !(own << step) & !(own >> (5 * step)) != 0,
            false => five != 0,
        }
    }

    fn has_five(self, own: Stones) -> bool {
        STEPS.iter().any(|&step| self.has_five_along(own, step))
    }

    const fn empty(self, own: Stones, other: Stones) -> Stones {
        self.all & !own & !other
    }

    /// The cells on which a side completes a five; it has none yet.
    fn fives(self, own: Stones, other: Stones) -> Stones {
        let completes = |cell: &Stones| self.has_five(own | cell);
        cells(self.empty(own, other)).filter(completes).sum()
    }

    /// Whether a side to move, whose stones are given first, completes a five or leaves two.
    fn wins_at_once(self, own: Stones, other: Stones) -> bool {
        self.fives(own, other) != 0
            || cells(self.empty(own, other))
                .any(|cell| self.fives(own | cell, other).count_ones() > 1)
    }

    /// The stones in a row with a cell, itself among them.
    fn row(own: Stones, cell: Stones, step: u32) -> Stones {
        (0..6).fold(cell, |row, _| row | (row << step | row >> step) & own)
    }

    /// Whether a stone makes a four or a three on one of its lines: a cell completes a five with it, or another stone would
    /// make that two cells.
    fn makes_threat(self, own: Stones, other: Stones, cell: Stones) -> bool {
        STEPS.into_iter().any(|step| {
            let line = Self::row(self.all & !other, cell, step);
            let own = own | cell;
            let completing = |own: Stones| {
                let completes =
                    |last: &Stones| self.has_five_along(Self::row(own | last, cell, step), step);
                cells(line & !own).filter(completes).count()
            };
            completing(own) > 0 || cells(line & !own).any(|next| completing(own | next) > 1)
        })
    }
}

/// Searches everything, and keeps what it has seen.
struct Slow {
    board: Board,
    played: HashMap<(Stones, Stones), bool>,
    threatened: HashMap<(Stones, Stones), bool>,
}

impl Slow {
    fn new(board: Board) -> Self {
        Self {
            board,
            played: HashMap::new(),
            threatened: HashMap::new(),
        }
    }

    /// Brute force: whether the attacker, who is to move, wins. (A five is taken, and a five of the other side prevented.)
    fn wins(&mut self, own: Stones, other: Stones) -> bool {
        if self.board.fives(own, other) != 0 {
            return true;
        }
        let free = self.board.empty(own, other);
        let room = Board {
            exactly: false,
            ..self.board
        };
        if !room.has_five(own | free) {
            return false;
        }
        let moves = match self.board.fives(other, own) {
            0 => free,
            fives if fives.is_power_of_two() => fives,
            _ => return false,
        };
        if let Some(&known) = self.played.get(&(own, other)) {
            return known;
        }
        // What threatens a five first: it is quickly tried.
        let fours = |cell: &Stones| self.board.fives(own | cell, other) != 0;
        let (fours, others): (Vec<Stones>, Vec<Stones>) = cells(moves).partition(fours);
        let wins = fours.into_iter().chain(others).any(|cell| {
            let own = own | cell;
            let replies = match self.board.fives(own, other) {
                0 => self.board.empty(own, other),
                fives if fives.is_power_of_two() => fives,
                _ => return true,
            };
            // The last cell of the board leaves no reply, and no winner.
            replies != 0 && cells(replies).all(|reply| self.wins(own, other | reply))
        });
        self.played.insert((own, other), wins);
        wins
    }

    /// The twin: whether the attacker, who is to move, wins by threes and fours against every reply on the board.
    fn wins_by_threats(&mut self, own: Stones, other: Stones) -> bool {
        if self.board.fives(own, other) != 0 {
            return true;
        }
        let board = self.board;
        let free = board.empty(own, other);
        let moves = match board.fives(other, own) {
            0 => cells(free)
                .filter(|&cell| board.makes_threat(own, other, cell))
                .sum(),
            fives if fives.is_power_of_two() => fives,
            _ => return false,
        };
        if let Some(&known) = self.threatened.get(&(own, other)) {
            return known;
        }
        // Nobody can prevent two fives.
        let wins = cells(moves).any(|cell| board.fives(own | cell, other).count_ones() > 1)
            || cells(moves).any(|cell| {
                let own = own | cell;
                let mut replies = cells(board.empty(own, other));
                // Without a threat, if the defender passed, this fails.
                board.wins_at_once(own, other)
                    && replies.all(|reply| self.wins_by_threats(own, other | reply))
            });
        self.threatened.insert((own, other), wins);
        wins
    }
}

/// Plays at random until so many cells are empty, without a five: of a few cells the one is taken that has most stones of
/// its own side around it. `None` if that fails.
fn played(
    rules: Rules,
    empty: u32,
    random: &mut fastrand::Rng,
) -> Option<(Position, Stones, Stones)> {
    let board = Board::new(rules);
    let (mut own, mut other) = (0, 0);
    let mut game = Vec::new();
    while board.empty(own, other).count_ones() > empty {
        let free: Vec<Stones> = cells(board.empty(own, other)).collect();
        let company = |cell: &Stones| {
            let rows = STEPS.map(|step| Board::row(own, *cell, step).count_ones());
            rows.iter().sum::<u32>()
        };
        let some = (0..3).map(|_| free[random.usize(0..free.len())]);
        let cell = some
            .filter(|cell| !board.has_five(own | cell))
            .max_by_key(company)?;
        let bit = cell.trailing_zeros() as i16;
        game.push(Cell::new(bit % 8, bit / 8));
        (own, other) = (other, own | cell);
    }
    let position = Position::replay(rules, &game).expect("nobody has won");
    Some((position, own, other))
}

fn verify(position: &Position, win: &Win) {
    let proof = win.proof(position).expect("of this game");
    let attacker = match position.to_move() {
        Side::Black => "black",
        Side::White => "white",
    };
    let text = notation::setup_text(&position.to_setup());
    let rules = position.rules().to_string();
    let verdict = check_claim(
        &proof.to_text(),
        &rules,
        &text,
        attacker,
        &Limits::default(),
    );
    assert!(verdict.is_verified(), "{text}: {verdict}");
}

/// With more empty cells than this, brute force takes too long.
const FEW: u32 = 20;

/// What was seen.
#[derive(Debug, Default)]
struct Seen {
    won: u32,
    /// Won, but not by the next two stones.
    long: u32,
    nothing: u32,
}

/// Compares the threat search with the slow ones on so many positions with so many empty cells.
fn compare(rules: &str, positions: u32, empty: Range<u32>) -> Seen {
    let rules: Rules = rules.parse().expect("rules");
    let board = Board::new(rules);
    let mut random = fastrand::Rng::with_seed(board.all ^ u64::from(board.exactly));
    let mut seen = Seen::default();
    while seen.won + seen.nothing < positions {
        let empty = random.u32(empty.clone());
        let Some((position, own, other)) = played(rules, empty, &mut random) else {
            continue;
        };
        // Few are interesting: nobody wins at once, and there are threats to choose from.
        let choice =
            cells(board.empty(own, other)).filter(|&cell| board.makes_threat(own, other, cell));
        let at_once = board.wins_at_once(own, other);
        let dull = at_once || board.fives(other, own) != 0 || choice.count() < 4;
        if dull && random.u16(0..500) > 0 {
            continue;
        }
        let text = notation::setup_text(&position.to_setup());
        let mut slow = Slow::new(board);
        let expected = slow.wins_by_threats(own, other);
        match win_by_threats(&position, 1_000_000).expect("the game goes on") {
            Threats::Won(win) => {
                assert!(expected, "{rules}: the twin finds no win in {text}");
                let wins = empty > FEW || slow.wins(own, other);
                assert!(wins, "{rules}: brute force finds no win in {text}");
                verify(&position, &win);
                seen.won += 1;
                seen.long += u32::from(!at_once);
            }
            Threats::Nothing => {
                assert!(!expected, "{rules}: the twin finds a win in {text}");
                seen.nothing += 1;
            }
            Threats::Unknown => panic!("{rules}: a million nodes do not suffice for {text}"),
        }
    }
    seen
}

/// Many of the positions must be won, and many of these wins must need several threats.
fn agree(rules: &str, positions: u32, empty: Range<u32>, won: u32, long: u32) {
    let seen = compare(rules, positions, empty);
    let enough = seen.won > won && seen.long > long && seen.nothing > positions / 4;
    assert!(enough, "{rules}: {seen:?}");
}

#[test]
fn five_by_five() {
    agree("5,5,5,1,1", 2_500, 8..16, 30, 20);
}

#[test]
fn five_by_five_exactly_five() {
    agree("5,5,5,1,1,exact", 2_500, 8..16, 30, 20);
}

#[test]
fn six_by_six() {
    agree("6,6,5,1,1", 4_000, 10..18, 700, 600);
}

#[test]
fn six_by_six_exactly_five() {
    agree("6,6,5,1,1,exact", 4_000, 10..18, 700, 600);
}

#[test]
fn seven_by_six() {
    agree("7,6,5,1,1", 2_500, 12..18, 700, 400);
}

#[test]
fn seven_by_six_exactly_five() {
    agree("7,6,5,1,1,exact", 2_500, 12..18, 600, 400);
}

#[test]
fn seven_by_seven() {
    agree("7,7,5,1,1", 1_000, 14..19, 400, 100);
}

#[test]
fn seven_by_seven_exactly_five() {
    agree("7,7,5,1,1,exact", 1_000, 14..19, 300, 100);
}

#[test]
fn open_boards() {
    agree("7,7,5,1,1", 400, 21..30, 100, 100);
}

#[test]
fn open_boards_exactly_five() {
    agree("7,7,5,1,1,exact", 400, 21..30, 100, 100);
}
