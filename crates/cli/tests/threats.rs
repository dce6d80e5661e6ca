//! What `tengen threats` lists, for people and for scripts.

mod common;

use common::Folder;
use serde_json::{Value, json};

const GAME: &str = "J10 I8 H9 K11 L10 J7 K6";

#[test]
fn the_report_for_people() {
    let folder = Folder::new("threats_text");
    assert_eq!(
        folder
            .run(&["threats", GAME, "--turns", "2", "--first", "3"])
            .ok(),
        "\
Connect6: 6 in a row on 19x19, 2 stones a turn, 1 in the first
Turn 5: Black to play, 2 stones left

Black: no threat
  live-2                 3: J10 K11, J10 L10, L10 K11
  live-1                 6: J10 (2 lines), K11 (2 lines), L10 (2 lines)

White: 2 threats, Black needs 2 stones to stop them
  wins next turn         3: F11 G10, G10 L5, L5 M4
  windows                3: M4-H9 open at M4 L5, L5-G10 open at L5 G10, K6-F11 open at G10 F11
  normal defences        3: F11 L5, G10 L5, G10 M4
  live-4                 1: K6 J7 I8 H9
  live-1                12: H9 (3 lines), I8 (3 lines), J7 (3 lines), and 1 more

Black makes at least 2 threats with any of 8 turns: H8 I9, I9 L12, I10 K10, and 5 more
"
    );
}

#[test]
fn the_report_for_scripts() {
    let folder = Folder::new("threats_json");
    let text = folder
        .run(&["threats", "--json", "--turns", "2", GAME])
        .ok();
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["rules"], "connect6");
    assert_eq!(report["to_move"], "black");
    assert_eq!(report["left"], 2);
    assert_eq!(report["outcome"], Value::Null);
    assert_eq!(report["black"]["threats"], 0);
    let white = &report["white"];
    assert_eq!(white["threats"], 2);
    assert_eq!(white["stoppable"], true);
    assert_eq!(
        white["wins"],
        json!([["F11", "G10"], ["G10", "L5"], ["L5", "M4"]])
    );
    assert_eq!(
        white["defences"],
        json!({ "normal": [["F11", "L5"], ["G10", "L5"], ["G10", "M4"]], "relaxed": [] })
    );
    assert_eq!(white["windows"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        white["shapes"][0],
        json!({ "kind": "live", "stones": 4, "cells": ["K6", "J7", "I8", "H9"] })
    );
    assert_eq!(report["turns"]["count"], 8);
    assert_eq!(report["turns"]["turns"][0], json!(["H8", "I9"]));
}

#[test]
fn a_turn_that_cannot_be_stopped() {
    let folder = Folder::new("threats_unstoppable");
    let position = "B:J10,K10,L10,M10,J11,J12,J13 W:A1 to-move:W";
    let text = folder.run(&["threats", position]).ok();
    assert!(text.contains("Black: more threats than White can stop with a turn of 2 stones\n"));
    assert!(!text.contains("defences"));
    let json = folder.run(&["threats", "--json", position]).ok();
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["black"]["stoppable"], false);
    assert_eq!(report["black"]["threats"], 3);
}

#[test]
fn a_game_that_is_over() {
    let folder = Folder::new("threats_over");
    let won = ["threats", "--rules", "tic-tac-toe", "A1 B1 A2 B2 A3"];
    assert!(
        folder
            .run(&won)
            .ok()
            .ends_with("Black has won in turn 5 with A1 A2 A3\n")
    );
    let json: Vec<&str> = won.iter().copied().chain(["--json"]).collect();
    let report: Value = serde_json::from_str(&folder.run(&json).ok()).expect("JSON");
    assert_eq!(
        report["outcome"],
        json!({ "winner": "black", "cells": ["A1", "A2", "A3"] })
    );
    assert_eq!(report["black"], Value::Null);
}
