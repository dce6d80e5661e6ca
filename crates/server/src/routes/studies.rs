//! Studies: trees that people edit.

use axum::Json;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::StatusCode;
use serde::Deserialize;
use tengen_rules::{Record, Rules, Setup, notation};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, Document, Edit, Edited, Live, NewStudy, Patch, Place, Revision, Study, StudyChange,
    Undone,
};
use crate::app::Shared;
use crate::database::studies::{self, Prepared, Undo};
use crate::error::Failure;
use crate::tree::Tree;

/// The most bytes of an edit: a winning tree may be inserted at once.
const LARGEST_EDIT: usize = 8 << 20;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    let edits = OpenApiRouter::new()
        .routes(routes!(edit))
        .layer(DefaultBodyLimit::max(LARGEST_EDIT));
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(get, change, delete))
        .routes(routes!(undo))
        .routes(routes!(redo))
        .routes(routes!(search))
        .merge(edits)
}

/// All studies, the one changed last first.
#[utoipa::path(get, path = "/studies", tag = "studies", responses((status = 200, body = Vec<Study>)))]
async fn list(State(app): State<Shared>) -> Result<Json<Vec<Study>>, Failure> {
    app.database.read(studies::list).await.map(Json)
}

/// A new study.
#[utoipa::path(post, path = "/studies", tag = "studies", request_body = NewStudy,
    responses((status = 200, body = Document), (status = 400, body = ApiError)))]
async fn create(
    State(app): State<Shared>,
    Json(new): Json<NewStudy>,
) -> Result<Json<Document>, Failure> {
    // Long games have many positions to be named: not on the threads that serve.
    let prepare = move || Prepared::new(tree_of(&new)?, new.folder.unwrap_or_default());
    let prepared = tokio::task::spawn_blocking(prepare).await;
    let prepared =
        prepared.map_err(|_| Failure::Internal("a bug in the server stopped this".into()))??;
    let work = move |database: &rusqlite::Transaction<'_>| {
        let id = studies::create(database, &prepared)?;
        studies::document_within(database, id)
    };
    let document = app.database.write(work).await?;
    app.hub.tell(&Live::Library);
    Ok(Json(document))
}

/// The tree of a new study: from the empty board, a set-up, or a line of play.
fn tree_of(new: &NewStudy) -> Result<Tree, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::BadRequest(error.to_string());
    let rules: Rules = match &new.rules {
        Some(text) => text.parse().map_err(|error| bad(&error))?,
        None => Rules::CONNECT6,
    };
    let start = new.start.as_deref().unwrap_or_default().trim();
    let moves = new.moves.as_deref().unwrap_or_default().trim();
    if !start.is_empty() && !moves.is_empty() {
        return Err(Failure::BadRequest(
            "a new study begins with a set-up or with stones in play order, not with both".into(),
        ));
    }
    let record = if start.is_empty() {
        let cells = notation::parse_moves(moves, rules).map_err(|error| bad(&error))?;
        Record::from_moves(rules, &cells)
    } else {
        Record::new(start_of(start, rules)?)
    };
    let mut tree = Tree::from_record(&record);
    tree.title = new.title.clone().unwrap_or_else(|| "Study".to_owned());
    tree.info = new.info.clone().unwrap_or_default();
    Ok(tree)
}

/// A set-up that can be played; stones in play order are taken as one too.
fn start_of(text: &str, rules: Rules) -> Result<Setup, Failure> {
    let position = notation::parse_position(text, rules)
        .map_err(|error| Failure::BadRequest(error.to_string()))?;
    if position.outcome().is_some() {
        return Err(Failure::BadRequest(
            "the game is over in the starting position: nothing could be played".into(),
        ));
    }
    Ok(position.to_setup())
}

/// A study with its tree.
#[utoipa::path(get, path = "/studies/{id}", tag = "studies", params(("id" = u32, Path)),
    responses((status = 200, body = Document), (status = 404, body = ApiError)))]
async fn get(State(app): State<Shared>, Path(id): Path<u32>) -> Result<Json<Document>, Failure> {
    let work = move |database: &rusqlite::Connection| studies::document(database, id);
    app.database.read(work).await.map(Json)
}

/// Another title, folder or other facts; the game and the start stay.
#[utoipa::path(patch, path = "/studies/{id}", tag = "studies", params(("id" = u32, Path)),
    request_body = NewStudy,
    responses((status = 200, body = Study), (status = 404, body = ApiError)))]
async fn change(
    State(app): State<Shared>,
    Path(id): Path<u32>,
    Json(new): Json<NewStudy>,
) -> Result<Json<Study>, Failure> {
    if new.rules.is_some() || new.start.is_some() || new.moves.is_some() {
        return Err(Failure::BadRequest(
            "the game, the start and the moves of a study cannot be changed: make a new study"
                .into(),
        ));
    }
    let work = move |database: &rusqlite::Transaction<'_>| studies::change(database, id, &new);
    let study = app.database.write(work).await?;
    app.hub.tell(&Live::Library);
    Ok(Json(study))
}

/// Forgets a study with its tree and its edits.
#[utoipa::path(delete, path = "/studies/{id}", tag = "studies", params(("id" = u32, Path)),
    responses((status = 204), (status = 404, body = ApiError)))]
async fn delete(State(app): State<Shared>, Path(id): Path<u32>) -> Result<StatusCode, Failure> {
    let work = move |database: &rusqlite::Transaction<'_>| studies::delete(database, id);
    app.database.write(work).await?;
    app.hub.tell(&Live::Library);
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the tree: all of it or nothing.
#[utoipa::path(post, path = "/studies/{id}/edits", tag = "studies", params(("id" = u32, Path)),
    request_body = Edit,
    responses((status = 200, body = Edited), (status = 400, body = ApiError), (status = 409, body = ApiError)))]
async fn edit(
    State(app): State<Shared>,
    Path(id): Path<u32>,
    Json(edit): Json<Edit>,
) -> Result<Json<Edited>, Failure> {
    let work = move |database: &rusqlite::Transaction<'_>| studies::edit(database, id, edit);
    let (edited, patch) = app.database.write(work).await?;
    tell(&app, id, &edited, patch);
    Ok(Json(edited))
}

/// Takes the last edit back.
#[utoipa::path(post, path = "/studies/{id}/undo", tag = "studies", params(("id" = u32, Path)),
    request_body = Revision,
    responses((status = 200, body = Undone), (status = 409, body = ApiError)))]
async fn undo(
    state: State<Shared>,
    id: Path<u32>,
    revision: Json<Revision>,
) -> Result<Json<Undone>, Failure> {
    take_back(state, id, revision, Undo::Undo).await
}

/// Does an edit again that was taken back.
#[utoipa::path(post, path = "/studies/{id}/redo", tag = "studies", params(("id" = u32, Path)),
    request_body = Revision,
    responses((status = 200, body = Undone), (status = 409, body = ApiError)))]
async fn redo(
    state: State<Shared>,
    id: Path<u32>,
    revision: Json<Revision>,
) -> Result<Json<Undone>, Failure> {
    take_back(state, id, revision, Undo::Redo).await
}

async fn take_back(
    State(app): State<Shared>,
    Path(id): Path<u32>,
    Json(revision): Json<Revision>,
    direction: Undo,
) -> Result<Json<Undone>, Failure> {
    let work = move |database: &rusqlite::Transaction<'_>| {
        studies::take_back(database, id, revision.base, direction)
    };
    let undone = app.database.write(work).await?;
    tell(&app, id, &undone.edited, undone.patch.clone());
    Ok(Json(undone))
}

fn tell(app: &Shared, study: u32, edited: &Edited, patch: Patch) {
    let change = StudyChange {
        study,
        edited: edited.clone(),
        patch,
    };
    app.hub.tell(&Live::Study { change });
}

/// What to look for.
#[derive(Debug, Deserialize, IntoParams)]
struct SearchQuery {
    /// A part of a title, name or comment; upper and lower case are the same.
    text: String,
}

/// Titles, names and comments of all studies; the note is what stands around the text.
#[utoipa::path(get, path = "/search", tag = "studies", params(SearchQuery),
    responses((status = 200, body = Vec<Place>)))]
async fn search(
    State(app): State<Shared>,
    Query(query): Query<SearchQuery>,
) -> Result<Json<Vec<Place>>, Failure> {
    let work = move |database: &rusqlite::Connection| studies::search(database, &query.text);
    app.database.read(work).await.map(Json)
}
