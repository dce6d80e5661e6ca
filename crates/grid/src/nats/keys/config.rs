//! The server's configuration as text.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::super::access::{WORKERS_API, inbox_of};
use super::super::names::{JOBS, RECORDS};
use super::Keys;
use super::servers::{LEAFS, Leaf};

/// What every file begins with.
pub(super) const WRITTEN: &str =
    "# Written by `tengen grid keys`: do not edit, it is written anew with every key.\n";

impl Keys {
    /// The configuration of the one server.
    pub(super) fn configuration(&self) -> String {
        let folder = fs::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let inside = |file: &Path| quoted(&folder.join(file));
        let mut text = WRITTEN.to_owned();
        let _ = writeln!(text, "listen: \"0.0.0.0:{}\"", self.registry.port);
        let store = inside(Path::new("store"));
        let _ = writeln!(text, "jetstream {{ store_dir: {store} }}");
        if let Some([certificate, key, _]) = &self.registry.tls {
            let (certificate, key) = (inside(certificate), inside(key));
            let _ = writeln!(text, "tls {{ cert_file: {certificate}, key_file: {key} }}");
        }
        text.push_str(&self.accounts());
        if !self.registry.leafs.is_empty() {
            // Beside this file: it has passwords.
            let _ = writeln!(text, "include {LEAFS:?}");
        }
        text
    }

    /// The account of jobs and answers, and those of the workers with what leads from one to the other.
    pub(super) fn accounts(&self) -> String {
        let mut text = format!(
            "max_payload: 1MB\naccounts {{\n  GRID {{\n    jetstream: enabled\n    users = [ {{ nkey: {} }} ]\n    exports = [\n",
            self.registry.coordinator
        );
        for (subject, _) in asked("*") {
            let many = if subject.contains("MSG.NEXT") {
                ", response_type: stream"
            } else {
                ""
            };
            let _ = writeln!(text, "      {{ service: \"{subject}\"{many} }}");
        }
        for subject in heard("*") {
            let _ = writeln!(text, "      {{ stream: \"{subject}\" }}");
        }
        text.push_str("    ]\n  }\n  WORKERS {\n");
        text.push_str(&imports(&["*"]));
        text.push_str(&users(&self.registry.workers));
        text.push_str("  }\n");
        for leaf in &self.registry.leafs {
            let names: Vec<&str> = leaf.workers.iter().map(|(name, _)| name.as_str()).collect();
            let _ = writeln!(text, "  {} {{\n{}  }}", leaf.account(), imports(&names));
        }
        text.push_str("}\n");
        text
    }
}

impl Leaf {
    /// The account with its workers, on its own side.
    pub(super) fn accounts(&self) -> String {
        let account = self.account();
        format!(
            "accounts {{\n  {account} {{\n{}  }}\n}}\n",
            users(&self.workers)
        )
    }
}

/// What an account of workers may ask, say and hear of the account of jobs; each once, whatever the number of names.
fn imports(names: &[&str]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        for (subject, here) in asked(name) {
            lines.push(format!(
                "      {{ service: {{ account: GRID, subject: \"{subject}\" }}, to: \"{here}\" }}\n"
            ));
        }
        for subject in heard(name) {
            lines.push(format!(
                "      {{ stream: {{ account: GRID, subject: \"{subject}\" }} }}\n"
            ));
        }
    }
    let mut text = "    imports = [\n".to_owned();
    for (at, line) in lines.iter().enumerate() {
        if !lines[..at].contains(line) {
            text.push_str(line);
        }
    }
    text.push_str("    ]\n");
    text
}

/// Workers with their keys, and what each may do.
fn users(workers: &[(String, String)]) -> String {
    let mut text = "    users = [\n".to_owned();
    for (name, public) in workers {
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
    text.push_str("    ]\n");
    text
}

/// What workers may ask and say, as the account of jobs calls it and as the workers' account does. The name is a worker's, or `*`.
fn asked(worker: &str) -> [(String, String); 7] {
    let api = |what: &str| (format!("$JS.API.{what}"), format!("{WORKERS_API}.{what}"));
    let same = |subject: String| (subject.clone(), subject);
    [
        api(&format!("CONSUMER.NAMES.{JOBS}")),
        api(&format!("CONSUMER.INFO.{JOBS}.*")),
        api(&format!("CONSUMER.MSG.NEXT.{JOBS}.*")),
        api(&format!("STREAM.MSG.GET.{RECORDS}")),
        same(format!("$JS.ACK.{JOBS}.>")),
        same(format!("tengen.beat.{worker}")),
        same(format!("tengen.result.{worker}.*.*")),
    ]
}

/// What workers may hear. The name is a worker's, or `*`.
fn heard(worker: &str) -> [String; 3] {
    [
        "tengen.call".to_owned(),
        "tengen.cancel.*".to_owned(),
        format!("tengen.control.{worker}"),
    ]
}

/// What a worker may say.
fn may_publish(worker: &str) -> [String; 7] {
    [
        format!("tengen.beat.{worker}"),
        format!("tengen.result.{worker}.*.*"),
        format!("{WORKERS_API}.CONSUMER.NAMES.{JOBS}"),
        format!("{WORKERS_API}.CONSUMER.INFO.{JOBS}.*"),
        format!("{WORKERS_API}.CONSUMER.MSG.NEXT.{JOBS}.*"),
        format!("{WORKERS_API}.STREAM.MSG.GET.{RECORDS}"),
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

pub(super) fn quoted(path: &Path) -> String {
    format!("{:?}", path.display().to_string())
}
