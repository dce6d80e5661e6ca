//! Playing White against a proof that Black wins Go-Moku.

use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{ApiError, GomokuAnswer, GomokuQuery, GomokuState};
use crate::app::Shared;
use crate::error::Failure;
use crate::routes::input::Ask;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(state))
        .routes(routes!(play))
}

/// The proof that the server was started with, if any.
#[utoipa::path(get, path = "/gomoku", tag = "gomoku", responses((status = 200, body = GomokuState)))]
async fn state(State(app): State<Shared>) -> Json<GomokuState> {
    let proof = app.config.gomoku.as_ref().map(|gomoku| gomoku.proof());
    Json(GomokuState { proof })
}

/// What Black plays by the proof.
#[utoipa::path(get, path = "/gomoku/play", tag = "gomoku", params(GomokuQuery),
    responses((status = 200, body = GomokuAnswer), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
async fn play(
    State(app): State<Shared>,
    Ask(query): Ask<GomokuQuery>,
) -> Result<Json<GomokuAnswer>, Failure> {
    let gomoku = app.config.gomoku.clone().ok_or_else(|| {
        let message = "no proof of Go-Moku is here: start the server with --gomoku FILE";
        Failure::NotFound(message.to_owned())
    })?;
    let done = tokio::task::spawn_blocking(move || gomoku.answer(&query.moves)).await;
    let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
    done.map_err(bug)?.map(Json)
}
