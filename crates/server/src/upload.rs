//! Files in the bodies of requests.

use axum::body::{Body, HttpBody as _, to_bytes};

use crate::error::Failure;

/// Reads a whole file of at most so many bytes.
pub(crate) async fn read(body: Body, most: usize) -> Result<Vec<u8>, Failure> {
    let too_large = || {
        Failure::TooLarge(format!(
            "the file has more than {} bytes, which is the most that is taken",
            most
        ))
    };
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    match to_bytes(body, most).await {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) if is_limit(&error) => Err(too_large()),
        Err(error) => Err(Failure::BadRequest(format!(
            "the file did not arrive whole: {error}"
        ))),
    }
}

fn is_limit(error: &axum::Error) -> bool {
    let mut reason: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(at) = reason {
        if at.to_string().contains("length limit exceeded") {
            return true;
        }
        reason = at.source();
    }
    false
}
