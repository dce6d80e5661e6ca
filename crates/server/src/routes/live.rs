//! The WebSocket that tells what changes.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, interval_at, timeout};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::Live;
use crate::app::Shared;
use crate::live::Watcher;

/// So often a watcher is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);

/// A watcher that does not take a message for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// Watchers have nothing to say.
const LONGEST_MESSAGE: usize = 4_096;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(live))
}

/// What changes, as messages: a snapshot first.
#[utoipa::path(get, path = "/live", tag = "jobs", responses((status = 101, body = Live)))]
async fn live(State(app): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(LONGEST_MESSAGE)
        .on_upgrade(move |socket| async move {
            // Subscribed before the snapshot is taken: nothing falls between them.
            let watcher = app.hub.watch();
            let _it_has_gone = tell(&app, socket, watcher).await;
        })
}

/// The watcher has gone, or does not listen.
struct Gone;

async fn tell(app: &Shared, mut socket: WebSocket, mut watcher: Watcher) -> Result<(), Gone> {
    send(&mut socket, snapshot(app)).await?;
    let mut ping = interval_at(Instant::now() + PING, PING);
    loop {
        tokio::select! {
            told = watcher.messages.recv() => match told {
                Ok(text) => send(&mut socket, text_message(&text)).await?,
                // Too slow: it gets everything anew. What was told meanwhile is in it.
                Err(RecvError::Lagged(_)) => {
                    watcher.messages = watcher.messages.resubscribe();
                    send(&mut socket, snapshot(app)).await?;
                }
                Err(RecvError::Closed) => return goodbye(&mut socket).await,
            },
            heard = socket.recv() => match heard {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
                Some(Ok(_)) => {}
            },
            _ = ping.tick() => send(&mut socket, Message::Ping(Default::default())).await?,
            _ = watcher.closing.changed() => return goodbye(&mut socket).await,
        }
    }
}

fn snapshot(app: &Shared) -> Message {
    let jobs = app.jobs.list();
    let text = serde_json::to_string(&Live::Snapshot { jobs }).expect("messages are plain data");
    Message::Text(text.into())
}

fn text_message(text: &Arc<str>) -> Message {
    Message::Text(Utf8Bytes::from(&**text))
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    match timeout(PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(Gone),
    }
}

async fn goodbye(socket: &mut WebSocket) -> Result<(), Gone> {
    let frame = CloseFrame {
        code: close_code::AWAY,
        reason: "the server stops".into(),
    };
    send(socket, Message::Close(Some(frame))).await
}
