//! Stored proofs, and playing against them.

use axum::Json;
use axum::body::{Body as Bytes, to_bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use tengen_prover::Proof;
use tengen_rules::{Position, Turn};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, Challenge, ChallengeRequest, JobRequest, Live, NewJob, NewTitle, ProofState,
    ProofSummary,
};
use crate::app::Shared;
use crate::convert;
use crate::database::proofs;
use crate::error::Failure;
use crate::routes::input::{Ask, Body, Id};

/// A stranger's file is not unpacked further; in memory a proof takes some twenty times as much.
const MOST_UNPACKED: u64 = 32 << 20;

/// No title is longer.
const LONGEST_TITLE: usize = 200;

/// No game is longer.
const MOST_REPLIES: usize = 1_000;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(list, upload))
        .routes(routes!(get, rename, delete))
        .routes(routes!(file))
        .routes(routes!(challenge))
}

/// All proofs, newest first.
#[utoipa::path(get, path = "/proofs", tag = "proofs", responses((status = 200, body = Vec<ProofSummary>)))]
async fn list(State(app): State<Shared>) -> Result<Json<Vec<ProofSummary>>, Failure> {
    Ok(Json(app.database.read(proofs::all).await?))
}

/// What comes with an uploaded file.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
struct Upload {
    /// A name; one is made up without.
    title: Option<String>,
}

/// Stores a proof file, text or compact, and has it checked.
#[utoipa::path(post, path = "/proofs", tag = "proofs", params(Upload),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ProofSummary), (status = 400, body = ApiError), (status = 413, body = ApiError)))]
async fn upload(
    State(app): State<Shared>,
    Ask(upload): Ask<Upload>,
    body: Bytes,
) -> Result<Json<ProofSummary>, Failure> {
    let most = app.config.largest_upload;
    let too_large = |_| Failure::TooLarge(format!("the file has more than {most} bytes"));
    let bytes = to_bytes(body, most).await.map_err(too_large)?;
    let title = upload
        .title
        .map(|title| checked_title(&title))
        .transpose()?;
    keep(&app, bytes.into(), title).await.map(Json)
}

/// Stores a proof file and has it checked.
pub(super) async fn keep(
    app: &Shared,
    bytes: Vec<u8>,
    title: Option<String>,
) -> Result<ProofSummary, Failure> {
    let new = blocking(move || read(&bytes, title)).await?;
    let store = move |connection: &rusqlite::Transaction<'_>| proofs::insert(connection, &new);
    let summary = app.database.write(store).await?;
    app.hub.tell(&Live::Library);
    if summary.state == ProofState::Unverified {
        let request = JobRequest::Check { proof: summary.id };
        let new = NewJob {
            request,
            study: None,
            node: None,
        };
        app.jobs.submit(new).await?;
    }
    Ok(summary)
}

fn read(bytes: &[u8], title: Option<String>) -> Result<proofs::NewProof, Failure> {
    let proof = parse(bytes)?;
    let position = Position::from_setup(&proof.position)
        .map_err(|error| Failure::BadRequest(format!("the proof's position: {error}")))?;
    let title = title.unwrap_or_else(|| {
        let stones = position.stones().count();
        format!("{} wins, {stones} stones", proof.attacker)
    });
    Ok(proofs::NewProof::new(
        title,
        &proof,
        &position,
        proofs::Check::NONE,
    ))
}

fn parse(bytes: &[u8]) -> Result<Proof, Failure> {
    if Proof::is_compact(bytes) {
        return Proof::from_compact_within(bytes, MOST_UNPACKED)
            .map_err(|error| Failure::BadRequest(format!("the proof cannot be read: {error}")));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| {
        Failure::BadRequest(
            "this is no proof: expected a text that begins with `tengen-proof 1`".to_owned(),
        )
    })?;
    text.parse()
        .map_err(|error| Failure::BadRequest(format!("the proof cannot be read: {error}")))
}

fn checked_title(title: &str) -> Result<String, Failure> {
    let title = title.trim();
    if title.is_empty() || title.chars().count() > LONGEST_TITLE {
        return Err(Failure::BadRequest(format!(
            "the title has {} characters, expected 1 to {LONGEST_TITLE}",
            title.chars().count()
        )));
    }
    Ok(title.to_owned())
}

/// One proof without its nodes.
#[utoipa::path(get, path = "/proofs/{id}", tag = "proofs", params(("id" = u32, Path)),
    responses((status = 200, body = ProofSummary), (status = 404, body = ApiError)))]
async fn get(State(app): State<Shared>, Id(id): Id) -> Result<Json<ProofSummary>, Failure> {
    Ok(Json(
        app.database
            .read(move |connection| proofs::get(connection, id))
            .await?,
    ))
}

/// Gives a proof another name.
#[utoipa::path(patch, path = "/proofs/{id}", tag = "proofs", params(("id" = u32, Path)), request_body = NewTitle,
    responses((status = 200, body = ProofSummary), (status = 404, body = ApiError)))]
async fn rename(
    State(app): State<Shared>,
    Id(id): Id,
    Body(new): Body<NewTitle>,
) -> Result<Json<ProofSummary>, Failure> {
    let title = checked_title(&new.title)?;
    let write = move |connection: &rusqlite::Transaction<'_>| {
        proofs::rename(connection, id, &title)?;
        proofs::get(connection, id)
    };
    let summary = app.database.write(write).await?;
    app.hub.tell(&Live::Library);
    Ok(Json(summary))
}

/// Deletes a proof.
#[utoipa::path(delete, path = "/proofs/{id}", tag = "proofs", params(("id" = u32, Path)),
    responses((status = 204), (status = 404, body = ApiError)))]
async fn delete(State(app): State<Shared>, Id(id): Id) -> Result<StatusCode, Failure> {
    let write = move |connection: &rusqlite::Transaction<'_>| proofs::delete(connection, id);
    app.database.write(write).await?;
    app.players.forget(id);
    app.hub.tell(&Live::Library);
    Ok(StatusCode::NO_CONTENT)
}

/// The form of a file.
#[derive(Debug, Copy, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    Text,
    Compact,
    Json,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
struct File {
    /// `text`, `compact` or `json`.
    #[param(value_type = String)]
    form: Form,
}

/// The file of a proof.
#[utoipa::path(get, path = "/proofs/{id}/file", tag = "proofs", params(("id" = u32, Path), File),
    responses((status = 200), (status = 404, body = ApiError)))]
async fn file(
    State(app): State<Shared>,
    Id(id): Id,
    Ask(File { form }): Ask<File>,
) -> Result<Response, Failure> {
    let read = move |connection: &rusqlite::Connection| proofs::file(connection, id);
    let bytes = app.database.read(read).await?;
    let (bytes, content, extension) = blocking(move || written(bytes, form)).await?;
    let name = format!("attachment; filename=\"proof-{id}.{extension}\"");
    let headers = [
        (header::CONTENT_TYPE, content.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, bytes).into_response())
}

fn written(compact: Vec<u8>, form: Form) -> Result<(Vec<u8>, &'static str, &'static str), Failure> {
    let damaged = |error| Failure::Internal(format!("the stored proof is damaged: {error}"));
    let proof = || Proof::from_compact(&compact).map_err(damaged);
    Ok(match form {
        Form::Text => (
            proof()?.to_text().into_bytes(),
            "text/plain; charset=utf-8",
            "proof",
        ),
        Form::Json => (
            proof()?.to_json().to_string().into_bytes(),
            "application/json",
            "json",
        ),
        Form::Compact => (compact, "application/octet-stream", "tproof"),
    })
}

/// Works away from the threads that serve.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
    tokio::task::spawn_blocking(work).await.map_err(bug)?
}

/// Plays against a proof: any legal turns of the defender, each answered.
#[utoipa::path(post, path = "/proofs/{id}/challenge", tag = "proofs", params(("id" = u32, Path)),
    request_body = ChallengeRequest,
    responses((status = 200, body = Challenge), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
async fn challenge(
    State(app): State<Shared>,
    Id(id): Id,
    Body(request): Body<ChallengeRequest>,
) -> Result<Json<Challenge>, Failure> {
    if request.replies.len() > MOST_REPLIES {
        return Err(Failure::BadRequest(format!(
            "{} replies, expected at most {MOST_REPLIES}",
            request.replies.len()
        )));
    }
    let turn = |names: &Vec<String>| Ok(convert::cells(names)?.into_iter().collect());
    let replies: Result<Vec<Turn>, Failure> = request.replies.iter().map(turn).collect();
    let replies = replies?;
    let work = move || app.players.challenge(&app.database, id, &replies);
    Ok(Json(blocking(work).await?))
}
