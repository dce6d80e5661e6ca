//! How searches use the grid: a file in the data folder, so that a share that somebody chose is still there when the search is
//! resumed, and after a restart of this server.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tengen_grid::nats::Usage;

/// The file in the data folder.
const FILE: &str = "grid-shares.json";

/// Remembered shares, by the searches' names on the grid.
#[derive(Debug)]
pub(crate) struct Usages {
    path: PathBuf,
    known: Mutex<BTreeMap<String, Usage>>,
}

impl Usages {
    /// Those of a data folder. A file that cannot be read is as good as none: all that is lost are shares.
    pub(crate) fn open(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let text = fs::read(&path).unwrap_or_default();
        let mut known: BTreeMap<String, Usage> = serde_json::from_slice(&text).unwrap_or_default();
        known.retain(|_, usage| usage.wrong().is_none());
        Self {
            path,
            known: Mutex::new(known),
        }
    }

    /// How a search uses the grid; as usual if nobody has said.
    pub(crate) fn of(&self, client: &str) -> Usage {
        self.lock().get(client).cloned().unwrap_or_default()
    }

    /// From now on.
    pub(crate) fn keep(&self, client: &str, usage: Usage) {
        let mut known = self.lock();
        known.insert(client.to_owned(), usage);
        let text = serde_json::to_string_pretty(&*known).unwrap_or_default();
        // Written beside it first: a crash leaves the old file or the new one.
        let fresh = self.path.with_extension("new");
        if fs::write(&fresh, text).is_ok() {
            let _remembered_until_the_end = fs::rename(&fresh, &self.path);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Usage>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tengen_grid::nats::Class;

    use super::*;

    #[test]
    fn shares_are_remembered_and_nonsense_is_not() {
        let folder = std::env::temp_dir().join(format!("tengen-usages-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(FILE);
        let _not_there = fs::remove_file(&path);
        let urgent = Usage {
            weight: 3,
            class: Class::High,
            ..Usage::default()
        };
        let usages = Usages::open(&folder);
        assert_eq!(usages.of("a"), Usage::default());
        usages.keep("a", urgent.clone());
        assert_eq!(Usages::open(&folder).of("a"), urgent);
        assert_eq!(Usages::open(&folder).of("b"), Usage::default());
        fs::write(&path, r#"{"a":{"weight":0},"b":{"weight":2}}"#).expect("written");
        let read = Usages::open(&folder);
        assert_eq!((read.of("a").weight, read.of("b").weight), (1, 2));
        fs::write(&path, "{").expect("written");
        assert_eq!(Usages::open(&folder).of("b"), Usage::default());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
