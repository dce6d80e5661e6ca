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
    let served = runtime.block_on(async {
        // Before anybody hears the address: whoever knows it may send a signal.
        let stopped = stopped();
        serve(config, ready, stopped).await
    });
    runtime.shutdown_timeout(LAST_WRITES);
    served
}

/// Listens for signals from now on, and ends with the first one. Where they cannot be caught they end the program as
/// everywhere.
#[cfg(unix)]
fn stopped() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    async fn heard(signal: Option<Signal>) {
        match signal {
            Some(mut signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }
    let interrupted = heard(signal(SignalKind::interrupt()).ok());
    let terminated = heard(signal(SignalKind::terminate()).ok());
    async {
        tokio::select! {
            () = interrupted => {}
            () = terminated => {}
        }
    }
}

#[cfg(not(unix))]
async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
