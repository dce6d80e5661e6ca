//! Collections over HTTP: a file goes up, its games come back.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};
use tengen_server::{Config, open, router};
use tower::ServiceExt as _;

/// A server in a folder that goes away with it.
struct Server {
    router: Router,
    folder: PathBuf,
}

impl Server {
    fn new(name: &str, largest_upload: usize) -> Self {
        let name = format!("tengen-http-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let config = Config {
            largest_upload,
            ..Config::local(folder.clone())
        };
        let app = open(config).expect("a new data folder");
        Self {
            router: router(app),
            folder,
        }
    }

    async fn ask(&self, method: Method, path: &str, body: impl Into<Body>) -> (StatusCode, Value) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost:6160")
            .header("content-type", "application/json");
        let request = request.body(body.into()).expect("a request");
        let answer = self
            .router
            .clone()
            .oneshot(request)
            .await
            .expect("an answer");
        let status = answer.status();
        let bytes = to_bytes(answer.into_body(), 1 << 24).await.expect("a body");
        (
            status,
            serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        )
    }

    async fn get(&self, path: &str) -> Value {
        let (status, value) = self.ask(Method::GET, path, Body::empty()).await;
        assert_eq!(status, StatusCode::OK, "{path}: {value}");
        value
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let (status, value) = self.ask(Method::POST, path, body.to_string()).await;
        assert_eq!(status, StatusCode::OK, "{path}: {value}");
        value
    }

    /// Uploads a file and waits until all its games are there.
    async fn import(&self, query: &str, file: &[u8], games: u32) -> Value {
        let path = format!("/api/collections?{query}");
        let (status, job) = self.ask(Method::POST, &path, file.to_vec()).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{job}");
        assert_eq!(job["kind"], "import-games");
        let id = &job["request"]["collection"];
        for _ in 0..1000 {
            let collections = self.get("/api/collections").await;
            let found = collections.as_array().expect("a list").iter();
            let mut found = found.filter(|one| one["id"] == *id);
            let collection = found.next().expect("the new collection");
            if collection["games"] == games {
                return collection.clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the import did not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.folder);
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

const SGF: &str = "(;GM[511]PB[Ada]PW[Bob]RE[B+R]DT[2020-05-01]EV[Spring cup];B[JJ];W[IH];W[HI])
(;GM[511]PB[Cleo]PW[Ada]RE[W+]DT[2021-01-01]EV[Winter cup];B[JJ];W[KL];W[LK];B[AA];B[BB])
(;GM[511]PB[Dan];B[JJ];W[JJ])";

#[tokio::test]
async fn games_go_up_and_come_back() {
    let server = Server::new("back", Config::LARGEST_UPLOAD);
    let collection = server.import("name=..%2Fcups.sgf", SGF.as_bytes(), 2).await;
    assert_eq!(collection["name"], "cups.sgf");

    let list = server.get("/api/games").await;
    assert_eq!(list["total"], 2);
    assert_eq!(
        list["games"][0]["info"]["black"], "Cleo",
        "the newest first"
    );
    let id = &list["games"][1]["id"];
    let game = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(
        (&game["moves"], &game["turns"]),
        (&json!("J10 I8 H9"), &json!(2))
    );
    assert_eq!(game["info"]["event"], "Spring cup");

    for (query, total) in [
        ("text=ada", 2),
        ("text=winter", 1),
        ("text=2020", 1),
        ("text=nobody", 0),
        ("position=J10%20H11%20I12", 2),
        ("position=J10%20H11%20I12&text=cleo", 1),
        ("position=J10%20H11%20I13", 0),
        ("position=H8&rules=gomoku", 0),
        ("collection=77", 0),
    ] {
        let list = server.get(&format!("/api/games?{query}")).await;
        assert_eq!(list["total"], total, "{query}");
        assert_eq!(
            list["games"].as_array().expect("games").len(),
            total,
            "{query}"
        );
    }
    let page = server.get("/api/games?limit=1&offset=1").await;
    assert_eq!((&page["total"], &page["games"][0]["id"]), (&json!(2), id));

    let asked = json!({ "rules": "connect6", "position": "J10" });
    let explored = server.post("/api/explore", asked).await;
    assert_eq!(
        (&explored["games"], &explored["black"], &explored["white"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(explored["turns"].as_array().expect("turns").len(), 1);
    let asked = json!({ "rules": "connect6", "position": "J10 I8 H9" });
    let places = server.post("/api/places", asked).await;
    assert_eq!(places[0]["title"], "Cleo – Ada");
    assert_eq!(
        (&places[0]["turned"], &places[1]["turned"]),
        (&json!(true), &json!(false))
    );
    let openings = server.get("/api/openings").await;
    assert_eq!(
        (&openings[0]["name"], &openings[0]["games"]),
        (&json!("TX-d21"), &json!(2))
    );

    let path = format!("/api/collections/{}", collection["id"]);
    let (status, _) = server.ask(Method::DELETE, &path, Body::empty()).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(server.get("/api/games").await["total"], 0);
    let (status, error) = server.ask(Method::DELETE, &path, Body::empty()).await;
    assert_eq!(
        (status, &error["code"]),
        (StatusCode::NOT_FOUND, &json!("not-found"))
    );
}

#[tokio::test]
async fn packed_files_are_unpacked_and_collections_told_apart() {
    let server = Server::new("packed", Config::LARGEST_UPLOAD);
    let text = packed(b"1 j10 i8h9\n2 j10 k12l11 a1a2\n");
    let golem = server.import("name=all.txt.gz", &text, 2).await;
    let gomoku = server
        .import("rules=gomoku&format=moves", b"H8 H9\n", 1)
        .await;
    assert_eq!(gomoku["name"], "games");
    let explore = async |collection: &Value| {
        let asked =
            json!({ "rules": "connect6", "position": "J10 I8 H9", "collection": collection["id"] });
        server.post("/api/explore", asked).await["games"].clone()
    };
    assert_eq!(
        (explore(&golem).await, explore(&gomoku).await),
        (json!(2), json!(0))
    );
    let list = server.get("/api/games?position=H8&rules=gomoku").await;
    assert_eq!(list["games"][0]["rules"], "gomoku");
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_in_words() {
    let server = Server::new("refused", 4096);
    let bomb = packed(&vec![b' '; 1 << 20]).repeat(300);
    let half = &packed(SGF.as_bytes())[..50];
    for (query, file, status, words) in [
        ("", &b""[..], 400, "empty"),
        ("", b"\x00\x01\x02 what is this", 400, "none of those"),
        ("", half, 400, "incomplete"),
        ("", &[b'J'; 5000], 413, "the most that is read"),
        ("format=pdf", b"J10", 400, "pdf"),
        ("rules=chess", b"J10", 400, "chess"),
        ("charset=klingon", b"J10", 400, "klingon"),
    ] {
        let path = format!("/api/collections?{query}");
        let (found, error) = server.ask(Method::POST, &path, file.to_vec()).await;
        assert_eq!(found.as_u16(), status, "{error}");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(words), "{message}");
    }
    let roomy = Server::new("bomb", Config::LARGEST_UPLOAD);
    let (status, error) = roomy.ask(Method::POST, "/api/collections", bomb).await;
    assert_eq!(
        (status.as_u16(), &error["code"]),
        (413, &json!("too-large")),
        "{error}"
    );
    for server in [server, roomy] {
        assert_eq!(
            server.get("/api/collections").await,
            json!([]),
            "nothing is left behind"
        );
        for (path, status) in [
            ("/api/games/5", 404),
            ("/api/games/five", 400),
            ("/api/games?limit=many", 400),
            ("/api/games?position=J10%20J10", 400),
            ("/api/games?position=J10&rules=chess", 400),
        ] {
            let (found, error) = server.ask(Method::GET, path, Body::empty()).await;
            assert_eq!(found.as_u16(), status, "{path}");
            assert!(error["message"].is_string(), "{path}: {error}");
        }
        for path in ["/api/explore", "/api/places"] {
            let (found, error) = server.ask(Method::POST, path, "{").await;
            assert_eq!(found.as_u16(), 400, "{path}");
            assert!(error["message"].is_string(), "{path}: {error}");
            let asked = json!({ "rules": "connect6", "position": "J10 T99" }).to_string();
            let (found, error) = server.ask(Method::POST, path, asked).await;
            assert_eq!(found.as_u16(), 400, "{path}");
            assert!(
                error["message"].as_str().expect("words").contains("T99"),
                "{error}"
            );
        }
    }
}
