//! The collections of puzzles that the trainer knows: the one that comes with Tengen, and files named at the start.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tengen_puzzles::{Collection, Puzzle, Summary, starter};

use crate::api::PuzzleCollection;
use crate::error::{Failure, StartError};

/// The name of the collection that comes with Tengen.
pub(crate) const STARTER: &str = "starter";

/// All collections.
#[derive(Debug)]
pub(crate) struct Shelf(Vec<(String, Mutex<Collection>)>);

impl Shelf {
    /// Opens files, which must be there. Two files of one name get numbers.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, StartError> {
        let mut shelf: Vec<(String, Mutex<Collection>)> = Vec::new();
        for path in paths {
            let failed = |error: String| StartError::Puzzles {
                path: path.display().to_string(),
                error,
            };
            if !path.is_file() {
                return Err(failed("there is no such file".to_owned()));
            }
            let collection = Collection::open(path).map_err(|error| failed(error.to_string()))?;
            let taken = |name: &str| name == STARTER || shelf.iter().any(|(own, _)| own == name);
            let stem = name_of(path);
            let name = (1..)
                .map(|number| match number {
                    1 => stem.clone(),
                    _ => format!("{stem} {number}"),
                })
                .find(|name| !taken(name))
                .unwrap_or_default();
            shelf.push((name, Mutex::new(collection)));
        }
        Ok(Self(shelf))
    }

    /// What there is.
    pub(crate) fn collections(&self) -> Result<Vec<PuzzleCollection>, Failure> {
        let mut all = vec![PuzzleCollection {
            name: STARTER.to_owned(),
            puzzles: starter().len() as u64,
        }];
        for (name, _) in &self.0 {
            all.push(PuzzleCollection {
                name: name.clone(),
                puzzles: self.ask(name, |collection| collection.len())?,
            });
        }
        Ok(all)
    }

    /// The puzzles of a collection.
    pub(crate) fn summaries(&self, name: &str) -> Result<Vec<Summary>, Failure> {
        match name {
            STARTER => Ok(starter().iter().map(Summary::from).collect()),
            _ => self.ask(name, Collection::summaries),
        }
    }

    /// One of them.
    pub(crate) fn puzzle(&self, name: &str, id: &str) -> Result<Puzzle, Failure> {
        let found = match name {
            STARTER => starter().iter().find(|puzzle| puzzle.id == id).cloned(),
            _ => self.ask(name, |collection| collection.puzzle(id))?,
        };
        found.ok_or_else(|| Failure::NotFound("there is no such puzzle".to_owned()))
    }

    fn ask<T>(
        &self,
        name: &str,
        question: impl FnOnce(&Collection) -> Result<T, tengen_puzzles::CollectionError>,
    ) -> Result<T, Failure> {
        let known = self.0.iter().find(|(own, _)| own == name);
        let (_, collection) = known.ok_or_else(|| {
            Failure::NotFound(format!("there is no collection of puzzles `{name}`"))
        })?;
        let collection = collection.lock().unwrap_or_else(PoisonError::into_inner);
        question(&collection).map_err(|error| Failure::Internal(error.to_string()))
    }
}

fn name_of(path: &Path) -> String {
    path.file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
