//! The API describes itself: as OpenAPI for programs, and as a page for people.

use axum::Json;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::Html;
use axum::routing::get;
use utoipa::openapi::OpenApi;

use crate::app::Shared;

const PAGE: &str = include_str!("docs/docs.html");
const SCRIPT: &str = include_str!("docs/docs.js");
const STYLE: &str = include_str!("docs/docs.css");

pub(crate) fn routes(description: OpenApi) -> Router<Shared> {
    Router::new()
        .route("/api/openapi.json", get(async || Json(description)))
        .route("/api/docs", get(async || Html(PAGE)))
        .route(
            "/api/docs.js",
            get(async || ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT)),
        )
        .route(
            "/api/docs.css",
            get(async || ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)),
        )
}
