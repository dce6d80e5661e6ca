//! The API, part by part.

mod about;
mod book;
pub(crate) mod docs;
mod drawn;
mod games;
mod gomoku;
mod grid;
mod input;
mod jobs;
mod live;
pub(crate) mod metrics;
mod positions;
mod proofs;
mod puzzles;
mod searches;
mod studies;
mod study_files;

use utoipa_axum::router::OpenApiRouter;

use crate::app::Shared;

/// Everything below `/api`.
pub(crate) fn api() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .merge(about::routes())
        .merge(book::routes())
        .merge(drawn::routes())
        .merge(games::routes())
        .merge(gomoku::routes())
        .merge(grid::routes())
        .merge(jobs::routes())
        .merge(live::routes())
        .merge(positions::routes())
        .merge(proofs::routes())
        .merge(puzzles::routes())
        .merge(searches::routes())
        .merge(studies::routes())
        .merge(study_files::routes())
}
