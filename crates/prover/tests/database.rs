//! Playing by a proof of Go-Moku: whatever White replies, Black has an answer and wins.
//!
//! `UPDATE_GOMOKU=1 cargo test -p tengen-prover --test database` proves the position of `suites/gomoku/` anew.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use tengen_checker::{GomokuDatabase, GomokuLimits, GomokuVerdict};
use tengen_prover::pn::{Database, DatabaseError, Outcome, Play, Settings, Solver};
use tengen_rules::{Cell, Outcome as Won, Position, Rules, Setup, Side};

/// Four stones, Black to move.
const STONES: [(i16, i16); 4] = [(7, 7), (9, 9), (6, 6), (8, 8)];

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites/gomoku/four-stones.gomoku")
}

/// The bytes of the stored proof.
fn stored() -> Vec<u8> {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(read_or_prove).clone()
}

fn read_or_prove() -> Vec<u8> {
    if std::env::var_os("UPDATE_GOMOKU").is_some() {
        let cells = STONES.map(|(x, y)| Cell::new(x, y));
        let position = Position::replay(Rules::GOMOKU, &cells).expect("legal");
        let solver = Solver::of(&position, Settings::default()).expect("Go-Moku");
        let outcome = solver.solve(&AtomicBool::new(false), &|_| {});
        assert_eq!(outcome.expect("no file is written"), Outcome::Won);
        let bytes = solver.database().expect("it is won");
        fs::create_dir_all(file().parent().expect("a folder")).expect("suites can be written");
        fs::write(file(), bytes).expect("suites can be written");
    }
    fs::read(file()).expect("suites/gomoku/four-stones.gomoku")
}

/// The root as a position to play on.
fn root(database: &Database) -> Position {
    let mut setup = Setup::empty(Rules::GOMOKU);
    for (side, (x, y)) in database.root() {
        setup
            .stones_of_mut(side)
            .push(Cell::new(x as i16, y as i16));
    }
    Position::from_setup(&setup).expect("a position")
}

fn cell((x, y): (usize, usize)) -> Cell {
    Cell::new(x as i16, y as i16)
}

#[test]
fn the_stored_proof_is_verified() {
    let bytes = stored();
    let database = GomokuDatabase::read(&bytes).expect("well-formed");
    let verdict = database.check(&GomokuLimits::default(), |_, _| {});
    assert!(matches!(verdict, GomokuVerdict::Verified(_)), "{verdict}");
}

#[test]
fn black_wins_from_the_root_whatever_white_does() {
    let database = Database::read(stored()).expect("well-formed");
    assert_eq!((database.size(), database.root().len()), ((15, 15), 4));
    assert_eq!(database.depths()[4], 1);
    assert_eq!(database.depths().iter().sum::<usize>(), database.len());
    let root = root(&database);
    let mut random = fastrand::Rng::with_seed(5);
    let (mut known, mut threats) = (0, 0);
    for game in 0..300 {
        let mut position = root.clone();
        let mut moves: Vec<(usize, usize)> = Vec::new();
        while position.outcome().is_none() {
            let play = database.play(&moves).expect("the proof has an answer");
            match play {
                Play::Known { .. } => known += 1,
                Play::Threat { .. } => threats += 1,
                Play::Five { .. } => {}
            }
            position.place(cell(play.cell())).expect("legal");
            moves.push(play.cell());
            assert_eq!(
                matches!(play, Play::Five { .. }),
                position.outcome().is_some(),
                "{moves:?}"
            );
            if position.outcome().is_some() {
                break;
            }
            // Near a stone as a rule, so that White resists; sometimes anywhere.
            let near = |&(x, y): &(usize, usize)| {
                let around = |stone: Cell| {
                    let (dx, dy) = (stone.x - x as i16, stone.y - y as i16);
                    dx.abs() <= 2 && dy.abs() <= 2
                };
                position.stones().any(|stone| around(stone.cell))
            };
            let free: Vec<(usize, usize)> = (0..15)
                .flat_map(|y| (0..15).map(move |x| (x, y)))
                .filter(|&at| position.stone(cell(at)).is_none())
                .filter(|at| game % 4 == 0 || near(at))
                .collect();
            // What stops Black's five at once, if anything does.
            let mut fives = free.iter().copied().filter(|&at| {
                let mut other = position.clone();
                other.pass();
                other.place(cell(at)).is_ok() && other.outcome().is_some()
            });
            let reply = fives
                .next()
                .unwrap_or_else(|| free[random.usize(..free.len())]);
            position.place(cell(reply)).expect("legal");
            assert!(position.outcome().is_none(), "White has won: {moves:?}");
            moves.push(reply);
        }
        let black =
            matches!(position.outcome(), Some(Won::Win { side, .. }) if *side == Side::Black);
        assert!(black, "{moves:?}");
    }
    assert!(known >= 300 && threats > 300, "{known} {threats}");
}

#[test]
fn every_reply_to_the_first_move_has_an_answer() {
    let database = Database::read(stored()).expect("well-formed");
    let root = root(&database);
    let first = database.play(&[]).expect("the root is a record").cell();
    let (mut known, mut others) = (0, 0);
    for reply in (0..15).flat_map(|y| (0..15).map(move |x| (x, y))) {
        if reply == first || root.stone(cell(reply)).is_some() {
            continue;
        }
        let play = database.play(&[first, reply]).expect("an answer");
        match play {
            Play::Known { .. } => known += 1,
            Play::Threat { .. } | Play::Five { .. } => others += 1,
        }
        assert!(play.cell() != first && play.cell() != reply);
        assert_eq!(root.stone(cell(play.cell())), None, "{reply:?}");
    }
    // Positions with six stones have records; the other replies lose to threats.
    assert!(known >= database.depths()[6] && known > 0, "{known}");
    assert_eq!(known + others, 225 - 5);
}

#[test]
fn moves_that_leave_the_proof_have_no_answer() {
    let database = Database::read(stored()).expect("well-formed");
    let first = database.play(&[]).expect("the root is a record");
    assert!(matches!(first, Play::Known { .. }));
    // Another move of Black, a cell that is taken, one beside the board, and White to move.
    let stone = database.root()[0].1;
    assert_eq!(database.play(&[(0, 0), (0, 1)]), None);
    assert_eq!(database.play(&[first.cell(), stone]), None);
    assert_eq!(database.play(&[first.cell(), (15, 0)]), None);
    assert_eq!(database.play(&[first.cell()]), None);
    assert!(database.play(&[first.cell(), (0, 0)]).is_some());
}

#[test]
fn damaged_files_are_refused() {
    let bytes = stored();
    let read = |bytes: &[u8]| Database::read(bytes.to_vec()).err();
    assert_eq!(read(&[]), Some(DatabaseError::NotOne));
    assert_eq!(read(&bytes[..bytes.len() - 1]).map(|_| ()), Some(()));
    // After the signature: version, columns, rows, rule, stones of the root, the first of them.
    let changed = |at: usize, to: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = to;
        read(&bytes)
    };
    assert_eq!(changed(8, 9), Some(DatabaseError::NotOne));
    assert_eq!(changed(9, 16), Some(DatabaseError::Board(16, 15, 0)));
    assert_eq!(changed(12, 3), Some(DatabaseError::Root));
    assert_eq!(changed(13, 225), Some(DatabaseError::Root));
    assert_eq!(changed(13, bytes[14]), Some(DatabaseError::Root));
    assert_eq!(read(&bytes[..14]), Some(DatabaseError::Root));
}
