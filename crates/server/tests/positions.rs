//! What is said of positions.

mod common;

use common::{Folder, Server};
use serde_json::{Value, json};

async fn facts(server: &Server, rules: &str, position: &str) -> Value {
    let text = json!({ "rules": rules, "position": position });
    server.post("/position", &text).await.read()
}

#[tokio::test]
async fn threats_shapes_and_stones() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    // Black has four in a row with room on both sides.
    let position = "J10 A1 A2 K10 L10 A4 A5 M10 S19 C1";
    let facts = facts(&server, "connect6", position).await;
    assert_eq!(
        (&facts["to_move"], &facts["left"]),
        (&json!("white"), &json!(1))
    );
    assert_eq!(facts["stones"].as_array().expect("stones").len(), 10);
    assert_eq!(
        facts["stones"][0],
        json!({ "cell": "J10", "side": "black", "turn": 1 })
    );
    assert_eq!(
        facts["stones"][9],
        json!({ "cell": "C1", "side": "white", "turn": 6 })
    );
    assert_eq!(facts["winner"], Value::Null);
    let black = &facts["black"];
    assert_eq!(black["threats"], 2);
    assert_eq!(black["windows"].as_array().expect("windows").len(), 3);
    assert!(
        black["wins"]
            .as_array()
            .expect("wins")
            .contains(&json!(["N10", "O10"]))
    );
    let defences = black["defences"].as_array().expect("defences");
    assert!(defences.contains(&json!(["I10", "N10"])), "{defences:?}");
    let shape = &black["shapes"][0];
    assert_eq!(
        (&shape["kind"], &shape["stones"]),
        (&json!("live"), &json!(4))
    );
    assert_eq!(
        shape["cells"],
        json!(["H10", "I10", "J10", "K10", "L10", "M10", "N10", "O10"])
    );
    // White has A1, A2, A4 and A5, but one stone left does not complete a line.
    assert_eq!(facts["white"]["threats"], 1);
    assert_eq!(facts["white"]["wins"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn finished_games_have_facts_and_finished_set_ups_a_reason() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let won = facts(&server, "tic-tac-toe", "A1 A2 B1 B2 C1").await;
    assert_eq!(won["winner"], "black");
    assert_eq!(won["line"], json!(["A1", "B1", "C1"]));
    assert_eq!(won["black"]["wins"], json!([]));
    let drawn = facts(&server, "tic-tac-toe", "B2 A1 C1 A3 A2 C2 B1 B3 C3").await;
    assert_eq!(
        (&drawn["drawn"], &drawn["winner"]),
        (&json!(true), &Value::Null)
    );
    let heat: Value = server
        .post(
            "/heat",
            &json!({ "rules": "tic-tac-toe", "position": "A1 A2 B1 B2 C1" }),
        )
        .await
        .read();
    assert_eq!(heat["cells"], json!([]));
    for (rules, position, part) in [
        ("tic-tac-toe", "B:A1,B1,C1 W:A2,B2 to-move:W", "already won"),
        ("tic-tac-toe", "A1 A1", "occupied"),
        ("connect6", "J10 X99", "X99"),
        ("chess", "", "chess"),
        ("connect6", "B:A1 to-move:B left:7", "expected 1 to 2"),
    ] {
        let text = json!({ "rules": rules, "position": position });
        let message = server.post("/position", &text).await.refusal(400);
        assert!(message.contains(part), "{message}");
    }
    let message = server
        .post("/position", &json!({ "rules": 7 }))
        .await
        .refusal(400);
    assert!(message.contains("rules"), "{message}");
    server.stop().await;
}

#[tokio::test]
async fn heat_is_sorted_and_scaled() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    for (rules, position) in [
        ("connect6", "J10 I8 H9"),
        ("gomoku", "H8"),
        ("inf,inf,6,2,1", "J10 K9"),
    ] {
        let text = json!({ "rules": rules, "position": position });
        let heat: Value = server.post("/heat", &text).await.read();
        let cells = heat["cells"].as_array().expect("cells");
        assert_eq!(cells.len(), 40);
        let values: Vec<f64> = cells
            .iter()
            .map(|c| c["heat"].as_f64().expect("heat"))
            .collect();
        assert_eq!((values[0], values[39]), (1.0, 0.0));
        assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn large_turns_do_not_take_for_ever() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let stones: Vec<String> = (0..30)
        .map(|n| format!("{}{}", ['A', 'C', 'E', 'G', 'I'][n % 5], 2 * (n / 5) + 1))
        .collect();
    let position = format!("B:{} W:S19 to-move:W", stones.join(","));
    for rules in ["19,19,12,10,1", "19,19,6,5,1", "19,19,4,3,1"] {
        let facts = facts(&server, rules, &position).await;
        for list in ["windows", "wins", "defences", "relaxed", "shapes"] {
            assert!(facts["black"][list].as_array().expect("a list").len() <= 200);
        }
    }
    server.stop().await;
}
