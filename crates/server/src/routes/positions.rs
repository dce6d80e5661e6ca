//! What is true of a position: threats, shapes, heat.

use axum::Json;
use tengen_evaluation::PatternBoard;
use tengen_rules::{Cell, Outcome, Position, Rules, Side};
use tengen_threats::LineBoard;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    ApiError, Facts, Heat, HeatCell, PositionText, Shape, ShapeKind, SideFacts, Stone, Window,
};
use crate::app::Shared;
use crate::convert;
use crate::error::Failure;
use crate::routes::input::Body;

/// No list is longer.
const LONGEST_LIST: usize = 200;

/// With more stones a turn, finding all defences takes longer than anybody waits.
const LONGEST_TURN: u8 = 5;

/// So many cells are hot.
const HOT_CELLS: usize = 40;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(position))
        .routes(routes!(heat))
}

/// Stones, threats and shapes of a position; the game may be over.
#[utoipa::path(post, path = "/position", tag = "positions", request_body = PositionText,
    responses((status = 200, body = Facts), (status = 400, body = ApiError)))]
async fn position(Body(text): Body<PositionText>) -> Result<Json<Facts>, Failure> {
    answer(move || {
        let position = convert::position(&text.rules, &text.position)?;
        Ok(facts(&position))
    })
    .await
}

/// The cells that the evaluation wants a stone of the side to move on.
#[utoipa::path(post, path = "/heat", tag = "positions", request_body = PositionText,
    responses((status = 200, body = Heat), (status = 400, body = ApiError)))]
async fn heat(Body(text): Body<PositionText>) -> Result<Json<Heat>, Failure> {
    answer(move || {
        let position = convert::position(&text.rules, &text.position)?;
        Ok(heat_of(&position))
    })
    .await
}

/// Works away from the threads that serve.
async fn answer<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<Json<T>, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
    done.map_err(bug)?.map(Json)
}

fn facts(position: &Position) -> Facts {
    let (winner, line) = match position.outcome() {
        Some(Outcome::Win { side, cells }) => (Some((*side).into()), convert::turn(cells)),
        _ => (None, Vec::new()),
    };
    let over = position.outcome().is_some();
    let board = LineBoard::from_position(position);
    let side = |side| {
        if over {
            SideFacts::default()
        } else {
            side_facts(position, &board, side)
        }
    };
    Facts {
        to_move: position.to_move().into(),
        left: position.left(),
        stones: stones(position),
        winner,
        drawn: position.outcome() == Some(&Outcome::Draw),
        line,
        black: side(Side::Black),
        white: side(Side::White),
        setup: convert::setup(&position.to_setup()),
    }
}

/// Stones of the set-up first, then those that were played.
fn stones(position: &Position) -> Vec<Stone> {
    let played: Vec<(Side, Option<Cell>)> = position.history().collect();
    let stone = |side: Side, cell: Cell, turn| Stone {
        cell: cell.to_string(),
        side: side.into(),
        turn,
    };
    let at_start = position
        .stones()
        .filter(|stone| !played.contains(&(stone.side, Some(stone.cell))));
    let mut stones: Vec<Stone> = at_start.map(|s| stone(s.side, s.cell, 0)).collect();
    let mut turn = 0;
    let mut last = None;
    for &(side, cell) in &played {
        if last.replace(side) != Some(side) {
            turn += 1;
        }
        stones.extend(cell.map(|cell| stone(side, cell, turn)));
    }
    stones
}

fn side_facts(position: &Position, board: &LineBoard, side: Side) -> SideFacts {
    let per_turn = position.rules().per_turn();
    if per_turn > LONGEST_TURN {
        return SideFacts::default();
    }
    // A first turn may have more stones than others, but it cannot win.
    let stones = if side == position.to_move() {
        position.left().min(per_turn)
    } else {
        per_turn
    };
    let threats = board.threat_count(side);
    let defences = match threats {
        0 => tengen_threats::Defences::default(),
        _ => board.critical_defences(side),
    };
    let turns = |turns: &[tengen_rules::Turn]| first(turns.iter().map(convert::turn));
    SideFacts {
        threats,
        windows: first(board.threat_windows(side).iter().map(|window| Window {
            cells: convert::names(&window.cells),
            empty: convert::names(&window.empty),
        })),
        wins: turns(&board.immediate_wins(side, stones)),
        defences: turns(&defences.normal),
        relaxed: turns(&defences.relaxed),
        shapes: first(shapes(position, board, side).into_iter()),
    }
}

fn first<T>(items: impl Iterator<Item = T>) -> Vec<T> {
    items.take(LONGEST_LIST).collect()
}

/// The shapes of at least two stones, large before small. A single stone has one on every line through it,
/// which tells nobody anything.
fn shapes(position: &Position, board: &LineBoard, side: Side) -> Vec<Shape> {
    let mut shapes: Vec<_> = board.shapes(side);
    shapes.retain(|shape| shape.cells.len() >= 2);
    shapes.sort_by_key(|shape| std::cmp::Reverse((shape.stones, shape.kind)));
    let shape = |shape: &tengen_threats::Shape| Shape {
        kind: match shape.kind {
            tengen_threats::ShapeKind::Live => ShapeKind::Live,
            tengen_threats::ShapeKind::Dead => ShapeKind::Dead,
        },
        stones: shape.stones,
        cells: convert::names(&windows_of(position, side, &shape.cells)),
    };
    shapes.iter().map(shape).collect()
}

/// The cells of all windows with as many of these stones on one line as possible, in order.
fn windows_of(position: &Position, side: Side, stones: &[Cell]) -> Vec<Cell> {
    let (Some(&from), Some(&to)) = (stones.first(), stones.last()) else {
        return Vec::new();
    };
    let rules = position.rules();
    let k = usize::from(rules.line());
    let (dx, dy) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    let step = |cell: Cell, n: i16| Cell::new(cell.x + n * dx, cell.y + n * dy);
    let open = |cell: &Cell| is_open(position, rules, side, *cell);
    let mut cells: Vec<Cell> = (1..k as i16)
        .map(|n| step(from, -n))
        .take_while(open)
        .collect();
    cells.reverse();
    let length = (to.x - from.x).abs().max((to.y - from.y).abs());
    cells.extend((0..=length).map(|n| step(from, n)));
    cells.extend((1..k as i16).map(|n| step(to, n)).take_while(open));
    let own = |window: &[Cell]| window.iter().filter(|cell| stones.contains(cell)).count();
    let most = cells.windows(k).map(own).max().unwrap_or(0);
    let best = |start: &usize| own(&cells[*start..start + k]) == most;
    let starts: Vec<usize> = (0..=cells.len().saturating_sub(k)).filter(best).collect();
    match (starts.first(), starts.last()) {
        (Some(&low), Some(&high)) => cells[low..(high + k).min(cells.len())].to_vec(),
        _ => stones.to_vec(),
    }
}

fn is_open(position: &Position, rules: Rules, side: Side, cell: Cell) -> bool {
    rules.contains(cell) && position.stone(cell) != Some(!side)
}

fn heat_of(position: &Position) -> Heat {
    let mut best = Vec::new();
    let board = PatternBoard::from_position(position);
    if position.outcome().is_none() {
        board.best_cells(position.to_move(), HOT_CELLS, &mut best);
    }
    let hottest = best.first().map_or(0, |&(value, _)| value);
    let coldest = best.last().map_or(0, |&(value, _)| value);
    let span = f64::from((hottest - coldest).max(1));
    let cells = best.iter().map(|&(value, cell)| HeatCell {
        cell: board.cell(cell).to_string(),
        heat: if hottest == coldest {
            1.0
        } else {
            f64::from(value - coldest) / span
        },
    });
    Heat {
        cells: cells.collect(),
    }
}
