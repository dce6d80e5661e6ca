//! What requests bring along, read such that every mistake has an answer a person understands.

use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::Failure;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(error) if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Failure::TooLarge("the request is too large".to_owned()))
            }
            Err(error) => Err(Failure::BadRequest(error.body_text())),
        }
    }
}

/// The number in a path such as `/jobs/{id}`.
pub(crate) struct Id(pub(crate) u32);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let path = Path::<u32>::from_request_parts(parts, state).await;
        let wrong = |_| Failure::NotFound("there is nothing here: expected a number".to_owned());
        path.map(|Path(id)| Self(id)).map_err(wrong)
    }
}

/// What stands after the question mark.
pub(crate) struct Ask<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Ask<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        let wrong = |error: axum::extract::rejection::QueryRejection| {
            Failure::BadRequest(error.body_text())
        };
        query.map(|Query(query)| Self(query)).map_err(wrong)
    }
}
