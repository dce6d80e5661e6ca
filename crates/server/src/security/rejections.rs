//! Every refusal is a message in JSON, also those that the libraries below us make up.

use axum::Json;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::api::ApiError;

/// Messages of libraries are short.
const LONGEST: usize = 4_096;

pub(super) async fn explain(request: Request, next: Next) -> Response {
    let in_api = request.uri().path().starts_with("/api/");
    let method = request.method().clone();
    let response = next.run(request).await;
    let status = response.status();
    if !in_api || !(status.is_client_error() || status.is_server_error()) || is_json(&response) {
        return response;
    }
    let text = to_bytes(response.into_body(), LONGEST)
        .await
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let (code, message) = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            let message = format!("{method} is not possible here: /api/docs lists what is");
            ("bad-request", message)
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = "the request has more bytes than are taken here: send less at once";
            ("too-large", message.to_owned())
        }
        StatusCode::NOT_FOUND => ("not-found", text.into_owned()),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            let message =
                "this wants JSON: send it with the header `Content-Type: application/json`";
            ("bad-request", message.to_owned())
        }
        _ if status.is_client_error() => ("bad-request", in_our_words(&text)),
        _ => ("internal", text.into_owned()),
    };
    let message = match message.trim() {
        "" => status.to_string(),
        text => text.to_owned(),
    };
    let error = Json(ApiError {
        code: code.to_owned(),
        message,
    });
    (status, error).into_response()
}

/// What axum says to programmers, said to people.
fn in_our_words(text: &str) -> String {
    const WORDS: [(&str, &str); 5] = [
        (
            "Failed to parse the request body as JSON:",
            "the body is no JSON:",
        ),
        (
            "Failed to deserialize the JSON body into the target type:",
            "the JSON is not what is wanted here:",
        ),
        (
            "Failed to deserialize query string:",
            "what follows the `?` is not what is wanted here:",
        ),
        (
            "Invalid URL: Cannot parse",
            "the address is wrong: cannot read",
        ),
        ("to a `u32`", "as a number"),
    ];
    let replaced = |text: String, (theirs, ours): &(&str, &str)| text.replace(theirs, ours);
    WORDS.iter().fold(text.to_owned(), replaced)
}

fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}
