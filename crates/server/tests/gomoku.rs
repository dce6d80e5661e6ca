//! Playing White against a proof that Black wins Go-Moku.

mod common;

use std::fs;
use std::sync::Arc;

use common::{Folder, Server};
use serde_json::{Value, json};
use tengen_server::{Config, Gomoku};

fn stored() -> Vec<u8> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../suites/gomoku/four-stones.gomoku"
    );
    fs::read(path).expect("the stored proof")
}

async fn server(folder: &Folder) -> Server {
    let gomoku = Gomoku::read(stored()).expect("a proof");
    Server::with(Config {
        gomoku: Some(Arc::new(gomoku)),
        ..Config::local(folder.0.clone())
    })
    .await
}

async fn play(server: &Server, moves: &[String]) -> Value {
    let path = format!("/gomoku/play?moves={}", moves.join(","));
    server.get(&path).await.read()
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list").iter();
    list.map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}

#[tokio::test]
async fn without_a_proof_it_says_how_to_get_one() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let state: Value = server.get("/gomoku").await.read();
    assert_eq!(state, json!({ "proof": null }));
    let message = server.get("/gomoku/play").await.refusal(404);
    assert!(message.contains("--gomoku FILE"), "{message}");
    server.stop().await;
}

#[tokio::test]
async fn the_proof_is_described() {
    let folder = Folder::new();
    let server = server(&folder).await;
    let state: Value = server.get("/gomoku").await.read();
    let proof = &state["proof"];
    assert_eq!(proof["rules"], "gomoku");
    assert_eq!(
        (&proof["width"], &proof["height"]),
        (&json!(15), &json!(15))
    );
    assert_eq!(texts(&proof["black"]).len(), 2);
    assert_eq!(texts(&proof["white"]).len(), 2);
    let counts = proof["by_stones"].as_array().expect("a list");
    assert_eq!(&counts[..5], [0, 0, 0, 0, 1].map(Value::from));
    let sum: u64 = counts.iter().filter_map(Value::as_u64).sum();
    assert_eq!(proof["records"], sum);
    server.stop().await;
}

#[tokio::test]
async fn black_answers_until_five_stand_in_a_row() {
    let folder = Folder::new();
    let server = server(&folder).await;
    let state: Value = server.get("/gomoku").await.read();
    let mut taken = texts(&state["proof"]["black"]);
    taken.extend(texts(&state["proof"]["white"]));
    let mut moves: Vec<String> = Vec::new();
    let first = play(&server, &moves).await;
    assert_eq!(first["kind"], "known");
    let line = loop {
        let answer = play(&server, &moves).await;
        let cell = answer["cell"].as_str().expect("a stone").to_owned();
        assert!(!taken.contains(&cell), "{cell} is taken: {moves:?}");
        taken.push(cell.clone());
        moves.push(cell);
        if answer["kind"] == "five" {
            break texts(&answer["line"]);
        }
        assert!(moves.len() < 60, "{moves:?}");
        // White plays from a corner on, and so loses soon.
        let free = ('A'..='O').map(|column| format!("{column}15"));
        let reply = free.into_iter().find(|cell| !taken.contains(cell));
        let reply = reply.expect("the row is not full");
        taken.push(reply.clone());
        moves.push(reply);
    };
    assert_eq!(line.len(), 5);
    assert!(line.contains(moves.last().expect("a stone")));
    let over = play(&server, &moves).await;
    assert_eq!(
        over,
        json!({ "kind": "over", "winner": "black", "line": line })
    );
    let free = ["A1", "B1", "C1"].map(str::to_owned);
    moves.extend(free.into_iter().find(|cell| !taken.contains(cell)));
    let path = format!("/gomoku/play?moves={}", moves.join(","));
    let message = server.get(&path).await.refusal(400);
    assert!(message.contains("after the end of the game"), "{message}");
    server.stop().await;
}

#[tokio::test]
async fn other_moves_have_reasons() {
    let folder = Folder::new();
    let server = server(&folder).await;
    let first = play(&server, &[]).await;
    let first = first["cell"].as_str().expect("a stone");
    // Black plays something else.
    let left = play(&server, &["A1".to_owned(), "A2".to_owned()]).await;
    assert_eq!(left, json!({ "kind": "left" }));
    let state: Value = server.get("/gomoku").await.read();
    let stone = &texts(&state["proof"]["white"])[0];
    for (moves, reason) in [
        (first.to_owned(), "White is to move"),
        (format!("{first},{stone}"), "is already occupied by White"),
        (format!("{first},{first}"), "is already occupied by Black"),
        (format!("{first},P16"), "off the board"),
        (format!("{first},nowhere"), "`nowhere`"),
    ] {
        let message = server
            .get(&format!("/gomoku/play?moves={moves}"))
            .await
            .refusal(400);
        assert!(message.contains(reason), "{moves}: {message}");
    }
    let long = "A1,".repeat(1_000);
    let message = server
        .get(&format!("/gomoku/play?moves={long}"))
        .await
        .refusal(413);
    assert!(message.contains("expected at most"), "{message}");
    server.stop().await;
}

#[test]
fn files_that_cannot_be_played_are_refused() {
    let bytes = stored();
    let refusal = |bytes: &[u8]| {
        let read = Gomoku::read(bytes.to_vec());
        read.map(|_| ()).expect_err("no proof").to_string()
    };
    assert!(refusal(b"no proof").contains("TENGENGM"));
    assert!(refusal(&bytes[..bytes.len() - 1]).contains("damaged"));
    // Another root, of which there is no record.
    let mut other = bytes.clone();
    let taken = &bytes[13..17];
    other[13] = (0..225).find(|cell| !taken.contains(cell)).expect("a cell");
    assert!(refusal(&other).contains("no record"));
}
