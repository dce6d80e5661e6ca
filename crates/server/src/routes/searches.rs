//! Searches of openings: list, start, pause, delete, look at the tree, help by hand, fetch the proof.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, NewSearch, ProofSummary, SearchNode, SearchSummary, SearchTree, SearchTreeQuery,
    SearchTurn,
};
use crate::app::Shared;
use crate::error::Failure;
use crate::routes::input::{Ask, Body, Id};
use crate::routes::proofs;
use crate::searches::Hint;

/// How deep a tree goes, without a wish and at most.
const DEPTH: u32 = 12;
const DEEPEST: u32 = 60;

/// How many nodes a tree has, without a wish and at most.
const NODES: u32 = 60;
const MOST_NODES: u32 = 300;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(list, start))
        .routes(routes!(get, delete))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(stop))
        .routes(routes!(tree))
        .routes(routes!(node))
        .routes(routes!(exclude))
        .routes(routes!(allow))
        .routes(routes!(suggest))
        .routes(routes!(retry))
        .routes(routes!(proof, keep_proof))
}

/// All searches, the newest first.
#[utoipa::path(get, path = "/searches", tag = "searches", responses((status = 200, body = Vec<SearchSummary>)))]
async fn list(State(app): State<Shared>) -> Result<Json<Vec<SearchSummary>>, Failure> {
    app.searches.ask(|searches| searches.list()).await.map(Json)
}

/// Starts a search.
#[utoipa::path(post, path = "/searches", tag = "searches", request_body = NewSearch,
    responses((status = 200, body = SearchSummary), (status = 400, body = ApiError), (status = 403, body = ApiError),
        (status = 409, body = ApiError)))]
async fn start(
    State(app): State<Shared>,
    Body(new): Body<NewSearch>,
) -> Result<Json<SearchSummary>, Failure> {
    app.searches
        .ask(move |searches| searches.start(&new))
        .await
        .map(Json)
}

/// How a search stands.
#[utoipa::path(get, path = "/searches/{id}", tag = "searches", params(("id" = u32, Path)),
    responses((status = 200, body = SearchSummary), (status = 404, body = ApiError)))]
async fn get(State(app): State<Shared>, Id(id): Id) -> Result<Json<SearchSummary>, Failure> {
    app.searches
        .ask(move |searches| searches.get(id))
        .await
        .map(Json)
}

/// Deletes a search with its tree, unless it runs. What it has proved stays in the book.
#[utoipa::path(delete, path = "/searches/{id}", tag = "searches", params(("id" = u32, Path)),
    responses((status = 204), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn delete(State(app): State<Shared>, Id(id): Id) -> Result<StatusCode, Failure> {
    app.searches
        .ask(move |searches| searches.delete(id))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}

/// Lets a search finish the jobs in flight and wait.
#[utoipa::path(post, path = "/searches/{id}/pause", tag = "searches", params(("id" = u32, Path)),
    responses((status = 200, body = SearchSummary), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn pause(State(app): State<Shared>, Id(id): Id) -> Result<Json<SearchSummary>, Failure> {
    app.searches
        .ask(move |searches| searches.pause(id))
        .await
        .map(Json)
}

/// Lets a search go on; here, if nobody else has it.
#[utoipa::path(post, path = "/searches/{id}/resume", tag = "searches", params(("id" = u32, Path)),
    responses((status = 200, body = SearchSummary), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn resume(State(app): State<Shared>, Id(id): Id) -> Result<Json<SearchSummary>, Failure> {
    app.searches
        .ask(move |searches| searches.resume(id))
        .await
        .map(Json)
}

/// Ends the work on a search. It can be resumed at any time.
#[utoipa::path(post, path = "/searches/{id}/stop", tag = "searches", params(("id" = u32, Path)),
    responses((status = 200, body = SearchSummary), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn stop(State(app): State<Shared>, Id(id): Id) -> Result<Json<SearchSummary>, Failure> {
    app.searches
        .ask(move |searches| searches.stop(id))
        .await
        .map(Json)
}

/// The interesting part of a tree: the principal line and the ways to the nodes at work; or the nodes that are asked
/// for.
#[utoipa::path(get, path = "/searches/{id}/tree", tag = "searches", params(("id" = u32, Path), SearchTreeQuery),
    responses((status = 200, body = SearchTree), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
async fn tree(
    State(app): State<Shared>,
    Id(id): Id,
    Ask(query): Ask<SearchTreeQuery>,
) -> Result<Json<SearchTree>, Failure> {
    let depth = query.depth.unwrap_or(DEPTH).min(DEEPEST);
    let limit = query.limit.unwrap_or(NODES).clamp(1, MOST_NODES) as usize;
    let nodes = query.ids.as_deref().map(numbers).transpose()?;
    let read = move |searches: &crate::searches::Searches| match nodes {
        Some(nodes) => searches.nodes(id, &nodes),
        None => searches.tree(id, depth, limit),
    };
    app.searches.ask(read).await.map(Json)
}

/// `0,4,17`.
fn numbers(text: &str) -> Result<Vec<u32>, Failure> {
    let wrong = || {
        let text: String = text.chars().take(60).collect();
        Failure::BadRequest(format!(
            "`{text}` are no nodes, expected at most {MOST_NODES} numbers such as 0,4,17"
        ))
    };
    let numbers = text.split(',').filter(|part| !part.is_empty());
    let numbers: Result<Vec<u32>, _> = numbers.map(|part| part.trim().parse()).collect();
    let numbers = numbers.map_err(|_| wrong())?;
    if numbers.len() > MOST_NODES as usize {
        return Err(wrong());
    }
    Ok(numbers)
}

/// The numbers in `/searches/{id}/nodes/{node}`.
type Place = Result<Path<(u32, u32)>, PathRejection>;

fn place(place: Place) -> Result<(u32, u32), Failure> {
    let wrong = |_| Failure::NotFound("there is nothing here: expected two numbers".to_owned());
    place.map(|Path(place)| place).map_err(wrong)
}

/// A node with its turns.
#[utoipa::path(get, path = "/searches/{id}/nodes/{node}", tag = "searches",
    params(("id" = u32, Path), ("node" = u32, Path)),
    responses((status = 200, body = SearchNode), (status = 404, body = ApiError)))]
async fn node(State(app): State<Shared>, at: Place) -> Result<Json<SearchNode>, Failure> {
    let (id, node) = place(at)?;
    app.searches
        .ask(move |searches| searches.node(id, node))
        .await
        .map(Json)
}

async fn hint(
    app: Shared,
    at: Place,
    hint: Hint,
    turn: Vec<String>,
) -> Result<Json<SearchSummary>, Failure> {
    let (id, node) = place(at)?;
    app.searches
        .ask(move |searches| searches.hint(id, node, hint, &turn))
        .await
        .map(Json)
}

/// By hand: do not look at this turn. It still has to be refuted before the node is lost.
#[utoipa::path(post, path = "/searches/{id}/nodes/{node}/exclude", tag = "searches",
    params(("id" = u32, Path), ("node" = u32, Path)), request_body = SearchTurn,
    responses((status = 200, body = SearchSummary), (status = 400, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
async fn exclude(
    State(app): State<Shared>,
    at: Place,
    Body(SearchTurn { turn }): Body<SearchTurn>,
) -> Result<Json<SearchSummary>, Failure> {
    hint(app, at, Hint::Exclude, turn).await
}

/// By hand: look at an excluded turn again.
#[utoipa::path(post, path = "/searches/{id}/nodes/{node}/allow", tag = "searches",
    params(("id" = u32, Path), ("node" = u32, Path)), request_body = SearchTurn,
    responses((status = 200, body = SearchSummary), (status = 400, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
async fn allow(
    State(app): State<Shared>,
    at: Place,
    Body(SearchTurn { turn }): Body<SearchTurn>,
) -> Result<Json<SearchSummary>, Failure> {
    hint(app, at, Hint::Allow, turn).await
}

/// By hand: look at this turn soon.
#[utoipa::path(post, path = "/searches/{id}/nodes/{node}/suggest", tag = "searches",
    params(("id" = u32, Path), ("node" = u32, Path)), request_body = SearchTurn,
    responses((status = 200, body = SearchSummary), (status = 400, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
async fn suggest(
    State(app): State<Shared>,
    at: Place,
    Body(SearchTurn { turn }): Body<SearchTurn>,
) -> Result<Json<SearchSummary>, Failure> {
    hint(app, at, Hint::Suggest, turn).await
}

/// By hand: ask the workers once more about a node that was given up.
#[utoipa::path(post, path = "/searches/{id}/nodes/{node}/retry", tag = "searches",
    params(("id" = u32, Path), ("node" = u32, Path)),
    responses((status = 200, body = SearchSummary), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
async fn retry(State(app): State<Shared>, at: Place) -> Result<Json<SearchSummary>, Failure> {
    let (id, node) = place(at)?;
    app.searches
        .ask(move |searches| searches.retry(id, node))
        .await
        .map(Json)
}

/// The proof file of a solved search: one proof for the whole opening.
#[utoipa::path(get, path = "/searches/{id}/proof", tag = "searches", params(("id" = u32, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = ApiError)))]
async fn proof(State(app): State<Shared>, Id(id): Id) -> Result<Response, Failure> {
    let file = app.searches.ask(move |searches| searches.proof(id)).await?;
    let name = format!("attachment; filename=\"search-{id}.proof\"");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, file.text).into_response())
}

/// Puts the proof of a solved search among the stored proofs, where one can play against it. It is checked once more.
#[utoipa::path(post, path = "/searches/{id}/proof", tag = "searches", params(("id" = u32, Path)),
    responses((status = 200, body = ProofSummary), (status = 404, body = ApiError)))]
async fn keep_proof(State(app): State<Shared>, Id(id): Id) -> Result<Json<ProofSummary>, Failure> {
    let file = app.searches.ask(move |searches| searches.proof(id)).await?;
    proofs::keep(&app, file.text.into_bytes(), Some(file.title))
        .await
        .map(Json)
}
