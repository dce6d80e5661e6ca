//! Searches, the book and the atlas over HTTP. This process stands for another one that runs a search.

mod common;

use common::{Folder, PATIENCE, Server};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tengen_book::{Book, NewSearch, SearchId, Source};
use tengen_rules::{Position, Side, Turn, position_key};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

fn book(folder: &Folder) -> Book {
    std::fs::create_dir_all(&folder.0).expect("a folder");
    Book::open(folder.0.join("tengen.book")).expect("a book")
}

fn search(book: &Book, root: &str) -> SearchId {
    let new = NewSearch {
        title: "TX-d21".to_owned(),
        rules: "connect6".to_owned(),
        root: root.to_owned(),
        config: "{}".to_owned(),
    };
    book.create_search(&new).expect("a search")
}

/// A worker's answer: this turn after these moves.
fn answer(node: u32, moves: &str, turn: &str, verdict: &str) -> String {
    let mut after: Position = tengen_book::start("connect6", moves).expect("legal");
    let turn: Turn = turn.parse().expect("cells");
    after.play(&turn).expect("legal");
    let found = json!({ "turn": turn.to_string(), "key": position_key(&after).0, "verdict": verdict, "after": null });
    json!({
        "event": "answer", "node": node, "seconds": 2.0, "nodes": 500,
        "expansion": { "decided": null, "turns": [found], "rest_loses": null, "hints": [] },
    })
    .to_string()
}

#[tokio::test]
async fn a_search_that_another_process_runs_is_shown_and_can_be_told_what_to_do() {
    let folder = Folder::new();
    let book = book(&folder);
    let id = search(&book, "J10 I8 H9");
    let server = Server::start(&folder, 1).await;
    let get = |path: &'static str| async { server.get(path).await };
    let list: Vec<Value> = get("/searches").await.read();
    assert_eq!(list[0]["state"], "stopped");

    let lease = book.take_lease(id).expect("free");
    let events = [
        answer(0, "J10 I8 H9", "K11 L10", "b3"),
        answer(1, "J10 I8 H9 K11 L10", "J7 K6", "b1"),
    ];
    book.append(&lease, &events, &[]).expect("ours");
    book.set_snapshot(id, r#"{"active":[{"node":2,"job":7}]}"#)
        .expect("JSON");
    let summary: Value = get("/searches/1").await.read();
    assert_eq!(summary["state"], "running");
    assert_eq!(summary["opening"], "TX-d21");
    assert_eq!(
        (&summary["nodes"], &summary["jobs"], &summary["active"]),
        (&json!(3), &json!(2), &json!(1))
    );
    assert!(
        summary["elsewhere"]
            .as_str()
            .expect("it is not the server")
            .contains("process")
    );

    let tree: Value = get("/searches/1/tree").await.read();
    assert_eq!(tree["principal"], json!([0, 1, 2]));
    let leaf = &tree["nodes"][2];
    assert_eq!(leaf["line"], json!([["K11", "L10"], ["J7", "K6"]]));
    assert_eq!(
        (&leaf["active"], &leaf["verdict"], &leaf["side"]),
        (&json!(true), &json!("b1"), &json!("black"))
    );
    let node: Value = get("/searches/1/nodes/0").await.read();
    assert_eq!(node["children"][0]["turn"], json!(["K11", "L10"]));
    assert_eq!(node["children"][0]["proof"], node["proof"]);
    let some: Value = get("/searches/1/tree?ids=1,99,2").await.read();
    assert_eq!(some["nodes"].as_array().expect("nodes").len(), 2);
    let shallow: Value = get("/searches/1/tree?depth=1&limit=9999").await.read();
    assert_eq!(shallow["nodes"].as_array().expect("nodes").len(), 2);

    for (action, state) in [
        ("pause", "paused"),
        ("resume", "running"),
        ("stop", "stopped"),
    ] {
        let told: Value = server
            .post(&format!("/searches/1/{action}"), &json!({}))
            .await
            .read();
        assert_eq!(told["state"], state, "{action}");
    }
    let told: Value = server
        .post(
            "/searches/1/nodes/0/exclude",
            &json!({ "turn": ["L10", "K11"] }),
        )
        .await
        .read();
    assert_eq!(told["asked"], 1);
    book.release(lease).expect("ours");
    // Nobody has it now: the server itself goes on with it, and stops when it is told to.
    let told: Value = server.post("/searches/1/resume", &json!({})).await.read();
    assert_eq!(told["state"], "running");
    assert_eq!(told["elsewhere"], Value::Null);
    let told: Value = server.post("/searches/1/stop", &json!({})).await.read();
    assert_ne!(told["state"], "running");
    server.stop().await;
}

#[tokio::test]
async fn hostile_requests_are_refused_in_words() {
    let folder = Folder::new();
    let id = search(&book(&folder), "J10 I8 H9");
    assert_eq!(id, SearchId(1));
    let server = Server::start(&folder, 1).await;
    for (path, status) in [
        ("/searches/2", 404),
        ("/searches/4294967295", 404),
        ("/searches/x", 404),
        ("/searches/-1", 404),
        ("/searches/1/nodes/1", 404),
        ("/searches/1/nodes/99999999999", 404),
        ("/searches/1/nodes/x", 404),
        ("/searches/1/tree?depth=x", 400),
        ("/searches/1/tree?ids=a,b", 400),
        ("/searches/1/proof", 404),
        ("/searches/9/proof", 404),
        ("/atlas?region=1000x1000", 400),
        ("/atlas?region=%00", 400),
        ("/book", 400),
        ("/book?position=J10%20J10", 400),
        ("/book?position=J10&rules=chess", 400),
        ("/book/search", 400),
    ] {
        let message = server.get(path).await.refusal(status);
        assert!(message.len() > 10, "{path}: {message}");
    }
    let many = (0..400)
        .map(|number| number.to_string())
        .collect::<Vec<_>>();
    server
        .get(&format!("/searches/1/tree?ids={}", many.join(",")))
        .await
        .refusal(400);
    server
        .get(&format!("/book/search?q={}", "x".repeat(300)))
        .await
        .refusal(400);
    for (path, body, status) in [
        ("/searches", json!({}), 400),
        (
            "/searches",
            json!({ "rules": "connect6", "position": "J10 I8" }),
            400,
        ),
        (
            "/searches",
            json!({ "rules": "connect6", "position": "J10 I8 H9", "policy": "magic" }),
            400,
        ),
        (
            "/searches",
            json!({ "rules": "connect6", "position": "J10 I8 H9", "workers": -1 }),
            400,
        ),
        ("/searches/7/pause", json!({}), 404),
        ("/searches/1/nodes/0/suggest", json!({}), 400),
        (
            "/searches/1/nodes/0/suggest",
            json!({ "turn": ["K11"] }),
            400,
        ),
        (
            "/searches/1/nodes/0/suggest",
            json!({ "turn": ["J10", "K11"] }),
            400,
        ),
        (
            "/searches/1/nodes/0/suggest",
            json!({ "turn": ["<script>", "K11"] }),
            400,
        ),
        (
            "/searches/1/nodes/0/allow",
            json!({ "turn": ["K11", "L10"] }),
            409,
        ),
        (
            "/searches/1/nodes/5/exclude",
            json!({ "turn": ["K11", "L10"] }),
            404,
        ),
        (
            "/book/comments",
            json!({ "rules": "connect6", "position": "J10", "text": " " }),
            400,
        ),
        (
            "/book/comments",
            json!({ "rules": "connect6", "position": "J10", "text": "a", "language": "??" }),
            400,
        ),
        (
            "/book/comments",
            json!({ "rules": "connect6", "position": "J10", "text": "x".repeat(10_001) }),
            400,
        ),
    ] {
        let message = server.post(path, &body).await.refusal(status);
        assert!(message.len() > 10, "{path}: {message}");
    }
    let list: Vec<Value> = server.get("/searches").await.read();
    assert_eq!(list.len(), 1, "nothing was made");
    assert_eq!(list[0]["events"], 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_watches_sees_the_tree_grow() {
    let folder = Folder::new();
    let book = book(&folder);
    let id = search(&book, "J10 I8 H9");
    let server = Server::start(&folder, 1).await;
    let address = format!("ws://{}/api/live", server.address);
    let mut socket = connect_async(address).await.expect("a WebSocket").0;
    let lease = book.take_lease(id).expect("free");
    let event = answer(0, "J10 I8 H9", "K11 L10", "b3");
    book.append(&lease, &[event], &[]).expect("ours");
    let mut heard = async |wanted: fn(&Value) -> bool| {
        let next = async {
            while let Some(Ok(message)) = socket.next().await {
                let Message::Text(text) = message else {
                    continue;
                };
                let message: Value = serde_json::from_str(&text).expect("JSON");
                if wanted(&message) {
                    return message;
                }
            }
            panic!("it is never told")
        };
        tokio::time::timeout(PATIENCE, next).await.expect("told")
    };
    let message =
        heard(|message| message["type"] == "search" && message["search"]["events"] == 1).await;
    assert_eq!(message["search"]["nodes"], 2);
    assert_eq!(message["search"]["state"], "running");

    // Another process deletes it.
    book.release(lease).expect("ours");
    book.delete_search(id).expect("free");
    let message = heard(|message| message["type"] == "search-deleted").await;
    assert_eq!(message["search"], 1);
    server.stop().await;
}

#[tokio::test]
async fn a_search_is_deleted_unless_it_runs() {
    let folder = Folder::new();
    let book = book(&folder);
    let id = search(&book, "J10 I8 H9");
    let server = Server::start(&folder, 1).await;
    let lease = book.take_lease(id).expect("free");
    let refused = server.delete("/searches/1").await.refusal(409);
    assert!(refused.contains("stop that one first"), "{refused}");
    book.release(lease).expect("ours");
    assert_eq!(server.delete("/searches/1").await.status, 204);
    assert_eq!(server.get("/searches/1").await.status, 404);
    assert_eq!(server.delete("/searches/1").await.status, 404);
    server.stop().await;
}

#[tokio::test]
async fn the_book_answers_in_the_orientation_and_language_of_the_question() {
    let folder = Folder::new();
    let book = book(&folder);
    let position = tengen_book::start("connect6", "J10 I8 H9").expect("legal");
    let source = Source::named("a player");
    book.add_name(&position, "Mickey Mouse", "en", &source)
        .expect("a name");
    book.add_comment(&position, "Black is better.", "en", &source)
        .expect("a comment");
    book.add_comment(&position, "黒が良い。", "ja", &source)
        .expect("a comment");
    book.add_claim(&position, Side::Black, &source)
        .expect("a claim");
    let turn: Turn = "K11 L10".parse().expect("cells");
    book.add_turn(&position, &turn).expect("a turn");
    let server = Server::start(&folder, 1).await;
    let entry: Value = server
        .get("/book?position=J10%20K12%20L11&language=ja")
        .await
        .read();
    assert_eq!(entry["opening"], "TX-d21");
    assert_eq!(entry["names"][0]["name"], "Mickey Mouse");
    assert_eq!(entry["comments"][0]["language"], "ja");
    assert_eq!(entry["comments"][1]["language"], "en");
    assert!(
        entry["comments"][0]["written_for"]
            .as_str()
            .expect("turned")
            .contains("J10")
    );
    assert_eq!(entry["proved"], Value::Null, "a claim is no proof");
    assert_eq!(
        entry["claims"][0],
        json!({ "winner": "black", "source": "a player" })
    );
    let turned = entry["turns"][0]["turn"].as_array().expect("a turn");
    assert_eq!(turned.len(), 2);
    assert_ne!(entry["turns"][0]["turn"], json!(["K11", "L10"]));

    let written = json!({ "rules": "connect6", "position": "J10", "text": "白の第一手", "language": "zh-Hant" });
    assert_eq!(server.post("/book/comments", &written).await.status, 204);
    let hits: Vec<Value> = server.get("/book/search?q=mick").await.read();
    assert_eq!(
        (&hits[0]["kind"], &hits[0]["opening"]),
        (&json!("name"), &json!("TX-d21"))
    );
    let hits: Vec<Value> = server.get("/book/search?q=%E7%99%BD%E3%81%AE").await.read();
    assert_eq!(hits[0]["kind"], "comment");
    let atlas: Value = server.get("/atlas").await.read();
    let classes = atlas["classes"].as_array().expect("classes");
    assert_eq!(classes.len(), 44);
    let class = classes
        .iter()
        .find(|class| class["name"] == "TX-d21")
        .expect("a class");
    assert_eq!(
        (&class["state"], &class["claim"]),
        (&json!("untouched"), &json!("black"))
    );
    assert_eq!(class["names"][0]["name"], "Mickey Mouse");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proof_of_a_solved_search_is_a_file_and_among_the_proofs() {
    let folder = Folder::new();
    let book = book(&folder);
    let text = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\nattacker black\nnodes 1\n0 D2\nend\n";
    let stored = book.add_proof(text).expect("a proof");
    let new = NewSearch {
        title: "small".to_owned(),
        rules: "6,6,4,1,1".to_owned(),
        root: "B:B2,C2 W:B5,C5 to-move:B".to_owned(),
        config: "{}".to_owned(),
    };
    let id = book.create_search(&new).expect("a search");
    let lease = book.take_lease(id).expect("free");
    let proof: Vec<u8> = stored.proof.id.0.to_vec();
    let event = json!({
        "event": "answer", "node": 0, "seconds": 1.0, "nodes": 1,
        "expansion": {
            "decided": { "winner": "black", "evidence": { "proof": proof } },
            "turns": [], "rest_loses": null, "hints": [],
        },
    });
    book.append(&lease, &[event.to_string()], &[])
        .expect("ours");
    let server = Server::start(&folder, 1).await;
    let summary: Value = server.get("/searches/1").await.read();
    assert_eq!(
        (&summary["state"], &summary["winner"]),
        (&json!("solved"), &json!("black"))
    );
    assert_eq!(
        (&summary["proof"], &summary["disproof"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(server.get("/searches/1/proof").await.body, text.as_bytes());
    let kept: Value = server.post("/searches/1/proof", &json!({})).await.read();
    assert_eq!(kept["attacker"], "black");
    let again: Value = server.post("/searches/1/proof", &json!({})).await.read();
    assert_eq!(again["id"], kept["id"], "stored once");
    server.stop().await;
}
