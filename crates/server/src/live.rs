//! Who is told what changes.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{broadcast, watch};

use crate::api::Live;

/// A watcher that is so many messages behind gets a snapshot instead.
const BEHIND: usize = 256;

/// How long watchers have to take their leave.
const FAREWELL: Duration = Duration::from_secs(1);

/// Messages to all who watch. They are written as JSON once, however many watch.
#[derive(Debug, Clone)]
pub(crate) struct Hub {
    messages: broadcast::Sender<Arc<str>>,
    closing: watch::Sender<bool>,
}

/// What one watcher hears.
#[derive(Debug)]
pub(crate) struct Watcher {
    /// What is told from now on.
    pub(crate) messages: broadcast::Receiver<Arc<str>>,
    /// Whether the server stops.
    pub(crate) closing: watch::Receiver<bool>,
}

impl Hub {
    pub(crate) fn new() -> Self {
        Self {
            messages: broadcast::Sender::new(BEHIND),
            closing: watch::Sender::new(false),
        }
    }

    /// Tells everybody; nobody watching is fine.
    pub(crate) fn tell(&self, message: &Live) {
        if self.is_watched() {
            let text = serde_json::to_string(message).expect("messages are plain data");
            let _nobody_watches = self.messages.send(text.into());
        }
    }

    /// Whether anybody watches.
    pub(crate) fn is_watched(&self) -> bool {
        self.messages.receiver_count() > 0
    }

    /// Somebody watches from now on.
    pub(crate) fn watch(&self) -> Watcher {
        Watcher {
            messages: self.messages.subscribe(),
            closing: self.closing.subscribe(),
        }
    }

    /// Says goodbye to all who watch, and waits a moment until they have heard it.
    pub(crate) async fn close(&self) {
        self.closing.send_replace(true);
        let _some_do_not_listen = tokio::time::timeout(FAREWELL, self.closing.closed()).await;
    }
}
