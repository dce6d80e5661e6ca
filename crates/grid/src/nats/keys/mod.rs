//! Keys: who may do what on a grid, as a configuration of the server.
//!
//! Everybody has an nkey of his own. The server knows the public halves and what each may do; the secret halves are files that
//! are carried to where they are used. A worker may take jobs, answer under its own name, say what it does, and listen to
//! what it is told and to its own inbox; a coordinator may do everything.
//!
//! Permissions alone do not suffice: a server sends what it was asked for to whatever subject the question names for the
//! reply, and nobody checks that one. With a question for the next job a worker could so have had the server itself publish
//! under another's name, or delete a stream. So workers live in an account of their own, where all replies stay; the few
//! subjects that lead out of it are listed below.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;
use serde::{Deserialize, Serialize};

use super::access::{WORKERS_API, inbox_of};
use super::names::{JOBS, is_token};
use super::{Access, GridError, KeyFile};

/// The list of public keys.
const REGISTRY: &str = "keys.json";
/// What the server reads.
const CONFIG: &str = "server.conf";
/// The coordinator's secret.
const COORDINATOR: &str = "coordinator.key";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Registry {
    url: String,
    port: u16,
    /// Certificate, its key and the authority that has signed it, as files.
    tls: Option<[PathBuf; 3]>,
    coordinator: String,
    workers: Vec<(String, String)>,
}

/// A folder of keys.
#[derive(Debug)]
pub struct Keys {
    folder: PathBuf,
    registry: Registry,
}

/// Certificate, private key and authority.
pub type Certificates = [PathBuf; 3];

impl Keys {
    /// Makes a folder with the server's configuration and the coordinator's key. `url` is where others find the server.
    ///
    /// # Errors
    ///
    /// If there are keys already, or the folder cannot be written.
    pub fn create(folder: &Path, url: &str, tls: Option<Certificates>) -> Result<Self, GridError> {
        let registry = folder.join(REGISTRY);
        if registry.exists() {
            return Err(wrong(&registry, "there are keys already"));
        }
        let access = Access::at(url)?;
        let port = access
            .url()
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        let pair = KeyPair::new_user();
        let mut keys = Self {
            folder: folder.to_owned(),
            registry: Registry {
                url: access.url().to_owned(),
                port: port.unwrap_or(4222),
                tls: None,
                coordinator: pair.public_key(),
                workers: Vec::new(),
            },
        };
        fs::create_dir_all(folder.join("workers")).map_err(|e| wrong(folder, e))?;
        if let Some(files) = tls {
            keys.registry.tls = Some(keys.own_certificates(files)?);
        }
        keys.write_key(&folder.join(COORDINATOR), &pair, None)?;
        keys.write()?;
        Ok(keys)
    }

    /// The keys of a folder.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn open(folder: &Path) -> Result<Self, GridError> {
        let path = folder.join(REGISTRY);
        let text = fs::read_to_string(&path).map_err(|error| wrong(&path, error))?;
        let registry = serde_json::from_str(&text).map_err(|error| wrong(&path, error))?;
        Ok(Self {
            folder: folder.to_owned(),
            registry,
        })
    }

    /// Makes a worker's key and says where it is.
    ///
    /// # Errors
    ///
    /// If there is one of this name, or the name is none.
    pub fn add_worker(&mut self, name: &str) -> Result<PathBuf, GridError> {
        let path = self.worker_path(name);
        if !is_token(name) {
            return Err(wrong(
                &path,
                format!("`{name}` is no name, expected letters, digits, - and _"),
            ));
        }
        if self.registry.workers.iter().any(|(known, _)| known == name) {
            return Err(wrong(&path, format!("there is a worker {name} already")));
        }
        let pair = KeyPair::new_user();
        self.write_key(&path, &pair, Some(name))?;
        self.registry
            .workers
            .push((name.to_owned(), pair.public_key()));
        self.write()?;
        Ok(path)
    }

    /// From the next reload of the server on, this worker's key opens nothing.
    ///
    /// # Errors
    ///
    /// If there is no such worker.
    pub fn revoke(&mut self, name: &str) -> Result<(), GridError> {
        let before = self.registry.workers.len();
        self.registry.workers.retain(|(known, _)| known != name);
        if self.registry.workers.len() == before {
            return Err(wrong(&self.folder, format!("there is no worker {name}")));
        }
        self.write()?;
        // Of no use any more, and perhaps gone already.
        let _ = fs::remove_file(self.worker_path(name));
        Ok(())
    }

    /// The workers that have keys.
    pub fn workers(&self) -> impl Iterator<Item = &str> {
        self.registry.workers.iter().map(|(name, _)| name.as_str())
    }

    /// The server's configuration.
    pub fn config(&self) -> PathBuf {
        self.folder.join(CONFIG)
    }

    /// The coordinator's key.
    pub fn coordinator(&self) -> PathBuf {
        self.folder.join(COORDINATOR)
    }

    fn worker_path(&self, name: &str) -> PathBuf {
        self.folder.join("workers").join(format!("{name}.key"))
    }

    /// Copies certificates here, so that the folder is all that is needed.
    fn own_certificates(&self, files: Certificates) -> Result<Certificates, GridError> {
        let names = ["server.pem", "server-key.pem", "authority.pem"].map(PathBuf::from);
        for (from, to) in files.iter().zip(&names) {
            fs::copy(from, self.folder.join(to)).map_err(|error| wrong(from, error))?;
        }
        let authority = self.folder.join("workers").join(&names[2]);
        fs::copy(&files[2], &authority).map_err(|error| wrong(&authority, error))?;
        Ok(names)
    }

    fn write_key(
        &self,
        path: &Path,
        pair: &KeyPair,
        worker: Option<&str>,
    ) -> Result<(), GridError> {
        let key = KeyFile {
            url: self.registry.url.clone(),
            seed: pair.seed().map_err(|error| wrong(path, error))?,
            worker: worker.map(ToOwned::to_owned),
            authority: self.registry.tls.as_ref().map(|files| files[2].clone()),
        };
        let text = serde_json::to_string_pretty(&key).unwrap_or_default();
        write_secret(path, &text).map_err(|error| wrong(path, error))
    }

    fn write(&self) -> Result<(), GridError> {
        let config = self.config();
        fs::write(&config, self.configuration()).map_err(|error| wrong(&config, error))?;
        let path = self.folder.join(REGISTRY);
        let text = serde_json::to_string_pretty(&self.registry).unwrap_or_default();
        fs::write(&path, text).map_err(|error| wrong(&path, error))
    }

    /// The server's configuration as text.
    fn configuration(&self) -> String {
        let folder = fs::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let inside = |file: &Path| quoted(&folder.join(file));
        let mut text = String::from(
            "# Written by `tengen grid keys`: do not edit, it is written anew with every key.\n",
        );
        let _ = writeln!(text, "listen: \"0.0.0.0:{}\"", self.registry.port);
        let _ = writeln!(text, "max_payload: 1MB");
        let _ = writeln!(
            text,
            "jetstream {{ store_dir: {} }}",
            inside(Path::new("store"))
        );
        if let Some([certificate, key, _]) = &self.registry.tls {
            let (certificate, key) = (inside(certificate), inside(key));
            let _ = writeln!(text, "tls {{ cert_file: {certificate}, key_file: {key} }}");
        }
        text.push_str(&self.accounts());
        text
    }

    /// The account of jobs and answers, and that of the workers with what leads from one to the other.
    fn accounts(&self) -> String {
        let mut text = format!(
            "accounts {{\n  GRID {{\n    jetstream: enabled\n    users = [ {{ nkey: {} }} ]\n    exports = [\n",
            self.registry.coordinator
        );
        for (subject, _) in asked() {
            let many = if subject.contains("MSG.NEXT") {
                ", response_type: stream"
            } else {
                ""
            };
            let _ = writeln!(text, "      {{ service: \"{subject}\"{many} }}");
        }
        for subject in heard() {
            let _ = writeln!(text, "      {{ stream: \"{subject}\" }}");
        }
        text.push_str("    ]\n  }\n  WORKERS {\n    imports = [\n");
        for (subject, here) in asked() {
            let _ = writeln!(
                text,
                "      {{ service: {{ account: GRID, subject: \"{subject}\" }}, to: \"{here}\" }}"
            );
        }
        for subject in heard() {
            let _ = writeln!(
                text,
                "      {{ stream: {{ account: GRID, subject: \"{subject}\" }} }}"
            );
        }
        text.push_str("    ]\n    users = [\n");
        for (name, public) in &self.registry.workers {
            let listed = |subjects: &[String]| {
                let quoted: Vec<String> = subjects.iter().map(|it| format!("\"{it}\"")).collect();
                quoted.join(", ")
            };
            let (publish, subscribe) = (listed(&may_publish(name)), listed(&may_subscribe(name)));
            let _ = writeln!(
                text,
                "      # {name}\n      {{ nkey: {public}, permissions: {{ publish: {{ allow: [{publish}] }}, subscribe: {{ allow: [{subscribe}] }} }} }}"
            );
        }
        text.push_str("    ]\n  }\n}\n");
        text
    }
}

/// What workers may ask and say, as the account of jobs calls it and as the workers' account does.
fn asked() -> [(String, String); 6] {
    let api = |what: &str| (format!("$JS.API.{what}"), format!("{WORKERS_API}.{what}"));
    let same = |subject: &str| (subject.to_owned(), subject.to_owned());
    [
        api(&format!("CONSUMER.NAMES.{JOBS}")),
        api(&format!("CONSUMER.INFO.{JOBS}.*")),
        api(&format!("CONSUMER.MSG.NEXT.{JOBS}.*")),
        same(&format!("$JS.ACK.{JOBS}.>")),
        same("tengen.beat.*"),
        same("tengen.result.*.*.*"),
    ]
}

/// What workers may hear.
fn heard() -> [&'static str; 3] {
    ["tengen.call", "tengen.cancel.*", "tengen.control.*"]
}

/// What a worker may say.
fn may_publish(worker: &str) -> [String; 6] {
    [
        format!("tengen.beat.{worker}"),
        format!("tengen.result.{worker}.*.*"),
        format!("{WORKERS_API}.CONSUMER.NAMES.{JOBS}"),
        format!("{WORKERS_API}.CONSUMER.INFO.{JOBS}.*"),
        format!("{WORKERS_API}.CONSUMER.MSG.NEXT.{JOBS}.*"),
        format!("$JS.ACK.{JOBS}.>"),
    ]
}

/// What a worker may hear.
fn may_subscribe(worker: &str) -> [String; 4] {
    [
        "tengen.call".to_owned(),
        "tengen.cancel.*".to_owned(),
        format!("tengen.control.{worker}"),
        format!("{}.>", inbox_of(worker)),
    ]
}

fn quoted(path: &Path) -> String {
    format!("{:?}", path.display().to_string())
}

fn wrong(path: &Path, reason: impl ToString) -> GridError {
    GridError::Key {
        path: path.display().to_string(),
        reason: reason.to_string(),
    }
}

/// Nobody else may read it.
pub(super) fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    io::Write::write_all(&mut options.open(path)?, text.as_bytes())
}
