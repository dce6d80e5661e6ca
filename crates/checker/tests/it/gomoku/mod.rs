//! Databases of Go-Moku: small ones made here, every way to damage them, and the definitions once
//! more.

mod data;
mod generate;
mod slow;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fastrand::Rng;
use tengen_checker::{
    GomokuDatabase, GomokuFault, GomokuLimits, GomokuReadError, GomokuReport, GomokuVerdict,
    is_gomoku_database,
};

use data::{Database, Record, Strategy};
use slow::{BLACK, SlowBoard, WHITE};

fn check(bytes: &[u8]) -> Result<GomokuVerdict, GomokuReadError> {
    let limits = GomokuLimits {
        threads: 2,
        ..GomokuLimits::default()
    };
    GomokuDatabase::read(bytes).map(|database| database.check(&limits, |_, _| {}))
}

fn report(bytes: &[u8]) -> GomokuReport {
    match check(bytes) {
        Ok(GomokuVerdict::Verified(report)) => report,
        other => panic!("expected VERIFIED, found {other:?}"),
    }
}

fn fault(bytes: &[u8]) -> GomokuFault {
    match check(bytes) {
        Ok(GomokuVerdict::Rejected(fault)) => fault,
        other => panic!("expected REJECTED, found {other:?}"),
    }
}

/// Boards, numbers of stones of each side, moves that make records, and depth of strategies.
const KINDS: [(u8, u8, usize, usize, usize); 6] = [
    (6, 6, 10, 3, 1),
    (6, 6, 9, 2, 2),
    (7, 5, 10, 3, 1),
    (7, 5, 9, 2, 2),
    (7, 7, 13, 2, 1),
    (9, 6, 13, 1, 2),
];

/// So many databases are made of each kind, for each rule.
const EACH: usize = 2;

/// Databases of each kind for both rules, each with something in it that can be damaged.
static SMALL: LazyLock<Vec<Database>> = LazyLock::new(|| {
    let mut rng = Rng::with_seed(1);
    let mut databases = Vec::new();
    for (width, height, stones, moves, depth) in KINDS {
        for exact in [false, true] {
            let mut found = 0;
            while found < EACH {
                let mut board = generate::random_board(width, height, exact, stones, &mut rng);
                if board.wins_at_once() || generate::attack(&mut board, 3).is_none() {
                    continue;
                }
                let Some(database) = generate::database(&board, moves, depth) else {
                    continue;
                };
                let mut strategies = database.records.iter().flat_map(|r| &r.strategies);
                let nested = strategies.any(|strategy| !strategy.children.is_empty());
                if if depth == 1 {
                    database.records.len() > 1
                } else {
                    nested
                } {
                    databases.push(database);
                    found += 1;
                }
            }
        }
    }
    databases
});

/// The checker and the slow twin agree, also on where it fails. Returns whether the claim is proved.
fn agreed(database: &Database) -> bool {
    let name = |cell: u8| {
        let column = char::from(b'A' + cell % database.width);
        format!("{column}{}", cell / database.width + 1)
    };
    let found = match check(&database.bytes()).expect("it can be read") {
        GomokuVerdict::Verified(_) => None,
        GomokuVerdict::Rejected(fault) => Some((fault.record, fault.reply.map(|(_, reply)| reply))),
        other => panic!("{other}"),
    };
    let expected = slow::fault(database);
    let expected = expected.map(|(record, reply)| (record, reply.map(name)));
    assert_eq!(found, expected, "{database:?}");
    found.is_none()
}

/// Whether Black wins the game from this position when every cell is tried for White.
fn wins_every_game(database: &Database, encoding: &[u8]) -> bool {
    let found = database
        .records
        .iter()
        .find(|record| record.encoding() == encoding);
    let record = found.expect("there is a record");
    let mut board = SlowBoard::of(database, record);
    board.set(record.cell, BLACK);
    if board.has_line(BLACK) {
        return true;
    }
    let replies = board.empties();
    !replies.is_empty()
        && replies.into_iter().all(|reply| {
            board.set(reply, WHITE);
            assert!(!board.has_line(WHITE));
            let (black, white) = (board.cells_with(BLACK), board.cells_with(WHITE));
            let next = database.canonical(&black, &white);
            let mut strategies = record.strategies.iter();
            let wins = if database.has(&next) {
                wins_every_game(database, &next)
            } else if board.wins_at_once() {
                board.black_wins_the_game(None, None)
            } else {
                let strategy = strategies.find(|strategy| board.turn(Some(strategy)));
                board.black_wins_the_game(strategy, None)
            };
            board.set(reply, 0);
            wins
        })
}

#[test]
fn small_databases_are_verified_and_win_every_game() {
    let (mut records, mut strategies, mut nodes) = (0, 0, 0);
    for database in SMALL.iter() {
        let report = report(&database.bytes());
        assert_eq!(report.records, database.records.len() as u64);
        assert_eq!(report.checked, report.records);
        let all = database
            .records
            .iter()
            .flat_map(|record| &record.strategies);
        assert_eq!(report.strategies, all.clone().count() as u64);
        assert_eq!(
            report.replies,
            report.to_records + report.at_once + report.by_strategies
        );
        assert_eq!(report.plies.iter().step_by(2).sum::<u64>(), report.records);
        assert!(report.plies.iter().skip(1).step_by(2).sum::<u64>() <= report.records);
        let (black, white) = &database.root;
        assert!(wins_every_game(database, &database.canonical(black, white)));
        assert!(agreed(database));
        records += report.records;
        strategies += report.strategies;
        nodes += all.map(Strategy::nodes).sum::<usize>();
    }
    println!("{records} records, {strategies} strategies with {nodes} nodes");
    assert!(records as usize > SMALL.len() && nodes as u64 > strategies + 10);
}

/// Other cells, a few of them.
fn others(database: &Database, cell: u8, rng: &mut Rng) -> Vec<u8> {
    let cells = (0..database.width * database.height).filter(|&other| other != cell);
    rng.choose_multiple(cells, 4)
}

#[test]
fn whatever_is_left_out_is_missed() {
    for database in SMALL.iter() {
        for number in 0..database.records.len() {
            let mut without = database.clone();
            without.records.remove(number);
            assert!(!agreed(&without));
            let record = &database.records[number];
            for strategy in 0..record.strategies.len() {
                let mut without = database.clone();
                without.records[number].strategies.remove(strategy);
                assert!(!agreed(&without));
            }
            for smaller in generate::without_a_child(record) {
                let mut without = database.clone();
                without.records[number] = smaller;
                assert!(!agreed(&without));
            }
        }
    }
}

#[test]
fn changed_moves_and_replies_are_found() {
    let mut rng = Rng::with_seed(2);
    let (mut changes, mut harmless) = (0, 0);
    let mut judge = |changed: Database| {
        changes += 1;
        harmless += u32::from(agreed(&changed));
    };
    for database in SMALL.iter() {
        for (number, record) in database.records.iter().enumerate() {
            for cell in others(database, record.cell, &mut rng) {
                let mut changed = database.clone();
                changed.records[number].cell = cell;
                if !record.encoding().contains(&cell) {
                    judge(changed);
                } else {
                    let error = check(&changed.bytes()).expect_err("the move is not empty");
                    assert!(error.message.contains("is not empty"), "{error}");
                }
            }
            for (index, strategy) in record.strategies.iter().enumerate() {
                for node in 0..strategy.nodes() {
                    let mut changed = database.clone();
                    let strategy = &mut changed.records[number].strategies[index];
                    let place = strategy.node(node).expect("it is there");
                    let children: Vec<u8> = place.children.iter().map(|child| child.0).collect();
                    for cell in others(database, place.cell, &mut rng) {
                        let strategy = &mut changed.records[number].strategies[index];
                        strategy.node(node).expect("it is there").cell = cell;
                        judge(changed.clone());
                    }
                    for (child, &reply) in children.iter().enumerate() {
                        for cell in others(database, reply, &mut rng) {
                            let mut changed = database.clone();
                            let strategy = &mut changed.records[number].strategies[index];
                            let place = strategy.node(node).expect("it is there");
                            place.children[child].0 = cell;
                            if children.contains(&cell) {
                                let error = check(&changed.bytes()).expect_err("twice");
                                assert!(error.message.contains("given twice"), "{error}");
                            } else {
                                judge(changed);
                            }
                        }
                    }
                }
            }
        }
    }
    println!("{changes} changes, {harmless} harmless");
    assert!(changes > 300 && harmless * 4 < changes);
}

/// The message of a file that cannot be read.
fn refused(bytes: &[u8]) -> GomokuReadError {
    check(bytes).expect_err("it cannot be read")
}

#[test]
fn malformed_files_are_refused_and_the_message_says_why() {
    let mut tried = [0; 3];
    for database in SMALL.iter() {
        let bytes = database.bytes();
        for end in 0..bytes.len() {
            let error = refused(&bytes[..end]);
            assert!(error.offset <= end, "{error}");
        }
        let error = refused(&[&bytes[..], &[0]].concat());
        assert_eq!(
            (error.offset, &error.message[..]),
            (bytes.len(), "expected the end of the file")
        );

        let mut twice = database.clone();
        twice
            .records
            .push(twice.records.last().expect("one").clone());
        assert!(
            refused(&twice.bytes())
                .message
                .contains("does not come after")
        );
        if database.records.len() > 1 {
            let mut unsorted = database.clone();
            unsorted.records.reverse();
            assert!(
                refused(&unsorted.bytes())
                    .message
                    .contains("does not come after")
            );
            tried[0] += 1;
        }
        let mut overlapping = database.clone();
        let record = &mut overlapping.records[0];
        record.white[0] = record.black[0];
        record.white.sort_unstable();
        let message = refused(&overlapping.bytes()).message;
        assert!(
            message.contains("two stones") || message.contains("out of order"),
            "{message}"
        );
        let mut out_of_order = database.clone();
        out_of_order.records[0].black.swap(0, 1);
        assert!(
            refused(&out_of_order.bytes())
                .message
                .contains("out of order")
        );
        // Upside down.
        let mut turned = database.clone();
        let record = &mut turned.records[0];
        let (width, height) = (database.width, database.height);
        for cells in [&mut record.black, &mut record.white] {
            cells
                .iter_mut()
                .for_each(|c| *c = (height - 1 - *c / width) * width + *c % width);
            cells.sort_unstable();
        }
        record.cell = (height - 1 - record.cell / width) * width + record.cell % width;
        if record.encoding() != database.records[0].encoding() {
            assert!(
                refused(&turned.bytes())
                    .message
                    .contains("is not canonical")
            );
            tried[1] += 1;
        }
        // A root in another orientation is the same claim.
        let mut same = database.clone();
        same.root = (
            turned.records[0].black.clone(),
            turned.records[0].white.clone(),
        );
        if database.records.len() == 1 {
            assert!(agreed(&same));
            tried[2] += 1;
        }
    }
    assert!(tried.iter().all(|&number| number > 3), "{tried:?}");
}

#[test]
fn bad_headers_are_refused() {
    let good = SMALL[0].bytes();
    assert!(is_gomoku_database(&good));
    assert!(!is_gomoku_database(b"TENGENPF"));
    let root = usize::from(good[12]);
    for (offset, byte, because) in [
        (0, b'X', "expected TENGENGM"),
        (8, 2, "only version 1 is read"),
        (9, 0, "the width is 0"),
        (9, 16, "the width is 16, expected 1 to 15"),
        (10, 0, "the height is 0"),
        (10, 255, "the height is 255"),
        (11, 2, "the rule is 2"),
        (12, 1, "expected as many of White as of Black"),
        (13, 36, "a stone is cell 36, expected at most 35"),
        (13 + root, 0, "expected the end of the file"),
        (13 + root + 3, 255, "the file ends here"),
    ] {
        let mut bytes = good.clone();
        bytes[offset] = byte;
        let error = refused(&bytes);
        assert!(error.message.contains(because), "{error}: {because}");
    }
}

/// A database with one record.
fn single(width: u8, height: u8, exact: bool, black: &[u8], white: &[u8], cell: u8) -> Database {
    let encoding = data::canonical(width, height, black, white);
    assert_eq!(
        encoding,
        [black, white].concat(),
        "the position is canonical"
    );
    let (black, white) = (black.to_vec(), white.to_vec());
    Database {
        width,
        height,
        exact,
        root: (black.clone(), white.clone()),
        records: vec![Record {
            black,
            white,
            cell,
            strategies: Vec::new(),
        }],
    }
}

#[test]
fn overlines_win_or_not_as_the_rule_says() {
    // A1 B1 C1 and E1 F1, Black plays D1: six.
    let (black, white) = ([0, 1, 2, 4, 5], [18, 20, 22, 24, 30]);
    assert!(agreed(&single(7, 6, false, &black, &white, 3)));
    assert!(!agreed(&single(7, 6, true, &black, &white, 3)));
    // Six white stones are no end of the game where they do not win: B3-G3.
    let (black, white) = ([0, 1, 2, 3, 9, 11], [15, 16, 17, 18, 19, 20]);
    assert!(!agreed(&single(7, 6, false, &black, &white, 4)));
    assert!(agreed(&single(7, 6, true, &black, &white, 4)));
}

#[test]
fn games_that_are_over_or_drawn_are_no_wins() {
    // White wins after Black's move, which makes a four.
    let lost = single(7, 6, false, &[0, 1, 2, 11], &[14, 15, 16, 17], 3);
    assert!(!agreed(&lost));
    assert!(
        fault(&lost.bytes())
            .reason
            .contains("White completes a five")
    );
    // Black has five already.
    let over = single(7, 6, false, &[0, 1, 2, 3, 4], &[14, 15, 16, 17, 20], 30);
    assert!(!agreed(&over));
    assert!(fault(&over.bytes()).reason.contains("over already"));
    // The last cell: nobody has won.
    let (black, white): (Vec<u8>, Vec<u8>) = ((0..4).collect(), (4..8).collect());
    let drawn = single(3, 3, false, &black, &white, 8);
    assert!(!agreed(&drawn));
    assert!(fault(&drawn.bytes()).reason.contains("a draw"));
    // No record for the root.
    let mut rootless = SMALL[0].clone();
    rootless.root = (vec![0], vec![1]);
    assert!(!agreed(&rootless));
    assert!(fault(&rootless.bytes()).record.is_none());
}

/// "E3" on a board of this width.
fn cell_named(width: u8, name: &str) -> u8 {
    let row: u8 = name[1..].parse().expect("a row");
    (row - 1) * width + name.as_bytes()[0] - b'A'
}

/// A strategy on the turned board.
fn turned(strategy: &Strategy, side: u8, turn: u8) -> Strategy {
    let child = |(reply, child): &(u8, Strategy)| {
        (
            data::image(side, side, turn, *reply),
            turned(child, side, turn),
        )
    };
    Strategy {
        cell: data::image(side, side, turn, strategy.cell),
        children: strategy.children.iter().map(child).collect(),
    }
}

/// A square board on which Black makes a four with I7, White must block at I3, and Black goes on with
/// a strategy: E3 makes two open threes.
fn two_threes(side: u8, white: &[&str], strategy: &Strategy) -> Database {
    let cells = |names: &[&str]| {
        names
            .iter()
            .map(|name| cell_named(side, name))
            .collect::<Vec<_>>()
    };
    let black = cells(&["C3", "D3", "E2", "E4", "I4", "I5", "I6"]);
    let white = cells(&[&["I8"], white].concat());
    let sorted = |turn: u8, cells: &[u8]| {
        let images = cells
            .iter()
            .map(|&cell| data::image(side, side, turn, cell));
        let mut cells: Vec<u8> = images.collect();
        cells.sort_unstable();
        cells
    };
    let smallest = data::canonical(side, side, &black, &white);
    let is_smallest =
        |&turn: &u8| [sorted(turn, &black), sorted(turn, &white)].concat() == smallest;
    let turn = (0..8)
        .find(is_smallest)
        .expect("one of them is the smallest");
    let (black, white) = (sorted(turn, &black), sorted(turn, &white));
    let four = data::image(side, side, turn, cell_named(side, "I7"));
    let mut database = single(side, side, false, &black, &white, four);
    database.records[0].strategies = vec![turned(strategy, side, turn)];
    database
}

#[test]
fn fours_of_white_are_answered_while_the_threat_stands() {
    let leaf = |name| Strategy {
        cell: cell_named(9, name),
        children: Vec::new(),
    };
    let database = |fours: [&str; 3], strategy: &Strategy| {
        let white = [&fours[..], &["A1", "A7", "G1"]].concat();
        two_threes(9, &white, strategy)
    };
    // Nothing stops both threes, and White's fours on D9 and E9 are answered.
    let plain = leaf("E3");
    let good = database(["A9", "B9", "C9"], &plain);
    assert!(agreed(&good));
    assert_eq!(report(&good.bytes()).steps, 3);
    // A child for a four is used instead, and must block it: E9 answers D9.
    let mut with_child = plain.clone();
    with_child.children = vec![(cell_named(9, "D9"), leaf("E9"))];
    assert!(agreed(&database(["A9", "B9", "C9"], &with_child)));
    with_child.children[0].1 = leaf("F9");
    let wrong = database(["A9", "B9", "C9"], &with_child);
    assert!(!agreed(&wrong));
    let reason = fault(&wrong.bytes()).reason;
    assert!(reason.contains("White's five is not blocked"), "{reason}");
    // With both ends open, a four is a double one.
    let lost = database(["B9", "C9", "D9"], &plain);
    assert!(!agreed(&lost));
    let reason = fault(&lost.bytes()).reason;
    assert!(reason.contains("White has two fives"), "{reason}");
}

/// A database that stands or falls, in its first record, with one reply and one strategy: the
/// positions after all other replies are records, which need not hold.
fn about_one_reply(board: &SlowBoard, reply: u8, strategy: Strategy) -> Option<Database> {
    let (width, height) = (board.width as u8, board.height as u8);
    let (black, white) = (board.cells_with(BLACK), board.cells_with(WHITE));
    let encoding = data::canonical(width, height, &black, &white);
    if encoding != [&black[..], &white].concat() {
        return None;
    }
    let cell = board.empties().into_iter().find(|&cell| cell != reply)?;
    let mut database = single(width, height, board.exact, &black, &white, cell);
    database.records[0].strategies = vec![strategy];
    let mut board = board.clone();
    board.set(cell, BLACK);
    let mut after = |reply: u8| {
        board.set(reply, WHITE);
        let encoding = data::canonical(
            width,
            height,
            &board.cells_with(BLACK),
            &board.cells_with(WHITE),
        );
        board.set(reply, 0);
        encoding
    };
    let ours = after(reply);
    let empties = (0..width * height).filter(|cell| !encoding.contains(cell));
    for other in empties.filter(|&other| other != cell) {
        let encoding = after(other);
        if encoding == ours || database.has(&encoding) {
            continue;
        }
        let (black, white) = encoding.split_at(encoding.len() / 2);
        let free = (0..width * height).find(|cell| !encoding.contains(cell))?;
        database.records.push(Record {
            black: black.to_vec(),
            white: white.to_vec(),
            cell: free,
            strategies: Vec::new(),
        });
    }
    database.sort();
    Some(database)
}

#[test]
fn strategies_are_played_through_as_the_definitions_say() {
    let mut rng = Rng::with_seed(5);
    let (mut wins, mut losses, mut interposed) = (0, 0, 0);
    for (width, height, stones) in [(6, 6, 8), (7, 7, 10), (9, 6, 11)] {
        for round in 0..1500 {
            let exact = round % 2 == 1;
            let board = generate::random_board(width, height, exact, stones, &mut rng);
            let (black, white) = (board.cells_with(BLACK), board.cells_with(WHITE));
            let smallest = data::canonical(width, height, &black, &white);
            let (black, white) = smallest.split_at(stones);
            let mut board = SlowBoard::new(width, height, exact, black, white);
            // Black's move is the first empty cell; the reply, any other.
            let empties = board.empties();
            let (cell, reply) = (empties[0], empties[rng.usize(1..empties.len())]);
            board.set(cell, BLACK);
            if board.has_line(BLACK) || !board.fives(WHITE).is_empty() {
                continue;
            }
            board.set(reply, WHITE);
            let strategy = (!board.wins_at_once()).then(|| generate::attack(&mut board, 2));
            let Some(Some(strategy)) = strategy else {
                continue;
            };
            for variant in 0..12 {
                // Children for White's fours are often not needed; others are.
                let mut strategy = strategy.clone();
                for _ in 0..variant / 3 {
                    let node = rng.usize(0..strategy.nodes());
                    let node = strategy.node(node).expect("it is there");
                    if !node.children.is_empty() {
                        node.children.swap_remove(rng.usize(0..node.children.len()));
                    }
                }
                board.set(cell, BLACK);
                board.set(reply, WHITE);
                board.interposed = 0;
                let won = board.turn(Some(&strategy));
                interposed += board.interposed;
                if won {
                    assert!(board.black_wins_the_game(Some(&strategy), None));
                    wins += 1;
                } else {
                    losses += 1;
                }
                board.set(cell, 0);
                board.set(reply, 0);
                let database = about_one_reply(&board, reply, strategy).expect("canonical");
                agreed(&database);
                let verdict = check(&database.bytes()).expect("it can be read");
                let fails =
                    matches!(verdict, GomokuVerdict::Rejected(fault) if fault.record == Some(0));
                assert_eq!(fails, !won);
            }
        }
    }
    println!("{wins} wins, {losses} losses, {interposed} fours answered");
    assert!(wins > 100 && losses > 20 && interposed > 10);
}

#[test]
fn damaged_bytes_never_deceive() {
    let mut rng = Rng::with_seed(3);
    let (mut readable, mut proofs) = (0, 0);
    for database in SMALL.iter() {
        let bytes = database.bytes();
        for _ in 0..200 {
            let mut damaged = bytes.clone();
            for _ in 0..rng.usize(1..3) {
                let at = rng.usize(9..damaged.len());
                damaged[at] = match rng.u32(0..3) {
                    0 => damaged[at].wrapping_add(1),
                    1 => rng.u8(0..database.width * database.height),
                    _ => rng.u8(..),
                };
            }
            if GomokuDatabase::read(&damaged).is_ok() {
                let decoded = Database::from_bytes(&damaged);
                assert_eq!(decoded.bytes(), damaged);
                readable += 1;
                proofs += u32::from(agreed(&decoded));
            }
        }
    }
    println!("{readable} of them can be read, {proofs} are proofs still");
    assert!(readable > 100);
}

#[test]
fn random_bytes_never_panic() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..20_000 {
        let mut bytes = b"TENGENGM\x01\x07\x07\x00".to_vec();
        bytes.extend((0..rng.usize(0..60)).map(|_| match rng.u32(0..4) {
            0 => rng.u8(..),
            _ => rng.u8(0..6),
        }));
        let _ = check(&bytes);
    }
}

#[test]
fn strategies_nested_without_end_are_refused() {
    let mut bytes = single(7, 7, false, &[], &[], 24).bytes();
    *bytes.last_mut().expect("the number of strategies") = 1;
    for _ in 0..1_000_000 {
        bytes.extend([0, 1, 1]);
    }
    bytes.extend([0, 0]);
    let message = refused(&bytes).message;
    assert!(message.contains("nested deeper"), "{message}");
    // A count that no file can have reserves no memory.
    let mut bytes = single(7, 7, false, &[], &[], 24).bytes();
    bytes[13..17].fill(255);
    assert!(refused(&bytes).message.contains("the file ends here"));
}

#[test]
fn samples_limits_and_threads() {
    let database = SMALL.iter().max_by_key(|database| database.records.len());
    let bytes = database.expect("there are databases").bytes();
    let database = GomokuDatabase::read(&bytes).expect("it can be read");
    let records = database.records() as u64;
    assert!(records > 2);
    let whole = GomokuLimits::default();
    let told = AtomicU64::new(0);
    let GomokuVerdict::Verified(one) = database.check(&whole, |done, all| {
        assert!(done <= all && all == records);
        told.fetch_add(1, Ordering::Relaxed);
    }) else {
        panic!("expected VERIFIED");
    };
    assert_eq!(told.into_inner(), records);
    let many = GomokuLimits {
        threads: 3,
        ..whole
    };
    let GomokuVerdict::Verified(mut three) = database.check(&many, |_, _| {}) else {
        panic!("expected VERIFIED");
    };
    assert_eq!((one.threads, three.threads), (1, 3));
    three.threads = 1;
    assert_eq!(one, three);
    for seed in 0..20 {
        let sample = GomokuLimits {
            sample: Some((1, seed)),
            ..whole
        };
        let verdict = database.check(&sample, |_, _| {});
        assert!(!verdict.is_verified() && verdict.exit_code() == 0);
        assert!(verdict.to_string().contains("no proof"), "{verdict}");
        let GomokuVerdict::VerifiedSample(report) = verdict else {
            panic!("expected a sample");
        };
        assert!((1..=2).contains(&report.checked));
    }
    // A sample of all is no sample.
    let sample = Some((records, 0));
    assert!(
        database
            .check(&GomokuLimits { sample, ..whole }, |_, _| {})
            .is_verified()
    );
    let stop = AtomicBool::new(true);
    for limits in [
        GomokuLimits {
            stop: Some(&stop),
            ..whole
        },
        GomokuLimits {
            seconds: Some(0.0),
            ..whole
        },
    ] {
        let verdict = database.check(&limits, |_, _| {});
        assert_eq!(verdict.exit_code(), 2, "{verdict}");
    }
}
