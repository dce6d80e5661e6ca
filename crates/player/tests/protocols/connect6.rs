//! The three protocols of Connect6.

use std::time::Duration;

use tengen_player::protocol::ProtocolKind;

use crate::support::Talk;

#[test]
fn sau_counts_columns_and_rows_from_the_lower_left() {
    let mut talk = Talk::new(ProtocolKind::Sau);
    assert_eq!(talk.say("name?"), "name tengen");
    assert_eq!(talk.say("new black"), "move JJ@@");
    assert_eq!(talk.say("move CBAS"), "move AABA");
    assert_eq!(talk.last().text(), "B:J10 W:C2,A19 to-move:B");
    assert_eq!(talk.say("end\nnew white"), "");
    assert_eq!(talk.say("move JJ@@"), "move AABA");
    assert_eq!(talk.last().text(), "B:J10 to-move:W");
    talk.engine.turns = vec!["K12 R3"];
    assert_eq!(talk.say("move SACA"), "move KLRC");
    assert_eq!(talk.last().text(), "B:C1,S1,J10 W:A1,B1 to-move:W");
}

#[test]
fn sau_errors_change_nothing() {
    let mut talk = Talk::new(ProtocolKind::Sau);
    assert_eq!(talk.say("move JJ@@"), "error no game, expected `new` first");
    assert!(talk.say("new red").starts_with("error `red` is no side"));
    assert_eq!(talk.say("new white\nmove JJ@@"), "move AABA");
    for (line, reason) in [
        ("move JJKK", "error J10 is already occupied by Black"),
        ("move KK@@", "error the turn K11 has 1 stones, expected 2"),
        ("move", "error the stones are missing"),
        ("move KKT", "error `KKT` are no cells"),
        ("move KKTT", "error `TT` is no cell"),
        ("move KKLLMM", "error `KKLLMM` has 3 stones"),
        ("go", "error `go` is no command"),
    ] {
        let said = talk.say(line);
        assert!(said.starts_with(reason), "{line}: {said}");
    }
    // The platform's own complaint wants no answer.
    assert_eq!(talk.say("error\n\n"), "");
    assert_eq!(talk.overlong(), 1);
    assert_eq!(talk.say("move KKLL"), "move CADA");
    assert_eq!(talk.last().text(), "B:J10,K11,L12 W:A1,B1 to-move:W");
    assert!(talk.hear("quit").quit);
}

#[test]
fn sau_notices_the_end_of_the_game() {
    let mut talk = Talk::new(ProtocolKind::Sau);
    talk.engine.turns = vec!["A1 B1", "A3 B3", "A5 B5"];
    talk.say("new white\nmove JJ@@\nmove KJLJ\nmove MJCC");
    let said = talk.say("move NJOJ");
    assert_eq!(said, "over Black has won with J10 K10 L10 M10 N10 O10");
    assert!(talk.say("move AAAB").starts_with("error the game is over"));
    assert_eq!(talk.say("new black"), "move JJ@@");
}

#[test]
fn cloudict_places_stones_freely() {
    let mut talk = Talk::new(ProtocolKind::Cloudict);
    assert_eq!(talk.say("name\nvcf\nunvcf"), "name tengen");
    assert_eq!(talk.say("black JJ\nwhite CBAS\nnext"), "move AABA");
    assert_eq!(talk.last().text(), "B:J10 W:C2,A19 to-move:B");
    // Black was the last to move: the other side is next.
    assert_eq!(talk.say("next"), "move CADA");
    assert_eq!(talk.last().text(), "B:A1,B1,J10 W:C2,A19 to-move:W");
    // White is ours now; black is the opponent.
    assert_eq!(talk.say("move KKLL"), "move EAFA");
    assert_eq!(talk.last().position.to_move(), tengen_rules::Side::White);
    assert_eq!(talk.say("new black"), "move JJ");
    assert_eq!(
        talk.say("move JJJK"),
        "error J10 is already occupied by Black"
    );
    assert_eq!(talk.say("move KKJK"), "move AABA");
    assert_eq!(talk.say("new white\nmove JJ"), "move AABA");
    assert_eq!(talk.last().text(), "B:J10 to-move:W");
}

#[test]
fn cloudict_draws_row_a_at_the_bottom() {
    let mut talk = Talk::new(ProtocolKind::Cloudict);
    talk.say("black JJ\nwhite CBAS");
    let rows = talk.hear("print").said;
    assert_eq!(rows.len(), 21);
    assert_eq!(rows[0], "  A B C D E F G H I J K L M N O P Q R S");
    assert_eq!(rows[1], "S O . . . . . . . . . . . . . . . . . .");
    assert_eq!(rows[10], "J . . . . . . . . . X . . . . . . . . .");
    assert_eq!(rows[18], "B . . O . . . . . . . . . . . . . . . .");
    assert_eq!(rows[19], "A . . . . . . . . . . . . . . . . . . .");
    assert_eq!(rows[20], rows[0]);
}

#[test]
fn cloudict_errors_change_nothing() {
    let mut talk = Talk::new(ProtocolKind::Cloudict);
    talk.say("new white\nmove JJ");
    for (line, reason) in [
        ("black JJKK", "error JJ is already occupied by Black"),
        ("white KKZZ", "error `ZZ` is no cell"),
        ("white", "error the stones are missing"),
        ("move KK", "error the turn K11 has 1 stones, expected 2"),
        ("depth x", "error `x` is no depth, expected 1 to 99"),
        ("depth 0", "error `0` is no depth"),
        ("fly", "error `fly` is no command, `help` lists them"),
    ] {
        let said = talk.say(line);
        assert!(said.starts_with(reason), "{line}: {said}");
    }
    assert_eq!(talk.say("depth 4"), "Set the search depth to 4.");
    assert_eq!(talk.say("move KKLL"), "move CADA");
    assert_eq!(talk.last().text(), "B:J10,K11,L12 W:A1,B1 to-move:W");
    assert_eq!(talk.last().limits.depth, Some(4));
    assert_eq!(talk.hear("help").said.len(), 12);
    assert_eq!(talk.overlong(), 1);
    assert_eq!(
        talk.say("black AGAH\nblack AIAJ\nblack AKAL\nnext"),
        "error the game is over: Black has already won with A7 A8 A9 A10 A11 A12"
    );
    assert!(talk.hear("quit").quit);
}

#[test]
fn simple_remembers_the_time_alone() {
    let mut talk = Talk::new(ProtocolKind::Simple);
    assert_eq!(talk.say("go"), "move AA");
    assert_eq!(
        talk.last().limits.clock.per_turn,
        Some(Duration::from_secs(5))
    );
    assert_eq!(talk.say("time 250\ngo JJCBAS"), "move AABA");
    assert_eq!(talk.last().text(), "B:J10 W:C2,A19 to-move:B");
    assert_eq!(
        talk.last().limits.clock.per_turn,
        Some(Duration::from_millis(250))
    );
    // Inside a turn one stone is left.
    assert_eq!(talk.say("go JJ CB"), "move AA");
    assert_eq!(talk.last().text(), "B:J10 W:C2 to-move:W");
    assert_eq!(talk.last().position.left(), 1);
    for (line, reason) in [
        (
            "go JJCBJJ",
            "error stone 3: J10 is already occupied by Black",
        ),
        ("go JJC", "error `JJC` are no cells"),
        ("go JJT1", "error `T1` is no cell"),
        ("time", "error `` is no time"),
        ("time -5", "error `-5` is no time"),
        (
            "move JJ",
            "error `move` is no command, expected time, go or quit",
        ),
        (
            "go JJAABAKJLJCADAMJNJEAGAOJ",
            "error the game is over: Black has won with J10 K10 L10 M10 N10 O10",
        ),
    ] {
        let said = talk.say(line);
        assert!(said.starts_with(reason), "{line}: {said}");
    }
    assert_eq!(talk.overlong(), 1);
    assert_eq!(talk.say("go JJ"), "move AABA");
    assert_eq!(
        talk.last().limits.clock.per_turn,
        Some(Duration::from_millis(250))
    );
    assert!(talk.hear("quit").quit);
}
