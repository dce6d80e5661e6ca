//! Studies: trees that people edit.

use utoipa_axum::router::OpenApiRouter;

use crate::app::Shared;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
}
