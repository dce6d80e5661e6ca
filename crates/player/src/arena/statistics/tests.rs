//! Against published and hand-computed numbers.

use super::super::{GameResult, Reason};
use super::*;

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} instead of {expected}"
    );
}

fn tally(pairs: [u32; 5]) -> Tally {
    Tally {
        pairs,
        ..Tally::default()
    }
}

#[test]
fn elo_and_score() {
    // The table of every introduction: 64 % are 100 points, 76 % are 200, 91 % are 400.
    for (score, elo) in [(0.640, 100.0), (0.7597, 200.0), (10.0 / 11.0, 400.0)] {
        close(elo_of_score(score), elo, 0.1);
        close(score_of_elo(elo), score, 1e-4);
    }
    assert_eq!(elo_of_score(0.5), 0.0);
    assert_eq!(elo_of_score(1.0), f64::INFINITY);
    assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
}

#[test]
fn the_normal_distribution() {
    // Tables of the normal distribution.
    for (x, p) in [
        (0.0, 0.5),
        (1.0, 0.841_344_7),
        (-1.96, 0.024_997_9),
        (3.0, 0.998_650_1),
    ] {
        close(normal_cdf(x), p, 2e-7);
    }
}

#[test]
fn wilson_intervals() {
    // 10 of 10: Wilson gives [0.7225, 1]; 5 of 10: [0.2366, 0.7634].
    let all = wilson(1.0, 10.0);
    close(all.low, 0.7225, 1e-4);
    assert_eq!(all.high, 1.0);
    let half = wilson(0.5, 10.0);
    close(half.low, 0.2366, 1e-4);
    close(half.high, 0.7634, 1e-4);
}

#[test]
fn score_with_error_bars() {
    // By hand: pairs 10, 20, 30, 25, 15: mean 53.75/100, variance 0.08922, deviation of the mean 0.02987.
    let tally = tally([10, 20, 30, 25, 15]);
    let score = tally.score().expect("pairs");
    close(score.value, 0.5375, 1e-12);
    let variance = (10.0 * 0.5375_f64.powi(2)
        + 20.0 * 0.2875_f64.powi(2)
        + 30.0 * 0.0375_f64.powi(2)
        + 25.0 * 0.2125_f64.powi(2)
        + 15.0 * 0.4625_f64.powi(2))
        / 100.0;
    let deviation = (variance / 100.0).sqrt();
    close(deviation, 0.02987, 1e-5);
    close(score.low, 0.5375 - 1.96 * deviation, 2e-3);
    close(score.high, 0.5375 + 1.96 * deviation, 2e-3);
    // z = 0.0375 / 0.02987 = 1.2555: the table of the normal distribution has 0.8953.
    close(tally.superiority().expect("pairs"), 0.8953, 1e-4);
    let elo = tally.elo().expect("pairs");
    close(elo.value, 26.1, 0.05);
    assert!(elo.low < 0.0 && elo.high > 40.0);
}

#[test]
fn nothing_is_certain_after_a_few_games() {
    assert_eq!(Tally::default().score(), None);
    assert_eq!(Tally::default().superiority(), None);
    let won = tally([0, 0, 0, 0, 3]);
    let score = won.score().expect("pairs");
    assert!(score.value == 1.0 && score.low < 0.5, "{score:?}");
    assert_eq!(won.elo().expect("pairs").high, f64::INFINITY);
    let even = tally([0, 0, 4, 0, 0]).score().expect("pairs");
    assert!(even.low < 0.2 && even.high > 0.8, "{even:?}");
}

#[test]
fn pairs_are_the_unit() {
    // Whoever begins wins: every pair is even, and much less is uncertain than with single games.
    let split = tally([0, 1, 98, 1, 0]).score().expect("pairs");
    let coins = wilson(0.5, 200.0);
    assert!(split.high - split.low < (coins.high - coins.low) / 2.0);
}

fn game(number: usize, black: &str, white: &str, result: GameResult) -> GameRecord {
    GameRecord {
        game: number,
        opening: 1,
        black: black.to_owned(),
        white: white.to_owned(),
        result,
        reason: Reason::Line,
        detail: String::new(),
        turns: 9,
        opening_turns: 3,
        moves: String::new(),
        log: Vec::new(),
        rejected_claims: Vec::new(),
    }
}

#[test]
fn games_are_counted() {
    let games = [
        game(4, "b", "a", GameResult::Draw),
        game(1, "a", "b", GameResult::Black),
        game(2, "b", "a", GameResult::White),
        game(3, "a", "b", GameResult::White),
        game(5, "a", "b", GameResult::Black),
        game(7, "a", "c", GameResult::Black),
    ];
    let tally = Tally::of(&games, "a", "b");
    assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 1));
    assert_eq!(tally.pairs, [0, 1, 0, 0, 1], "game 5 has no partner");
    assert_eq!(Tally::of(&games, "b", "a"), tally.reversed());
}

#[test]
fn sprt_of_close_hypotheses_is_the_normal_one() {
    // By hand, 4307 wins, 4063 losses and 8620 draws, 0 against 3 Elo: mean 0.50718, variance 0.12311,
    // 16990 * 0.004317 * (2 * 0.50718 - 0.5 - 0.504317) / (2 * 0.12311) = 2.99.
    let counts = [4063.0, 8620.0, 4307.0];
    let [s0, s1] = [0.0, 3.0].map(score_of_elo);
    let ratio = log_likelihood_ratio(&[0.0, 0.5, 1.0], &counts, s0, s1);
    close(ratio, 2.99, 0.005);
}

#[test]
fn sprt_of_coins_is_walds() {
    // With two outcomes the most likely distributions are known: Wald's own test.
    let [s0, s1] = [0.0, 50.0].map(score_of_elo);
    let ratio = log_likelihood_ratio(&[0.0, 1.0], &[40.0, 60.0], s0, s1);
    let wald = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
    close(ratio, wald, 1e-9);
    // Outcomes that were never seen hardly matter.
    let sprt: Sprt = "0,50".parse().expect("a test");
    close(sprt.ratio(&tally([40, 0, 0, 0, 60])), wald, 0.02);
}

#[test]
fn sprt_decides() {
    let sprt: Sprt = "0,30".parse().expect("a test");
    let (low, high) = sprt.bounds();
    close(low, -2.944, 1e-3);
    close(high, 2.944, 1e-3);
    assert_eq!(sprt.ratio(&Tally::default()), 0.0);
    assert_eq!(sprt.state(&tally([0, 0, 2, 0, 0])), SprtState::Running);
    assert_eq!(sprt.state(&tally([0, 20, 20, 80, 80])), SprtState::Elo1);
    assert_eq!(sprt.state(&tally([80, 80, 20, 20, 0])), SprtState::Elo0);
    let elo0 = tally([30, 60, 100, 50, 20]);
    close(sprt.ratio(&elo0), -sprt_mirrored(&elo0), 1e-9);
}

/// The same test with sides exchanged.
fn sprt_mirrored(tally: &Tally) -> f64 {
    let sprt: Sprt = "-30,0".parse().expect("a test");
    sprt.ratio(&tally.reversed())
}

#[test]
fn sprt_is_read() {
    for (text, complaint) in [
        ("5", "expected elo0,elo1"),
        ("a,b", "expected elo0,elo1"),
        ("1,NaN", "expected elo0,elo1"),
        ("5,0", "must be larger"),
        ("0,5,0,0.05", "above 0"),
        ("0,5,0.7,0.05", "above 0"),
    ] {
        let error = text.parse::<Sprt>().expect_err(text).to_string();
        assert!(error.contains(complaint), "{error}");
    }
}

#[test]
fn ratings_reproduce_scores() {
    // Two contestants: the difference is the Elo of the score, up to the added draw.
    let ab = Tally {
        wins: 760,
        draws: 0,
        losses: 240,
        pairs: [0, 0, 240, 0, 260],
    };
    let table = vec![
        vec![Tally::default(), ab],
        vec![ab.reversed(), Tally::default()],
    ];
    let found = ratings(&table, 1);
    close(found[0].elo.value - found[1].elo.value, 200.24, 0.5);
    close(found[0].elo.value + found[1].elo.value, 0.0, 1e-6);
    assert!(found[0].elo.low < found[0].elo.value && found[0].elo.value < found[0].elo.high);
    // Everything won, or nobody met: still numbers.
    let all = Tally {
        wins: 10,
        pairs: [0, 0, 0, 0, 5],
        ..Tally::default()
    };
    let mut table = vec![vec![Tally::default(); 3]; 3];
    table[0][1] = all;
    table[1][0] = all.reversed();
    let found = ratings(&table, 1);
    assert!(found.iter().all(|rating| rating.elo.value.is_finite()));
    assert!(found[0].elo.value > found[2].elo.value && found[2].elo.value > found[1].elo.value);
}

#[test]
fn ratings_after_equal_results_are_not_certain() {
    let even = Tally {
        wins: 3,
        losses: 3,
        pairs: [0, 0, 3, 0, 0],
        ..Tally::default()
    };
    let none = Tally::default();
    let found = ratings(&[vec![none, even], vec![even, none]], 1);
    for rating in found {
        close(rating.elo.value, 0.0, 1e-9);
        assert!(rating.elo.low < -5.0 && rating.elo.high > 5.0, "{rating:?}");
    }
}
