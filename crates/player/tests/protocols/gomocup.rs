//! The Gomocup protocol.

use std::time::Duration;

use tengen_player::protocol::{ProtocolKind, Settings};
use tengen_rules::Overline;

use crate::support::Talk;

fn talk() -> Talk {
    Talk::new(ProtocolKind::Gomocup)
}

fn started(start: &str) -> Talk {
    let mut talk = talk();
    assert_eq!(talk.say(start), "OK");
    talk
}

#[test]
fn x_goes_right_and_y_goes_down() {
    let mut talk = started("RECTSTART 9,6");
    // The third column from the left, the second row from the top.
    assert_eq!(talk.say("TURN 2,1"), "0,5");
    assert_eq!(talk.last().text(), "B:C5 to-move:W");
    assert_eq!(talk.say("TURN 8,0"), "1,5");
    assert_eq!(talk.last().text(), "B:C5,I6 W:A1 to-move:W");
    assert_eq!(talk.last().position.rules().to_string(), "9,6,5,1,1");
}

#[test]
fn a_board_may_come_first_and_in_any_order() {
    let mut talk = started("START 15");
    assert_eq!(talk.say("BOARD\n3,4,2\n7,7,1\n8,8,2\n1,1,1\nDONE"), "0,14");
    assert_eq!(talk.last().text(), "B:H8,B14 W:I7,D11 to-move:B");
    // They have one more: they began.
    assert_eq!(talk.say("BOARD\n3,4,2\nDONE"), "0,14");
    assert_eq!(talk.last().text(), "B:D11 to-move:W");
    // Any number of stones is a board, and nothing is one too.
    assert_eq!(talk.say("board\n 3 , 4 , 1\n\n0,14,1\ndone"), "1,14");
    assert_eq!(talk.last().text(), "B:A1,D11 to-move:B");
    assert_eq!(talk.say("BOARD\nDONE"), "0,14");
    assert_eq!(talk.say("TURN 7,7"), "1,14");
    assert_eq!(talk.last().text(), "B:A1 W:H8 to-move:B");
}

#[test]
fn a_game_goes_on_after_taking_back() {
    let mut talk = started("START 5");
    assert_eq!(talk.say("BEGIN"), "0,4");
    assert_eq!(talk.say("TURN 0,0"), "1,4");
    assert_eq!(talk.say("TAKEBACK 1,4\nTAKEBACK 0,0"), "OK | OK");
    assert_eq!(talk.say("TURN 4,4"), "1,4");
    assert_eq!(talk.last().text(), "B:A1 W:E1 to-move:B");
    assert!(
        talk.say("TAKEBACK 3,3")
            .starts_with("ERROR there is no stone on 3,3")
    );
    assert_eq!(talk.say("RESTART\nBEGIN"), "OK | 0,4");
    assert!(
        talk.say("BEGIN")
            .starts_with("ERROR BEGIN on a board with stones")
    );
}

#[test]
fn errors_say_why_and_change_nothing() {
    let mut talk = talk();
    for line in ["TURN 1,1", "BEGIN", "RESTART", "TAKEBACK 1,1", "YXNBEST 2"] {
        assert!(talk.say(line).starts_with("ERROR no board"), "{line}");
    }
    assert_eq!(
        talk.say("BOARD\n1,1,1\nDONE"),
        "ERROR BOARD: no board, expected START first, such as `START 15`"
    );
    for (line, reason) in [
        ("START 4", "ERROR a line of 5 does not fit on a 4x4 board"),
        (
            "START 64",
            "ERROR the board is 64x64, expected 1 to 63 columns and rows",
        ),
        ("START", "ERROR `` is no size"),
        ("START -7", "ERROR `-7` is no size"),
        ("RECTSTART 20", "ERROR `20` is no size"),
        ("RECTSTART 20,999", "ERROR the board is 20x999"),
        ("DONE", "ERROR DONE ends no list"),
        ("INFO rule 4", "ERROR INFO rule 4 (renju) is not supported"),
        ("INFO rule 8", "ERROR INFO rule 8 (caro) is not supported"),
        ("HELLO you", "UNKNOWN `HELLO` is no command"),
        ("\u{fffd}\u{7}", "UNKNOWN `\u{fffd}\\u{7}` is no command"),
    ] {
        assert!(
            talk.say(line).starts_with(reason),
            "{line}: {}",
            talk.say(line)
        );
    }
    assert_eq!(talk.say("START 15\nTURN 7,7"), "OK | 0,14");
    let before = talk.last().text();
    for (line, reason) in [
        ("TURN 7,7", "ERROR 7,7 is already occupied"),
        (
            "TURN 15,0",
            "ERROR 15,0 is off the board, expected 0,0 to 14,14",
        ),
        ("TURN -1,0", "ERROR -1,0 is off the board"),
        ("TURN 1", "ERROR `1` is no cell"),
        ("TURN 1,2,3", "ERROR `1,2,3` is no cell"),
        (
            "TURN 99999999999999999999,1",
            "ERROR `99999999999999999999,1` is no cell",
        ),
        (
            "BOARD\n1,1,1\n1,1,2\nDONE",
            "ERROR BOARD: 1,1 is already occupied",
        ),
        (
            "BOARD\n1,1,3\nDONE",
            "ERROR BOARD: 1,1,3 is a forbidden cell, which is not supported",
        ),
        ("BOARD\n1,1,4\nDONE", "ERROR BOARD: 1,1,4 is nobody's stone"),
        ("BOARD\nx\nDONE", "ERROR BOARD: `x` is no stone"),
        (
            "BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,1\nDONE",
            "ERROR BOARD: the game is over",
        ),
        ("YXBOARD\n1,1\nDONE", "ERROR YXBOARD: `1,1` is no stone"),
        (
            "YXBLOCK\n1,15\nDONE",
            "ERROR YXBLOCK: 1,15 is off the board",
        ),
        ("YXNBEST 0", "ERROR `0` is no number of moves"),
        (
            "SWAP2BOARD\n1,1\nDONE",
            "ERROR SWAP2BOARD: 1 stones, expected none, 3 or 5",
        ),
        (
            "SWAP2BOARD\n1,1\n2,2\n1,1\nDONE",
            "ERROR SWAP2BOARD: 1,1 is already occupied",
        ),
    ] {
        let said = talk.say(line);
        assert!(said.starts_with(reason), "{line}: {said}");
        assert!(!said.contains('|'), "{said}");
    }
    assert_eq!(talk.last().text(), before);
    assert_eq!(talk.say("TURN 7,8"), "1,14");
    assert_eq!(talk.last().text(), "B:H7,H8 W:A1 to-move:W");
}

#[test]
fn a_list_that_is_not_ended_is_given_up() {
    let mut talk = started("START 15");
    let said = talk.say("BOARD\n1,1,1\nTURN 2,2");
    assert_eq!(said, "ERROR BOARD was not ended by DONE | 0,14");
    assert_eq!(talk.last().text(), "B:C13 to-move:W");
    assert_eq!(talk.say("BOARD\n1,1,1"), "");
    assert_eq!(talk.overlong(), 0);
    assert_eq!(talk.say("2,2,2\nDONE"), "ERROR BOARD: the line is too long");
    assert_eq!(talk.overlong(), 1);
    assert!(talk.hear("END").quit);
}

#[test]
fn exactly_five_may_be_said_after_the_start() {
    let mut talk = started("START 15");
    // Six in a row with a hole.
    let six = "BOARD\n0,0,1\n1,0,1\n2,0,1\n4,0,1\n5,0,1\nDONE";
    assert_eq!(talk.say("INFO rule 1"), "");
    talk.engine.turns = vec!["D15"];
    assert_eq!(talk.say(six), "3,0");
    assert_eq!(
        talk.last().position.rules().overline(),
        Overline::DoesNotWin
    );
    // Nobody has won: the game goes on.
    assert_eq!(talk.say("TURN 9,9"), "0,14");
    talk.say("INFO rule 0");
    assert!(talk.say("TURN 9,10").starts_with("ERROR the game is over"));
}

#[test]
fn clocks_reach_the_engine() {
    let settings = Settings {
        limits: tengen_player::Limits {
            nodes: Some(50),
            ..Default::default()
        },
        ..Settings::default()
    };
    let mut talk = Talk::with(ProtocolKind::Gomocup, settings);
    talk.say("START 15\nBEGIN");
    assert_eq!(
        talk.last().limits.clock.per_turn,
        None,
        "nodes are limit enough"
    );
    assert_eq!(talk.last().limits.nodes, Some(50));
    talk.say("INFO timeout_turn 2000\nINFO timeout_match 9000\nINFO max_node 20\nINFO max_depth 3\nTURN 1,1");
    let limits = talk.last().limits;
    assert_eq!(limits.clock.per_turn, Some(Duration::from_secs(2)));
    assert_eq!(limits.clock.left, Some(Duration::from_secs(9)));
    assert_eq!((limits.nodes, limits.depth), (Some(20), Some(3)));
    // The scripted engine takes 100 ms.
    talk.say("TURN 1,2");
    assert_eq!(
        talk.last().limits.clock.left,
        Some(Duration::from_millis(8900))
    );
    talk.say("INFO time_left 777\nINFO max_node 0\nTURN 1,3");
    assert_eq!(
        talk.last().limits.clock.left,
        Some(Duration::from_millis(777))
    );
    assert_eq!(talk.last().limits.nodes, Some(50));
}

#[test]
fn without_any_limit_a_turn_takes_the_usual_time() {
    let mut talk = started("START 15");
    talk.say("BEGIN");
    assert_eq!(
        talk.last().limits.clock.per_turn,
        Some(Duration::from_secs(5))
    );
    talk.say("INFO max_depth 4\nTURN 1,1");
    assert_eq!(
        talk.last().limits.clock.per_turn,
        Some(Duration::from_secs(5)),
        "depth may take for ever"
    );
}

#[test]
fn analysis_changes_nothing() {
    let mut talk = started("START 15");
    assert_eq!(talk.say("YXSHOWINFO"), "MESSAGE INFO MAX_THREAD_NUM 1");
    assert_eq!(
        talk.say("YXBOARD\n7,7,2\nDONE\nYXBLOCK\n0,14\n1,14\nDONE\nYXSTOP"),
        ""
    );
    let said = talk.say("YXNBEST 2");
    assert_eq!(talk.last().lines, 2);
    assert_eq!(talk.last().exclude.len(), 2);
    for part in [
        "INFO PV 0 | INFO NUMPV 2",
        "INFO BESTLINE 2,14 | INFO PV DONE | INFO PV 1",
        "INFO BESTLINE 3,14",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(said.ends_with("INFO PV DONE | 2,14"), "{said}");
    let again = talk.say("YXBLOCKRESET\nYXNBEST 1");
    assert!(again.ends_with(" | 0,14"), "{again}");
    assert_eq!(talk.last().text(), "B:H8 to-move:W");
}

#[test]
fn a_move_that_cannot_be_answered_did_not_happen() {
    let mut talk = started("START 5");
    let all: Vec<String> = (0..25).map(|i| format!("{},{}", i % 5, i / 5)).collect();
    talk.say(&format!("YXBLOCK\n{}\nDONE", all.join("\n")));
    assert_eq!(talk.say("TURN 2,2"), "ERROR every legal turn is excluded");
    assert_eq!(talk.say("YXBLOCKRESET\nTURN 2,2"), "0,4");
}

#[test]
fn a_full_board_and_a_finished_game_take_no_move() {
    let mut talk = started("START 5");
    // No five in a row anywhere.
    let rows = ["11212", "22121", "11212", "22121", "1121."];
    let stones = rows.iter().enumerate().flat_map(|(y, row)| {
        let stones = row.chars().enumerate().filter(|(_, whose)| *whose != '.');
        stones.map(move |(x, whose)| format!("{x},{y},{whose}"))
    });
    let board = stones.collect::<Vec<_>>().join("\n");
    assert_eq!(talk.say(&format!("BOARD\n{board}\nDONE")), "4,4");
    assert!(
        talk.say("TURN 4,4")
            .starts_with("ERROR the game is over: the board is full")
    );
    assert!(talk.say("YXNBEST 1").starts_with("ERROR the game is over"));
    assert!(
        talk.say("TAKEBACK 4,4\nTURN 4,4")
            .starts_with("OK | ERROR the game is over")
    );
}

#[test]
fn swap2_takes_the_side_the_engine_likes() {
    let mut talk = started("START 15");
    // The most even of five offers: the engine is asked about the last first.
    talk.engine.scores = vec![300, -20, 500, -90, 40];
    assert_eq!(talk.say("SWAP2BOARD\nDONE"), "1,2 4,1 2,6");
    assert_eq!(talk.engine.asked().len(), 5);
    assert_eq!(
        talk.last().limits.clock.per_turn,
        Some(Duration::from_secs(1))
    );
    assert_eq!(talk.last().text(), "B:F13,B14 W:C11 to-move:W");

    talk.engine.scores = vec![-1, 1];
    let three = "SWAP2BOARD\n1,1\n2,4\n5,2\nDONE";
    assert_eq!(talk.say(three), "SWAP");
    // We are black now, and white answers.
    assert_eq!(talk.say("TURN 9,9"), "0,14");
    assert_eq!(talk.last().text(), "B:F13,B14 W:J6,C11 to-move:B");
    assert_eq!(talk.say("RESTART"), "OK");
    talk.engine.scores = vec![1];
    assert_eq!(talk.say(three), "0,14");
    assert_eq!(talk.say("TURN 9,9"), "1,14");
    assert_eq!(talk.last().text(), "B:J6,F13,B14 W:A1,C11 to-move:W");
    talk.engine.scores = vec![-7];
    assert_eq!(
        talk.say("SWAP2BOARD\n1,1\n2,4\n5,2\n9,9\n8,8\nDONE"),
        "SWAP"
    );
}

#[test]
fn swap2_has_an_offer_for_every_board() {
    for start in [
        "START 5",
        "START 7",
        "START 63",
        "RECTSTART 1,5",
        "RECTSTART 5,1",
        "RECTSTART 6,40",
    ] {
        let mut talk = started(start);
        let said = talk.say("SWAP2BOARD\nDONE");
        assert_eq!(said.split(' ').count(), 3, "{start}: {said}");
    }
}
