//! Playing Black against a strategy that draws. Only tilings whose certificate the checker has verified are played.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use axum::Json;
use tengen_checker::{DrawVerdict, Limits, check_draw};
use tengen_drawn::{Drawer, Place, Point, known};
use tengen_rules::Cell;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{ApiError, DrawnAnswer, DrawnGame, DrawnRequest};
use crate::app::Shared;
use crate::convert;
use crate::error::Failure;
use crate::routes::input::Body;

/// More stones make no sense on a screen, and would take long.
const MOST_STONES: usize = 4_000;

/// Players of White by k and p.
type Drawers = BTreeMap<(usize, usize), Mutex<Drawer>>;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(games))
        .routes(routes!(answer))
}

/// The verified ones, checked at the first request.
fn drawers() -> &'static Drawers {
    static DRAWERS: OnceLock<Drawers> = OnceLock::new();
    DRAWERS.get_or_init(|| {
        let mut drawers = Drawers::new();
        for ((line, per_turn), text) in known::certificates() {
            let verified = matches!(
                check_draw(text, &Limits::default()),
                DrawVerdict::Verified(report) if (report.line, report.per_turn) == (line, per_turn)
            );
            let plane =
                known::find(line, per_turn).and_then(|known| known.tiling.into_plane().ok());
            if let (true, Some(plane)) = (verified, plane) {
                drawers.insert((line, per_turn), Mutex::new(Drawer::new(plane, per_turn)));
            }
        }
        drawers
    })
}

/// The games that can be played, the shortest lines first.
#[utoipa::path(get, path = "/drawn", tag = "drawn", responses((status = 200, body = [DrawnGame])))]
async fn games() -> Result<Json<Vec<DrawnGame>>, Failure> {
    blocking(|| {
        let game = |(&(line, per_turn), drawer): (&(usize, usize), &Mutex<Drawer>)| {
            let drawer = drawer.lock().unwrap_or_else(PoisonError::into_inner);
            let tiles = &drawer.plane().tiling().tiles;
            DrawnGame {
                line: line as u32,
                per_turn: per_turn as u32,
                cells: tiles
                    .iter()
                    .map(|tile| tile.board.cells().len() as u32)
                    .sum(),
            }
        };
        Ok(drawers().iter().map(game).collect())
    })
    .await
}

/// White's answer to a turn of Black.
#[utoipa::path(post, path = "/drawn/answer", tag = "drawn", request_body = DrawnRequest,
    responses((status = 200, body = DrawnAnswer), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
async fn answer(Body(request): Body<DrawnRequest>) -> Result<Json<DrawnAnswer>, Failure> {
    blocking(move || reply(&request)).await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<Json<T>, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
    done.map_err(bug)?.map(Json)
}

fn points(names: &[String]) -> Result<Vec<Point>, Failure> {
    let cells = convert::cells(names)?;
    Ok(cells
        .iter()
        .map(|cell| (i32::from(cell.x), i32::from(cell.y)))
        .collect())
}

fn name(point: Point) -> String {
    // Cells come from requests, and answers are in the same tile.
    Cell::new(point.0 as i16, point.1 as i16).to_string()
}

fn reply(request: &DrawnRequest) -> Result<DrawnAnswer, Failure> {
    let key = (request.line as usize, request.per_turn as usize);
    let drawer = drawers().get(&key).ok_or_else(|| {
        let (line, per_turn) = key;
        Failure::NotFound(format!(
            "no strategy is known that draws Connect({line},{per_turn})"
        ))
    })?;
    let stones = request.black.len() + request.white.len() + request.turn.len();
    if stones > MOST_STONES {
        let message = format!("{stones} stones, expected at most {MOST_STONES}");
        return Err(Failure::TooLarge(message));
    }
    let (black, white) = (points(&request.black)?, points(&request.white)?);
    let turn = points(&request.turn)?;
    let mut drawer = drawer.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = drawer
        .answer(&black, &white, &turn)
        .map_err(|error| Failure::BadRequest(error.to_string()))?;
    let plane = drawer.plane();
    let copies: BTreeSet<_> = turn
        .iter()
        .map(|&stone| plane.place(stone))
        .map(|place| (place.tile, place.image, place.translation))
        .collect();
    let (mut tiles, mut lines) = (Vec::new(), Vec::new());
    for (tile, image, translation) in copies {
        let board = &plane.tiling().tiles[tile].board;
        let point = |cell: usize| {
            plane.point(Place {
                tile,
                image,
                cell,
                translation,
            })
        };
        tiles.push(
            (0..board.cells().len())
                .map(|cell| name(point(cell)))
                .collect(),
        );
        for line in board.lines() {
            let cells: Vec<Point> = line
                .iter()
                .filter_map(|&cell| board.index(cell))
                .map(point)
                .collect();
            if !cells
                .iter()
                .any(|cell| white.contains(cell) || answer.contains(cell))
            {
                lines.push(cells.into_iter().map(name).collect());
            }
        }
    }
    Ok(DrawnAnswer {
        answer: answer.into_iter().map(name).collect(),
        tiles,
        lines,
    })
}
