//! Files in the bodies of requests.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, HttpBody as _};

use crate::error::Failure;

/// Reads a whole file of at most so many bytes.
///
/// A larger one is read on for a while and thrown away: who still sends would not see the answer.
pub(crate) async fn read(mut body: Body, most: usize) -> Result<Vec<u8>, Failure> {
    let mut file = Vec::new();
    let mut seen = 0;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|error| {
            Failure::BadRequest(format!("the file did not arrive whole: {error}"))
        })?;
        let Ok(part) = frame.into_data() else {
            continue;
        };
        seen += part.len();
        if seen <= most {
            file.extend_from_slice(&part);
        } else if seen > most.saturating_mul(4) {
            break;
        }
    }
    if seen > most {
        return Err(Failure::TooLarge(format!(
            "the file has more than {most} bytes, which is the most that is taken"
        )));
    }
    Ok(file)
}
