//! The trainer: which puzzles there are, and what a turn in one is worth.

use axum::Json;
use axum::extract::{Path, State};
use tengen_puzzles::{
    Judgement, Kind, Puzzle, Summary, judge, judge_defence, judge_quiet, judge_second,
};
use tengen_rules::Turn;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, JudgeRequest, Judged, PuzzleCollection, PuzzleDetail, PuzzleKind, PuzzleQuery,
    PuzzleSummary, PuzzleTry, Worth,
};
use crate::app::Shared;
use crate::convert;
use crate::error::Failure;
use crate::puzzles::STARTER;
use crate::routes::input::{Ask, Body};

/// Nodes for one judgement: more than a puzzle of the collection needs.
const NODES: u64 = 300_000;

/// The same for wins of order 2.
const SECOND_NODES: u64 = 2_000_000;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(collections))
        .routes(routes!(puzzles))
        .routes(routes!(puzzle))
        .routes(routes!(judged))
}

/// The collections that the trainer knows; `tengen serve --puzzles FILE` adds some.
#[utoipa::path(get, path = "/puzzles/collections", tag = "puzzles",
    responses((status = 200, body = Vec<PuzzleCollection>)))]
async fn collections(State(app): State<Shared>) -> Result<Json<Vec<PuzzleCollection>>, Failure> {
    blocking(move || app.puzzles.collections()).await
}

/// All puzzles of a collection, easiest first.
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", params(PuzzleQuery),
    responses((status = 200, body = Vec<PuzzleSummary>), (status = 404, body = ApiError)))]
async fn puzzles(
    State(app): State<Shared>,
    Ask(query): Ask<PuzzleQuery>,
) -> Result<Json<Vec<PuzzleSummary>>, Failure> {
    let name = query.collection.unwrap_or_else(|| STARTER.to_owned());
    let list = move || {
        let all = app.puzzles.summaries(&name)?;
        Ok(all.into_iter().map(summary).collect())
    };
    blocking(list).await
}

/// One puzzle with its solution.
#[utoipa::path(get, path = "/puzzles/{id}", tag = "puzzles", params(PuzzleQuery),
    responses((status = 200, body = PuzzleDetail), (status = 404, body = ApiError)))]
async fn puzzle(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Ask(query): Ask<PuzzleQuery>,
) -> Result<Json<PuzzleDetail>, Failure> {
    let name = query.collection.unwrap_or_else(|| STARTER.to_owned());
    blocking(move || app.puzzles.puzzle(&name, &id).map(detail)).await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<Json<T>, Failure> {
    let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
    tokio::task::spawn_blocking(work)
        .await
        .map_err(bug)?
        .map(Json)
}

fn detail(puzzle: Puzzle) -> PuzzleDetail {
    let main_line = puzzle.main_line();
    let wrong = puzzle.tries.iter().map(|wrong| PuzzleTry {
        turn: wrong.turn.clone(),
        reply: wrong.reply.clone(),
    });
    PuzzleDetail {
        summary: summary(Summary::from(&puzzle)),
        main_line: main_line.into_iter().map(<[String]>::to_vec).collect(),
        tries: wrong.collect(),
        rules: puzzle.rules,
        position: puzzle.position,
        solution: puzzle.solution,
    }
}

/// What a turn is worth, and the reply to it.
#[utoipa::path(post, path = "/puzzles/judge", tag = "puzzles", request_body = JudgeRequest,
    responses((status = 200, body = Judged), (status = 400, body = ApiError)))]
async fn judged(Body(request): Body<JudgeRequest>) -> Result<Json<Judged>, Failure> {
    blocking(move || judgement(&request)).await
}

fn judgement(request: &JudgeRequest) -> Result<Judged, Failure> {
    let position = convert::open_position(&request.rules, &request.position)?;
    let turn: Turn = convert::cells(&request.turn)?.into_iter().collect();
    let judgement = match (request.kind, request.order) {
        (PuzzleKind::Win, 1) => judge(&position, &turn, NODES),
        (PuzzleKind::Win, 2) => judge_second(&position, &turn, SECOND_NODES),
        (PuzzleKind::Win, 3) => judge_quiet(&position, &turn, SECOND_NODES),
        (PuzzleKind::Win, order) => {
            let words = format!("wins of order {order} cannot be judged: expected 1, 2 or 3");
            return Err(Failure::BadRequest(words));
        }
        (PuzzleKind::Defence, _) => judge_defence(&position, &turn, NODES),
    };
    let refused = || {
        Failure::BadRequest(format!(
            "the turn {turn} cannot be judged here: expected a whole legal turn"
        ))
    };
    let (worth, within, reply) = match judgement.ok_or_else(refused)? {
        Judgement::Decides => (Worth::Decides, None, Vec::new()),
        Judgement::Wins { within, reply } => (Worth::Wins, Some(within), reply),
        Judgement::Refuted { reply } => (Worth::Refuted, None, reply),
        Judgement::LosesAtOnce { reply } => (Worth::LosesAtOnce, None, reply),
        Judgement::NotForcing => (Worth::NotForcing, None, Vec::new()),
        Judgement::Holds => (Worth::Holds, None, Vec::new()),
        Judgement::Unknown => (Worth::Unknown, None, Vec::new()),
    };
    Ok(Judged {
        worth,
        within,
        reply: convert::names(&reply),
    })
}

fn summary(puzzle: Summary) -> PuzzleSummary {
    let theme = |theme| match serde_json::to_value(theme) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    };
    PuzzleSummary {
        id: puzzle.id,
        kind: match puzzle.kind {
            Kind::Win => PuzzleKind::Win,
            Kind::Defence => PuzzleKind::Defence,
        },
        order: puzzle.order,
        turns: puzzle.turns,
        grade: puzzle.grade,
        rating: puzzle.rating,
        themes: puzzle.themes.iter().map(theme).collect(),
    }
}
