//! The page, inside the binary: what Vite wrote to `web/dist`.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::Failure;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist"]
struct Assets;

/// Names below it contain a hash of the content.
const HASHED: &str = "assets/";

/// Everything that is no part of the API: files, and the page for the paths it makes up itself.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if path == "/api" || path.starts_with("/api/") {
        return Failure::NotFound(format!(
            "the API has nothing at {path}: /api/docs lists what there is"
        ))
        .into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET is possible here");
    }
    // Names are never decoded, so `%2e%2e%2f` is a name that does not exist.
    let name = path.trim_start_matches('/');
    let is_page = !name.rsplit('/').next().unwrap_or(name).contains('.');
    let name = if is_page { "index.html" } else { name };
    match Assets::get(name) {
        Some(file) => answer(name, file, &headers),
        None => plain(StatusCode::NOT_FOUND, "there is no such file"),
    }
}

fn answer(name: &str, file: rust_embed::EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let tag = format!("\"{tag}\"");
    let cache = if name.starts_with(HASHED) {
        "public, max-age=31536000, immutable"
    } else {
        // Kept, but asked for again: a new version shows at once.
        "no-cache"
    };
    let head = [(CACHE_CONTROL, cache.to_owned()), (ETAG, tag.clone())];
    let known = headers
        .get(IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    let same = |known: &str| known.trim().trim_start_matches("W/") == tag;
    if known.is_some_and(|known| known.split(',').any(same)) {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    let kind = [(CONTENT_TYPE, content_type(name))];
    (head, kind, Body::from(file.data.into_owned())).into_response()
}

/// Browsers are told not to guess, so every kind of file we have is here.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], text).into_response()
}
