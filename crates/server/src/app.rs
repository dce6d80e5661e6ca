//! Everything that requests share, and the server itself.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tengen_grid::nats::Watch;
use tokio::net::TcpListener;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

use crate::assets;
use crate::config::Config;
use crate::database::Database;
use crate::error::StartError;
use crate::grid::{Drops, GridDesk, Usages};
use crate::jobs::Jobs;
use crate::live::Hub;
use crate::players::Players;
use crate::puzzles::Shelf;
use crate::routes;
use crate::searches::Searches;
use crate::security::{self, Rates};

/// What requests share.
#[derive(Debug)]
pub struct App {
    pub(crate) config: Config,
    pub(crate) database: Database,
    pub(crate) hub: Hub,
    pub(crate) jobs: Jobs,
    pub(crate) rates: Rates,
    pub(crate) players: Players,
    pub(crate) searches: Arc<Searches>,
    pub(crate) grid: Arc<GridDesk>,
    pub(crate) puzzles: Shelf,
}

/// Requests that are being answered get so long to end.
const GRACE: Duration = Duration::from_millis(500);

/// Requests get it by reference.
pub(crate) type Shared = Arc<App>;

#[derive(utoipa::OpenApi)]
#[openapi(info(title = "Tengen", description = "The workbench's API"))]
struct Description;

/// Opens the data folder.
pub fn open(config: Config) -> Result<Arc<App>, StartError> {
    let database = Database::open(&config.data)?;
    let puzzles = Shelf::open(&config.puzzles)?;
    let hub = Hub::new();
    let jobs = Jobs::start(database.clone(), hub.clone(), config.workers);
    let usages = Arc::new(Usages::open(&config.data));
    let searches = Searches::open(
        &config.data,
        hub.clone(),
        config.workers,
        config.grid.clone().map(|grid| (grid, usages.clone())),
    )?;
    let watch = config.grid.as_ref().map(Watch::start);
    let drops = Drops::open(&config.data);
    let grid = GridDesk::open(watch, searches.clone(), usages, drops, hub.clone());
    Ok(Arc::new(App {
        grid,
        config,
        database,
        hub,
        jobs,
        rates: Rates::default(),
        players: Players::default(),
        searches,
        puzzles,
    }))
}

/// All paths.
pub fn router(app: Arc<App>) -> Router {
    let (router, description) = OpenApiRouter::with_openapi(Description::openapi())
        .nest("/api", routes::api())
        .split_for_parts();
    let router = router
        .merge(routes::docs::routes(description))
        .merge(routes::metrics::routes())
        .fallback(assets::serve)
        .with_state(app.clone());
    security::around(router, &app)
}

/// Serves until `stop` is there. `ready` hears the address once requests are answered.
pub async fn serve(
    config: Config,
    ready: impl FnOnce(SocketAddr),
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
    // First: a second server on the same port must not touch the first one's jobs.
    let listener = TcpListener::bind(bind).await.map_err(failed)?;
    let app = open(config)?;
    let hub = app.hub.clone();
    let searches = app.searches.clone();
    let stop = async move {
        stop.await;
        searches.close();
        hub.close().await;
    };
    ready(listener.local_addr().map_err(failed)?);
    let (ask, asked) = tokio::sync::oneshot::channel::<()>();
    let service = router(app).into_make_service_with_connect_info::<SocketAddr>();
    let server = axum::serve(listener, service).with_graceful_shutdown(async move {
        stop.await;
        let _ended_already = ask.send(());
    });
    tokio::select! {
        ended = server.into_future() => ended.map_err(failed),
        // Open WebSockets would keep it alive for ever.
        () = async { let _asked = asked.await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}
