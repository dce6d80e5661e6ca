//! The book of openings and the atlas.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, Atlas, AtlasQuery, BookEntry, BookHit, BookQuery, BookSearchQuery, Live,
    NewBookComment,
};
use crate::app::Shared;
use crate::convert;
use crate::error::Failure;
use crate::routes::input::{Ask, Body};

/// The game, if nobody says.
const RULES: &str = "connect6";

/// What is best known.
const REGION: &str = "5x5";

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(entry))
        .routes(routes!(find))
        .routes(routes!(comment))
        .routes(routes!(atlas))
}

/// What the book knows of a position.
#[utoipa::path(get, path = "/book", tag = "book", params(BookQuery),
    responses((status = 200, body = BookEntry), (status = 400, body = ApiError)))]
async fn entry(
    State(app): State<Shared>,
    Ask(query): Ask<BookQuery>,
) -> Result<Json<BookEntry>, Failure> {
    let rules = query.rules.unwrap_or_else(|| RULES.to_owned());
    let read = move |searches: &crate::searches::Searches| {
        let position = convert::position(&rules, &query.position)?;
        searches.entry(&position, query.language.as_deref().unwrap_or("en"))
    };
    app.searches.ask(read).await.map(Json)
}

/// Names, comments and sources in which words begin so.
#[utoipa::path(get, path = "/book/search", tag = "book", params(BookSearchQuery),
    responses((status = 200, body = Vec<BookHit>), (status = 400, body = ApiError)))]
async fn find(
    State(app): State<Shared>,
    Ask(query): Ask<BookSearchQuery>,
) -> Result<Json<Vec<BookHit>>, Failure> {
    app.searches
        .ask(move |searches| searches.find(&query.q))
        .await
        .map(Json)
}

/// Writes a comment on a position.
#[utoipa::path(post, path = "/book/comments", tag = "book", request_body = NewBookComment,
    responses((status = 204), (status = 400, body = ApiError)))]
async fn comment(
    State(app): State<Shared>,
    Body(new): Body<NewBookComment>,
) -> Result<StatusCode, Failure> {
    app.searches
        .ask(move |searches| searches.comment(&new))
        .await?;
    app.hub.tell(&Live::Library);
    Ok(StatusCode::NO_CONTENT)
}

/// White's second turns up to symmetry, and how each of them stands.
#[utoipa::path(get, path = "/atlas", tag = "book", params(AtlasQuery),
    responses((status = 200, body = Atlas), (status = 400, body = ApiError)))]
async fn atlas(
    State(app): State<Shared>,
    Ask(query): Ask<AtlasQuery>,
) -> Result<Json<Atlas>, Failure> {
    let region = query.region.unwrap_or_else(|| REGION.to_owned());
    app.searches
        .ask(move |searches| searches.atlas(&region))
        .await
        .map(Json)
}
