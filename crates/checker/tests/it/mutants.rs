//! Damaged proofs. Some kinds of damage must always be rejected: `cut`, `version`, `count`, a line
//! or a reply twice, a lost or unreachable node, ids out of range, text after the end, zones claimed
//! too small, turns on occupied cells, overlapping stones. The other kinds may leave a true claim
//! with a good proof; then plain minimax must agree with what the damaged file claims.

use fastrand::Rng;
use tengen_checker::{Limits, Report, Verdict, check};

use crate::brute::{Game, Set, State, bits};
use crate::generate::{Generator, Style, Tree, at, paths, random_cell, text, undecided_state};
use crate::soundness::{BOARDS, assert_true, minimise, verify};

struct Sample {
    board: usize,
    state: State,
    tree: Tree,
    text: String,
}

/// Verified proofs in which, as a rule, every reply is needed.
fn samples(per_board: usize, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::with_seed(seed);
    let mut samples = Vec::new();
    for (board, &(m, n, k, p)) in BOARDS.iter().enumerate() {
        let mut game = Game::new(m, n, k, p, false);
        let mut found = 0;
        for _ in 0..60 * per_board {
            if found == per_board {
                break;
            }
            let state = undecided_state(&game, &mut rng);
            if !game.is_won(state) {
                continue;
            }
            let style = Style {
                full: 100,
                ..Style::random(&mut rng)
            };
            let mut generator = Generator {
                game: &mut game,
                rng: &mut rng,
                style,
                budget: 300,
            };
            let Some(mut tree) = generator.tree(state, true) else {
                continue;
            };
            minimise(&game, state, &mut tree, &mut rng);
            if tree.replies.is_empty() && rng.u32(0..8) > 0 {
                continue;
            }
            let text = text(&game, state, &tree, rng.bool());
            assert!(verify(&text).is_some(), "{text}");
            samples.push(Sample {
                board,
                state,
                tree,
                text,
            });
            found += 1;
        }
    }
    samples
}

fn must_reject(kind: &str, damaged: &str) {
    let verdict = check(damaged, &Limits::default());
    assert!(
        matches!(verdict, Verdict::Rejected(_)),
        "{kind}: {verdict}\n{damaged}"
    );
}

#[test]
fn damage_that_is_always_rejected() {
    let mut rng = Rng::with_seed(11);
    let mut count = 0;
    for sample in samples(6, 1) {
        let text = &sample.text;
        let complete = text.len() - 1;
        for cut in 0..complete {
            must_reject("cut", &text[..cut]);
            count += 1;
        }
        assert!(verify(&text[..complete]).is_some());
        let lines: Vec<&str> = text.lines().collect();
        let nodes = lines.len() - 6;
        let join = |lines: &[&str]| lines.join("\n") + "\n";
        for i in 0..lines.len() {
            let mut twice = lines.clone();
            twice.insert(i, lines[i]);
            must_reject("line twice", &join(&twice));
            let mut without = lines.clone();
            without.remove(i);
            must_reject("line lost", &join(&without));
            count += 2;
        }
        for (from, to) in [
            ("proof 1", "proof 2".to_owned()),
            ("proof 1", "proof 0".to_owned()),
            (lines[4], format!("nodes {}", nodes + 1)),
            (lines[4], format!("nodes {}", nodes - 1)),
            ("\nend\n", "\nend\n0 A1\n".to_owned()),
            ("\nend\n", "\nend\nx\n".to_owned()),
            ("\nend\n", format!("\n{nodes} A1\nend\n")),
            ("\nend\n", "\nEND\n".to_owned()),
        ] {
            must_reject("header or end", &text.replacen(from, &to, 1));
            count += 1;
        }
        // Ids out of range.
        for (i, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.contains('='))
        {
            let id: usize = line
                .split(' ')
                .next()
                .expect("an id")
                .parse()
                .expect("a number");
            let (head, child) = line.rsplit_once('=').expect("a reply");
            for wrong in [id, 0, nodes, nodes + 7] {
                let mut changed = lines.clone();
                let line = format!("{head}={wrong}");
                changed[i] = &line;
                must_reject("id", &join(&changed));
                count += 1;
            }
            let mut changed = lines.clone();
            let reply = head.rsplit(' ').next().expect("its stones");
            let line = format!("{line} {reply}={child}");
            changed[i] = &line;
            must_reject("reply twice", &join(&changed));
            count += 1;
        }
        count += zones_too_small(&sample, &mut rng);
        count += occupied(&sample, &mut rng);
    }
    println!("{count} damaged proofs, all rejected");
    assert!(count > 5_000);
}

/// The zones found by the checker are accepted as a claim; without one of their cells they are not.
fn zones_too_small(sample: &Sample, rng: &mut Rng) -> usize {
    let report = verify(&sample.text).expect("samples are verified");
    let names = |cells: &[(i32, i32)]| {
        let name = |&(x, y): &(i32, i32)| format!("{}{}", char::from(b'A' + x as u8), y + 1);
        let names: Vec<String> = cells.iter().map(name).collect();
        if names.is_empty() {
            "-".to_owned()
        } else {
            names.join(",")
        }
    };
    let claim = |zones: &[Vec<(i32, i32)>]| {
        let lines = zones.iter().zip(1..);
        let lines = lines.map(|(zone, i)| format!("zone {i} {}\n", names(zone)));
        sample
            .text
            .replacen("nodes", &(lines.collect::<String>() + "nodes"), 1)
    };
    assert!(verify(&claim(&report.zones)).is_some());
    let mut count = 0;
    for i in 0..report.zones.len() {
        if report.zones[i].is_empty() {
            continue;
        }
        let mut smaller = report.zones.clone();
        smaller[i].remove(rng.usize(..report.zones[i].len()));
        must_reject("zone", &claim(&smaller));
        count += 1;
    }
    count
}

/// A stone of the root's turn on an occupied cell; two stones of the position on one cell.
fn occupied(sample: &Sample, rng: &mut Rng) -> usize {
    let (m, n, k, p) = BOARDS[sample.board];
    let game = Game::new(m, n, k, p, false);
    let mut count = 0;
    let taken = sample.state.attacker | sample.state.defender;
    if let (Some(from), Some(to)) = (random_cell(sample.tree.turn, rng), random_cell(taken, rng)) {
        let mut tree = sample.tree.clone();
        tree.turn = (tree.turn & !from) | to;
        must_reject("turn on a stone", &text(&game, sample.state, &tree, false));
        count += 1;
    }
    let double = State {
        defender: sample.state.defender | sample.state.attacker,
        ..sample.state
    };
    must_reject("two stones", &text(&game, double, &sample.tree, false));
    count + 1
}

/// Reads the claim of a report by simple means of its own. `None` if it cannot be judged here.
fn claim(report: &Report) -> Option<(Game, State)> {
    let rules: Vec<&str> = report.rules.split(',').collect();
    if rules.len() != 5 {
        return None;
    }
    let rules: Option<Vec<u32>> = rules.iter().map(|word| word.trim().parse().ok()).collect();
    let rules = rules?;
    if rules[0] * rules[1] > 32 {
        return None;
    }
    let game = Game::new(rules[0], rules[1], rules[2], rules[3], false);
    let (mut black, mut white, mut side, mut left) = (0, 0, String::new(), rules[3]);
    for field in report.position.split_whitespace() {
        let (name, value) = field.split_once(':')?;
        let cells = || -> Option<Set> {
            value
                .split(',')
                .map(|cell| {
                    let cell = cell.to_ascii_uppercase();
                    let x = u32::from(cell.bytes().next()?.checked_sub(b'A')?);
                    let y = cell[1..].parse::<u32>().ok()? - 1;
                    (x < game.width && y < game.height).then(|| 1 << (x + y * game.width))
                })
                .sum()
        };
        match name.to_ascii_lowercase().as_str() {
            "b" => black = cells()?,
            "w" => white = cells()?,
            "to-move" => side = value.to_ascii_lowercase(),
            _ => left = value.parse().ok()?,
        }
    }
    let attacker_black = report.attacker == "black";
    let state = State {
        attacker: if attacker_black { black } else { white },
        defender: if attacker_black { white } else { black },
        attacker_moves: side.starts_with('b') == attacker_black,
        left: if black | white == 0 && side.starts_with('b') {
            rules[4]
        } else {
            left
        },
    };
    (game.empty(state).count_ones() <= 12).then_some((game, state))
}

#[derive(Debug, Default)]
struct Tally {
    damaged: usize,
    verified: usize,
    not_judged: usize,
}

/// Checks a damaged file; if it is verified, what it claims must be true.
fn judge(game: &mut Game, original: State, damaged: &str, tally: &mut Tally) {
    tally.damaged += 1;
    let Some(report) = verify(damaged) else {
        return;
    };
    tally.verified += 1;
    let same = report.rules == game.rules()
        && report.attacker == "black"
        && report.position == game.position(original);
    if same {
        assert_true(game, original, damaged, &report);
        return;
    }
    match claim(&report) {
        Some((mut other, state)) => {
            assert_true(&mut other, state, damaged, &report);
        }
        None => tally.not_judged += 1,
    }
}

#[test]
fn damaged_strategies_are_rejected_unless_they_win() {
    let mut rng = Rng::with_seed(23);
    let mut tallies: Vec<(&str, Tally)> = Vec::new();
    let mut note = |kind, tally| tallies.push((kind, tally));
    for sample in samples(8, 2) {
        let (m, n, k, p) = BOARDS[sample.board];
        let mut game = Game::new(m, n, k, p, false);
        let state = sample.state;
        for kind in [
            "drop reply",
            "move turn",
            "move reply",
            "swap children",
            "short turn",
            "graft",
        ] {
            let mut tally = Tally::default();
            for _ in 0..20 {
                let mut tree = sample.tree.clone();
                if damage_tree(kind, &game, &mut tree, &mut rng) {
                    let damaged = text(&game, state, &tree, rng.bool());
                    judge(&mut game, state, &damaged, &mut tally);
                }
            }
            note(kind, tally);
        }
        for kind in [
            "move stone",
            "add defender",
            "remove attacker",
            "other side",
            "left",
        ] {
            let mut tally = Tally::default();
            for _ in 0..6 {
                let other = damage_state(kind, &game, state, &mut rng);
                let same_turn = other.attacker_moves == state.attacker_moves;
                if other != state && (same_turn || kind == "other side") {
                    let damaged = text(&game, other, &sample.tree, false);
                    judge(&mut game, other, &damaged, &mut tally);
                }
            }
            note(kind, tally);
        }
        let mut tally = Tally::default();
        for (m, n, k, p) in [
            (m + 1, n, k, p),
            (m, n + 1, k, p),
            (m, n, k + 1, p),
            (m, n, k - 1, p),
        ]
        .into_iter()
        .chain([(m, n, k, p + 1), (m, n, k, p.max(2) - 1)])
        {
            let rules = format!("rules {m},{n},{k},{p},1");
            let damaged = sample
                .text
                .replacen(&format!("rules {}", game.rules()), &rules, 1);
            judge(&mut game, state, &damaged, &mut tally);
        }
        judge(
            &mut game,
            state,
            &sample.text.replacen("black", "white", 1),
            &mut tally,
        );
        note("rules or attacker", tally);
        note("bytes", damage_bytes(&sample, &mut game, &mut rng));
    }
    report_tallies(tallies);
}

fn report_tallies(mut tallies: Vec<(&str, Tally)>) {
    tallies.sort_by_key(|(kind, _)| *kind);
    let mut all = Tally::default();
    for group in tallies.chunk_by(|a, b| a.0 == b.0) {
        let sum = |part: fn(&Tally) -> usize| group.iter().map(|(_, tally)| part(tally)).sum();
        let (damaged, verified, not_judged): (usize, usize, usize) = (
            sum(|t| t.damaged),
            sum(|t| t.verified),
            sum(|t| t.not_judged),
        );
        println!(
            "{}: {damaged} damaged, {verified} still true, {not_judged} not judged",
            group[0].0
        );
        assert!(damaged > 0 && verified < damaged);
        // In the samples every reply is needed, and the root's turn says who moves.
        assert!(verified == 0 || !["drop reply", "other side"].contains(&group[0].0));
        all.damaged += damaged;
        all.not_judged += not_judged;
    }
    assert!(
        all.damaged > 8_000 && all.not_judged * 50 < all.damaged,
        "{all:?}"
    );
}

/// Changes a random node; false if this kind of damage is not possible there.
fn damage_tree(kind: &str, game: &Game, tree: &mut Tree, rng: &mut Rng) -> bool {
    let all = paths(tree);
    let node = at(tree, &all[rng.usize(..all.len())]);
    let replies = node.replies.len();
    let anywhere = 1 << rng.u32(0..game.cells());
    match kind {
        "move turn" | "short turn" => {
            let Some(cell) = random_cell(node.turn, rng) else {
                return false;
            };
            node.turn &= !cell;
            if kind == "move turn" || node.turn == 0 {
                node.turn |= anywhere;
            }
            true
        }
        _ if replies == 0 => false,
        "drop reply" => {
            node.replies.remove(rng.usize(..replies));
            true
        }
        "move reply" => {
            let reply = &mut node.replies[rng.usize(..replies)].0;
            if let Some(cell) = random_cell(*reply, rng) {
                *reply &= !cell;
            }
            *reply |= anywhere;
            // The same reply twice is damage of the other sort.
            let mut stones: Vec<Set> = node.replies.iter().map(|(stones, _)| *stones).collect();
            stones.sort_unstable();
            stones.windows(2).all(|pair| pair[0] != pair[1])
        }
        "swap children" => {
            let (i, j) = (rng.usize(..replies), rng.usize(..replies));
            let (a, b) = (node.replies[i].1.clone(), node.replies[j].1.clone());
            node.replies[i].1 = b;
            node.replies[j].1 = a;
            i != j
        }
        // A child of another node is put in place of this one's.
        _ => {
            let other = at(tree, &all[rng.usize(..all.len())]).clone();
            let node = at(tree, &all[rng.usize(..all.len())]);
            let replies = node.replies.len();
            if replies > 0 && other.turn != 0 {
                node.replies[rng.usize(..replies)].1 = other;
            }
            replies > 0
        }
    }
}

fn damage_state(kind: &str, game: &Game, state: State, rng: &mut Rng) -> State {
    let mut other = state;
    let empty = random_cell(game.empty(state), rng).unwrap_or(0);
    match kind {
        "move stone" => {
            let stones = if rng.bool() {
                &mut other.attacker
            } else {
                &mut other.defender
            };
            if let Some(cell) = random_cell(*stones, rng) {
                *stones = (*stones & !cell) | empty;
            }
        }
        "add defender" => other.defender |= empty,
        "remove attacker" => other.attacker &= !random_cell(state.attacker, rng).unwrap_or(0),
        "other side" => other.attacker_moves = !state.attacker_moves,
        _ => other.left = rng.u32(1..=game.per_turn),
    }
    let decided = game.has_line(other.attacker) || game.has_line(other.defender);
    if decided { state } else { other }
}

/// Bits flipped, bytes lost, inserted and exchanged, anywhere in the file.
fn damage_bytes(sample: &Sample, game: &mut Game, rng: &mut Rng) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..80 {
        let mut bytes = sample.text.clone().into_bytes();
        let (i, j) = (rng.usize(..bytes.len()), rng.usize(..bytes.len()));
        match rng.u32(0..4) {
            0 => bytes[i] ^= 1 << rng.u32(0..8),
            1 => drop(bytes.remove(i)),
            2 => bytes.insert(i, bytes[j]),
            _ => bytes.swap(i, j),
        }
        if let Ok(text) = String::from_utf8(bytes) {
            judge(game, sample.state, &text, &mut tally);
        }
    }
    tally
}

#[test]
fn subsets_of_a_set_are_walked_once() {
    assert_eq!(bits(0b1011).collect::<Vec<_>>(), [1, 2, 8]);
}
