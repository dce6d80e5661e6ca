//! What people decided about the grid, in files of the data folder, so that it still holds after a restart of this server.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tengen_grid::nats::{Usage, is_token};

/// Something remembered by names.
#[derive(Debug)]
struct Kept<T> {
    path: PathBuf,
    known: Mutex<BTreeMap<String, T>>,
}

impl<T: Clone + Serialize + DeserializeOwned> Kept<T> {
    /// What a file holds. One that cannot be read is as good as none.
    fn open(path: PathBuf, is_sane: impl Fn(&str, &T) -> bool) -> Self {
        let text = fs::read(&path).unwrap_or_default();
        let mut known: BTreeMap<String, T> = serde_json::from_slice(&text).unwrap_or_default();
        known.retain(|name, it| is_sane(name, it));
        Self {
            path,
            known: Mutex::new(known),
        }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<String, T>)) {
        let mut known = self.lock();
        change(&mut known);
        let text = serde_json::to_string_pretty(&*known).unwrap_or_default();
        // Written beside it first: a crash leaves the old file or the new one.
        let fresh = self.path.with_extension("new");
        if fs::write(&fresh, text).is_ok() {
            let _remembered_until_the_end = fs::rename(&fresh, &self.path);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, T>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How searches use the grid, by their names there.
#[derive(Debug)]
pub(crate) struct Usages(Kept<Usage>);

impl Usages {
    /// The file in the data folder.
    const FILE: &str = "grid-shares.json";

    /// Those of a data folder.
    pub(crate) fn open(folder: &Path) -> Self {
        let is_sane = |_: &str, usage: &Usage| usage.wrong().is_none();
        Self(Kept::open(folder.join(Self::FILE), is_sane))
    }

    /// How a search uses the grid; as usual if nobody has said.
    pub(crate) fn of(&self, client: &str) -> Usage {
        self.0.lock().get(client).cloned().unwrap_or_default()
    }

    /// From now on.
    pub(crate) fn keep(&self, client: &str, usage: Usage) {
        self.0.change(|known| {
            known.insert(client.to_owned(), usage);
        });
    }
}

/// The workers that people have dropped, with their reasons.
#[derive(Debug)]
pub(crate) struct Drops(Kept<String>);

impl Drops {
    /// The file in the data folder.
    const FILE: &str = "grid-dropped.json";

    /// Those of a data folder.
    pub(crate) fn open(folder: &Path) -> Self {
        let is_sane = |name: &str, _: &String| is_token(name);
        Self(Kept::open(folder.join(Self::FILE), is_sane))
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<(String, String)> {
        self.0.lock().clone().into_iter().collect()
    }

    /// From now on it is dropped.
    pub(crate) fn keep(&self, worker: &str, reason: &str) {
        self.0.change(|known| {
            known.insert(worker.to_owned(), reason.to_owned());
        });
    }

    /// It is not any more.
    pub(crate) fn forget(&self, worker: &str) {
        self.0.change(|known| {
            known.remove(worker);
        });
    }
}

#[cfg(test)]
mod tests {
    use tengen_grid::nats::Class;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
        let _not_there = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn shares_are_remembered_and_nonsense_is_not() {
        let folder = folder("usages");
        let path = folder.join(Usages::FILE);
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

    #[test]
    fn who_was_dropped_is_remembered_until_he_is_believed() {
        let folder = folder("drops");
        let drops = Drops::open(&folder);
        assert_eq!(drops.all(), []);
        drops.keep("one", "noise");
        drops.keep("two", "too old");
        drops.forget("one");
        let left = [("two".to_owned(), "too old".to_owned())];
        assert_eq!(Drops::open(&folder).all(), left);
        fs::write(folder.join(Drops::FILE), r#"{"a.*":"x","b":"y"}"#).expect("written");
        assert_eq!(
            Drops::open(&folder).all(),
            [("b".to_owned(), "y".to_owned())]
        );
        fs::remove_dir_all(&folder).expect("removed");
    }
}
