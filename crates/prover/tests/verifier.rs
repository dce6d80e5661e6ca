//! The verifier against brute force on small boards, and what it promises besides: proofs that the
//! checker accepts, one result on any number of threads, verifications that go on where they were.

use std::collections::HashMap;

use fastrand::Rng;
use tengen_checker::{Limits, Verdict, check};
use tengen_prover::{Request, Solver, Value, Verification, VerifyError, VerifyRequest, verify};
use tengen_rules::notation::{parse_position, setup_text};
use tengen_rules::{Cell, Position, Rules, Setup, Side};

/// Exact values by trying everything, stone by stone.
struct BruteForce {
    width: u32,
    cells: u32,
    per_turn: u32,
    lines: Vec<u64>,
    known: HashMap<(u64, u64, bool, u32), bool>,
}

impl BruteForce {
    fn new(rules: Rules) -> Self {
        let (width, height) = rules.size().expect("a finite board");
        let (width, height, line) = (i32::from(width), i32::from(height), i32::from(rules.line()));
        let mut lines = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for x in 0..width {
                for y in 0..height {
                    let (to_x, to_y) = (x + dx * (line - 1), y + dy * (line - 1));
                    if (0..width).contains(&to_x) && (0..height).contains(&to_y) {
                        let cell = |i| 1_u64 << ((y + dy * i) * width + x + dx * i);
                        lines.push((0..line).map(cell).sum());
                    }
                }
            }
        }
        Self {
            width: width as u32,
            cells: (width * height) as u32,
            per_turn: u32::from(rules.per_turn()),
            lines,
            known: HashMap::new(),
        }
    }

    fn mask(&self, cells: &[Cell]) -> u64 {
        let bit = |cell: &Cell| 1 << (cell.y as u32 * self.width + cell.x as u32);
        cells.iter().map(bit).sum()
    }

    fn cell(&self, bit: u32) -> Cell {
        Cell::new((bit % self.width) as i16, (bit / self.width) as i16)
    }

    fn empty(&self, stones: u64) -> Vec<u32> {
        (0..self.cells)
            .filter(|bit| stones >> bit & 1 == 0)
            .collect()
    }

    /// Whether the attacker wins; `attacking` says who places the next of `left` stones.
    fn wins(&mut self, attacker: u64, defender: u64, attacking: bool, left: u32) -> bool {
        let key = (attacker, defender, attacking, left);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let next = if left == 1 {
            (!attacking, self.per_turn)
        } else {
            (attacking, left - 1)
        };
        let empty = self.empty(attacker | defender);
        let complete = |stones: u64, bit: u32, lines: &[u64]| {
            let mut through = lines.iter().filter(|&line| line >> bit & 1 == 1);
            through.any(|line| stones & line == *line)
        };
        let wins = if attacking {
            empty.iter().any(|bit| {
                let more = attacker | 1 << bit;
                complete(more, *bit, &self.lines) || self.wins(more, defender, next.0, next.1)
            })
        } else {
            !empty.is_empty()
                && empty.iter().all(|bit| {
                    let more = defender | 1 << bit;
                    !complete(more, *bit, &self.lines) && self.wins(attacker, more, next.0, next.1)
                })
        };
        self.known.insert(key, wins);
        wins
    }
}

/// Random stones, the defender to make a whole turn; nobody has won.
fn random_position(rules: Rules, brute: &BruteForce, free: u32, rng: &mut Rng) -> Option<Position> {
    let mut cells: Vec<u32> = (0..brute.cells).collect();
    rng.shuffle(&mut cells);
    let stones = (brute.cells - free) as usize;
    let attackers = stones / 2 + rng.usize(0..=3);
    let mut setup = Setup {
        to_move: Side::White,
        ..Setup::empty(rules)
    };
    let cell = |&bit: &u32| brute.cell(bit);
    *setup.stones_of_mut(Side::Black) = cells[..attackers].iter().map(cell).collect();
    *setup.stones_of_mut(Side::White) = cells[attackers..stones].iter().map(cell).collect();
    Position::from_setup(&setup).ok()
}

fn replies(empty: &[u32], stones: u32) -> Vec<Vec<u32>> {
    if stones == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &bit) in empty.iter().enumerate() {
        for mut rest in replies(&empty[place + 1..], stones - 1) {
            rest.push(bit);
            all.push(rest);
        }
    }
    all
}

/// The proof is accepted, for a win or for all but the survivors.
fn assert_proved(found: &Verification, message: &str) {
    let Some(proof) = &found.proof else {
        assert!(!found.survivors.is_empty(), "{message}");
        return;
    };
    match check(&proof.to_text(), &Limits::default()) {
        Verdict::Verified(_) => assert!(found.survivors.is_empty(), "{message}"),
        Verdict::VerifiedExcept(report) => {
            let mut except: Vec<Vec<(i32, i32)>> = report.except;
            let pair = |cell: &Cell| (i32::from(cell.x), i32::from(cell.y));
            let mut survivors: Vec<Vec<(i32, i32)>> = found
                .survivors
                .iter()
                .map(|stones| stones.iter().map(pair).collect())
                .collect();
            for set in except.iter_mut().chain(&mut survivors) {
                set.sort_unstable();
            }
            except.sort();
            survivors.sort();
            assert_eq!(except, survivors, "{message}");
        }
        other => panic!("{other}: {message}"),
    }
}

/// Small stages: every sort of result must occur.
const STAGES: [u64; 2] = [40, 400];

fn against_brute_force(rules: &str, order: u8, free: u32, positions: usize) {
    let rules: Rules = rules.parse().expect("rules");
    let mut brute = BruteForce::new(rules);
    let mut rng = Rng::with_seed(u64::from(order) << 32 | u64::from(free));
    let (mut tried, mut partly, mut won) = (0, 0, 0);
    while tried < positions {
        let Some(position) = random_position(rules, &brute, free, &mut rng) else {
            continue;
        };
        let request = VerifyRequest {
            stages: &STAGES,
            limits: tengen_prover::Limits {
                nodes: Some(20_000),
                time: None,
            },
            ..VerifyRequest::new(order)
        };
        let found = match verify(&position, &request) {
            Ok(found) => found,
            Err(VerifyError::DefenderWins { .. } | VerifyError::Over) => continue,
            Err(other) => panic!("{other}"),
        };
        tried += 1;
        let setup = position.to_setup();
        let message = format!("{rules} {}", setup_text(&setup));
        assert_proved(&found, &message);
        let attacker = brute.mask(setup.stones_of(Side::Black));
        let defender = brute.mask(setup.stones_of(Side::White));
        let survivors: Vec<u64> = found.survivors.iter().map(|s| brute.mask(s)).collect();
        let empty = brute.empty(attacker | defender);
        let mut losing = 0;
        for reply in replies(&empty, brute.per_turn) {
            let reply: u64 = reply.iter().map(|bit| 1_u64 << bit).sum();
            if survivors.iter().any(|stones| reply & stones == *stones) {
                continue;
            }
            losing += 1;
            let per_turn = brute.per_turn;
            assert!(
                brute.wins(attacker, defender | reply, true, per_turn),
                "{message}: {:?} does not lose",
                brute.empty(!reply)
            );
        }
        won += usize::from(survivors.is_empty());
        partly += usize::from(losing > 0 && !survivors.is_empty());
    }
    assert!(
        won + partly > positions / 4 && partly > 0,
        "{won} and {partly}"
    );
}

#[test]
fn four_in_a_row_two_stones() {
    against_brute_force("5,5,4,2,1", 2, 10, 300);
    against_brute_force("5,5,4,2,1", 3, 10, 200);
}

#[test]
fn four_in_a_row_two_stones_on_a_long_board() {
    against_brute_force("8,3,4,2,1", 2, 10, 300);
    against_brute_force("8,3,4,2,1", 4, 10, 100);
}

#[test]
fn five_in_a_row_two_stones() {
    against_brute_force("6,5,5,2,1", 2, 10, 200);
    against_brute_force("6,5,5,2,1", 3, 10, 100);
}

#[test]
fn four_in_a_row_one_stone() {
    against_brute_force("6,5,4,1,1", 2, 11, 300);
    against_brute_force("6,5,4,1,1", 3, 11, 200);
}

#[test]
fn three_in_a_row_one_stone() {
    against_brute_force("5,4,3,1,1", 3, 11, 200);
    against_brute_force("5,4,3,1,1", 4, 11, 100);
}

#[test]
fn five_in_a_row_three_stones() {
    against_brute_force("5,5,5,3,1", 2, 10, 200);
    against_brute_force("5,5,5,3,1", 4, 10, 50);
}

const TRIANGLE: &str = "B:J10,J12,K11 to-move:W";

fn position(text: &str, rules: &str) -> Position {
    parse_position(text, rules.parse().expect("rules")).expect("a position")
}

#[test]
fn the_triangle_wins_with_few_searches() {
    let found = verify(&position(TRIANGLE, "19,19,6,2,3"), &VerifyRequest::new(1)).expect("legal");
    assert!(found.survivors.is_empty() && found.finished);
    assert!(found.searches <= 100, "{} searches", found.searches);
    assert_proved(&found, "the triangle");
}

#[test]
fn the_triangle_wins_on_every_board_around_it() {
    let found =
        verify(&position(TRIANGLE, "inf,inf,6,2,3"), &VerifyRequest::new(1)).expect("legal");
    let proof = found.proof.as_ref().expect("a proof");
    let (low, high) = proof.region.expect("a region");
    let Verdict::Verified(report) = check(&proof.to_text(), &Limits::default()) else {
        panic!("not verified");
    };
    assert!(report.region.is_some());
    // Nothing to spare: the same proof fails on a board that is one column smaller.
    let mut smaller = proof.clone();
    smaller.region = Some((low, Cell::new(high.x - 1, high.y)));
    assert_eq!(check(&smaller.to_text(), &Limits::default()).exit_code(), 1);
}

#[test]
fn an_attack_far_from_all_stones_is_judged_on_the_whole_plane() {
    // Three stones anywhere make threats: the search must not take the end of its board for an edge.
    let position = position("B:J10 to-move:W", "inf,inf,6,3,1");
    let request = Request {
        limits: tengen_prover::Limits {
            nodes: Some(200),
            time: None,
        },
        ..Request::new(Side::White, 2)
    };
    let solution = Solver::new(12).solve(&position, &request);
    let Value::Win(proof) = solution.value else {
        panic!("White wins");
    };
    let verdict = check(&proof.to_text(), &Limits::default());
    assert!(matches!(verdict, Verdict::Verified(_)), "{verdict}");
}

/// XX-b22 after Black 3: some replies survive the first stages.
const OPENING: &str = "B:J10,J9,K10 W:H8,L8 to-move:W";

#[test]
fn threads_do_not_change_the_result() {
    let position = position(OPENING, "connect6");
    let on = |threads| {
        let request = VerifyRequest {
            stages: &[300, 20_000],
            threads,
            ..VerifyRequest::new(2)
        };
        verify(&position, &request).expect("legal")
    };
    let (one, three) = (on(1), on(3));
    assert!(one.survivors.len() > 1 && one.searches > 50);
    assert_eq!(one.survivors, three.survivors);
    assert_eq!(one.proof, three.proof);
    assert_eq!((one.nodes, one.searches), (three.nodes, three.searches));
}

#[test]
fn a_verification_goes_on_where_it_was() {
    let position = position(OPENING, "connect6");
    let begun = VerifyRequest {
        limits: tengen_prover::Limits {
            nodes: Some(150_000),
            time: None,
        },
        stages: &[20_000],
        ..VerifyRequest::new(2)
    };
    let first = verify(&position, &begun).expect("legal");
    assert!(!first.finished && !first.survivors.is_empty());
    assert_proved(&first, "interrupted");
    let go_on = VerifyRequest {
        stages: &[20_000],
        known: first.proof.as_deref(),
        ..VerifyRequest::new(2)
    };
    let second = verify(&position, &go_on).expect("legal");
    let anew = verify(
        &position,
        &VerifyRequest {
            known: None,
            ..go_on
        },
    )
    .expect("legal");
    assert!(second.finished);
    let (nodes, all) = (second.nodes, anew.nodes);
    assert!(nodes + 50_000 < all, "{nodes} of {all}");
    assert_proved(&second, "continued");
}

#[test]
fn another_position_is_not_continued() {
    let found = verify(&position(TRIANGLE, "19,19,6,2,3"), &VerifyRequest::new(1)).expect("legal");
    let request = VerifyRequest {
        known: found.proof.as_deref(),
        ..VerifyRequest::new(1)
    };
    let other = position(OPENING, "connect6");
    let refused = verify(&other, &request).expect_err("another position");
    assert_eq!(refused, VerifyError::OtherPosition);
}

#[test]
fn a_defender_who_wins_at_once_is_named() {
    let position = position("B:A1,S19 W:H8,I8,J8,K8 to-move:W", "connect6");
    let error = verify(&position, &VerifyRequest::new(2)).expect_err("White wins");
    assert!(
        error.to_string().starts_with("White wins at once with "),
        "{error}"
    );
}

#[test]
fn part_of_a_turn_can_be_left() {
    // Five in a row, open at both ends: two threats, and one stone to meet them.
    let text = "B:H8,I8,J8,K8,L8 W:A1,A3 to-move:W left:1";
    let found = verify(&position(text, "connect6"), &VerifyRequest::new(1)).expect("legal");
    assert!(found.survivors.is_empty());
    assert_proved(&found, "one stone left");
}
