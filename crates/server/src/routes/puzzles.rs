//! The trainer: which puzzles there are, and what a turn in one is worth.

use axum::Json;
use axum::extract::Path;
use tengen_puzzles::{Judgement, Kind, Puzzle, judge, judge_defence, starter};
use tengen_rules::Turn;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, JudgeRequest, Judged, PuzzleDetail, PuzzleKind, PuzzleSummary, PuzzleTry, Worth,
};
use crate::app::Shared;
use crate::convert;
use crate::error::Failure;
use crate::routes::input::Body;

/// Nodes for one judgement: more than a puzzle of the collection needs.
const NODES: u64 = 300_000;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(puzzles))
        .routes(routes!(puzzle))
        .routes(routes!(judged))
}

/// All puzzles, easiest first.
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", responses((status = 200, body = Vec<PuzzleSummary>)))]
async fn puzzles() -> Json<Vec<PuzzleSummary>> {
    Json(starter().iter().map(summary).collect())
}

/// One puzzle with its solution.
#[utoipa::path(get, path = "/puzzles/{id}", tag = "puzzles",
    responses((status = 200, body = PuzzleDetail), (status = 404, body = ApiError)))]
async fn puzzle(Path(id): Path<String>) -> Result<Json<PuzzleDetail>, Failure> {
    let missing = || Failure::NotFound("there is no such puzzle".to_owned());
    let puzzle = starter()
        .iter()
        .find(|puzzle| puzzle.id == id)
        .ok_or_else(missing)?;
    Ok(Json(PuzzleDetail {
        summary: summary(puzzle),
        rules: puzzle.rules.clone(),
        position: puzzle.position.clone(),
        solution: puzzle.solution.clone(),
        main_line: puzzle
            .main_line()
            .into_iter()
            .map(<[String]>::to_vec)
            .collect(),
        tries: puzzle
            .tries
            .iter()
            .map(|wrong| PuzzleTry {
                turn: wrong.turn.clone(),
                reply: wrong.reply.clone(),
            })
            .collect(),
    }))
}

/// What a turn is worth, and the reply to it.
#[utoipa::path(post, path = "/puzzles/judge", tag = "puzzles", request_body = JudgeRequest,
    responses((status = 200, body = Judged), (status = 400, body = ApiError)))]
async fn judged(Body(request): Body<JudgeRequest>) -> Result<Json<Judged>, Failure> {
    let work = move || judgement(&request);
    let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
    tokio::task::spawn_blocking(work)
        .await
        .map_err(bug)?
        .map(Json)
}

fn judgement(request: &JudgeRequest) -> Result<Judged, Failure> {
    let position = convert::open_position(&request.rules, &request.position)?;
    let turn: Turn = convert::cells(&request.turn)?.into_iter().collect();
    let judgement = match request.kind {
        PuzzleKind::Win => judge(&position, &turn, NODES),
        PuzzleKind::Defence => judge_defence(&position, &turn, NODES),
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

fn summary(puzzle: &Puzzle) -> PuzzleSummary {
    let theme = |theme| match serde_json::to_value(theme) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    };
    PuzzleSummary {
        id: puzzle.id.clone(),
        kind: match puzzle.kind {
            Kind::Win => PuzzleKind::Win,
            Kind::Defence => PuzzleKind::Defence,
        },
        turns: puzzle.features.turns,
        grade: puzzle.grade,
        rating: puzzle.rating,
        themes: puzzle.themes.iter().map(theme).collect(),
    }
}
