//! Jobs from the outside.

mod common;

use std::time::Instant;

use common::{Folder, PATIENCE, Server, has_ended};
use serde_json::{Value, json};
use tengen_rules::{Rules, notation};

fn analysis(position: &str, seconds: f64) -> Value {
    json!({ "kind": "analyze", "rules": "connect6", "position": position, "lines": 3, "seconds": seconds })
}

/// A position in which Black wins by double threats.
const WON: &str = "B:H10,I10,J10,H8,I8,J12,K13 W:G10,A1,A3,C1,C3,S1,S3 to-move:B";

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_is_stopped_and_keeps_its_lines() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let id = server.job(analysis("J10 I8 H9", 500.0)).await;
    let has_lines = |job: &Value| {
        !job["progress"]["lines"]
            .as_array()
            .expect("lines")
            .is_empty()
    };
    server.wait(id, has_lines).await;
    let stopped: Value = server
        .post(&format!("/jobs/{id}/stop"), &json!({}))
        .await
        .read();
    assert_eq!(stopped["state"], "stopped");
    let lines = stopped["outcome"]["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    for line in lines {
        assert_eq!(line["turn"].as_array().expect("a turn").len(), 2);
        let black = line["opinion"]["black"].as_f64().expect("a share");
        assert!((0.0..=1.0).contains(&black));
        assert_ne!(line["opinion"]["certainty"], "proved");
    }
    let seen: Value = server
        .post(&format!("/jobs/{id}/seen"), &json!({}))
        .await
        .read();
    assert_eq!(seen["seen"], true);
    assert_eq!(server.delete(&format!("/jobs/{id}")).await.status, 204);
    let message = server.get(&format!("/jobs/{id}")).await.refusal(404);
    assert!(message.contains("no job"), "{message}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_turns_and_exclusions() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let first = json!({ "kind": "analyze", "rules": "connect6", "position": "J10 I8", "lines": 1, "seconds": 0.3 });
    let id = server.job(first.clone()).await;
    let job = server.end_of(id).await;
    assert_eq!(job["state"], "done");
    let turn = job["outcome"]["lines"][0]["turn"].clone();
    assert_eq!(turn.as_array().expect("a turn").len(), 1);
    let mut second = first;
    second["exclude"] = json!([turn]);
    let id = server.job(second).await;
    let job = server.end_of(id).await;
    assert_ne!(job["outcome"]["lines"][0]["turn"], turn);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn proofs_of_an_analysis_are_verified_and_stored() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let request = json!({ "kind": "analyze", "rules": "connect6", "position": WON, "lines": 1, "seconds": 30.0 });
    let id = server.job(request.clone()).await;
    let job = server.end_of(id).await;
    assert_eq!(job["state"], "done", "{job}");
    let opinion = &job["outcome"]["lines"][0]["opinion"];
    assert_eq!(opinion["certainty"], "proved", "{job}");
    assert_eq!(
        (&opinion["side"], &opinion["black"]),
        (&json!("black"), &json!(1.0))
    );
    assert!(opinion["turns"].as_u64().is_some() && opinion["proof"].as_u64().is_some());
    // The same again is the same proof.
    let again = server.job(request).await;
    let again = server.end_of(again).await;
    assert_eq!(
        again["outcome"]["lines"][0]["opinion"]["proof"],
        opinion["proof"]
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_win_is_found_checked_and_kept() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let request = json!({ "kind": "find-win", "rules": "connect6", "position": WON, "order": 1 });
    let id = server.job(request).await;
    let job = server.end_of(id).await;
    let outcome = &job["outcome"];
    assert_eq!(outcome["kind"], "win", "{job}");
    assert_eq!(outcome["side"], "black");
    assert_eq!(outcome["zones"].as_array().expect("zones").len(), 3);
    check_tree(outcome);
    let none = json!({ "kind": "find-win", "rules": "tic-tac-toe", "position": "", "order": 1 });
    let job = server.end_of(server.job(none).await).await;
    assert_eq!(job["outcome"]["kind"], "none");
    server.stop().await;
}

/// Parents come first, every line is legal, and the main line ends with the win in as many turns as promised.
fn check_tree(outcome: &Value) {
    let nodes = outcome["tree"].as_array().expect("a tree");
    assert!(!nodes.is_empty() && nodes.len() <= 300);
    let start = notation::parse_position(WON, Rules::CONNECT6).expect("a position");
    let mut positions = vec![start];
    for (place, node) in nodes.iter().enumerate() {
        assert_eq!(node["id"].as_u64(), Some(place as u64 + 1));
        let parent = node["parent"].as_u64().expect("a parent") as usize;
        let mut position = positions[parent].clone();
        let turn = node["turn"].as_array().expect("a turn").iter();
        let turn = turn.map(|cell| cell.as_str().expect("a cell").parse().expect("a cell"));
        position.play(&turn.collect()).expect("legal");
        positions.push(position);
    }
    assert_eq!(nodes[0]["turn"], outcome["turn"]);
    let main = |parent: u64| {
        let child = |node: &&Value| node["parent"] == parent && node["order"] == 0.0;
        nodes
            .iter()
            .find(child)
            .and_then(|node| node["id"].as_u64())
    };
    let mut line = vec![0];
    while let Some(next) = line.last().and_then(|&last| main(last)) {
        line.push(next);
    }
    let turns = line.len() as u64 / 2;
    // The last turn is left out where nothing stops it.
    let promised = outcome["turns"].as_u64().expect("a number");
    assert!(
        turns == promised || turns + 1 == promised,
        "{turns} of {promised}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_lists_what_survives() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    // The worked example of the proof format: three replies stop Black.
    let request = json!({
        "kind": "verify", "rules": "6,6,4,1,1", "position": "B:B2,C2 W:F6 to-move:W", "order": 1
    });
    let job = server.end_of(server.job(request).await).await;
    let outcome = &job["outcome"];
    assert_eq!(outcome["kind"], "verified", "{job}");
    assert_eq!(outcome["attacker"], "black");
    let survivors = outcome["survivors"].as_array().expect("survivors");
    let stones: Vec<&Value> = survivors.iter().map(|s| &s["stones"][0]).collect();
    assert_eq!(stones, ["A2", "D2", "E2"]);
    assert_eq!(
        (&outcome["open"], &outcome["replies"]),
        (&json!(3), &json!(33))
    );
    assert!(outcome["proof"].as_u64().is_some());
    let lost = json!({ "kind": "verify", "rules": "6,6,4,1,1", "position": "B:B2,C2,D2 W:F6 to-move:B", "order": 1 });
    let job = server.end_of(server.job(lost).await).await;
    assert_eq!(job["state"], "failed");
    assert!(
        job["error"]
            .as_str()
            .expect("an error")
            .contains("wins at once"),
        "{job}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_level_plays_a_legal_turn_though_analyses_fill_the_workers() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let busy = server.job(analysis("J10 I8 H9", 500.0)).await;
    server.wait(busy, |job| job["state"] == "running").await;
    for (level, position, stones) in [(1, "J10", 2), (4, "J10 I8", 1), (6, "", 1)] {
        let request = json!({
            "kind": "turn", "rules": "connect6", "position": position, "level": level, "seconds": 0.5
        });
        let job = server.end_of(server.job(request).await).await;
        assert_eq!(job["state"], "done", "{job}");
        let turn = job["outcome"]["turn"].as_array().expect("a turn");
        assert_eq!(turn.len(), stones);
    }
    assert_eq!(server.get_job(busy).await["state"], "running");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_go_on_after_a_restart() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let running = server.job(analysis("J10 I8 H9", 400.0)).await;
    let queued = server.job(analysis("J10 I8 H8", 400.0)).await;
    let deep = |job: &Value| job["progress"]["depth"].as_u64() >= Some(2);
    let before = server.wait(running, deep).await;
    server.stop().await;

    let server = Server::start(&folder, 1).await;
    let after = server.get_job(running).await;
    assert!(!has_ended(&after), "{after}");
    let (lines, depth) = (&before["progress"]["lines"], &before["progress"]["depth"]);
    assert!(
        after["progress"]["depth"].as_u64() >= depth.as_u64(),
        "{after}"
    );
    assert_eq!(
        after["progress"]["lines"].as_array().map(Vec::len),
        lines.as_array().map(Vec::len)
    );
    assert_eq!(server.get_job(queued).await["state"], "queued");
    // A queued job ends at once; the other one with what it knows.
    let stopped: Value = server
        .post(&format!("/jobs/{queued}/stop"), &json!({}))
        .await
        .read();
    assert_eq!(stopped["state"], "stopped");
    let stopped: Value = server
        .post(&format!("/jobs/{running}/stop"), &json!({}))
        .await
        .read();
    assert_eq!(stopped["outcome"]["kind"], "analysis", "{stopped}");
    server.stop().await;

    let server = Server::start(&folder, 1).await;
    assert_eq!(server.get_job(running).await["outcome"], stopped["outcome"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_jobs_are_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    for _ in 0..100 {
        server.job(analysis("J10 I8 H9", 500.0)).await;
    }
    let request = json!({ "request": analysis("J10", 1.0) });
    let message = server.post("/jobs", &request).await.refusal(429);
    assert!(message.contains("stop some"), "{message}");
    let request = json!({ "request": { "kind": "analyze", "rules": "connect6", "position": "J10", "lines": 99 } });
    let message = server.post("/jobs", &request).await.refusal(400);
    assert!(message.contains("expected 1 to 8"), "{message}");
    let start = Instant::now();
    server.stop().await;
    assert!(start.elapsed() < PATIENCE);
}
