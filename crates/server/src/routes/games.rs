//! Collections of games, and where positions occur.

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, Collection, ExploreRequest, Explored, Game, GameList, GameQuery, ImportQuery, Job,
    JobRequest, Live, NewJob, Opening, Place, PlacesRequest,
};
use crate::app::Shared;
use crate::database::games::{self as stored, Filter, NewCollection};
use crate::error::Failure;
use crate::games::{explore, file, openings, places, position_of};
use tengen_rules::position_key;

/// Games on a page, at most and without a wish.
const MOST_LISTED: u32 = 200;
const LISTED: u32 = 50;

/// The longest name of a collection.
const LONGEST_NAME: usize = 200;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(collections, import))
        .routes(routes!(delete))
        .routes(routes!(games))
        .routes(routes!(game))
        .routes(routes!(explored))
        .routes(routes!(found_places))
        .routes(routes!(all_openings))
        // The import reads its body itself, up to the size that the server is told.
        .layer(DefaultBodyLimit::max(1 << 20))
}

/// A request that is not what the API describes.
fn unreadable(rejection: impl std::fmt::Display) -> Failure {
    Failure::BadRequest(rejection.to_string())
}

/// All collections, the newest first.
#[utoipa::path(get, path = "/collections", tag = "games", responses((status = 200, body = Vec<Collection>)))]
async fn collections(State(app): State<Shared>) -> Result<Json<Vec<Collection>>, Failure> {
    app.database.read(stored::collections).await.map(Json)
}

/// Imports a file of games: the body is the file as it is, or packed with gzip. The answer is the job that does it.
#[utoipa::path(
    post, path = "/collections", tag = "games", params(ImportQuery),
    request_body(content = String, content_type = "application/octet-stream"),
    responses((status = 202, body = Job), (status = 400, body = ApiError), (status = 413, body = ApiError))
)]
async fn import(
    State(app): State<Shared>,
    query: Result<Query<ImportQuery>, QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Job>), Failure> {
    let Query(query) = query.map_err(unreadable)?;
    let file = received(body, &headers, app.config.largest_upload).await?;
    let checked = tokio::task::spawn_blocking(move || new_collection(&query, file));
    let new = checked
        .await
        .map_err(|_| Failure::Internal("a bug in the server stopped this import".into()))??;
    let collection = app
        .database
        .write(move |transaction| stored::create(transaction, &new))
        .await?;
    let queued = app
        .jobs
        .submit(NewJob {
            request: JobRequest::ImportGames { collection },
            study: None,
            node: None,
        })
        .await;
    match queued {
        Ok(job) => {
            app.hub.tell(&Live::Library);
            Ok((StatusCode::ACCEPTED, Json(job)))
        }
        Err(failure) => {
            app.database
                .write(move |transaction| stored::delete(transaction, collection))
                .await?;
            Err(failure)
        }
    }
}

async fn received(body: Body, headers: &HeaderMap, most: usize) -> Result<Vec<u8>, Failure> {
    let megabytes = most >> 20;
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(Failure::TooLarge(format!(
            "the file has more than {megabytes} MiB, the most that is read; pack it with gzip or split it"
        )));
    }
    let bytes = to_bytes(body, most).await.map_err(|_| {
        Failure::TooLarge(format!(
            "the file did not arrive whole, or has more than {megabytes} MiB, the most that is read"
        ))
    })?;
    if bytes.is_empty() {
        return Err(Failure::BadRequest(
            "the file is empty; send its bytes as the body".into(),
        ));
    }
    Ok(bytes.into())
}

/// What can be told at once is told at once, not by a failed job.
fn new_collection(query: &ImportQuery, file: Vec<u8>) -> Result<NewCollection, Failure> {
    let name = query.name.as_deref().unwrap_or("");
    let name = name.rsplit(['/', '\\']).next().unwrap_or("").trim();
    let format = file::format_of(query.format.as_deref(), name, &file::head(&file)?)?;
    let name = if name.is_empty() { "games" } else { name };
    Ok(NewCollection {
        name: name.chars().take(LONGEST_NAME).collect(),
        format,
        rules: parsed(query.rules.as_deref())?,
        charset: parsed(query.charset.as_deref())?,
        file,
    })
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
    text: Option<&str>,
) -> Result<Option<T>, Failure> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let value = text.map(str::parse).transpose();
    value.map_err(|error: T::Err| Failure::BadRequest(error.to_string()))
}

/// Deletes a collection and its games.
#[utoipa::path(
    delete, path = "/collections/{id}", tag = "games", params(("id" = u32, Path)),
    responses((status = 204), (status = 404, body = ApiError))
)]
async fn delete(
    State(app): State<Shared>,
    id: Result<Path<u32>, PathRejection>,
) -> Result<StatusCode, Failure> {
    let Path(id) = id.map_err(unreadable)?;
    let database = &app.database;
    while database
        .write(move |transaction| stored::delete_some(transaction, id))
        .await?
    {}
    database
        .write(move |transaction| stored::delete(transaction, id))
        .await?;
    app.hub.tell(&Live::Library);
    Ok(StatusCode::NO_CONTENT)
}

/// A page of games, the newest first.
#[utoipa::path(
    get, path = "/games", tag = "games", params(GameQuery),
    responses((status = 200, body = GameList), (status = 400, body = ApiError))
)]
async fn games(
    State(app): State<Shared>,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Json<GameList>, Failure> {
    let Query(query) = query.map_err(unreadable)?;
    app.database
        .read(move |connection| stored::list(connection, &filter_of(query)?))
        .await
        .map(Json)
}

fn filter_of(query: GameQuery) -> Result<Filter, Failure> {
    let rules = query.rules.as_deref().unwrap_or("connect6");
    let position = query
        .position
        .map(|text| position_of(rules, &text))
        .transpose()?;
    Ok(Filter {
        collection: query.collection,
        text: query.text.filter(|text| !text.trim().is_empty()),
        key: position.map(|position| position_key(&position).0),
        offset: query.offset.unwrap_or(0),
        limit: query.limit.unwrap_or(LISTED).min(MOST_LISTED),
    })
}

/// One game.
#[utoipa::path(
    get, path = "/games/{id}", tag = "games", params(("id" = u32, Path)),
    responses((status = 200, body = Game), (status = 404, body = ApiError))
)]
async fn game(
    State(app): State<Shared>,
    id: Result<Path<u32>, PathRejection>,
) -> Result<Json<Game>, Failure> {
    let Path(id) = id.map_err(unreadable)?;
    app.database
        .read(move |connection| stored::game(connection, id))
        .await
        .map(Json)
}

/// What was played in a position, under symmetry.
#[utoipa::path(
    post, path = "/explore", tag = "games", request_body = ExploreRequest,
    responses((status = 200, body = Explored), (status = 400, body = ApiError))
)]
async fn explored(
    State(app): State<Shared>,
    request: Result<Json<ExploreRequest>, JsonRejection>,
) -> Result<Json<Explored>, Failure> {
    let Json(request) = request.map_err(unreadable)?;
    let position = position_of(&request.rules, &request.position)?;
    app.database
        .read(move |connection| explore::explore(connection, &position, request.collection))
        .await
        .map(Json)
}

/// Where else a position is: other nodes, proofs, games.
#[utoipa::path(
    post, path = "/places", tag = "games", request_body = PlacesRequest,
    responses((status = 200, body = Vec<Place>), (status = 400, body = ApiError))
)]
async fn found_places(
    State(app): State<Shared>,
    request: Result<Json<PlacesRequest>, JsonRejection>,
) -> Result<Json<Vec<Place>>, Failure> {
    let Json(request) = request.map_err(unreadable)?;
    let position = position_of(&request.rules, &request.position)?;
    let from = (request.study, request.node);
    app.database
        .read(move |connection| places::places(connection, &position, from))
        .await
        .map(Json)
}

/// Named openings of Connect6 that were played or are known, the most frequent first.
#[utoipa::path(get, path = "/openings", tag = "games", responses((status = 200, body = Vec<Opening>)))]
async fn all_openings(State(app): State<Shared>) -> Result<Json<Vec<Opening>>, Failure> {
    app.database.read(openings::list).await.map(Json)
}
