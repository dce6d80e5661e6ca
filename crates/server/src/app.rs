//! Everything that requests share, and the server itself.

use std::sync::Arc;

use axum::Router;
use tokio::net::TcpListener;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

use crate::config::Config;
use crate::database::Database;
use crate::error::StartError;
use crate::jobs::Jobs;
use crate::live::Hub;
use crate::routes;

/// What requests share.
#[derive(Debug)]
pub struct App {
    pub(crate) config: Config,
    pub(crate) database: Database,
    pub(crate) hub: Hub,
    pub(crate) jobs: Jobs,
}

/// Requests get it by reference.
pub(crate) type Shared = Arc<App>;

#[derive(utoipa::OpenApi)]
#[openapi(info(title = "Tengen", description = "The workbench's API"))]
struct Description;

/// Opens the data folder.
pub fn open(config: Config) -> Result<Arc<App>, StartError> {
    let database = Database::open(&config.data)?;
    let hub = Hub::new();
    let jobs = Jobs::start(database.clone(), hub.clone(), config.workers);
    Ok(Arc::new(App {
        config,
        database,
        hub,
        jobs,
    }))
}

/// All paths.
pub fn router(app: Arc<App>) -> Router {
    let (router, _description) = OpenApiRouter::with_openapi(Description::openapi())
        .nest("/api", routes::api())
        .split_for_parts();
    router.with_state(app)
}

/// Serves until `stop` is there. `ready` hears the address once requests are answered.
pub async fn serve(
    config: Config,
    ready: impl FnOnce(std::net::SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), StartError> {
    if !config.bind.ip().is_loopback() && config.token.is_none() {
        return Err(StartError::NeedsToken(config.bind));
    }
    let bind = config.bind;
    let failed = |error| StartError::Listen {
        address: bind.to_string(),
        error,
    };
    let app = open(config)?;
    let listener = TcpListener::bind(bind).await.map_err(failed)?;
    ready(listener.local_addr().map_err(failed)?);
    axum::serve(listener, router(app))
        .with_graceful_shutdown(stop)
        .await
        .map_err(failed)
}
