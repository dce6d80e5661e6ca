//! Soundness by brute force: whatever the checker verifies is won by plain minimax, and the zones
//! it reports are relevance zones (RZOP, Definition 3): the attacker still wins after any irrelevant
//! stones of the defender are added. Not tested here: that true claims are accepted, except that
//! complete honest proofs are.

use fastrand::Rng;
use tengen_checker::{Limits, Report, Verdict, check};

use crate::brute::{Game, Set, State, bits, subsets};
use crate::generate::{Generator, Style, Tree, at, paths, random_state, text, undecided_state};

/// (m, n, k, p): tiny boards with r = k - p - 1 from 0 to 3 and one to three stones a turn.
pub(crate) const BOARDS: [(u32, u32, u32, u32); 13] = [
    (4, 4, 3, 1),
    (5, 3, 3, 1),
    (4, 4, 4, 1),
    (5, 4, 4, 1),
    (7, 2, 4, 1),
    (8, 2, 5, 1),
    (5, 4, 4, 2),
    (6, 3, 4, 2),
    (6, 3, 5, 2),
    (7, 2, 5, 2),
    (8, 2, 6, 2),
    (4, 4, 4, 3),
    (8, 2, 6, 3),
];

/// The same where overlines do not win; boards must be longer than the line for that to matter.
const EXACT: [(u32, u32, u32, u32); 4] = [(5, 3, 3, 1), (5, 4, 4, 1), (6, 3, 4, 2), (7, 2, 4, 1)];

pub(crate) fn verify(proof: &str) -> Option<Report> {
    match check(proof, &Limits::default()) {
        Verdict::Verified(report) => Some(report),
        _ => None,
    }
}

/// Panics unless the claim of a verified proof is true and its zones are relevance zones. Returns
/// how many sets of irrelevant stones were tried.
pub(crate) fn assert_true(game: &mut Game, state: State, proof: &str, report: &Report) -> usize {
    assert!(game.is_won(state), "verified, but not won:\n{proof}");
    let zones: Vec<Set> = report.zones.iter().map(|zone| mask(game, zone)).collect();
    let mut tried = 0;
    for e in 1..=zones.len() as u32 {
        for extra in subsets(game.empty(state), e) {
            if !is_irrelevant(extra, &zones) {
                continue;
            }
            tried += 1;
            let more = State {
                defender: state.defender | extra,
                ..state
            };
            let names = game.names(extra);
            assert!(
                game.is_won(more),
                "{names} breaks the zones {:?} of:\n{proof}",
                report.zones
            );
        }
    }
    tried
}

fn mask(game: &Game, zone: &[(i32, i32)]) -> Set {
    zone.iter()
        .map(|&(x, y)| 1 << (x + y * game.width as i32))
        .sum()
}

/// Whether the cells can be ordered such that the i-th is not in zone i.
fn is_irrelevant(extra: Set, zones: &[Set]) -> bool {
    if extra == 0 {
        return true;
    }
    // The last one of e cells must be outside zone e; try each.
    let last = zones[extra.count_ones() as usize - 1];
    bits(extra & !last).any(|cell| is_irrelevant(extra & !cell, zones))
}

/// Takes away replies, in random order, as long as the proof remains verified. In the end every
/// reply is needed, unless there are too many.
pub(crate) fn minimise(game: &Game, state: State, tree: &mut Tree, rng: &mut Rng) {
    let mut tries = 400;
    loop {
        let mut all: Vec<(Vec<usize>, usize)> = Vec::new();
        for path in paths(tree) {
            let replies = at(tree, &path).replies.len();
            all.extend((0..replies).map(|reply| (path.clone(), reply)));
        }
        rng.shuffle(&mut all);
        let smaller = all.into_iter().take(tries).find_map(|(path, reply)| {
            tries -= 1;
            let mut smaller = tree.clone();
            at(&mut smaller, &path).replies.remove(reply);
            verify(&text(game, state, &smaller, false)).map(|_| smaller)
        });
        match smaller {
            Some(smaller) => *tree = smaller,
            None => return,
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    proofs: usize,
    verified: usize,
    minimised: usize,
    false_claims: usize,
    irrelevant: usize,
}

fn run(mut game: Game, rounds: usize) -> Tally {
    let mut rng = Rng::with_seed(100 + u64::from(game.cells() * game.line));
    let mut tally = Tally::default();
    for round in 0..rounds {
        let state = if round % 2 == 0 {
            random_state(&game, &mut rng)
        } else {
            undecided_state(&game, &mut rng)
        };
        let won = game.is_won(state);
        let style = Style::random(&mut rng);
        let mut generator = Generator {
            game: &mut game,
            rng: &mut rng,
            style,
            budget: 1500,
        };
        let Some(mut tree) = generator.tree(state, won) else {
            continue;
        };
        tally.proofs += 1;
        let proof = text(&game, state, &tree, rng.bool());
        let Some(report) = verify(&proof) else {
            let complete = won && style.full == 100;
            assert!(!complete, "complete and true, but not verified:\n{proof}");
            tally.false_claims += usize::from(!won);
            continue;
        };
        tally.verified += 1;
        tally.irrelevant += assert_true(&mut game, state, &proof, &report);
        if rng.u32(0..3) == 0 {
            minimise(&game, state, &mut tree, &mut rng);
            let proof = text(&game, state, &tree, rng.bool());
            let report = verify(&proof).expect("it was verified while it was made smaller");
            tally.irrelevant += assert_true(&mut game, state, &proof, &report);
            tally.minimised += 1;
        }
    }
    tally
}

#[test]
fn what_is_verified_is_won_and_zones_are_relevance_zones() {
    let rounds = std::env::var("CHECKER_ROUNDS").map_or(150, |n| n.parse().expect("a number"));
    let (mut verified, mut refused, mut irrelevant) = (0, 0, 0);
    let games = BOARDS.map(|(m, n, k, p)| Game::new(m, n, k, p, false));
    let exact = EXACT.map(|(m, n, k, p)| Game::new(m, n, k, p, true));
    for game in games.into_iter().chain(exact) {
        let rules = game.rules();
        let tally = run(game, rounds);
        println!("{rules}: {tally:?}");
        verified += tally.verified + tally.minimised;
        refused += tally.false_claims;
        irrelevant += tally.irrelevant;
    }
    println!("{verified} verified, {refused} false claims refused, {irrelevant} sets tried");
    assert!(verified > 4 * rounds && refused > rounds && irrelevant > 20 * rounds);
}
