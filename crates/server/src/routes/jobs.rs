//! Long work: start, watch, stop, forget.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{ApiError, Job, NewJob};
use crate::app::Shared;
use crate::error::Failure;
use crate::routes::input::{Body, Id};

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(list, make))
        .routes(routes!(get, forget))
        .routes(routes!(stop))
        .routes(routes!(see))
}

/// All jobs, oldest first.
#[utoipa::path(get, path = "/jobs", tag = "jobs", responses((status = 200, body = Vec<Job>)))]
async fn list(State(app): State<Shared>) -> Json<Vec<Job>> {
    Json(app.jobs.list())
}

/// Starts a job.
#[utoipa::path(post, path = "/jobs", tag = "jobs", request_body = NewJob,
    responses((status = 200, body = Job), (status = 400, body = ApiError), (status = 429, body = ApiError)))]
async fn make(State(app): State<Shared>, Body(new): Body<NewJob>) -> Result<Json<Job>, Failure> {
    Ok(Json(app.jobs.submit(new).await?))
}

/// How a job stands.
#[utoipa::path(get, path = "/jobs/{id}", tag = "jobs", params(("id" = u32, Path)),
    responses((status = 200, body = Job), (status = 404, body = ApiError)))]
async fn get(State(app): State<Shared>, Id(id): Id) -> Result<Json<Job>, Failure> {
    Ok(Json(app.jobs.get(id)?))
}

/// Stops a job; an analysis keeps what it has found.
#[utoipa::path(post, path = "/jobs/{id}/stop", tag = "jobs", params(("id" = u32, Path)),
    responses((status = 200, body = Job), (status = 404, body = ApiError)))]
async fn stop(State(app): State<Shared>, Id(id): Id) -> Result<Json<Job>, Failure> {
    Ok(Json(app.jobs.stop(id).await?))
}

/// Somebody has looked at the outcome.
#[utoipa::path(post, path = "/jobs/{id}/seen", tag = "jobs", params(("id" = u32, Path)),
    responses((status = 200, body = Job), (status = 404, body = ApiError)))]
async fn see(State(app): State<Shared>, Id(id): Id) -> Result<Json<Job>, Failure> {
    Ok(Json(app.jobs.see(id).await?))
}

/// Stops a job and forgets it.
#[utoipa::path(delete, path = "/jobs/{id}", tag = "jobs", params(("id" = u32, Path)),
    responses((status = 204), (status = 404, body = ApiError)))]
async fn forget(State(app): State<Shared>, Id(id): Id) -> Result<StatusCode, Failure> {
    app.jobs.forget(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
