//! Where a grid is, and what lets one in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions};
use serde::{Deserialize, Serialize};

/// Why a grid cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The address makes no sense.
    #[error("`{0}` is no address of a grid, expected nats://HOST:PORT or tls://HOST:PORT")]
    Address(String),
    /// Nobody answers.
    #[error("the grid at {address} cannot be reached: {reason}")]
    Unreachable {
        /// Where.
        address: String,
        /// What happened.
        reason: String,
    },
    /// The server does not let us in.
    #[error("the grid at {0} does not let us in: a key or a token is missing or wrong")]
    Refused(String),
    /// The server does something else than what is needed.
    #[error("the grid at {address} does not do what is needed: {reason}")]
    Unfit {
        /// Where.
        address: String,
        /// What is missing.
        reason: String,
    },
    /// The server is not the one that it should be.
    #[error(
        "the grid at {address} cannot be trusted: {reason}; is the authority beside the key the right one?"
    )]
    Untrusted {
        /// Where.
        address: String,
        /// What is wrong with its certificate.
        reason: String,
    },
    /// A key file cannot be used.
    #[error("the key `{path}` cannot be used: {reason}")]
    Key {
        /// Which file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no server's program.
    #[error("{0}")]
    NoServer(String),
    /// No thread can be started.
    #[error("no thread could be started: {0}")]
    Thread(#[from] std::io::Error),
    /// Somebody said that we are not wanted.
    #[error("this worker was dropped by a coordinator: {0}")]
    Dropped(String),
}

/// Where a grid is, and what lets one in.
#[derive(Clone, PartialEq, Eq)]
pub struct Access {
    /// Without secrets.
    url: String,
    token: Option<String>,
    seed: Option<String>,
    authority: Option<PathBuf>,
    /// Our inbox, where only it may be listened to.
    inbox: Option<String>,
    /// The worker's name, where the key is for one name only.
    worker: Option<String>,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Secrets do not belong into logs.
        f.debug_struct("Access")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// A key as a file: what `tengen grid keys` writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFile {
    /// Where the grid is.
    pub url: String,
    /// The secret: an nkey's seed.
    pub seed: String,
    /// The worker's name; none for a coordinator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The certificate by which the server is known, beside this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<PathBuf>,
}

impl Access {
    /// Reads an address: `nats://HOST:PORT`, with a token `nats://TOKEN@HOST:PORT`, or `tls://`.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn at(url: &str) -> Result<Self, GridError> {
        let wrong = || GridError::Address(without_secret(url));
        let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
        if !matches!(scheme, "nats" | "tls") {
            return Err(wrong());
        }
        let (token, host) = match rest.rsplit_once('@') {
            Some((token, host)) => (Some(token.to_owned()), host),
            None => (None, rest),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
        if host.is_empty() || !host.chars().all(plain) || token.as_deref() == Some("") {
            return Err(wrong());
        }
        Ok(Self {
            url: format!("{scheme}://{host}"),
            token,
            seed: None,
            authority: None,
            inbox: None,
            worker: None,
        })
    }

    /// Reads a key file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn with_key(path: &Path) -> Result<Self, GridError> {
        let wrong = |reason: String| GridError::Key {
            path: path.display().to_string(),
            reason,
        };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let key: KeyFile = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let mut access = Self::at(&key.url)?;
        access.seed = Some(key.seed.trim().to_owned());
        access.authority = key.authority.map(|file| match path.parent() {
            Some(folder) => folder.join(file),
            None => file,
        });
        if let Some(worker) = key.worker {
            if !super::names::is_token(&worker) {
                return Err(wrong(format!("`{worker}` is no name of a worker")));
            }
            access.inbox = Some(inbox_of(&worker));
            access.worker = Some(worker);
        }
        Ok(access)
    }

    /// The same grid elsewhere: keys may be carried to where the server has another address.
    ///
    /// # Errors
    ///
    /// If the address is none.
    pub fn moved_to(mut self, url: &str) -> Result<Self, GridError> {
        let other = Self::at(url)?;
        self.url = other.url;
        self.token = other.token.or(self.token);
        Ok(self)
    }

    /// The subjects under which the server is asked for jobs: a worker with a key lives in an account of its own.
    pub(crate) fn api(&self) -> &'static str {
        if self.worker.is_some() {
            WORKERS_API
        } else {
            "$JS.API"
        }
    }

    /// The address, without secrets.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The only name that the key allows a worker.
    pub fn worker(&self) -> Option<&str> {
        self.worker.as_deref()
    }

    pub(crate) async fn connect(&self, name: &str) -> Result<Client, GridError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .max_reconnects(None)
            .connection_timeout(Duration::from_secs(5))
            .request_timeout(Some(Duration::from_secs(3)))
            .ping_interval(Duration::from_secs(10))
            .reconnect_delay_callback(back_off);
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some(seed) = &self.seed {
            options = options.nkey(seed.clone());
        }
        if let Some(authority) = &self.authority {
            options = options
                .add_root_certificates(authority.clone())
                .require_tls(true);
        }
        if let Some(inbox) = &self.inbox {
            options = options.custom_inbox_prefix(inbox);
        }
        options
            .connect(&self.url)
            .await
            .map_err(|error| match error.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    GridError::Refused(self.url.clone())
                }
                ConnectErrorKind::ServerParse => GridError::Address(self.url.clone()),
                _ if is_untrusted(&error) => GridError::Untrusted {
                    address: self.url.clone(),
                    reason: error.to_string(),
                },
                _ => GridError::Unreachable {
                    address: self.url.clone(),
                    reason: error.to_string(),
                },
            })
    }
}

/// What workers with keys call `$JS.API`.
pub(crate) const WORKERS_API: &str = "tengen.api";

/// Whether the server has shown a certificate that is none for us. A connection that breaks while it is made is another
/// thing: that is tried again.
fn is_untrusted(error: &async_nats::ConnectError) -> bool {
    let mut next: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = next {
        if error.to_string().contains("invalid peer certificate") {
            return true;
        }
        next = error.source();
    }
    false
}

/// The only inbox that a worker may listen to.
pub(crate) fn inbox_of(worker: &str) -> String {
    format!("_INBOX_{worker}")
}

/// Longer and longer, up to 8 seconds, and never all at once.
pub(crate) fn back_off(attempts: usize) -> Duration {
    let longest = 250_u64 << attempts.min(5);
    Duration::from_millis(fastrand::u64(longest / 2..=longest))
}

fn without_secret(url: &str) -> String {
    url.rsplit_once('@')
        .map_or(url, |(_, host)| host)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_secrets_are_not_shown() {
        let access = Access::at("nats://s3cret@example.org:4222").expect("an address");
        assert_eq!(access.url(), "nats://example.org:4222");
        assert_eq!(access.token.as_deref(), Some("s3cret"));
        assert!(!format!("{access:?}").contains("s3cret"));
        assert_eq!(
            Access::at("localhost").expect("short").url(),
            "nats://localhost"
        );
        for wrong in [
            "",
            "http://x",
            "nats://",
            "nats://@x",
            "nats://a b",
            "nats://x/y",
        ] {
            let error = Access::at(wrong).expect_err(wrong).to_string();
            assert!(error.contains("no address"), "{error}");
        }
    }

    #[test]
    fn waiting_grows_and_varies() {
        for attempts in 0..100 {
            let wait = back_off(attempts);
            assert!((125..=8_000).contains(&wait.as_millis()), "{wait:?}");
        }
    }
}
