//! Stored proofs from the outside.

mod common;

use common::{Folder, Server};
use serde_json::{Value, json};

const WORKED: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\nattacker black\n\
    nodes 3\n0 D2 A2=1 E2=2\n1 E2\n2 A2\nend\n";
const PARTIAL: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:F6 to-move:W\nattacker black\n\
    except A2\nexcept D2\nexcept E2\nnodes 2\n0 - -=1\n1 D2\nend\n";

async fn upload(server: &Server, query: &str, file: &[u8]) -> common::Answer {
    let path = format!("/proofs{query}");
    server
        .ask("POST", &path, file, "application/octet-stream")
        .await
}

/// Stores a proof and waits for the checker.
async fn checked(server: &Server, file: &str) -> Value {
    let proof: Value = upload(server, "", file.as_bytes()).await.read();
    let end = tokio::time::Instant::now() + common::PATIENCE;
    loop {
        let now: Value = server.get(&format!("/proofs/{}", proof["id"])).await.read();
        if now["state"] != "unverified" && now["state"] != "checking" {
            return now;
        }
        assert!(tokio::time::Instant::now() < end, "{now}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_stored_checked_renamed_and_deleted() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let first: Value = upload(&server, "?title=My%20win", WORKED.as_bytes())
        .await
        .read();
    assert_eq!(
        (&first["title"], &first["attacker"]),
        (&json!("My win"), &json!("black"))
    );
    let proof = checked(&server, WORKED).await;
    assert_eq!(proof["id"], first["id"], "the same file is the same proof");
    assert_eq!(
        (&proof["state"], &proof["turns"]),
        (&json!("verified"), &json!(2))
    );
    assert!(
        proof["checker"]
            .as_str()
            .expect("its name")
            .starts_with("tengen-checker")
    );
    let path = format!("/proofs/{}", proof["id"]);
    let text = server.get(&format!("{path}/file?form=text")).await;
    assert_eq!(String::from_utf8(text.body).expect("text"), WORKED);
    let compact = server.get(&format!("{path}/file?form=compact")).await;
    let again: Value = upload(&server, "", &compact.body).await.read();
    assert_eq!(again["id"], proof["id"]);
    let json: Value = server.get(&format!("{path}/file?form=json")).await.read();
    assert_eq!(json["nodes"].as_array().expect("nodes").len(), 3);
    server
        .get(&format!("{path}/file?form=pdf"))
        .await
        .refusal(400);
    let body = br#"{"title":"  Another  "}"#;
    let renamed: Value = server
        .ask("PATCH", &path, body, "application/json")
        .await
        .read();
    assert_eq!(renamed["title"], "Another");
    let all: Value = server.get("/proofs").await.read();
    assert_eq!(all.as_array().expect("proofs").len(), 1);
    assert_eq!(server.delete(&path).await.status, 204);
    server.get(&path).await.refusal(404);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_files_are_refused_and_wrong_proofs_rejected() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    for (file, part) in [
        (&b"\xff\xfe"[..], "no proof"),
        (b"hello", "line 1"),
        (b"TENGENPF\x02garbage", "compressed"),
        (b"", "cannot be read"),
    ] {
        let message = upload(&server, "", file).await.refusal(400);
        assert!(message.contains(part), "{message}");
    }
    let occupied = WORKED.replace("W:B5,C5", "W:B5,C2");
    let message = upload(&server, "", occupied.as_bytes()).await.refusal(400);
    assert!(message.contains("C2"), "{message}");
    let wrong = checked(&server, &WORKED.replace("0 D2", "0 D3")).await;
    assert_eq!(wrong["state"], "rejected", "{wrong}");
    assert!(!wrong["reason"].as_str().expect("a reason").is_empty());
    let path = format!("/proofs/{}/challenge", wrong["id"]);
    let message = server
        .post(&path, &json!({ "replies": [] }))
        .await
        .refusal(400);
    assert!(message.contains("only verified"), "{message}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_is_challenged() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let proof = checked(&server, WORKED).await;
    let path = format!("/proofs/{}/challenge", proof["id"]);
    let ask = |replies: Value| {
        let (server, path) = (&server, &path);
        async move { server.post(path, &json!({ "replies": replies })).await }
    };
    let start: Value = ask(json!([])).await.read();
    assert_eq!(
        start["played"],
        json!([{ "side": "black", "turn": ["D2"] }])
    );
    assert_eq!(
        (&start["turns_left"], &start["reason"]),
        (&json!(1), &json!("first"))
    );
    assert_eq!(start["replies"], 31);
    let won: Value = ask(json!([["A2"]])).await.read();
    assert_eq!(
        (&won["won"], &won["reason"]),
        (&json!(true), &json!("completes"))
    );
    assert_eq!(won["played"][2]["turn"], json!(["E2"]));
    let message = ask(json!([["D2"]])).await.refusal(400);
    assert!(message.contains("occupied"), "{message}");
    let message = ask(json!([["A2"], ["A3"]])).await.refusal(400);
    assert!(message.contains("after the end"), "{message}");
    ask(json!([["ZZZ"]])).await.refusal(400);

    let partial = checked(&server, PARTIAL).await;
    assert_eq!(partial["state"], "verified-except");
    assert_eq!(partial["except"], json!([["A2"], ["D2"], ["E2"]]));
    let path = format!("/proofs/{}/challenge", partial["id"]);
    let open: Value = server
        .post(&path, &json!({ "replies": [["D2"]] }))
        .await
        .read();
    assert_eq!(
        (&open["left_open"], &open["won"]),
        (&json!(true), &json!(false))
    );
    let answered: Value = server
        .post(&path, &json!({ "replies": [["F1"]] }))
        .await
        .read();
    assert_eq!(
        (&answered["left_open"], &answered["reason"]),
        (&json!(false), &json!("null"))
    );
    assert_eq!(answered["played"][1]["turn"], json!(["D2"]));
    server.stop().await;
}
