//! Conversations, line by line, with asymmetric positions.

use std::time::Duration;

use tengen_rules::notation;

use super::*;
use crate::Clock;

fn position(rules: &str, stones: &str) -> Position {
    let rules: Rules = rules.parse().expect("rules");
    let cells = notation::parse_moves(stones, rules).expect("stones");
    Position::replay(rules, &cells).expect("a game")
}

fn client(kind: ProtocolKind, rules: &str, side: Side) -> Box<dyn Client> {
    kind.client(Start {
        rules: rules.parse().expect("rules"),
        side,
        memory: 1 << 20,
    })
}

fn a_second() -> Limits {
    Limits {
        clock: Clock::per_turn(Duration::from_secs(1)),
        ..Limits::default()
    }
}

#[track_caller]
fn hears(client: &mut dyn Client, line: &str, turn: &str) {
    let turn: Turn = turn.parse().expect("a turn");
    assert_eq!(client.hear(line), Ok(Heard::Turn(turn)), "{line}");
}

#[test]
fn gomocup_counts_rows_from_the_top() {
    let mut client = client(ProtocolKind::Gomocup, "gomoku", Side::White);
    assert_eq!(client.hello(), ["START 15"]);
    assert_eq!(client.hear("MESSAGE hi"), Ok(Heard::Nothing));
    assert_eq!(client.hear("OK"), Ok(Heard::Ready));
    let lines = client.ask(&position("gomoku", "H8 C2 D1"), &a_second());
    let expected = [
        "INFO timeout_turn 1000",
        "INFO timeout_match 0",
        "INFO max_memory 1048576",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO time_left 2147483647",
        "BOARD",
        "7,7,2",
        "2,13,1",
        "3,14,2",
        "DONE",
    ];
    assert_eq!(lines, expected);
    hears(client.as_mut(), "0,0", "A15");
    hears(client.as_mut(), " 3 , 12 ", "D3");
    let lines = client.ask(&position("gomoku", "H8 C2 D1 D3 E1"), &a_second());
    assert_eq!(lines, ["INFO time_left 2147483647", "TURN 4,14"]);
    for garbage in ["hello", "1", "1,2,3", "x,y", "99999,1"] {
        assert!(client.hear(garbage).is_err(), "{garbage}");
    }
    let error = client.hear("ERROR no board\u{7}").expect_err("an error");
    assert_eq!(error, "it says `ERROR no board\\u{7}`");
}

#[test]
fn gomocup_begins_and_knows_rectangles() {
    let mut client = client(ProtocolKind::Gomocup, "12,10,5,1,1,exact", Side::Black);
    assert_eq!(client.hello(), ["RECTSTART 12,10"]);
    let limits = Limits {
        clock: Clock {
            left: Some(Duration::from_secs(90)),
            ..Clock::default()
        },
        ..Limits::default()
    };
    let lines = client.ask(&position("12,10,5,1,1,exact", ""), &limits);
    assert_eq!(lines[0], "INFO timeout_turn 90000");
    assert_eq!(lines[1], "INFO timeout_match 90000");
    assert_eq!(lines[4..], ["INFO rule 1", "INFO time_left 90000", "BEGIN"]);
    hears(client.as_mut(), "2,8", "C2");
}

#[test]
fn sau_begins_with_the_empty_board() {
    let mut white = client(ProtocolKind::Sau, "connect6", Side::White);
    assert_eq!(white.hello(), ["name?"]);
    assert_eq!(white.hear("name Somebody"), Ok(Heard::Ready));
    let lines = white.ask(&position("connect6", "J10"), &a_second());
    assert_eq!(lines, ["new white", "move JJ@@"]);
    hears(white.as_mut(), "move CBDE", "C2 D5");
    let lines = white.ask(&position("connect6", "J10 C2 D5 A19 S1"), &a_second());
    assert_eq!(lines, ["move ASSA"]);
    let mut black = client(ProtocolKind::Sau, "connect6", Side::Black);
    assert_eq!(
        black.ask(&position("connect6", ""), &a_second()),
        ["new black"]
    );
    hears(black.as_mut(), "move JJ@@", "J10");
}

#[test]
fn cloudict_places_openings() {
    let mut black = client(ProtocolKind::Cloudict, "connect6", Side::Black);
    assert_eq!(black.hello(), ["name"]);
    let lines = black.ask(&position("connect6", "J10 C2 D5"), &a_second());
    assert_eq!(lines, ["new white", "black JJ", "white CBDE", "next"]);
    hears(black.as_mut(), "move ASSA", "A19 S1");
    let lines = black.ask(&position("connect6", "J10 C2 D5 A19 S1 B1 B2"), &a_second());
    assert_eq!(lines, ["move BABB"]);
    let mut first = client(ProtocolKind::Cloudict, "connect6", Side::Black);
    assert_eq!(
        first.ask(&position("connect6", ""), &a_second()),
        ["new black"]
    );
    hears(first.as_mut(), "move JJJJ", "J10");
}

#[test]
fn simple_tells_the_whole_game() {
    let mut client = client(ProtocolKind::Simple, "connect6", Side::Black);
    assert!(client.hello().is_empty());
    let lines = client.ask(&position("connect6", "J10 C2 D5"), &a_second());
    assert_eq!(lines, ["time 985", "go JJCBDE"]);
    let lines = client.ask(&position("connect6", ""), &Limits::default());
    assert_eq!(lines, ["go"]);
    hears(client.as_mut(), "move casa", "C1 S1");
    for garbage in ["move JJK", "move J1K2", "move ÄÖ", "error what?"] {
        assert!(client.hear(garbage).is_err(), "{garbage}");
    }
    for chat in ["", "thinking...", "moves", "move"] {
        assert_eq!(client.hear(chat), Ok(Heard::Nothing), "{chat}");
    }
}

#[test]
fn games_that_a_protocol_cannot_play() {
    let refused = |kind: ProtocolKind, rules: &str, stones: &str| {
        let rules: Rules = rules.parse().expect("rules");
        let stones = notation::parse_moves(stones, rules).expect("stones");
        kind.refuses(rules, &[Opening { stones }]).is_some()
    };
    assert!(refused(ProtocolKind::Gomocup, "connect6", ""));
    assert!(refused(ProtocolKind::Gomocup, "inf,inf,5,1,1", ""));
    assert!(!refused(ProtocolKind::Gomocup, "gomoku", "H8"));
    assert!(refused(ProtocolKind::Sau, "connect6", "J10"));
    assert!(!refused(ProtocolKind::Sau, "connect6", ""));
    assert!(refused(ProtocolKind::Cloudict, "gomoku", ""));
    assert!(!refused(ProtocolKind::Cloudict, "connect6", "J10"));
    assert!(refused(ProtocolKind::Simple, "27,9,5,1,1", ""));
    assert!(!refused(ProtocolKind::Simple, "26,9,5,3,1", ""));
}
