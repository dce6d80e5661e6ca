//! What people do with searches: start, pause, resume, stop, delete; exclude, allow and suggest turns; fetch the proof.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tengen_book::{NewSearch, SearchId, Wanted, names};
use tengen_grid::runner::{Command, RunError, TellError, tell, wait_for_end};
use tengen_grid::search::{Config, NodeId, Selection, UnknownSelection};
use tengen_rules::{Position, Side, Turn, position_key};

use super::{Searches, lock, number};
use crate::api::{self, SearchAttacker, SearchState, SearchSummary};
use crate::convert;
use crate::error::Failure;

/// No title is longer.
const LONGEST_TITLE: usize = 200;

/// More jobs at a time do not help on one machine.
const MOST_WORKERS: u32 = 256;

/// How long a search that was told to end may take until it is deleted. Jobs that are told to stop do so in less.
const PATIENCE: Duration = Duration::from_secs(15);

/// What is done to a turn.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Hint {
    /// Do not look at it.
    Exclude,
    /// Look at it again.
    Allow,
    /// Look at it soon.
    Suggest,
}

/// A proof as the book has it.
#[derive(Debug)]
pub(crate) struct ProofFile {
    /// What to call it.
    pub(crate) title: String,
    /// The text form.
    pub(crate) text: String,
}

impl Searches {
    /// Makes a search and runs it.
    pub(crate) fn start(&self, new: &api::NewSearch) -> Result<SearchSummary, Failure> {
        let root = root_of(new)?;
        let search = NewSearch {
            title: title_of(new, &root)?,
            rules: root.rules().to_string(),
            root: convert::setup(&root.to_setup()),
            config: config_of(new)?,
        };
        self.nobody_else(&root)?;
        let id = self.book.create_search(&search)?;
        if let Err(failure) = self.run(id) {
            self.book.delete_search(id)?;
            return Err(failure);
        }
        self.told(id)
    }

    /// One search for a position at a time.
    fn nobody_else(&self, root: &Position) -> Result<(), Failure> {
        for search in self.at(root)? {
            if matches!(search.state, SearchState::Running | SearchState::Paused) {
                let (title, id) = (search.title, search.id);
                return Err(Failure::Conflict(format!(
                    "search {id}, {title}, already works on this position: open that one"
                )));
            }
        }
        Ok(())
    }

    /// The searches that start at a position or an image of it.
    pub(super) fn at(&self, root: &Position) -> Result<Vec<SearchSummary>, Failure> {
        let mut found = Vec::new();
        for search in self.book.searches()? {
            if search.rules != root.rules().to_string() {
                continue;
            }
            let start = tengen_book::start(&search.rules, &search.root)?;
            if position_key(&start).0 == position_key(root).0 {
                found.push(self.summary(&search)?);
            }
        }
        Ok(found)
    }

    /// It shall finish the jobs in flight and wait.
    pub(crate) fn pause(&self, id: u32) -> Result<SearchSummary, Failure> {
        self.want(id, Wanted::Pause)
    }

    /// It shall end.
    pub(crate) fn stop(&self, id: u32) -> Result<SearchSummary, Failure> {
        self.want(id, Wanted::Stop)
    }

    fn want(&self, id: u32, wanted: Wanted) -> Result<SearchSummary, Failure> {
        self.unsolved(id)?;
        self.book.set_wanted(number(id), wanted)?;
        self.told(number(id))
    }

    /// It shall go on; if nobody has it, here.
    pub(crate) fn resume(&self, id: u32) -> Result<SearchSummary, Failure> {
        self.unsolved(id)?;
        let id = number(id);
        // First: who has it and is about to end looks at this once more after giving it back.
        self.book.set_wanted(id, Wanted::Run)?;
        if !self.is_held(id)?
            && let Err(failure) = self.run(id)
            && !self.is_held(id)?
        {
            return Err(failure);
        }
        self.told(id)
    }

    /// Whether a living process has it.
    fn is_held(&self, id: SearchId) -> Result<bool, Failure> {
        let owner = self.book.search(id)?.owner;
        Ok(owner.is_some_and(|owner| owner.alive))
    }

    /// Forgets a search with its tree, unless it runs. What it has proved stays in the book.
    pub(crate) fn delete(&self, id: u32) -> Result<(), Failure> {
        let search = number(id);
        let start = Instant::now();
        let ended = wait_for_end(&self.book, search, &mut |_| start.elapsed() < PATIENCE);
        ended.map_err(|error| match error {
            RunError::Book(error) => error.into(),
            error => Failure::Internal(error.to_string()),
        })?;
        self.book.delete_search(search)?;
        self.forget(search);
        Ok(())
    }

    /// What is kept in memory of a search that the book does not have any more.
    pub(super) fn forget(&self, id: SearchId) {
        lock(&self.trees).remove(&id);
        lock(&self.facts).remove(&id);
        self.tell_deleted(id);
    }

    fn unsolved(&self, id: u32) -> Result<(), Failure> {
        match self.get(id)?.state {
            SearchState::Solved => Err(Failure::Conflict(format!(
                "search {id} is solved: there is nothing left to do"
            ))),
            _ => Ok(()),
        }
    }

    /// Runs it with as many workers as it was started with.
    fn run(&self, id: SearchId) -> Result<(), Failure> {
        let path = self.book.path().ok_or_else(|| {
            Failure::Internal("a book in memory cannot be shared with workers".to_owned())
        })?;
        let workers = wanted_workers(&self.book.search(id)?.config);
        self.runs.start(path, id, workers)
    }

    /// Searches that were running when a server crashed go on.
    pub(super) fn resume_crashed(&self) {
        for search in self.book.searches().unwrap_or_default() {
            let crashed = search.owner.is_some_and(|owner| !owner.alive);
            if crashed && search.wanted == Wanted::Run {
                // Another process may be faster; whoever looks sees who has it.
                let _somebody_has_it = self.run(search.id);
            }
        }
    }

    /// What an expert says of a turn. Goes into the journal at once if nobody works on the search, otherwise to whom
    /// does.
    pub(crate) fn hint(
        &self,
        id: u32,
        node: u32,
        hint: Hint,
        turn: &[String],
    ) -> Result<SearchSummary, Failure> {
        let search = self.book.search(number(id))?;
        let turn: Turn = convert::cells(turn)?.into_iter().collect();
        let node = NodeId(node);
        let command = match hint {
            Hint::Exclude => Command::Exclude { node, turn },
            Hint::Allow => Command::Allow { node, turn },
            Hint::Suggest => Command::Suggest { node, turn },
        };
        self.with_tree(&search, |follower| tell(&self.book, follower, &command))??;
        self.told(search.id)
    }

    /// The proof of a solved search's root.
    pub(crate) fn proof(&self, id: u32) -> Result<ProofFile, Failure> {
        let search = self.book.search(number(id))?;
        let root = tengen_book::start(&search.rules, &search.root)?;
        let Some((winner, proof)) = self.book.proved(&root)? else {
            if self.get(id)?.state != SearchState::Solved {
                let none = "there is no proof yet: the search is not solved";
                return Err(Failure::NotFound(none.to_owned()));
            }
            // Whoever solved it has ended before the proofs were put together: a run does only that.
            if !self.is_held(search.id)? {
                self.run(search.id)?;
            }
            let soon =
                "the search is solved, and its proofs are being put together: ask again soon";
            return Err(Failure::NotFound(soon.to_owned()));
        };
        let text = self.book.proof_text(proof)?.ok_or_else(|| {
            Failure::Internal(format!("the book has lost the text of proof {proof}"))
        })?;
        Ok(ProofFile {
            title: format!("{}: {winner} wins", search.title),
            text,
        })
    }

    /// Tells those who watch how a search stands now.
    pub(super) fn told(&self, id: SearchId) -> Result<SearchSummary, Failure> {
        let summary = self.summary(&self.book.search(id)?)?;
        self.tell(&summary);
        Ok(summary)
    }
}

fn root_of(new: &api::NewSearch) -> Result<Position, Failure> {
    let root = convert::open_position(&new.rules, &new.position)?;
    if root.to_setup().left.is_some() {
        return Err(Failure::BadRequest(
            "a search starts between two turns: place the missing stone, or take one back"
                .to_owned(),
        ));
    }
    Ok(root)
}

fn title_of(new: &api::NewSearch, root: &Position) -> Result<String, Failure> {
    let title = new.title.as_deref().unwrap_or("").trim();
    let length = title.chars().count();
    if length > LONGEST_TITLE {
        return Err(Failure::BadRequest(format!(
            "the title has {length} characters, expected at most {LONGEST_TITLE}"
        )));
    }
    let stones = root.stones().count();
    Ok(match (title, names::title_of(root)) {
        ("", Some(name)) => name,
        ("", None) => format!("{}, {stones} stones", root.rules()),
        _ => title.to_owned(),
    })
}

/// How the search chooses, as journals keep it; the number of workers stands beside it for those who look.
fn config_of(new: &api::NewSearch) -> Result<String, Failure> {
    let selection = match new.policy.as_deref() {
        None | Some("") => Selection::default(),
        Some(name) => name
            .parse()
            .map_err(|error: UnknownSelection| Failure::BadRequest(error.to_string()))?,
    };
    if let Some(workers) = new.workers
        && !(1..=MOST_WORKERS).contains(&workers)
    {
        return Err(Failure::BadRequest(format!(
            "{workers} workers, expected 1 to {MOST_WORKERS}"
        )));
    }
    let config = Config {
        selection,
        fill: true,
        attacker: match new.attacker {
            // The player who moves first is expected to win.
            None | Some(SearchAttacker::Black) => Some(Side::Black),
            Some(SearchAttacker::White) => Some(Side::White),
            Some(SearchAttacker::Both) => None,
        },
        ..Config::default()
    };
    let mut config = serde_json::to_value(config).map_err(|error| {
        Failure::Internal(format!("a configuration cannot be written: {error}"))
    })?;
    if let Some(workers) = new.workers {
        config["workers"] = json!(workers);
    }
    Ok(config.to_string())
}

/// How many workers somebody wanted for a search.
fn wanted_workers(config: &str) -> Option<usize> {
    let config: Value = serde_json::from_str(config).ok()?;
    usize::try_from(config.get("workers")?.as_u64()?).ok()
}

impl From<TellError> for Failure {
    fn from(error: TellError) -> Self {
        let text = error.to_string();
        match error {
            TellError::Book(error) => error.into(),
            TellError::NoNode(_) => Self::NotFound(text),
            TellError::Turn(_) => Self::BadRequest(text),
            _ => Self::Conflict(text),
        }
    }
}
