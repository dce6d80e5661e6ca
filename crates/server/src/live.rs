//! Who is told what changes.

use std::sync::Arc;

use tokio::sync::broadcast;

use crate::api::Live;

/// A watcher that is so many messages behind gets a snapshot instead.
const BEHIND: usize = 256;

/// Messages to all who watch. They are written as JSON once, however many watch.
#[derive(Debug, Clone)]
pub(crate) struct Hub(broadcast::Sender<Arc<str>>);

impl Hub {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(BEHIND))
    }

    /// Tells everybody; nobody watching is fine.
    pub(crate) fn tell(&self, message: &Live) {
        if self.0.receiver_count() > 0 {
            let text = serde_json::to_string(message).expect("messages are plain data");
            let _nobody_watches = self.0.send(text.into());
        }
    }

    /// What is told from now on.
    pub(crate) fn watch(&self) -> broadcast::Receiver<Arc<str>> {
        self.0.subscribe()
    }
}
