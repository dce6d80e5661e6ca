//! More than one server: the configuration of each server of a cluster, and what another organisation needs for a leaf node.
//!
//! Both are folders to be carried to where they are used; all names in them are relative, so a server is started in its folder.
//! Without a password anybody could join as a server and read everything, so there is one for the cluster and one for each leaf
//! node. The account of a leaf node leads to the subjects of its own workers only: it cannot speak for others.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use nkeys::KeyPair;
use serde::{Deserialize, Serialize};

use super::config::WRITTEN;
use super::{Access, GridError, Keys, is_token, write_secret, wrong};

/// The file with the passwords of leaf nodes, beside the server's configuration.
pub(super) const LEAFS: &str = "leafs.conf";
/// Where servers of a cluster listen for each other.
const ROUTES: u16 = 6222;
/// Where servers listen for leaf nodes.
const LEAF_PORT: u16 = 7422;

/// A server of a cluster: `HOST`, `HOST:PORT` or `HOST:PORT:ROUTES`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// By which the others find it.
    pub host: String,
    /// For coordinators and workers.
    pub port: u16,
    /// For the other servers.
    pub routes: u16,
}

impl FromStr for Member {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}` is no server, expected HOST, HOST:PORT or HOST:PORT:PORT-FOR-SERVERS")
        };
        // An address of version 6 has colons itself, and stands in brackets.
        let end = text.find(']').map_or(0, |at| at + 1);
        let host_end = text[end..].find(':').map_or(text.len(), |at| end + at);
        let (host, ports) = text.split_at(host_end);
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        let inside = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let is_host = match inside {
            Some(inside) => inside.parse::<std::net::Ipv6Addr>().is_ok(),
            None => !host.is_empty() && host.chars().all(plain),
        };
        let ports: Result<Vec<u16>, _> = ports.split(':').skip(1).map(str::parse).collect();
        let ports = ports.map_err(|_| wrong())?;
        if !is_host || ports.len() > 2 || ports.contains(&0) {
            return Err(wrong());
        }
        Ok(Self {
            host: host.to_owned(),
            port: ports.first().copied().unwrap_or(4222),
            routes: ports.get(1).copied().unwrap_or(ROUTES),
        })
    }
}

/// Servers that are one grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cluster {
    members: Vec<Member>,
    password: String,
}

/// Somebody else's server, which connects to ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Leaf {
    pub(super) name: String,
    /// Where its workers find it.
    url: String,
    port: u16,
    password: String,
    /// Its workers with their public keys.
    pub(super) workers: Vec<(String, String)>,
}

impl Leaf {
    /// Its account, on both sides.
    pub(super) fn account(&self) -> String {
        format!("LEAF_{}", self.name)
    }
}

impl Keys {
    /// Writes the configurations of servers that are one grid, in a folder that is to be carried to all of them. Says which ones.
    ///
    /// # Errors
    ///
    /// If there are fewer than three servers or two of one address: with two, either of them that is away stops both.
    pub fn make_cluster(&mut self, members: Vec<Member>) -> Result<Vec<PathBuf>, GridError> {
        let folder = self.cluster_folder();
        if members.len() < 3 {
            let count = members.len();
            let reason = format!("a cluster needs at least 3 servers, not {count}");
            return Err(wrong(&folder, reason));
        }
        for (at, member) in members.iter().enumerate() {
            let same = |it: &&Member| {
                it.host == member.host
                    && (it.port == member.port
                        || it.routes == member.routes
                        || it.port == member.routes
                        || it.routes == member.port)
            };
            if members[..at].iter().any(|it| same(&it)) || member.port == member.routes {
                let reason = format!("{} has the same port twice", member.host);
                return Err(wrong(&folder, reason));
            }
        }
        let password = match self.registry.cluster.take() {
            Some(known) => known.password,
            None => password(&folder)?,
        };
        let paths = (1..=members.len()).map(|number| folder.join(format!("n{number}.conf")));
        let paths: Vec<PathBuf> = paths.collect();
        self.registry.cluster = Some(Cluster { members, password });
        self.write()?;
        Ok(paths)
    }

    /// Lets another organisation join with a server of its own; `url` is where its workers find that one, `port` where this grid's
    /// server listens for it. Says which folder is theirs.
    ///
    /// # Errors
    ///
    /// If the name or the address is none, or the name is somebody's.
    pub fn add_leaf(
        &mut self,
        name: &str,
        url: &str,
        port: Option<u16>,
    ) -> Result<PathBuf, GridError> {
        let folder = self.leaf_folder(name);
        self.unused(name, &folder)?;
        let access = Access::at(url)?;
        let known = self.registry.leafs.first().map(|leaf| leaf.port);
        if let (Some(known), Some(port)) = (known, port)
            && known != port
        {
            let reason = format!("leaf nodes connect to port {known} already, not {port}");
            return Err(wrong(&folder, reason));
        }
        self.registry.leafs.push(Leaf {
            name: name.to_owned(),
            url: access.url().to_owned(),
            port: known.or(port).unwrap_or(LEAF_PORT),
            password: password(&folder)?,
            workers: Vec::new(),
        });
        self.write()?;
        Ok(folder)
    }

    /// Makes the key of a worker behind a leaf node and says where it is.
    ///
    /// # Errors
    ///
    /// If there is no such leaf node, or the name is none or somebody's.
    pub fn add_leaf_worker(&mut self, leaf: &str, name: &str) -> Result<PathBuf, GridError> {
        let path = self.leaf_folder(leaf).join(format!("{name}.key"));
        self.unused(name, &path)?;
        let known = self.registry.leafs.iter().position(|it| it.name == leaf);
        let Some(at) = known else {
            return Err(wrong(&path, format!("there is no leaf node {leaf}")));
        };
        let pair = KeyPair::new_user();
        self.write_key(&path, &pair, Some(name), &self.registry.leafs[at].url)?;
        let worker = (name.to_owned(), pair.public_key());
        self.registry.leafs[at].workers.push(worker);
        self.write()?;
        Ok(path)
    }

    /// Takes back a leaf node, or a worker behind one. Says whether there was such a one.
    pub(super) fn revoke_leaf(&mut self, name: &str) -> bool {
        let leafs = self.registry.leafs.len();
        self.registry.leafs.retain(|leaf| leaf.name != name);
        if self.registry.leafs.len() < leafs {
            // Theirs is a copy of it anyway.
            let _gone = fs::remove_dir_all(self.leaf_folder(name));
            return true;
        }
        for leaf in &mut self.registry.leafs {
            let workers = leaf.workers.len();
            leaf.workers.retain(|(known, _)| known != name);
            if leaf.workers.len() < workers {
                let folder = format!("leaf-{}", leaf.name);
                let path = self.folder.join(folder).join(format!("{name}.key"));
                let _gone = fs::remove_file(path);
                return true;
            }
        }
        false
    }

    /// Writes what more than one server needs.
    pub(super) fn write_servers(&self) -> Result<(), GridError> {
        let leafs = self.folder.join(LEAFS);
        if self.registry.leafs.is_empty() {
            let _none = fs::remove_file(&leafs);
        } else {
            let folder = fs::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
            secret(&leafs, &self.leaf_nodes(&folder))?;
        }
        for leaf in &self.registry.leafs {
            let folder = self.leaf_folder(&leaf.name);
            fs::create_dir_all(&folder).map_err(|error| wrong(&folder, error))?;
            if let Some([.., authority]) = &self.registry.tls {
                self.copy(authority, &folder)?;
            }
            secret(&folder.join("server.conf"), &self.leaf_side(leaf))?;
        }
        if let Some(cluster) = &self.registry.cluster {
            self.write_cluster(cluster)?;
        }
        Ok(())
    }

    fn write_cluster(&self, cluster: &Cluster) -> Result<(), GridError> {
        let folder = self.cluster_folder();
        fs::create_dir_all(&folder).map_err(|error| wrong(&folder, error))?;
        for file in self.registry.tls.iter().flatten() {
            self.copy(file, &folder)?;
        }
        let mut accounts = format!("{WRITTEN}{}", self.accounts());
        if !self.registry.leafs.is_empty() {
            accounts.push_str(&self.leaf_nodes(Path::new("")));
        }
        secret(&folder.join("accounts.conf"), &accounts)?;
        for (at, member) in cluster.members.iter().enumerate() {
            let name = format!("n{}", at + 1);
            let text = self.member(cluster, &name, member);
            secret(&folder.join(format!("{name}.conf")), &text)?;
        }
        Ok(())
    }

    /// The configuration of a server of a cluster.
    fn member(&self, cluster: &Cluster, name: &str, member: &Member) -> String {
        let password = &cluster.password;
        let mut text = format!(
            "{WRITTEN}# To be started in its folder.\nserver_name: {name}\nlisten: \"0.0.0.0:{}\"\njetstream {{ store_dir: \"store-{name}\" }}\n",
            member.port
        );
        if let Some([certificate, key, _]) = &self.registry.tls {
            let (certificate, key) = (certificate.display(), key.display());
            let _ = writeln!(
                text,
                "tls {{ cert_file: \"{certificate}\", key_file: \"{key}\" }}"
            );
        }
        let routes = cluster.members.iter().map(|it| {
            let (host, port) = (&it.host, it.routes);
            format!("\"nats://routes:{password}@{host}:{port}\"")
        });
        let routes: Vec<String> = routes.collect();
        let _ = writeln!(
            text,
            "cluster {{\n  name: grid\n  listen: \"0.0.0.0:{}\"\n  authorization {{ user: routes, password: {password} }}\n  routes: [ {} ]\n}}\ninclude \"accounts.conf\"",
            member.routes,
            routes.join(", ")
        );
        text
    }

    /// Where and by which passwords leaf nodes may connect; certificates are in this folder.
    fn leaf_nodes(&self, folder: &Path) -> String {
        let port = self.registry.leafs.first().map_or(LEAF_PORT, |it| it.port);
        let mut text = format!("leafnodes {{\n  listen: \"0.0.0.0:{port}\"\n");
        if let Some([certificate, key, _]) = &self.registry.tls {
            let inside = |file: &Path| super::config::quoted(&folder.join(file));
            let (certificate, key) = (inside(certificate), inside(key));
            let _ = writeln!(
                text,
                "  tls {{ cert_file: {certificate}, key_file: {key} }}"
            );
        }
        text.push_str("  authorization { users = [\n");
        for leaf in &self.registry.leafs {
            let (account, password) = (leaf.account(), &leaf.password);
            let _ = writeln!(
                text,
                "    {{ user: {account}, password: {password}, account: {account} }}"
            );
        }
        text.push_str("  ] }\n}\n");
        text
    }

    /// The configuration of the other organisation's server.
    fn leaf_side(&self, leaf: &Leaf) -> String {
        let (account, password) = (leaf.account(), &leaf.password);
        let host = host_of(&self.registry.url);
        let (scheme, tls) = match &self.registry.tls {
            Some([.., authority]) => {
                let authority = authority.display();
                ("tls", format!(", tls {{ ca_file: \"{authority}\" }}"))
            }
            None => ("nats-leaf", String::new()),
        };
        let listen = leaf.url.rsplit_once(':').map(|(_, port)| port.parse());
        let listen: u16 = listen.and_then(Result::ok).unwrap_or(4222);
        // Several servers, several ways: the leaf node takes one that is there.
        let hosts: Vec<&str> = match &self.registry.cluster {
            Some(cluster) => cluster.members.iter().map(|it| it.host.as_str()).collect(),
            None => vec![host],
        };
        let port = leaf.port;
        let urls = hosts
            .iter()
            .map(|host| format!("\"{scheme}://{account}:{password}@{host}:{port}\""));
        let urls: Vec<String> = urls.collect();
        format!(
            "{WRITTEN}# To be started in its folder.\nserver_name: {}\nlisten: \"0.0.0.0:{listen}\"\nmax_payload: 1MB\n{}leafnodes {{ remotes = [ {{ urls: [ {} ], account: {account}{tls} }} ] }}\n",
            leaf.name,
            leaf.accounts(),
            urls.join(", ")
        )
    }

    fn copy(&self, file: &Path, folder: &Path) -> Result<(), GridError> {
        let (from, to) = (self.folder.join(file), folder.join(file));
        fs::copy(&from, &to).map_err(|error| wrong(&from, error))?;
        Ok(())
    }

    fn cluster_folder(&self) -> PathBuf {
        self.folder.join("cluster")
    }

    fn leaf_folder(&self, name: &str) -> PathBuf {
        // A name that is none is refused later; it must not lead elsewhere meanwhile.
        let name = if is_token(name) { name } else { "" };
        self.folder.join(format!("leaf-{name}"))
    }
}

/// The host of an address.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    match rest.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        _ => rest,
    }
}

/// A password that nobody guesses.
fn password(path: &Path) -> Result<String, GridError> {
    // A seed of the system's good randomness, without its letters that only say what it is. It begins with a letter, so that
    // it is no number in a configuration.
    let seed = KeyPair::new_user().seed();
    let seed = seed.map_err(|error| wrong(path, error))?;
    let secret: String = seed.chars().skip(6).take(32).collect();
    Ok(format!("p{secret}"))
}

fn secret(path: &Path, text: &str) -> Result<(), GridError> {
    write_secret(path, text).map_err(|error| wrong(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read() {
        let member = |text: &str| {
            text.parse::<Member>()
                .map(|it| (it.host, it.port, it.routes))
        };
        let is = |host: &str, port, routes| Ok((host.to_owned(), port, routes));
        assert_eq!(member("a.example"), is("a.example", 4222, 6222));
        assert_eq!(member("10.0.0.1:5000"), is("10.0.0.1", 5000, 6222));
        assert_eq!(member("[::1]:5000:5001"), is("[::1]", 5000, 5001));
        assert_eq!(member("[::1]"), is("[::1]", 4222, 6222));
        for wrong in [
            "", ":1", "a b", "a:0", "a:x", "a:1:2:3", "[::1", "a:99999", "a\"b", "[x]:1",
        ] {
            let error = member(wrong).expect_err(wrong);
            assert!(error.contains("is no server"), "{error}");
        }
    }

    #[test]
    fn hosts_are_found_in_addresses() {
        assert_eq!(host_of("nats://grid.example.org:4222"), "grid.example.org");
        assert_eq!(host_of("tls://grid.example.org"), "grid.example.org");
        assert_eq!(host_of("nats://[::1]:4222"), "[::1]");
        assert_eq!(host_of("nats://[::1]"), "[::1]");
    }
}
