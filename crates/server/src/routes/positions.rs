//! What is true of a position: threats, shapes, heat.

use utoipa_axum::router::OpenApiRouter;

use crate::app::Shared;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
}
