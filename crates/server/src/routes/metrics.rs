//! What Prometheus reads. Not below `/api`: that is where it looks.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use crate::app::Shared;

pub(crate) fn routes() -> Router<Shared> {
    Router::new().route("/metrics", get(metrics))
}

async fn metrics(State(app): State<Shared>) -> Response {
    match app.grid.watch() {
        Ok(watch) => {
            let plain = [(CONTENT_TYPE, "text/plain; version=0.0.4")];
            (plain, watch.metrics()).into_response()
        }
        Err(_) => (
            StatusCode::NOT_FOUND,
            "no grid is used: `tengen serve --grid URL`\n",
        )
            .into_response(),
    }
}
