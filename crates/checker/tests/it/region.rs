//! Claims about every board that contains a region: what is verified on the infinite board is won by
//! plain minimax on finite boards that contain the region and the stones, down to the smallest.

use fastrand::Rng;
use tengen_checker::{Limits, Verdict, check};

use crate::brute::{Game, Set, State, bits};
use crate::generate::{Generator, Style, text, undecided_state};
use crate::soundness::verify;

/// Columns and rows, both ends included.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
struct Rectangle {
    x: (i32, i32),
    y: (i32, i32),
}

impl Rectangle {
    fn of(game: &Game) -> Self {
        Self {
            x: (0, game.width as i32 - 1),
            y: (0, game.height as i32 - 1),
        }
    }

    /// Each side moved outwards by 0 or 1, inwards if negative.
    fn grown(self, [left, right, below, above]: [i32; 4]) -> Self {
        Self {
            x: (self.x.0 - left, self.x.1 + right),
            y: (self.y.0 - below, self.y.1 + above),
        }
    }

    fn size(self) -> (i32, i32) {
        (self.x.1 - self.x.0 + 1, self.y.1 - self.y.0 + 1)
    }

    fn contains(self, x: i32, y: i32) -> bool {
        (self.x.0..=self.x.1).contains(&x) && (self.y.0..=self.y.1).contains(&y)
    }
}

/// The same stones on another board; `None` if they are not all on it.
fn moved(game: &Game, set: Set, board: Rectangle) -> Option<Set> {
    let cell = |bit: Set| {
        let (x, y) = position(game, bit);
        let place = (x - board.x.0) + (y - board.y.0) * board.size().0;
        board.contains(x, y).then(|| 1 << place)
    };
    bits(set).map(cell).sum()
}

fn position(game: &Game, bit: Set) -> (i32, i32) {
    let index = bit.trailing_zeros() as i32;
    (index % game.width as i32, index / game.width as i32)
}

/// `None` if the board is too large to be judged.
fn is_won_on(game: &Game, state: State, board: Rectangle) -> Option<bool> {
    let (width, height) = board.size();
    let line = game.line as i32;
    if width * height > 32 || width.max(height) < line {
        return None;
    }
    let mut other = Game::new(
        width as u32,
        height as u32,
        game.line,
        game.per_turn,
        game.exact,
    );
    let state = State {
        attacker: moved(game, state.attacker, board)?,
        defender: moved(game, state.defender, board)?,
        ..state
    };
    let most = if game.per_turn == 1 { 15 } else { 14 };
    (other.empty(state).count_ones() <= most).then(|| other.is_won(state))
}

/// The proof about the infinite board, with a region.
fn with_region(game: &Game, proof: &str, region: Rectangle) -> String {
    let (k, p) = (game.line, game.per_turn);
    let [low, high] = [(region.x.0, region.y.0), (region.x.1, region.y.1)];
    let name = |(x, y): (i32, i32)| format!("({},{})", x + 1, y + 1);
    proof
        .replacen(&game.rules(), &format!("inf,inf,{k},{p},1"), 1)
        .replacen(
            "nodes",
            &format!("region {},{}\nnodes", name(low), name(high)),
            1,
        )
}

/// Every way to move the sides of a rectangle by 0 or `step`.
fn sides(step: i32) -> impl Iterator<Item = [i32; 4]> {
    (0..16).map(move |i| [0, 1, 2, 3].map(|side| step * (i >> side & 1)))
}

#[derive(Debug, Default)]
struct Tally {
    verified: usize,
    boards: usize,
    smaller_refused: usize,
    smaller_verified: usize,
}

/// What is verified holds on every board around the region and the stones. Whether it is.
fn judge(game: &Game, state: State, proof: &str, region: Rectangle, tally: &mut Tally) -> bool {
    let text = with_region(game, proof, region);
    let Some(report) = verify(&text) else {
        return false;
    };
    tally.verified += 1;
    let corners = ((region.x.0, region.y.0), (region.x.1, region.y.1));
    assert_eq!(report.region, Some(corners));
    let stones = bits(state.attacker | state.defender);
    let smallest = stones.fold(region, |board, bit| {
        let (x, y) = position(game, bit);
        Rectangle {
            x: (board.x.0.min(x), board.x.1.max(x)),
            y: (board.y.0.min(y), board.y.1.max(y)),
        }
    });
    for by in sides(1) {
        let board = smallest.grown(by);
        if let Some(won) = is_won_on(game, state, board) {
            assert!(won, "not won on {board:?}, yet verified:\n{text}");
            tally.boards += 1;
        }
    }
    true
}

#[test]
fn what_is_verified_for_a_region_is_won_on_every_board_around_it() {
    let rounds = std::env::var("CHECKER_ROUNDS").map_or(60, |n| n.parse().expect("a number"));
    let mut rng = Rng::with_seed(31);
    let mut all = Tally::default();
    for (m, n, k, p) in [
        (4, 3, 3, 1),
        (5, 3, 3, 1),
        (5, 3, 4, 1),
        (5, 4, 4, 1),
        (7, 2, 4, 1),
        (5, 3, 4, 2),
        (6, 3, 5, 2),
        (7, 2, 4, 2),
    ] {
        let mut game = Game::new(m, n, k, p, false);
        let mut tally = Tally::default();
        // Two stones a turn rarely win without more room than such boards have.
        for _ in 0..rounds * p as usize * p as usize {
            let mut state = undecided_state(&game, &mut rng);
            // Fewer stones, so that a board may end before the stones do.
            for _ in 0..rng.u32(0..3) {
                let bit = 1 << rng.u32(0..game.cells());
                state.defender &= !bit;
            }
            if game.empty(state).count_ones() > 13 || !game.is_won(state) {
                continue;
            }
            let style = Style::random(&mut rng);
            let mut generator = Generator {
                game: &mut game,
                rng: &mut rng,
                style,
                budget: 300,
            };
            let Some(tree) = generator.tree(state, true) else {
                continue;
            };
            let proof = text(&game, state, &tree, rng.bool());
            let region = Rectangle::of(&game);
            // The region may also be larger than the board on which the proof was found.
            judge(&game, state, &proof, region.grown([1, 1, 1, 1]), &mut tally);
            if !judge(&game, state, &proof, region, &mut tally) {
                continue;
            }
            for by in sides(-1).skip(1) {
                let smaller = region.grown(by);
                if smaller.size().0 < 1 || smaller.size().1 < 1 || smaller.size() == (1, 1) {
                    continue;
                }
                if judge(&game, state, &proof, smaller, &mut tally) {
                    tally.smaller_verified += 1;
                } else {
                    tally.smaller_refused += 1;
                }
            }
        }
        println!("{}: {tally:?}", game.rules());
        all.verified += tally.verified;
        all.boards += tally.boards;
        all.smaller_refused += tally.smaller_refused;
        all.smaller_verified += tally.smaller_verified;
    }
    println!("{all:?}");
    assert!(all.verified > 2 * rounds && all.boards > 10 * rounds);
    assert!(all.smaller_refused > rounds && all.smaller_verified > rounds / 2);
}

fn judge_text(region: &str, position: &str, nodes: &str) -> Verdict {
    let count = nodes.lines().count();
    let text = format!(
        "tengen-proof 1\nrules inf,inf,4,1,1\nposition {position}\nattacker black\n{region}\n\
         nodes {count}\n{nodes}\nend\n"
    );
    check(&text, &Limits::default())
}

#[test]
fn lines_of_the_attacker_may_not_leave_the_region() {
    let position = "B:B2,C2 W:B5,C5 to-move:B";
    let judge = |region: &str| judge_text(region, position, "0 D2");
    for region in [
        "",
        "region A2,E2",
        "region E2,A2",
        "region (-3,9),F1",
        "region (-300,-900),Z99",
    ] {
        assert!(judge(region).is_verified(), "{region}: {}", judge(region));
    }
    for region in ["region B1,F9", "region A1,D9", "region A1,D2"] {
        let said = judge(region).to_string();
        assert!(said.contains("no child answers"), "{region}: {said}");
    }
    for (region, because) in [
        ("region A3,F9", "D2 of the turn is outside the region"),
        ("region A1,C9", "D2 of the turn is outside the region"),
        ("region A2", "expected two corners"),
        ("region A2,E2,E3", "expected two corners"),
        ("region A2,A2", "A2 is named twice"),
        ("region -", "expected two corners"),
        ("region A2,E2\nregion A2,E2", "in this order"),
        ("zone 1 A1\nregion A2,E2", "in this order"),
    ] {
        let verdict = judge(region);
        let said = verdict.to_string();
        assert_eq!(verdict.exit_code(), 1, "{region}: {said}");
        assert!(said.contains(because), "{region}: {said}");
    }
    // A line that is completed must be inside, too.
    let three = "B:B2,C2,D2 W:A2 to-move:B";
    assert!(judge_text("region A2,E2", three, "0 E2").is_verified());
    let said = judge_text("region C2,H9", three, "0 E2").to_string();
    assert!(said.contains("no child answers the reply F2"), "{said}");
}

#[test]
fn the_defender_keeps_the_whole_plane() {
    let judge = |white: &str| {
        judge_text(
            "region A2,E2",
            &format!("B:B2,C2 W:{white} to-move:B"),
            "0 D2",
        )
    };
    assert!(judge("(-9,20),(-8,20)").is_verified());
    let said = judge("(-9,20),(-8,20),(-7,20)").to_string();
    assert!(said.contains("the defender wins first"), "{said}");
    // The attacker's stones break lines of the defender everywhere, and need not be inside.
    let judge = |stone: &str| {
        let position = format!("B:B2,C2,(-10,20){stone} W:(-9,20),(-8,20),(-7,20) to-move:B");
        judge_text("region A2,E2", &position, "0 D2").is_verified()
    };
    assert!(!judge(""));
    assert!(judge(",(-6,20)"));
}

#[test]
fn regions_are_for_the_infinite_board_and_for_overlines_that_win() {
    let text = |rules: &str| {
        format!(
            "tengen-proof 1\nrules {rules}\nposition B:B2,C2 W:B5,C5 to-move:B\nattacker black\n\
             region A2,E2\nnodes 1\n0 D2\nend\n"
        )
    };
    let said = check(&text("6,6,4,1,1"), &Limits::default()).to_string();
    assert!(said.starts_with("REJECTED line 5: a region is for the infinite board"));
    assert!(check(&text("inf,inf,4,1,1"), &Limits::default()).is_verified());
    let verdict = check(&text("inf,inf,4,1,1,exact"), &Limits::default());
    assert!(matches!(verdict, Verdict::Undecided(_)), "{verdict}");
}

#[test]
fn a_region_and_exceptions_go_together() {
    let position = "B:B2,C2 to-move:W";
    let claim = |except: &str, region: &str| {
        let verdict = judge_text(&format!("{except}{region}"), position, "0 - -=1\n1 D2");
        verdict.to_string()
    };
    let except = "except A2\nexcept D2\nexcept E2\n";
    assert!(claim(except, "region A2,E2").starts_with(
        "VERIFIED except 3 listed replies: black wins on every board that contains A2-E2: inf"
    ));
    assert!(claim(except, "region B2,F2").starts_with("REJECTED"));
    // An exception may be far from all other cells.
    let far = format!("{except}except (60,-60)\n");
    assert!(claim(&far, "region A2,E2").starts_with("VERIFIED except 4 listed replies"));
    assert!(claim("except A2\nexcept D2\n", "region A2,E2").starts_with("REJECTED"));
    assert!(claim("", &format!("region A2,E2\n{except}")).contains("in this order"));
}
