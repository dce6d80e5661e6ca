//! Exact values against a brute force that knows nothing of reductions; the drawer against random and greedy
//! players; strips and lemmas.

use std::collections::HashMap;

use tengen_drawn::induction::{self, Game, Induction};
use tengen_drawn::{Board, Drawer, ExclusiveSolver, Point, Position, Solver, known, strips};

/// MBBoard(B,p) from its definition: all turns, all answers, nothing left out.
struct Slow {
    lines: Vec<u128>,
    cells: usize,
    per_turn: usize,
    known: HashMap<(u128, u128), bool>,
}

fn subsets(free: &[usize], most: usize) -> Vec<u128> {
    let mut all = vec![0];
    for &cell in free {
        let more: Vec<u128> = all
            .iter()
            .filter(|set: &&u128| (set.count_ones() as usize) < most)
            .map(|set| set | 1 << cell)
            .collect();
        all.extend(more);
    }
    all
}

impl Slow {
    fn new(board: &Board, per_turn: usize) -> Self {
        Self {
            lines: board.sets(),
            cells: board.cells().len(),
            per_turn,
            known: HashMap::new(),
        }
    }

    fn is_drawn(&mut self, black: u128, white: u128) -> bool {
        if let Some(&drawn) = self.known.get(&(black, white)) {
            return drawn;
        }
        let free = |taken: u128| {
            (0..self.cells)
                .filter(|cell| taken >> cell & 1 == 0)
                .collect()
        };
        let before: Vec<usize> = free(black | white);
        let drawn = subsets(&before, self.per_turn)
            .into_iter()
            .filter(|turn| *turn != 0)
            .all(|turn| {
                let black = black | turn;
                if self.lines.iter().any(|line| line & !black == 0) {
                    return false;
                }
                let after: Vec<usize> = (0..self.cells)
                    .filter(|cell| (black | white) >> cell & 1 == 0)
                    .collect();
                subsets(&after, turn.count_ones() as usize)
                    .into_iter()
                    .any(|answer| self.is_drawn(black, white | answer))
            });
        self.known.insert((black, white), drawn);
        drawn
    }
}

fn random_board(random: &mut fastrand::Rng, cells: usize, lines: usize) -> Board {
    let points: Vec<Point> = (0..cells as i32).map(|x| (x, 0)).collect();
    let lines = (0..lines)
        .map(|_| {
            let size = random.usize(1..=4.min(cells));
            let mut line = points.clone();
            random.shuffle(&mut line);
            line.truncate(size);
            line
        })
        .collect();
    Board::new(points, lines).expect("a board")
}

#[test]
fn the_solver_agrees_with_brute_force() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut drawn = 0;
    for round in 0..1_500 {
        let per_turn = 1 + round % 3;
        let cells = random.usize(3..=if per_turn == 1 { 8 } else { 7 });
        let lines = random.usize(1..=7);
        let board = random_board(&mut random, cells, lines);
        let fast = Solver::new(per_turn).is_drawn(&Position::from_board(&board));
        let slow = Slow::new(&board, per_turn).is_drawn(0, 0);
        assert_eq!(fast, Some(slow), "p = {per_turn}\n{board}");
        drawn += usize::from(slow);
    }
    assert!((200..1_300).contains(&drawn), "{drawn}: both values occur");
}

#[test]
fn canonical_forms_are_equal_exactly_for_renamed_positions() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let board = random_board(&mut random, 9, 6);
        let mut lines = board.lines().to_vec();
        random.shuffle(&mut lines);
        let mut cells = board.cells().to_vec();
        random.shuffle(&mut cells);
        let other = Board::new(cells, lines).expect("the same board");
        let form = Position::from_board(&board).canonical();
        assert_eq!(form, Position::from_board(&other).canonical());
        assert_eq!(form.canonical(), form);
    }
}

#[test]
fn black_never_gets_a_line_against_the_drawer() {
    let known = known::theorem_1();
    let plane = known.tiling.into_plane().expect("a tiling");
    let mut drawer = Drawer::new(plane, 2);
    let mut random = fastrand::Rng::with_seed(3);
    for game in 0..40 {
        let (mut black, mut white): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
        // The smaller the part of the plane, the more Black's stones meet.
        let side = 8 + game % 5;
        for _ in 0..side * side {
            let stones = random.usize(1..=2);
            let mut turn = Vec::new();
            for _ in 0..200 {
                let cell = (random.i32(0..side), random.i32(0..side));
                if turn.len() < stones
                    && ![&black, &white, &turn]
                        .iter()
                        .any(|set| set.contains(&cell))
                {
                    turn.push(cell);
                }
            }
            if turn.is_empty() {
                break;
            }
            let answer = drawer.answer(&black, &white, &turn).expect("an answer");
            assert!(answer.len() <= turn.len());
            black.extend(&turn);
            for stone in answer {
                assert!(!black.contains(&stone) && !white.contains(&stone));
                white.push(stone);
            }
        }
        for &(x, y) in &black {
            for (dx, dy) in tengen_drawn::DIRECTIONS {
                let run = (0..11).all(|i| black.contains(&(x + i * dx, y + i * dy)));
                assert!(!run, "eleven in a row");
            }
        }
    }
}

#[test]
fn the_boards_n_and_z_are_the_same() {
    for length in 2..=5 {
        for zones in 1..=3 {
            let z = strips::z_piece(length, zones).expect("a piece");
            let n = strips::n_piece(length, zones * length).expect("a piece");
            let sorted = |mut line: Vec<Point>| {
                line.sort_unstable();
                line
            };
            let mut mapped: Vec<Vec<Point>> = z
                .lines()
                .iter()
                .map(|line| {
                    sorted(
                        line.iter()
                            .map(|&cell| strips::z_to_n(length, cell))
                            .collect(),
                    )
                })
                .collect();
            let mut lines: Vec<Vec<Point>> = n.lines().iter().cloned().map(sorted).collect();
            mapped.sort_unstable();
            lines.sort_unstable();
            assert_eq!(mapped, lines, "L = {length}, {zones} zones");
        }
    }
}

#[test]
fn windows_of_strips_contain_lines() {
    for length in 2..=20 {
        assert!(
            strips::strips_cover(length, 3 * length - 1),
            "Property 1, L = {length}"
        );
        assert!(
            !strips::strips_cover(length, 3 * length - 2),
            "no shorter window will do"
        );
    }
}

#[test]
fn pieces_of_the_initial_games_are_drawn() {
    for (length, per_turn, columns) in [(4, 1, 9), (5, 2, 9), (6, 3, 9), (8, 4, 10)] {
        let board = strips::n_piece(length, columns).expect("a piece");
        let drawn = Solver::new(per_turn).is_drawn(&Position::from_board(&board));
        assert_eq!(
            drawn,
            Some(true),
            "MBBoardN({length},{per_turn}), {columns} columns"
        );
    }
    // Black wins when lines are too short.
    let board = strips::n_piece(3, 6).expect("a piece");
    assert_eq!(
        Solver::new(2).is_drawn(&Position::from_board(&board)),
        Some(false)
    );
}

/// Lemmas 5, 9 and 10 on pieces: rectangles and strips with exclusive squares.
#[test]
fn boards_with_exclusive_squares() {
    let rectangle = |columns: i32, rows: i32| {
        let cells = (0..rows)
            .flat_map(|y| (0..columns).map(move |x| (x, y)))
            .collect();
        let across = (0..rows).map(|y| (0..columns).map(|x| (x, y)).collect());
        let up = (0..columns).map(|x| (0..rows).map(|y| (x, y)).collect());
        Board::new(cells, across.chain(up).collect()).expect("a board")
    };
    for (columns, rows) in [(2, 2), (3, 2), (3, 3)] {
        let board = rectangle(columns, rows);
        assert!(
            ExclusiveSolver::new(&board, 1).is_drawn(),
            "Lemma 5, {columns}x{rows}"
        );
        assert!(
            !ExclusiveSolver::new(&board, 0).is_drawn(),
            "no stone is too few"
        );
    }
    for columns in 2..=6 {
        let board = strips::n_piece(2, columns).expect("a piece");
        assert!(
            ExclusiveSolver::new(&board, 1).is_drawn(),
            "Lemma 9, {columns} columns"
        );
    }
    let board = strips::n_piece(3, 4).expect("a piece");
    assert!(ExclusiveSolver::new(&board, 2).is_drawn(), "Lemma 10");
}

#[test]
fn the_lemmas_reach_theorem_2() {
    let induction = Induction::new(1_100);
    for per_turn in 1..=1_000 {
        let game = induction.least(per_turn).expect("reached");
        let Game::Plain { length, .. } = game else {
            panic!("a game without exclusive squares");
        };
        assert_eq!(
            3 * length - 1,
            induction::theorem_2(per_turn),
            "p = {per_turn}"
        );
        let chain = induction.chain(game);
        assert!(chain[0].from.is_none() && chain.last().is_some_and(|step| step.game == game));
    }
    // The paper's Table 1 and 2.
    assert_eq!(
        induction
            .chain(Game::Plain {
                length: 13,
                per_turn: 9
            })
            .len(),
        4
    );
    // The paper says "smaller for all positive p, but the same for p = 4"; for p = 1 they are the same too.
    for per_turn in 1..=1_000 {
        let (ours, theirs) = (
            induction::theorem_2(per_turn),
            induction::hsieh_tsai(per_turn),
        );
        assert!(
            ours < theirs || [1, 4].contains(&per_turn) && ours == theirs,
            "p = {per_turn}"
        );
    }
}
