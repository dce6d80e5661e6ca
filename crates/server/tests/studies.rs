//! Studies over HTTP: made, edited, taken back, found.

mod requests;

use requests::Server;
use serde_json::{Value, json};

async fn made(server: &Server, moves: &str) -> Value {
    server
        .post("/api/studies", json!({"title": "Game", "moves": moves}))
        .await
        .ok()
}

async fn edit(server: &Server, base: u32, patch: Value) -> requests::Answer {
    let edit = json!({"base": base, "label": "add", "patch": patch});
    server.post("/api/studies/1/edits", edit).await
}

fn keys(server: &Server) -> Vec<(u32, Option<Vec<u8>>)> {
    let database = rusqlite::Connection::open(server.folder.join("tengen.sqlite")).expect("open");
    let mut query = database
        .prepare("SELECT id, key FROM nodes WHERE study = 1 ORDER BY id")
        .expect("sql");
    let rows = query
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}

#[tokio::test]
async fn a_study_is_edited_and_edits_are_taken_back() {
    let server = Server::new("studies_edited");
    let document = made(&server, "J10 I8 H9").await;
    assert_eq!(document["study"]["nodes"], 3);
    assert_eq!(document["study"]["next_node"], 3);
    let hostile = "<script>alert(1)</script> \u{0} 棋";
    let node = json!({"id": 3, "parent": 2, "order": 0.5, "turn": ["k11", "L10"], "comment": hostile,
        "marks": [{"cell": "A1", "kind": "label", "text": "<i>"}], "arrows": [{"from": "A1", "to": "B2"}]});
    let edited = edit(&server, 0, json!({"put": [node]})).await.ok();
    assert_eq!(
        edited,
        json!({"revision": 1, "can_undo": true, "can_redo": false})
    );
    let message = edit(&server, 0, json!({"put": [node]}))
        .await
        .refused(409, "conflict");
    assert!(message.contains("revision 1"), "{message}");

    let after = server.get("/api/studies/1").await.ok();
    assert_eq!(after["nodes"][3]["comment"], hostile);
    assert_eq!(after["nodes"][3]["turn"], json!(["K11", "L10"]));
    let undone = server
        .post("/api/studies/1/undo", json!({"base": 1}))
        .await
        .ok();
    assert_eq!(undone["patch"], json!({"put": [], "remove": [3]}));
    assert_eq!(undone["label"], "add");
    assert_eq!(
        undone["edited"],
        json!({"revision": 2, "can_undo": false, "can_redo": true})
    );
    assert_eq!(
        server.get("/api/studies/1").await.ok()["nodes"],
        document["nodes"]
    );
    let redone = server
        .post("/api/studies/1/redo", json!({"base": 2}))
        .await
        .ok();
    assert_eq!(redone["edited"]["revision"], 3);
    assert_eq!(
        server.get("/api/studies/1").await.ok()["nodes"],
        after["nodes"]
    );
    server
        .post("/api/studies/1/redo", json!({"base": 3}))
        .await
        .refused(409, "conflict");

    // A new edit after an undo: nothing is left to be done again, and numbers are not used twice.
    server
        .post("/api/studies/1/undo", json!({"base": 3}))
        .await
        .ok();
    let node = json!({"id": 3, "parent": 2, "turn": ["A1", "A2"]});
    let message = edit(&server, 4, json!({"put": [node]}))
        .await
        .refused(400, "bad-request");
    assert!(message.contains("begin with 4"), "{message}");
    let node = json!({"id": 4, "parent": 2, "turn": ["A1", "A2"]});
    let edited = edit(&server, 4, json!({"put": [node]})).await.ok();
    assert_eq!(
        edited,
        json!({"revision": 5, "can_undo": true, "can_redo": false})
    );
}

#[tokio::test]
async fn removed_branches_come_back_in_order() {
    let server = Server::new("studies_removed");
    let before = made(&server, "J10 I8 H9 K11 L10 A1 A2").await;
    let message = edit(&server, 0, json!({"remove": [3]}))
        .await
        .refused(400, "bad-request");
    assert!(message.contains("node 4 is below"), "{message}");
    edit(&server, 0, json!({"remove": [4, 2, 3]})).await.ok();
    assert_eq!(
        server.get("/api/studies/1").await.ok()["nodes"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    let undone = server
        .post("/api/studies/1/undo", json!({"base": 1}))
        .await
        .ok();
    let ids: Vec<_> = undone["patch"]["put"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|n| &n["id"])
        .collect();
    assert_eq!(ids, [2, 3, 4]);
    assert_eq!(
        server.get("/api/studies/1").await.ok()["nodes"],
        before["nodes"]
    );
}

#[tokio::test]
async fn impossible_patches_are_refused_whole() {
    let server = Server::new("studies_refused");
    let before = made(&server, "J10 I8 H9").await;
    let node =
        |id: u32, parent: Value, turn: Value| json!({"id": id, "parent": parent, "turn": turn});
    let good = node(3, json!(2), json!(["A1", "A2"]));
    for (wrong, reason) in [
        (
            json!({"put": [good, node(4, json!(9), json!(["B1"]))]}),
            "parent, node 9",
        ),
        (
            json!({"put": [good, node(4, json!(null), json!(["B1"]))]}),
            "only the root",
        ),
        (
            json!({"put": [good, node(0, json!(null), json!(["B1"]))]}),
            "the root has neither",
        ),
        (
            json!({"put": [good, node(0, json!(2), json!([]))]}),
            "the root has neither",
        ),
        (json!({"put": [good, good]}), "twice"),
        (
            json!({"put": [good, node(4, json!(2), json!(["J10", "B1"]))]}),
            "J10 is already occupied",
        ),
        (
            json!({"put": [good, node(4, json!(2), json!(["B1", "B1"]))]}),
            "B1 is already occupied",
        ),
        (
            json!({"put": [good, node(4, json!(2), json!(["T1", "B1"]))]}),
            "off the board",
        ),
        (
            json!({"put": [good, node(4, json!(2), json!(["B1", "B2", "B3"]))]}),
            "at most 2",
        ),
        (
            json!({"put": [good, node(4, json!(2), json!(["../x"]))]}),
            "the turn",
        ),
        (
            json!({"put": [good, node(2, json!(3), json!(["I8", "H9"]))]}),
            "below itself",
        ),
        (
            json!({"put": [good, node(2, json!(1), json!(["C1", "C2"]))]}),
            "needs a node of its own",
        ),
        (
            json!({"put": [good, node(1, json!(0), json!([]))]}),
            "needs a node of its own",
        ),
        (
            json!({"put": [node(4, json!(2), json!(["B1"])), node(5, json!(4), json!(["B2"]))]}),
            "not finished",
        ),
        (json!({"put": [good], "remove": [0]}), "root"),
        (json!({"put": [good], "remove": [7]}), "not there"),
        (
            json!({"put": [good], "remove": [2]}),
            "cannot be removed while",
        ),
        (
            json!({"put": [{"id": 3, "parent": 2, "turn": ["A1"], "comment": "x".repeat(200_001)}]}),
            "200001 characters",
        ),
        (
            json!({"put": [{"id": 3, "parent": 2, "turn": ["A1"], "marks": [{"cell": "Z99", "kind": "cross"}]}]}),
            "off the board",
        ),
        (
            json!({"put": [{"id": 3, "parent": 2, "turn": ["A1"],
            "opinion": {"certainty": "proved", "side": "black", "black": 1.0, "proof": 1}}]}),
            "verified",
        ),
    ] {
        let message = edit(&server, 0, wrong.clone())
            .await
            .refused(400, "bad-request");
        assert!(
            message.contains(reason),
            "{message} instead of {reason}: {wrong}"
        );
    }
    assert_eq!(
        server.get("/api/studies/1").await.ok(),
        before,
        "nothing was changed"
    );
    edit(&server, 0, json!({"put": [good]})).await.ok();
}

#[tokio::test]
async fn half_turns_grow_and_keys_follow() {
    let server = Server::new("studies_keys");
    made(&server, "J10").await;
    edit(
        &server,
        0,
        json!({"put": [{"id": 2, "parent": 1, "turn": ["I8"]}]}),
    )
    .await
    .ok();
    let half = keys(&server);
    edit(
        &server,
        1,
        json!({"put": [{"id": 2, "parent": 1, "turn": ["I8", "H9"]}]}),
    )
    .await
    .ok();
    // Turned by half a circle, and in the other order.
    edit(
        &server,
        2,
        json!({"put": [{"id": 3, "parent": 1, "turn": ["L11", "K12"]}]}),
    )
    .await
    .ok();
    let whole = keys(&server);
    assert!(whole.iter().all(|(_, key)| key.is_some()));
    assert_eq!(whole[2].1, whole[3].1, "the same position");
    assert_ne!(whole[2].1, half[2].1, "another position");
    for base in [3, 4] {
        server
            .post("/api/studies/1/undo", json!({"base": base}))
            .await
            .ok();
    }
    assert_eq!(keys(&server), half);
}

#[tokio::test]
async fn moved_branches_have_new_keys() {
    let server = Server::new("studies_moved");
    made(&server, "J10 I8 H9 K11 L10").await;
    edit(
        &server,
        0,
        json!({"put": [{"id": 4, "parent": 1, "turn": ["A1", "A2"]}]}),
    )
    .await
    .ok();
    let before = keys(&server);
    edit(
        &server,
        1,
        json!({"put": [{"id": 3, "parent": 4, "turn": ["K11", "L10"]}]}),
    )
    .await
    .ok();
    let after = keys(&server);
    assert_ne!(before[3], after[3]);
    assert_eq!((&before[..3], &before[4]), (&after[..3], &after[4]));
    server
        .post("/api/studies/1/undo", json!({"base": 2}))
        .await
        .ok();
    assert_eq!(keys(&server), before);
}

#[tokio::test]
async fn hundreds_of_edits_can_be_taken_back() {
    let server = Server::new("studies_history");
    let before = made(&server, "J10").await;
    for number in 0..250_u32 {
        let node = json!({"id": 1, "parent": 0, "turn": ["J10"], "comment": format!("{number}")});
        edit(&server, number, json!({"put": [node]})).await.ok();
    }
    for number in 250..500 {
        server
            .post("/api/studies/1/undo", json!({"base": number}))
            .await
            .ok();
    }
    assert_eq!(
        server.get("/api/studies/1").await.ok()["nodes"],
        before["nodes"]
    );
}

#[tokio::test]
async fn the_library_lists_changes_and_forgets() {
    let server = Server::new("studies_library");
    made(&server, "").await;
    server
        .post(
            "/api/studies",
            json!({"rules": "7,6,4,1,1", "start": "B:D1 W:D2 to-move:B"}),
        )
        .await
        .ok();
    let change = json!({"title": "Opening", "folder": "Books", "info": {"black": "甲"}});
    let study = server.json("PATCH", "/api/studies/1", change).await.ok();
    assert_eq!(
        (&study["title"], &study["info"]["black"]),
        (&json!("Opening"), &json!("甲"))
    );
    let list = server.get("/api/studies").await.ok();
    assert_eq!(
        (&list[0]["id"], &list[1]["id"]),
        (&json!(1), &json!(2)),
        "changed last, first"
    );
    assert_eq!(list[1]["start"], "B:D1 W:D2 to-move:B");
    server
        .json("PATCH", "/api/studies/1", json!({"rules": "gomoku"}))
        .await
        .refused(400, "bad-request");
    server
        .json("PATCH", "/api/studies/9", json!({"title": "x"}))
        .await
        .refused(404, "not-found");
    let gone = server.json("DELETE", "/api/studies/1", json!(null)).await;
    assert_eq!(gone.status, 204);
    server.get("/api/studies/1").await.refused(404, "not-found");
    server
        .json("DELETE", "/api/studies/1", json!(null))
        .await
        .refused(404, "not-found");
    for (new, reason) in [
        (json!({"rules": "chess"}), "chess"),
        (json!({"moves": "J10 J10"}), "occupied"),
        (json!({"start": "B:J10 W:J10 to-move:B"}), "J10"),
        (json!({"title": "x".repeat(501)}), "501 characters"),
    ] {
        let message = server
            .post("/api/studies", new)
            .await
            .refused(400, "bad-request");
        assert!(message.contains(reason), "{message}");
    }
}

#[tokio::test]
async fn texts_are_found_wherever_they_are() {
    let server = Server::new("studies_search");
    server
        .post(
            "/api/studies",
            json!({"title": "Вступление", "moves": "J10"}),
        )
        .await
        .ok();
    let put = json!([{"id": 1, "parent": 0, "turn": ["J10"], "name": "Center", "comment": "這是天元的強手。"}]);
    edit(&server, 0, json!({"put": put})).await.ok();
    for (text, at) in [("вступ", 0), ("CENTER", 1), ("天元", 1)] {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let found = server
            .get(&format!("/api/search?text={encoded}"))
            .await
            .ok();
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{text}: {found}");
        assert_eq!((&found[0]["id"], &found[0]["at"]), (&json!(1), &json!(at)));
    }
    assert_eq!(
        server.get("/api/search?text=%25").await.ok(),
        json!([]),
        "no wildcards"
    );
    server.get("/api/search").await.refused(400, "bad-request");
}
