//! The grid: who is there, how it was, and what people do to it.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{ApiError, GridHistory, GridHistoryQuery, GridReason, GridState, GridUsage};
use crate::app::Shared;
use crate::error::Failure;
use crate::grid::GridDesk;
use crate::routes::input::{Ask, Body};

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(state))
        .routes(routes!(history))
        .routes(routes!(use_so))
        .routes(routes!(drain))
        .routes(routes!(drop_worker))
        .routes(routes!(believe))
}

/// Asks away from the threads that serve: the book is read.
async fn ask<T: Send + 'static>(
    app: &Shared,
    work: impl FnOnce(&GridDesk) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let grid = Arc::clone(&app.grid);
    let done = tokio::task::spawn_blocking(move || work(&grid)).await;
    let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
    done.map_err(bug)?
}

fn name(path: Result<Path<String>, PathRejection>) -> Result<String, Failure> {
    let wrong = |_| Failure::NotFound("there is nothing here: expected a name".to_owned());
    path.map(|Path(name)| name).map_err(wrong)
}

/// Workers, searches and what went wrong. Without a grid `address` is `null` and all lists are empty.
#[utoipa::path(get, path = "/grid", tag = "grid", responses((status = 200, body = GridState)))]
async fn state(State(app): State<Shared>) -> Result<Json<GridState>, Failure> {
    ask(&app, GridDesk::state).await.map(Json)
}

/// How busy it was, since this server started: the last hour every five seconds, or the last day every minute.
#[utoipa::path(get, path = "/grid/history", tag = "grid", params(GridHistoryQuery),
    responses((status = 200, body = GridHistory), (status = 400, body = ApiError), (status = 409, body = ApiError)))]
async fn history(
    State(app): State<Shared>,
    Ask(query): Ask<GridHistoryQuery>,
) -> Result<Json<GridHistory>, Failure> {
    app.grid.history(query.span.unwrap_or_default()).map(Json)
}

/// Has a search use the grid in another way from now on, whoever runs it. Jobs that wait go where they belong then.
#[utoipa::path(put, path = "/grid/searches/{client}", tag = "grid", params(("client" = String, Path)),
    request_body = GridUsage,
    responses((status = 204), (status = 400, body = ApiError), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn use_so(
    State(app): State<Shared>,
    client: Result<Path<String>, PathRejection>,
    Body(usage): Body<GridUsage>,
) -> Result<StatusCode, Failure> {
    let client = name(client)?;
    ask(&app, move |grid| grid.use_so(&client, &usage)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets a worker finish its jobs and leave.
#[utoipa::path(post, path = "/grid/workers/{name}/drain", tag = "grid", params(("name" = String, Path)),
    responses((status = 204), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn drain(
    State(app): State<Shared>,
    worker: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Failure> {
    app.grid.drain(&name(worker)?)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Drops a worker: it is told to go, its jobs go to others, and no search reads its answers any more.
#[utoipa::path(post, path = "/grid/workers/{name}/drop", tag = "grid", params(("name" = String, Path)),
    request_body = GridReason,
    responses((status = 204), (status = 400, body = ApiError), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn drop_worker(
    State(app): State<Shared>,
    worker: Result<Path<String>, PathRejection>,
    Body(GridReason { reason }): Body<GridReason>,
) -> Result<StatusCode, Failure> {
    app.grid.drop_worker(&name(worker)?, &reason)?;
    Ok(StatusCode::NO_CONTENT)
}

/// What a dropped worker says counts again, once somebody starts it.
#[utoipa::path(post, path = "/grid/workers/{name}/believe", tag = "grid", params(("name" = String, Path)),
    responses((status = 204), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn believe(
    State(app): State<Shared>,
    worker: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Failure> {
    app.grid.believe(&name(worker)?)?;
    Ok(StatusCode::NO_CONTENT)
}
