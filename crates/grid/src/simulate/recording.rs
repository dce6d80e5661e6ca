//! What a search in a book has to tell the simulator: how long its jobs took, and the proportions of its tree.

use tengen_book::{Book, SearchId};

use super::{Model, Sample, SampleKind};
use crate::search::{Event, Search};
use crate::{FollowError, Follower};

/// A recorded search.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Its title.
    pub name: String,
    /// How many jobs were answered.
    pub jobs: u64,
    /// The jobs, in the order of their answers.
    pub samples: Vec<Sample>,
    /// The proportions of its tree, if it is solved. That it is solved is what its journal says; the proofs are not
    /// checked again.
    pub model: Option<Model>,
}

impl Recording {
    /// Reads the journal of a search, as far as it goes now.
    ///
    /// # Errors
    ///
    /// If the book has no such search or it cannot be read.
    pub fn read(book: &Book, id: SearchId) -> Result<Self, FollowError> {
        let mut samples = Vec::new();
        let mut follower = Follower::begin(book, id)?;
        follower.refresh_with(book, &mut |search, event| {
            samples.extend(sample(search, event));
            Ok(())
        })?;
        let search = follower.search();
        Ok(Self {
            name: book.search(id)?.title,
            jobs: search.totals().answers,
            samples,
            model: Model::fitted(search, 1),
        })
    }
}

/// How long the answered job took. Where turns were known already, it looked for the next one.
fn sample(search: &Search, event: &Event) -> Option<Sample> {
    let Event::Answer { node, seconds, .. } = event else {
        return None;
    };
    let kind = match search.width(*node)? {
        0 => SampleKind::Leaf,
        _ => SampleKind::Sibling,
    };
    Some(Sample {
        kind,
        seconds: *seconds,
    })
}
