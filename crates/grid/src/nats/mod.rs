//! The grid: jobs over NATS JetStream. All that knows NATS is in this folder; `docs/grid.md` is the contract.
//!
//! | file | what is there |
//! |---|---|
//! | `names.rs` | subjects, streams, tokens |
//! | `message.rs`, `parts.rs` | what is on the wire, and how it is read from strangers |
//! | `table.rs` | the jobs of a search that are on their way: a state machine without network and clock |
//! | `roster.rs`, `shares.rs` | who is there, and who gets how many workers |
//! | `access.rs`, `streams.rs` | the server: address and keys, streams and consumers |
//! | `client.rs`, `coordinator.rs` | a search on the grid: the transport, and the task behind it |
//! | `worker.rs`, `slot.rs` | a worker |
//! | `feed.rs` | what a search has proved, for its workers |
//! | `status.rs`, `watch.rs`, `history.rs` | what everybody sees, for a moment and over time |
//! | `hand.rs` | what people do to a grid that they watch |
//! | `ledger.rs` | who was dropped, over restarts |
//! | `keys/` | who may do what |
//! | `local_server.rs`, `install.rs` | a server for trying it out, and where it comes from |

mod access;
mod client;
mod coordinator;
mod feed;
mod hand;
mod history;
mod install;
mod keys;
mod ledger;
mod local_server;
mod message;
mod names;
mod parts;
mod roster;
mod shares;
mod slot;
mod status;
mod streams;
mod table;
mod watch;
mod worker;

pub use access::{Access, GridError, KeyFile};
pub use client::{ClientOptions, GridTransport};
pub(crate) use feed::Feed;
pub use history::{Sample, Span};
pub use keys::{Certificates, Keys, Member, Revoked};
pub use ledger::Ledger;
pub use local_server::{LocalServer, ServerProgram, find_server};
pub use message::{Beat, ClientBeat, RunningJob, Trouble, Usage, VERSION};
pub use names::{ANY, Class, Kind, UnknownWord, is_token, token};
pub use status::{Status, status};
pub use streams::ACK_WAIT;
pub use watch::{LostWorker, Watch};
pub use worker::{Leave, Log, Worked, WorkerOptions, run_worker};

use std::sync::Arc;

use async_nats::Client;
use tokio::runtime::Runtime;

/// A connection to a grid, with threads of its own. All searches of a process share one.
#[derive(Clone)]
pub struct Grid {
    inner: Arc<Inner>,
}

struct Inner {
    runtime: Option<Runtime>,
    client: Client,
    address: String,
}

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grid")
            .field("address", &self.inner.address)
            .finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Dropped from within its own threads a runtime must not wait for them.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Grid {
    /// Connects as a coordinator. Once connected it stays so for ever: the server may go and come.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, does not let us in, or has no JetStream.
    pub fn connect(access: &Access) -> Result<Self, GridError> {
        let runtime = runtime()?;
        let address = access.url().to_owned();
        let client = runtime.block_on(async {
            let client = access.connect("tengen coordinator").await?;
            let unfit = |error: async_nats::Error| GridError::Unfit {
                address: address.clone(),
                reason: format!("{error}; is JetStream on, and is the key a coordinator's?"),
            };
            let context = streams::context(&client);
            streams::jobs(&context).await.map_err(unfit)?;
            streams::results(&context).await.map_err(unfit)?;
            Ok::<_, GridError>(client)
        })?;
        Ok(Self {
            inner: Arc::new(Inner {
                runtime: Some(runtime),
                client,
                address,
            }),
        })
    }

    /// Where it is.
    pub fn address(&self) -> &str {
        &self.inner.address
    }

    fn client(&self) -> &Client {
        &self.inner.client
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.inner.runtime {
            runtime.spawn(task);
        }
    }

    fn block_on<T>(&self, task: impl Future<Output = T>) -> Option<T> {
        self.inner
            .runtime
            .as_ref()
            .map(|runtime| runtime.block_on(task))
    }
}

fn runtime() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("grid")
        .enable_all()
        .build()
}

/// The name of this machine.
pub fn machine() -> String {
    let from_file = || std::fs::read_to_string("/etc/hostname").ok();
    let name = std::env::var("HOSTNAME").ok().or_else(from_file);
    let name = name
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty());
    token(&name.unwrap_or_else(|| "machine".to_owned()))
}
