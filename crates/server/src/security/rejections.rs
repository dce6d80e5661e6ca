//! Every refusal is a message in JSON, also those that the libraries below us make up.

use axum::Json;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
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
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, LONGEST).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let allowed = parts.headers.get(ALLOW).cloned();
    let (code, message) = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            let possible = allowed.as_ref().and_then(|allowed| allowed.to_str().ok());
            let possible = possible.unwrap_or("another method");
            let message = format!("{method} is not possible here, {possible} is");
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
        _ if status.is_client_error() => ("bad-request", text.into_owned()),
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
    let head: HeaderMap = allowed
        .into_iter()
        .map(|allowed| (ALLOW, allowed))
        .collect();
    (status, head, error).into_response()
}

fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}
