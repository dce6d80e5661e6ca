//! Who is let in, and what everybody is told.

mod requests;

use axum::body::Body;
use axum::http::Request;
use requests::{Answer, Server};
use serde_json::json;

async fn with(server: &Server, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    server
        .send(request.body(Body::empty()).expect("a request"))
        .await
}

#[tokio::test]
async fn other_sites_are_refused() {
    let server = Server::new("security_sites");
    let here = ("host", "127.0.0.1:6160");
    for (method, path, headers) in [
        ("GET", "/api/studies", vec![("host", "evil.example")]),
        ("GET", "/", vec![("host", "evil.example:6160")]),
        (
            "DELETE",
            "/api/studies/1",
            vec![here, ("origin", "http://evil.example")],
        ),
        (
            "DELETE",
            "/api/studies/1",
            vec![here, ("origin", "http://127.0.0.1:80")],
        ),
        ("DELETE", "/api/studies/1", vec![here, ("origin", "null")]),
        (
            "DELETE",
            "/api/studies/1",
            vec![here, ("sec-fetch-site", "cross-site")],
        ),
        (
            "DELETE",
            "/api/studies/1",
            vec![here, ("sec-fetch-site", "same-site")],
        ),
        (
            "GET",
            "/api/live",
            vec![
                here,
                ("upgrade", "websocket"),
                ("origin", "http://evil.example"),
            ],
        ),
        (
            "GET",
            "/api/studies",
            vec![
                here,
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", "no-cors"),
            ],
        ),
    ] {
        let answer = with(&server, method, path, &headers).await;
        answer.refused(403, "refused");
    }
    for headers in [
        vec![
            here,
            ("origin", "http://127.0.0.1:6160"),
            ("sec-fetch-site", "same-origin"),
        ],
        vec![
            ("host", "localhost:6160"),
            ("origin", "http://localhost:6160"),
        ],
        vec![("host", "[::1]:6160"), ("origin", "http://[::1]:6160")],
        vec![here],
        vec![],
    ] {
        let answer = with(&server, "DELETE", "/api/studies/1", &headers).await;
        answer.refused(404, "not-found");
    }
}

#[tokio::test]
async fn a_token_is_demanded_once() {
    let server = Server::with("security_token", |config| {
        config.token = Some("top+secret".into())
    });
    let host = ("host", "board.example");
    let login = with(&server, "GET", "/", &[host]).await;
    assert_eq!(login.status, 401);
    assert!(login.text().contains("<form"), "{}", login.text());
    with(&server, "GET", "/api/studies", &[host])
        .await
        .refused(401, "refused");
    for wrong in [
        "Bearer top+secreT",
        "Bearer ",
        "Bearer top+secret2",
        "Basic top+secret",
    ] {
        let answer = with(
            &server,
            "GET",
            "/api/studies",
            &[host, ("authorization", wrong)],
        )
        .await;
        answer.refused(401, "refused");
    }
    let right = [host, ("authorization", "Bearer top+secret")];
    assert_eq!(
        with(&server, "GET", "/api/studies", &right).await.ok(),
        json!([])
    );

    assert_eq!(
        with(&server, "GET", "/?token=wrong", &[host]).await.status,
        401
    );
    let entered = with(&server, "GET", "/?token=top%2Bsecret", &[host]).await;
    assert_eq!(
        (entered.status.as_u16(), entered.header("location")),
        (303, "/")
    );
    let cookie = entered.header("set-cookie").to_owned();
    assert!(
        cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().expect("a cookie");
    let both = format!("other=1; {cookie}");
    let known = [host, ("cookie", both.as_str())];
    assert_eq!(
        with(&server, "GET", "/api/studies", &known).await.ok(),
        json!([])
    );
    assert_eq!(with(&server, "GET", "/", &known).await.status, 200);
    let foreign = [
        host,
        ("cookie", both.as_str()),
        ("origin", "http://evil.example"),
    ];
    with(&server, "DELETE", "/api/studies/1", &foreign)
        .await
        .refused(403, "refused");
}

#[tokio::test]
async fn browsers_are_told_to_be_careful() {
    let server = Server::new("security_headers");
    for path in ["/", "/api/studies", "/api/nothing", "/no.such.file"] {
        let answer = with(&server, "GET", path, &[("host", "localhost:6160")]).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'self'; "), "{policy}");
        assert!(
            policy.contains("connect-src 'self' ws://localhost:6160 "),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(
            !policy.contains("unsafe-eval") && !policy.contains("script-src"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
    }
}

#[tokio::test]
async fn the_page_is_served_and_nothing_else_of_the_disk() {
    let server = Server::new("security_files");
    for path in ["/", "/study/12", "/library"] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-cache");
        let tag = answer.header("etag").to_owned();
        let again = with(&server, "GET", path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    }
    for path in [
        "/../Cargo.toml",
        "/../../Cargo.toml",
        "/assets/../../../Cargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/..\\..\\Cargo.toml",
        "//etc/passwd.txt",
        "/etc/host.conf",
        "/assets/nothing.js",
    ] {
        let request = Request::get(path).body(Body::empty());
        // Some of these are no addresses at all.
        if let Ok(request) = request {
            let answer = server.send(request).await;
            assert_eq!(answer.status, 404, "{path}: {}", answer.text());
        }
    }
    let message = server.get("/api/nothing").await.refused(404, "not-found");
    assert!(message.contains("/api/nothing"), "{message}");
}

#[tokio::test]
async fn every_refusal_is_a_message() {
    let server = Server::new("security_messages");
    let path = "/api/studies";
    let raw = |kind: &'static str, body: Vec<u8>| {
        let request = Request::post(path).header("content-type", kind);
        server.send(request.body(Body::from(body)).expect("a request"))
    };
    let message = raw("text/plain", b"{}".to_vec())
        .await
        .refused(415, "bad-request");
    assert!(message.contains("application/json"), "{message}");
    let message = raw("application/json", b"{\"title\":".to_vec())
        .await
        .refused(400, "bad-request");
    assert!(message.contains("column"), "{message}");
    raw("application/json", b"{\"title\":\"\xff\xfe\"}".to_vec())
        .await
        .refused(400, "bad-request");
    let message = raw("application/json", b"{\"title\":7}".to_vec())
        .await
        .refused(422, "bad-request");
    assert!(message.contains("title"), "{message}");
    raw("application/json", vec![b' '; (2 << 20) + 1])
        .await
        .refused(413, "too-large");
    let deep = "[".repeat(100_000).into_bytes();
    raw("application/json", deep)
        .await
        .refused(422, "bad-request");
    let message = server
        .get("/api/studies/one")
        .await
        .refused(400, "bad-request");
    assert!(message.contains("as a number"), "{message}");
    server
        .get("/api/studies/99999999999")
        .await
        .refused(400, "bad-request");
    let message = server
        .json("PUT", path, json!({}))
        .await
        .refused(405, "bad-request");
    assert!(message.contains("PUT"), "{message}");
}

#[tokio::test]
async fn large_edits_are_taken_and_huge_ones_not() {
    let server = Server::new("security_sizes");
    server.post("/api/studies", json!({})).await.ok();
    let filled = |bytes: usize| {
        let comment = "x".repeat(100_000);
        let count = u32::try_from(bytes / 100_000).expect("few");
        let node = |id| json!({"id": id, "parent": 0, "turn": ["J10"], "comment": comment});
        json!({"base": 0, "label": "import", "patch": {"put": (1..=count).map(node).collect::<Vec<_>>()}})
    };
    let path = "/api/studies/1/edits";
    server
        .post(path, filled(9 << 20))
        .await
        .refused(413, "too-large");
    assert_eq!(server.post(path, filled(7 << 20)).await.ok()["revision"], 1);
}

#[tokio::test]
async fn the_api_describes_itself() {
    let server = Server::new("security_docs");
    let api = server.get("/api/openapi.json").await.ok();
    for path in [
        "/api/studies",
        "/api/studies/{id}",
        "/api/studies/{id}/edits",
        "/api/about",
        "/api/search",
    ] {
        assert!(api["paths"][path].is_object(), "{path}");
    }
    assert!(api["components"]["schemas"]["Node"]["properties"]["turn"].is_object());
    let page = server.get("/api/docs").await;
    assert!(page.text().contains("src=\"/api/docs.js\""));
    assert!(
        !page.text().contains("<script>"),
        "inline scripts are forbidden"
    );
    assert!(
        server
            .get("/api/docs.js")
            .await
            .header("content-type")
            .starts_with("text/javascript")
    );
    assert!(
        server
            .get("/api/docs.css")
            .await
            .header("content-type")
            .starts_with("text/css")
    );
}

#[tokio::test]
async fn answers_are_compressed_for_who_can_read_it() {
    let server = Server::new("security_gzip");
    let answer = with(
        &server,
        "GET",
        "/api/openapi.json",
        &[("accept-encoding", "gzip")],
    )
    .await;
    assert_eq!(answer.header("content-encoding"), "gzip");
    let plain = server.get("/api/openapi.json").await;
    assert!(plain.body.len() > 3 * answer.body.len());
}
