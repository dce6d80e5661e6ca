//! What this server is.

use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::About;
use crate::app::Shared;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(about))
}

/// The server: its version and limits.
#[utoipa::path(get, path = "/about", tag = "server", responses((status = 200, body = About)))]
async fn about(State(app): State<Shared>) -> Json<About> {
    Json(About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        workers: app.config.workers as u32,
        rules: ["connect6", "gomoku", "gomoku-standard", "tic-tac-toe"]
            .map(str::to_owned)
            .to_vec(),
        largest_upload: app.config.largest_upload as u32,
    })
}
