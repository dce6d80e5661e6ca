//! Against a plain minimax without tricks, on small boards and on larger ones that are almost full.

use std::collections::HashMap;

use tengen_rules::Side;

use super::board::{Board, Stones};
use super::pairing::pairing;
use super::remains::{Game, Remains, cells_of};
use super::search::{Search, Until};
use super::{Limits, Means, Request, Unsuited, Value, decide};

/// Whether Black completes a line, first in the exact game: every turn is tried. Takes any sets of cells as lines.
struct Slow<'a> {
    cells: u64,
    lines: &'a [u64],
    game: Game,
    known: HashMap<(u64, u64, Side), bool>,
}

impl<'a> Slow<'a> {
    fn new(cells: u64, lines: &'a [u64], game: Game) -> Self {
        Self {
            cells,
            lines,
            game,
            known: HashMap::new(),
        }
    }

    fn has_line(&self, stones: u64) -> bool {
        self.lines.iter().any(|line| line & !stones == 0)
    }

    fn black_wins(&mut self, stones: Stones, to_move: Side) -> bool {
        let Stones { black, white } = stones;
        if let Some(&known) = self.known.get(&(black, white, to_move)) {
            return known;
        }
        let mut turns = cells_of(self.cells & !(black | white));
        let wins = match to_move {
            Side::Black => turns.any(|cell| {
                let black = black | cell;
                self.has_line(black) || self.black_wins(Stones { black, white }, Side::White)
            }),
            Side::White => {
                let any_left = self.cells & !(black | white) != 0;
                any_left
                    && turns.all(|cell| {
                        let white = white | cell;
                        let lost = self.game == Game::Exact && self.has_line(white);
                        !lost && self.black_wins(Stones { black, white }, Side::Black)
                    })
            }
        };
        self.known.insert((black, white, to_move), wins);
        wins
    }
}

const GAMES: [Game; 2] = [Game::Exact, Game::MakerBreaker];
const EMPTY: Stones = Stones { black: 0, white: 0 };

/// A small table, so that entries are lost.
fn fast(board: &Board, game: Game, stones: Stones, to_move: Side) -> bool {
    let mut search = Search::new(board, game, 8);
    let wins = search.black_wins(stones, to_move, Until::default());
    wins.expect("no limit")
}

#[test]
fn whole_boards_as_minimax_has_them() {
    for (width, height) in (1..=4).flat_map(|width| (1..=4).map(move |height| (width, height))) {
        for line in 2..=4 {
            same_as_slow(width, height, line);
        }
    }
    for (width, height) in [(5, 2), (5, 3), (3, 5), (7, 2), (2, 6)] {
        for line in 2..=5 {
            same_as_slow(width, height, line);
        }
    }
}

fn same_as_slow(width: u32, height: u32, line: u32) {
    let board = Board::new(width, height, line).expect("it fits");
    for game in GAMES {
        let slow = Slow::new(board.cells, &board.lines, game).black_wins(EMPTY, Side::Black);
        let fast = fast(&board, game, EMPTY, Side::Black);
        assert_eq!(fast, slow, "{width},{height},{line} {game:?}");
    }
}

/// Random stones, without a complete line; so many cells stay empty.
fn scattered(board: &Board, empty: u32, random: &mut fastrand::Rng) -> Option<Stones> {
    let mut cells: Vec<u64> = cells_of(board.cells).collect();
    random.shuffle(&mut cells);
    cells.truncate(cells.len() - empty as usize);
    let mut stones = EMPTY;
    for (number, cell) in cells.into_iter().enumerate() {
        match number % 2 {
            0 => stones.black |= cell,
            _ => stones.white |= cell,
        }
    }
    let has_line = |stones: u64| board.lines.iter().any(|line| line & !stones == 0);
    (!has_line(stones.black) && !has_line(stones.white)).then_some(stones)
}

#[test]
fn positions_as_minimax_has_them() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut wins, mut all) = (0, 0);
    for (width, height, line) in [
        (4, 4, 3),
        (4, 4, 4),
        (5, 3, 3),
        (5, 4, 4),
        (4, 5, 3),
        (5, 5, 4),
        (5, 5, 5),
        (6, 5, 4),
    ] {
        let board = Board::new(width, height, line).expect("it fits");
        for round in 0..400 {
            let empty = 3 + round % 8;
            let Some(stones) = scattered(&board, empty, &mut random) else {
                continue;
            };
            for (game, to_move) in GAMES
                .into_iter()
                .flat_map(|game| Side::BOTH.map(|side| (game, side)))
            {
                let slow = Slow::new(board.cells, &board.lines, game).black_wins(stones, to_move);
                let fast = fast(&board, game, stones, to_move);
                assert_eq!(
                    fast, slow,
                    "{width},{height},{line} {stones:x?} {to_move:?} {game:?}"
                );
                (wins, all) = (wins + usize::from(slow), all + 1);
            }
        }
    }
    // Neither answer is rare.
    assert!(wins > all / 10 && wins < all * 9 / 10, "{wins} of {all}");
}

/// The positions of a few boards, with a value of each by minimax.
fn for_positions(mut check: impl FnMut(&Board, Game, Stones, Side, bool)) {
    let mut random = fastrand::Rng::with_seed(6);
    for (width, height, line) in [(4, 4, 3), (5, 4, 4), (4, 5, 3), (5, 5, 4)] {
        let board = Board::new(width, height, line).expect("it fits");
        for round in 0..200 {
            let Some(stones) = scattered(&board, 3 + round % 7, &mut random) else {
                continue;
            };
            for game in GAMES {
                let mut slow = Slow::new(board.cells, &board.lines, game);
                for to_move in Side::BOTH {
                    let wins = slow.black_wins(stones, to_move);
                    check(&board, game, stones, to_move, wins);
                }
            }
        }
    }
}

#[test]
fn dead_cells_do_not_matter() {
    let mut changed = 0;
    for_positions(|board, game, stones, to_move, wins| {
        let reduced = Remains::new(board, game, stones).stones(board);
        changed += usize::from(reduced != stones);
        // Lines with a dead cell are nobody's.
        let dead = reduced.black & reduced.white;
        let alive = board.lines.iter().filter(|&line| line & dead == 0);
        let alive: Vec<u64> = alive.copied().collect();
        let mut slow = Slow::new(board.cells, &alive, game);
        let reduced = Stones {
            black: reduced.black & !dead,
            white: reduced.white,
        };
        let after = slow.black_wins(reduced, to_move);
        assert_eq!(after, wins, "{stones:x?} {to_move:?} {game:?}");
    });
    assert!(changed > 500, "{changed}");
}

#[test]
fn turns_left_out_are_not_missed() {
    let mut left_out = 0;
    for_positions(|board, game, stones, to_move, wins| {
        let cells = Remains::new(board, game, stones).best_cells();
        let empty = board.cells & !(stones.black | stones.white);
        left_out += (empty & !cells).count_ones();
        if cells == 0 {
            assert!(!wins, "{stones:x?} {to_move:?} {game:?}");
            return;
        }
        let mut slow = Slow::new(board.cells, &board.lines, game);
        let mut black_wins_after = |cell: u64| {
            let mut after = stones;
            let own = match to_move {
                Side::Black => &mut after.black,
                Side::White => &mut after.white,
            };
            *own |= cell;
            match to_move {
                Side::Black if slow.has_line(after.black) => true,
                Side::White if game == Game::Exact && slow.has_line(after.white) => false,
                _ => slow.black_wins(after, !to_move),
            }
        };
        let best = match to_move {
            Side::Black => cells_of(cells).any(&mut black_wins_after),
            Side::White => cells_of(cells).all(&mut black_wins_after),
        };
        assert_eq!(best, wins, "{stones:x?} {to_move:?} {game:?}");
    });
    assert!(left_out > 2_000, "{left_out}");
}

/// Random sets of cells, as lines of no board.
fn random_sets(random: &mut fastrand::Rng) -> (u64, Vec<u64>) {
    let size = random.u32(4..=9);
    let sets = (0..random.usize(1..=8)).map(|_| {
        let mut set = 0u64;
        while set.count_ones() < random.u32(2..=4).min(size) {
            set |= 1 << random.u32(0..size);
        }
        set
    });
    ((1 << size) - 1, sets.collect())
}

/// All ways to choose disjoint pairs of cells: whether one has a pair in each set.
fn has_pairing_slow(cells: u64, sets: &[u64]) -> bool {
    if sets.is_empty() {
        return true;
    }
    let Some(first) = cells_of(cells).next() else {
        return false;
    };
    let rest = cells & !first;
    has_pairing_slow(rest, sets)
        || cells_of(rest).any(|other| {
            let pair = first | other;
            let missed = sets.iter().copied().filter(|set| pair & !set != 0);
            has_pairing_slow(rest & !other, &missed.collect::<Vec<_>>())
        })
}

#[test]
fn pairings_are_pairings_and_none_is_missed() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut found_some, mut found_none) = (0, 0);
    for _ in 0..3_000 {
        let (cells, sets) = random_sets(&mut random);
        let found = pairing(&sets, u32::MAX);
        assert_eq!(found.is_some(), has_pairing_slow(cells, &sets), "{sets:x?}");
        let Some(pairs) = found else {
            found_none += 1;
            continue;
        };
        found_some += 1;
        assert!(pairs.iter().all(|pair| pair.count_ones() == 2));
        let union = pairs.iter().fold(0, |all, pair| all | pair);
        assert_eq!(union.count_ones() as usize, 2 * pairs.len(), "disjoint");
        for set in &sets {
            assert!(pairs.iter().any(|pair| pair & !set == 0), "{sets:x?}");
        }
        // White holds, whoever moves; also if White has the same lines.
        for game in GAMES {
            for to_move in Side::BOTH {
                let wins = Slow::new(cells, &sets, game).black_wins(EMPTY, to_move);
                assert!(!wins, "{sets:x?}");
            }
        }
    }
    assert!(
        found_some > 500 && found_none > 500,
        "{found_some} {found_none}"
    );
    assert_eq!(pairing(&[0b111, 0b111_000], 1), None, "the budget ends it");
}

#[test]
fn images_of_a_position_have_one_canonical_form() {
    let mut random = fastrand::Rng::with_seed(8);
    for (width, height) in [(5u32, 5u32), (8, 8), (7, 3), (2, 6)] {
        let board = Board::new(width, height, 3).expect("it fits");
        let image = |cells: u64, goes_to: &dyn Fn(u32, u32) -> (u32, u32)| {
            cells_of(cells).fold(0, |all, cell| {
                let number = cell.trailing_zeros();
                let (x, y) = goes_to(number % width, number / width);
                all | 1u64 << (y * width + x)
            })
        };
        let mirrored = |x, y| (width - 1 - x, y);
        let flipped = |x, y| (x, height - 1 - y);
        let turned = |x, y| if width == height { (y, x) } else { (x, y) };
        for _ in 0..200 {
            let black = random.u64(..) & board.cells;
            let white = random.u64(..) & board.cells;
            let canonical = board.canonical(Stones { black, white });
            let maps: [&dyn Fn(u32, u32) -> (u32, u32); 3] = [&mirrored, &flipped, &turned];
            for map in maps {
                let moved = Stones {
                    black: image(black, map),
                    white: image(white, map),
                };
                assert_eq!(board.canonical(moved), canonical);
            }
        }
    }
}

#[test]
fn known_values() {
    let known = [
        ("3,3,3,1,1", Value::Draw, Means::Exact),
        ("4,3,3,1,1", Value::FirstPlayerWins, Means::Exact),
        ("4,4,4,1,1", Value::Draw, Means::MakerBreaker),
        ("5,5,4,1,1", Value::Draw, Means::Exact),
        ("6,5,4,1,1", Value::FirstPlayerWins, Means::Exact),
        ("5,6,4,1,1", Value::FirstPlayerWins, Means::Exact),
        ("6,6,5,1,1", Value::Draw, Means::MakerBreaker),
    ];
    for (rules, value, means) in known {
        let request = Request {
            table_bits: 16,
            ..Request::default()
        };
        let decision = decide(&rules.parse().expect("rules"), &request).expect("suited");
        assert_eq!(decision.found, Some((value, means)), "{rules}");
    }
}

#[test]
fn limits_leave_it_unknown() {
    let request = Request {
        limits: Limits {
            nodes: Some(100),
            time: None,
        },
        ..Request::default()
    };
    let decision = decide(&"7,7,5,1,1".parse().expect("rules"), &request).expect("suited");
    assert_eq!(decision.found, None);
    assert_eq!(decision.nodes, 100);
}

#[test]
fn other_games_are_refused() {
    let cases = [
        ("9,8,5,1,1", Unsuited::Board),
        ("inf,inf,5,1,1", Unsuited::Board),
        ("6,6,5,2,1", Unsuited::Stones),
    ];
    for (rules, why) in cases {
        let refused = decide(&rules.parse().expect("rules"), &Request::default());
        assert_eq!(refused.err(), Some(why), "{rules}");
    }
}
