//! What the solver finds is written down and checked by the checker, which shares no code with it; what
//! is changed is refused.

use tengen_checker::{DrawVerdict, Limits, check_draw};
use tengen_drawn::known::{self, Known};
use tengen_drawn::{Position, Solver, Strategy, certificate};

fn prove(known: &Known) -> (String, Solver) {
    let mut solver = Solver::new(known.per_turn);
    let strategies: Vec<Strategy> = known
        .tiling
        .tiles
        .iter()
        .map(|tile| {
            let drawn = solver.is_drawn(&Position::from_board(&tile.board));
            assert_eq!(drawn, Some(true));
            Strategy::find(&tile.board.sets(), known.per_turn, &mut solver).expect("drawn")
        })
        .collect();
    let text = certificate(known.line, known.per_turn, &known.tiling, &strategies);
    (text, solver)
}

fn verdict(text: &str) -> DrawVerdict {
    check_draw(text, &Limits::default())
}

#[test]
fn theorem_1_is_verified() {
    let known = known::theorem_1();
    let mut solver = Solver::new(2);
    let board = &known.tiling.tiles[0].board;
    assert_eq!(solver.is_drawn(&Position::from_board(board)), Some(true));
    assert!(solver.generated() <= 20_000, "{}", solver.generated());
    let (text, _) = prove(&known);
    assert!(text.len() < 20_000, "{}", text.len());
    let found = verdict(&text);
    assert_eq!(found.to_string(), "VERIFIED Connect(11,2) is drawn");
}

/// Proving Connect(16,3) takes seconds; the certificate that came of it is kept and checked. `tengen drawn prove 16 3`
/// makes it again.
#[test]
fn kept_certificates_are_verified() {
    for (name, text) in known::certificates() {
        let found = verdict(text);
        let claim = format!("VERIFIED Connect({},{}) is drawn", name.0, name.1);
        assert_eq!(found.to_string(), claim);
    }
}

#[test]
fn the_kept_certificates_are_about_the_known_tilings() {
    for (claim, text) in known::certificates() {
        let known = known::find(claim.0, claim.1).expect("a known tiling");
        let plane = known.tiling.clone().into_plane().expect("a tiling");
        assert_eq!(plane.least_window(40), Some(known.line), "{}", known.source);
        let head = certificate(known.line, known.per_turn, &known.tiling, &[]);
        let head = head.trim_end_matches("end\n");
        assert!(text.starts_with(head));
    }
}

/// The certificate with one thing changed must not prove the claim. Every change is made to be wrong.
#[test]
fn mutants_are_rejected() {
    let (text, _) = prove(&known::theorem_1());
    let rejected = |mutant: String, what: &str| {
        assert_ne!(mutant, text, "{what}: nothing was changed");
        let found = verdict(&mutant);
        assert_eq!(found.exit_code(), 1, "{what}: {found}");
    };
    rejected(text.replace("claim 11 2", "claim 10 2"), "a smaller claim");
    rejected(
        text.replace("claim 11 2", "claim 11 3"),
        "more stones a turn",
    );
    rejected(
        text.replace("lattice 6,0 0,8", "lattice 6,0 1,8"),
        "another lattice",
    );
    rejected(
        text.replace("lattice 6,0 0,8", "lattice 6,0 0,9"),
        "a lattice with gaps",
    );
    rejected(
        text.replace("lattice 6,0 0,8", "lattice 6,0 12,0"),
        "a flat lattice",
    );
    rejected(
        text.replace("image -1,0,0,1 5,4\n", "image 1,0,0,1 0,4\n"),
        "no mirror image",
    );
    rejected(
        text.replace(
            "image -1,0,0,1 5,4\n",
            "image -1,0,0,1 6,4\nimage -1,0,0,1 5,4\n",
        ),
        "one image more",
    );
    rejected(text.replace("image -1,0,0,1 5,4\n", ""), "one image less");
    rejected(
        text.replace("image -1,0,0,1 5,4", "image -1,1,0,1 5,4"),
        "a slanted image",
    );
    rejected(
        text.replace("image -1,0,0,1 5,4", "image -2,0,0,1 5,4"),
        "a stretched image",
    );
    rejected(text.replace("line 3,0 3,1 3,2 3,3\n", ""), "a line missing");
    rejected(
        text.replace("line 3,0 3,1 3,2 3,3\n", "line 3,0 3,1 3,2\n"),
        "a line shortened",
    );
    rejected(
        text.replace("line 3,0 3,1 3,2 3,3\n", "line 3,0 3,1\n"),
        "a line of two cells",
    );
    rejected(
        text.replace("line 3,0 ", "line 3,9 "),
        "a line off the tile",
    );
    rejected(
        text.replace("tengen-draw 1", "tengen-draw 2"),
        "another version",
    );
    rejected(text.replace("\nend\n", "\n"), "no end");
    rejected(text.replace("\nend\n", "\nend\nend\n"), "two ends");
    for cut in (20..text.len() - 1).step_by(97) {
        rejected(text[..cut].to_owned(), "a cut");
    }
}

#[test]
fn missing_and_foreign_answers_are_rejected() {
    let (text, _) = prove(&known::theorem_1());
    let lines: Vec<&str> = text.lines().collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("answers "))
        .expect("answers")
        + 1;
    let last = lines.len() - 1;
    let joined = |lines: &[String]| lines.join("\n") + "\n";
    let owned: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
    for number in (first..last).step_by(3) {
        let mut without = owned.clone();
        without.remove(number);
        assert_eq!(
            verdict(&joined(&without)).exit_code(),
            1,
            "line {number} is missing"
        );
        without[first - 1] = format!("answers {}", last - first - 1);
        assert_eq!(
            verdict(&joined(&without)).exit_code(),
            1,
            "line {number} is missing, counted"
        );
        let mut shorter = owned.clone();
        shorter[number].pop();
        assert_eq!(
            verdict(&joined(&shorter)).exit_code(),
            1,
            "line {number} is shorter"
        );
        let mut longer = owned.clone();
        longer[number].push('a');
        assert_eq!(
            verdict(&joined(&longer)).exit_code(),
            1,
            "line {number} is longer"
        );
        let mut passing = owned.clone();
        passing[number] = "-".repeat(passing[number].len());
        assert_eq!(
            verdict(&joined(&passing)).exit_code(),
            1,
            "line {number} answers nothing"
        );
    }
    // Letters exchanged: nearly always wrong, and never anything but an honest verdict.
    let mut random = fastrand::Rng::with_seed(7);
    let mut rejected = 0;
    for _ in 0..300 {
        let mut mutant = owned.clone();
        let number = random.usize(first..last);
        let place = random.usize(0..mutant[number].len());
        let letter = char::from(random.u8(b'a'..=b'x'));
        mutant[number].replace_range(place..=place, &letter.to_string());
        rejected += usize::from(verdict(&joined(&mutant)).exit_code() == 1);
    }
    assert!(rejected > 200, "{rejected} of 300");
}

/// Whatever is in the file, there is a verdict.
#[test]
fn no_file_stops_the_checker() {
    let (text, _) = prove(&known::eight_one());
    let mut random = fastrand::Rng::with_seed(9);
    let limits = Limits {
        nodes: Some(1_000),
        seconds: Some(5.0),
        ..Limits::default()
    };
    for _ in 0..3_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.usize(1..4) {
            let place = random.usize(..bytes.len());
            match random.u8(..3) {
                0 => bytes[place] = b" \n-,0123456789aelz"[random.usize(..18)],
                1 => drop(bytes.remove(place)),
                _ => bytes.insert(place, random.u8(32..127)),
            }
        }
        let mutant = String::from_utf8(bytes).expect("ASCII");
        let found = check_draw(&mutant, &limits);
        assert!(found.exit_code() <= 2);
    }
}

/// Two parts that look alike line by line and are not isomorphic: to see that takes for ever.
#[test]
fn the_search_for_an_isomorphism_ends_when_the_time_is_over() {
    let text = include_str!("../../../suites/drawn/hostile-isomorphism.draw");
    let limits = Limits {
        seconds: Some(0.2),
        ..Limits::default()
    };
    assert_eq!(check_draw(text, &limits).exit_code(), 2);
}

#[test]
fn a_limit_leaves_it_undecided() {
    let (text, _) = prove(&known::theorem_1());
    let limits = Limits {
        nodes: Some(3),
        ..Limits::default()
    };
    let found = check_draw(&text, &limits);
    assert_eq!(found.exit_code(), 2);
    assert!(found.to_string().starts_with("UNDECIDED "));
}
