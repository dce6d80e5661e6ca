//! Keys: who may do what on a grid, as a configuration of the server.
//!
//! Everybody has an nkey of his own. The server knows the public halves and what each may do; the secret halves are files that
//! are carried to where they are used. A worker may take jobs, answer under its own name, say what it does, and listen to
//! what it is told and to its own inbox; a coordinator may do everything.
//!
//! Permissions alone do not suffice: a server sends what it was asked for to whatever subject the question names for the
//! reply, and nobody checks that one. With a question for the next job a worker could so have had the server itself publish
//! under another's name, or delete a stream. So workers live in an account of their own, where all replies stay; the few
//! subjects that lead out of it are listed in `config.rs`. `servers.rs` has what more than one server needs: a cluster, and leaf
//! nodes of others.

mod config;
mod servers;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;
use serde::{Deserialize, Serialize};

use super::names::is_token;
use super::{Access, GridError, KeyFile};
pub use servers::Member;

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cluster: Option<servers::Cluster>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    leafs: Vec<servers::Leaf>,
}

/// A folder of keys.
#[derive(Debug)]
pub struct Keys {
    folder: PathBuf,
    registry: Registry,
}

/// Certificate, private key and authority.
pub type Certificates = [PathBuf; 3];

/// Whose key was taken back.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Revoked {
    /// That of a worker: the server has to read its configuration again.
    Worker,
    /// That of a leaf node, or of a worker behind one: the server has to be started anew.
    Leaf,
}

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
                cluster: None,
                leafs: Vec::new(),
            },
        };
        fs::create_dir_all(folder.join("workers")).map_err(|e| wrong(folder, e))?;
        if let Some(files) = tls {
            keys.registry.tls = Some(keys.own_certificates(files)?);
        }
        keys.write_key(&folder.join(COORDINATOR), &pair, None, access.url())?;
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
        self.unused(name, &path)?;
        let pair = KeyPair::new_user();
        self.write_key(&path, &pair, Some(name), &self.registry.url)?;
        self.registry
            .workers
            .push((name.to_owned(), pair.public_key()));
        self.write()?;
        Ok(path)
    }

    /// Takes a worker's key back, or that of a leaf node with all its workers: from the next reload of the server on (the next
    /// start for those of leaf nodes) it opens nothing.
    ///
    /// # Errors
    ///
    /// If there is no such worker or leaf node.
    pub fn revoke(&mut self, name: &str) -> Result<Revoked, GridError> {
        let before = self.registry.workers.len();
        self.registry.workers.retain(|(known, _)| known != name);
        let revoked = if self.registry.workers.len() < before {
            // Of no use any more, and perhaps gone already.
            let _gone = fs::remove_file(self.worker_path(name));
            Revoked::Worker
        } else if self.revoke_leaf(name) {
            Revoked::Leaf
        } else {
            let reason = format!("there is no worker and no leaf node {name}");
            return Err(wrong(&self.folder, reason));
        };
        self.write()?;
        Ok(revoked)
    }

    /// That a name is one, and nobody's yet: names are what tells workers apart.
    fn unused(&self, name: &str, path: &Path) -> Result<(), GridError> {
        if !is_token(name) {
            return Err(wrong(
                path,
                format!("`{name}` is no name, expected letters, digits, - and _"),
            ));
        }
        let leafs = &self.registry.leafs;
        let behind = leafs.iter().flat_map(|leaf| &leaf.workers);
        let mut workers = self.registry.workers.iter().chain(behind);
        if workers.any(|(known, _)| known == name) {
            return Err(wrong(path, format!("there is a worker {name} already")));
        }
        if leafs.iter().any(|leaf| leaf.name == name) {
            return Err(wrong(path, format!("there is a leaf node {name} already")));
        }
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
        url: &str,
    ) -> Result<(), GridError> {
        let tls = self.registry.tls.as_ref();
        // Leaf nodes are servers of others, with certificates of their own.
        let ours = tls.filter(|_| url == self.registry.url);
        let key = KeyFile {
            url: url.to_owned(),
            seed: pair.seed().map_err(|error| wrong(path, error))?,
            worker: worker.map(ToOwned::to_owned),
            authority: ours.map(|files| files[2].clone()),
        };
        let text = serde_json::to_string_pretty(&key).unwrap_or_default();
        write_secret(path, &text).map_err(|error| wrong(path, error))
    }

    fn write(&self) -> Result<(), GridError> {
        let config = self.config();
        fs::write(&config, self.configuration()).map_err(|error| wrong(&config, error))?;
        self.write_servers()?;
        let path = self.folder.join(REGISTRY);
        let text = serde_json::to_string_pretty(&self.registry).unwrap_or_default();
        // It has the passwords of servers.
        write_secret(&path, &text).map_err(|error| wrong(&path, error))
    }
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
    let mut file = options.open(path)?;
    // Also if it was there before.
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    io::Write::write_all(&mut file, text.as_bytes())
}
