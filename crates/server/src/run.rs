//! The server as a program: threads, signals, and an end within a second.

use std::net::SocketAddr;
use std::time::Duration;

use crate::app::serve;
use crate::config::Config;
use crate::error::StartError;

/// Threads that still write get so long after the end.
const LAST_WRITES: Duration = Duration::from_millis(300);

/// Serves until Ctrl-C or SIGTERM. `ready` hears the address once requests are answered.
pub fn run(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(StartError::Threads)?;
    let served = runtime.block_on(serve(config, ready, stopped()));
    runtime.shutdown_timeout(LAST_WRITES);
    served
}

async fn stopped() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Signals cannot be caught here; they end the program as everywhere.
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
