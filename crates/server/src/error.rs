//! What can go wrong, and how it is told.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::api::ApiError;

/// Why a request is not answered as asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request makes no sense; the text says what would.
    #[error("{0}")]
    BadRequest(String),
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// Somebody else was faster.
    #[error("{0}")]
    Conflict(String),
    /// Too many bytes.
    #[error("{0}")]
    TooLarge(String),
    /// Too many requests or jobs.
    #[error("{0}")]
    TooMany(String),
    /// Not allowed.
    #[error("{0}")]
    Refused(String),
    /// The database failed.
    #[error("the database could not do it: {0}")]
    Database(#[from] rusqlite::Error),
    /// A bug of ours.
    #[error("{0}")]
    Internal(String),
}

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder cannot be used.
    #[error("cannot use the data folder {path}: {error}")]
    Folder {
        /// The folder.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// Another server works on it.
    #[error(
        "another tengen works on the data folder {0}: open its page, or give another folder with --data"
    )]
    InUse(String),
    /// The database cannot be opened.
    #[error("cannot open the database {path}: {error}")]
    Database {
        /// The file.
        path: String,
        /// Why.
        error: rusqlite::Error,
    },
    /// The database was written by a later version.
    #[error(
        "the database {path} has schema {found}, this version knows {known}: use a newer tengen"
    )]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The book cannot be opened.
    #[error("cannot open the book of openings: {0}")]
    Book(#[from] tengen_book::Error),
    /// A collection of puzzles cannot be opened.
    #[error("cannot open the collection of puzzles {path}: {error}")]
    Puzzles {
        /// The file.
        path: String,
        /// Why.
        error: String,
    },
    /// The address is taken or not ours.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: String,
        /// Why.
        error: std::io::Error,
    },
    /// The system gives no threads.
    #[error("cannot start threads: {0}")]
    Threads(std::io::Error),
    /// Others could reach the server, and anybody could use it.
    #[error(
        "{0} can be reached from other machines: give a token with --token, or bind to 127.0.0.1"
    )]
    NeedsToken(std::net::SocketAddr),
}

impl Failure {
    const fn parts(&self) -> (StatusCode, &'static str) {
        match self {
            Self::BadRequest(_) => (StatusCode::BAD_REQUEST, "bad-request"),
            Self::NotFound(_) => (StatusCode::NOT_FOUND, "not-found"),
            Self::Conflict(_) => (StatusCode::CONFLICT, "conflict"),
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            Self::TooMany(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many"),
            Self::Refused(_) => (StatusCode::FORBIDDEN, "refused"),
            Self::Database(_) | Self::Internal(_) => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal")
            }
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code) = self.parts();
        let message = self.to_string();
        (
            status,
            Json(ApiError {
                code: code.to_owned(),
                message,
            }),
        )
            .into_response()
    }
}
