//! Requests to the router, without a socket.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::Value;
use tengen_server::Config;
use tower::ServiceExt as _;

/// A server with a data folder of its own.
pub(crate) struct Server {
    pub(crate) folder: PathBuf,
    router: Router,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a text")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("a plain header"))
    }

    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(
            self.status,
            StatusCode::OK,
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        self.json()
    }

    /// The message of a refusal with this status and code.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> String {
        assert_eq!(
            self.status.as_u16(),
            status,
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        let json = self.json();
        assert_eq!(json["code"], code, "{json}");
        let message = json["message"].as_str().expect("a message");
        assert!(message.len() > 10, "a message for people: {message}");
        message.to_owned()
    }
}

impl Server {
    /// `name` must be the test's own.
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, |_| {})
    }

    pub(crate) fn with(name: &str, change: impl FnOnce(&mut Config)) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // Left over from an earlier run, or not there.
        let _ = std::fs::remove_dir_all(&folder);
        Self::at(folder, change)
    }

    /// With what is in a folder already.
    pub(crate) fn at(folder: PathBuf, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::local(folder.clone());
        change(&mut config);
        let app = tengen_server::open(config).expect("the folder can be used");
        let router = tengen_server::router(app);
        Self { folder, router }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let answer = self
            .router
            .clone()
            .oneshot(request)
            .await
            .expect("never fails");
        let (parts, body) = answer.into_parts();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: to_bytes(body, usize::MAX)
                .await
                .expect("a whole body")
                .into(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let request = Request::get(path).body(Body::empty());
        self.send(request.expect("a request")).await
    }

    pub(crate) async fn json(&self, method: &str, path: &str, body: Value) -> Answer {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("content-type", "application/json");
        self.send(
            request
                .body(Body::from(body.to_string()))
                .expect("a request"),
        )
        .await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.json("POST", path, body).await
    }

    pub(crate) async fn upload(&self, path: &str, file: impl Into<Body>) -> Answer {
        let request = Request::post(path).body(file.into());
        self.send(request.expect("a request")).await
    }
}
