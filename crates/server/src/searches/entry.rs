//! What the book knows of a position.

use tengen_book::{Entry, HitKind, ProofId, Source, TurnEntry, names};
use tengen_rules::{Position, Side, Turn, position_key};

use super::Searches;
use crate::api::{
    BookClaim, BookComment, BookEntry, BookHit, BookHitKind, BookName, BookOpinion, BookProof,
    BookStats, BookTurn, NewBookComment,
};
use crate::convert;
use crate::error::Failure;

/// No comment is longer.
const LONGEST_COMMENT: usize = 10_000;

/// No name of a source is longer.
const LONGEST_SOURCE: usize = 200;

/// No question is longer.
const LONGEST_WORDS: usize = 200;

impl Searches {
    /// What the book knows of a position, comments in this language first.
    pub(crate) fn entry(&self, position: &Position, language: &str) -> Result<BookEntry, Failure> {
        let entry = self.book.lookup(position)?;
        let comments = comments(&entry, position, language);
        let mut turns = Vec::new();
        for turn in &entry.turns {
            turns.push(self.turn(position, turn)?);
        }
        let searches = self.at(position)?.into_iter().map(|search| search.id);
        Ok(BookEntry {
            known: entry.known,
            opening: entry.opening,
            names: entry.names.iter().map(name).collect(),
            proved: self.proof_of(position, entry.proved)?,
            claims: entry.claims.iter().map(claim).collect(),
            opinions: entry.opinions.iter().map(opinion).collect(),
            comments,
            stats: stats(entry.stats),
            turns,
            searches: searches.collect(),
        })
    }

    fn turn(&self, position: &Position, entry: &TurnEntry) -> Result<BookTurn, Failure> {
        let mut after = position.clone();
        for &cell in entry.turn.cells() {
            after.place(cell).map_err(|error| {
                Failure::Internal(format!(
                    "the book has a turn that cannot be played: {error}"
                ))
            })?;
        }
        Ok(BookTurn {
            turn: convert::turn(&entry.turn),
            ends: entry.ends,
            opening: entry.opening.clone(),
            names: entry.names.iter().map(name).collect(),
            proved: self.proof_of(&after, entry.proved)?,
            claims: entry.claims.iter().map(claim).collect(),
            opinions: entry.opinions.iter().map(opinion).collect(),
            comments: entry.comments as u32,
            turns: entry.turns as u32,
            stats: stats(entry.stats),
        })
    }

    /// A proof of this position, its first turn as the position has it.
    pub(super) fn proof_of(
        &self,
        position: &Position,
        proved: Option<(Side, ProofId)>,
    ) -> Result<Option<BookProof>, Failure> {
        let Some((winner, id)) = proved else {
            return Ok(None);
        };
        let proof = self.book.proof(id)?;
        let turn = proof.and_then(|proof| {
            let stated = tengen_book::start(&proof.rules, &proof.position).ok()?;
            turned(&stated, position, &proof.first?)
        });
        Ok(Some(BookProof {
            winner: winner.into(),
            proof: id.to_string(),
            turn: turn.as_ref().map(convert::turn),
        }))
    }

    /// Where words occur.
    pub(crate) fn find(&self, words: &str) -> Result<Vec<BookHit>, Failure> {
        if words.chars().count() > LONGEST_WORDS {
            return Err(Failure::BadRequest(format!(
                "the question has more than {LONGEST_WORDS} characters"
            )));
        }
        let hits = self.book.search_text(words)?;
        Ok(hits.into_iter().map(hit).collect())
    }

    /// Writes a comment.
    pub(crate) fn comment(&self, new: &NewBookComment) -> Result<(), Failure> {
        let position = convert::open_position(&new.rules, &new.position)?;
        let text = new.text.trim();
        let length = text.chars().count();
        if length == 0 || length > LONGEST_COMMENT {
            return Err(Failure::BadRequest(format!(
                "the comment has {length} characters, expected 1 to {LONGEST_COMMENT}"
            )));
        }
        let source = new.source.as_deref().unwrap_or("").trim();
        if source.chars().count() > LONGEST_SOURCE {
            return Err(Failure::BadRequest(format!(
                "the author's name has more than {LONGEST_SOURCE} characters"
            )));
        }
        let language = new.language.as_deref().unwrap_or("").trim();
        let source = Source::named(source);
        Ok(self.book.add_comment(&position, text, language, &source)?)
    }
}

/// A turn of one position as an image of that position has it.
pub(super) fn turned(from: &Position, to: &Position, turn: &Turn) -> Option<Turn> {
    let (from, to) = (position_key(from).1, position_key(to).1);
    let same = from.setup == to.setup;
    let cells = turn.cells().iter();
    same.then(|| cells.map(|&cell| to.map_back(from.map(cell))).collect())
}

pub(super) fn name(name: &tengen_book::Name) -> BookName {
    BookName {
        name: name.name.clone(),
        language: name.language.clone(),
    }
}

fn claim(claim: &tengen_book::Claim) -> BookClaim {
    BookClaim {
        winner: claim.winner.into(),
        source: claim.source.name.clone(),
    }
}

fn opinion(opinion: &tengen_book::Opinion) -> BookOpinion {
    BookOpinion {
        verdict: opinion.verdict.clone(),
        source: opinion.source.name.clone(),
    }
}

fn stats(stats: tengen_book::Stats) -> BookStats {
    BookStats {
        games: stats.games as u32,
        black: stats.black as u32,
        white: stats.white as u32,
    }
}

fn comments(entry: &Entry, position: &Position, language: &str) -> Vec<BookComment> {
    let comment = |comment: &tengen_book::Comment| BookComment {
        text: comment.text.clone(),
        language: comment.language.clone(),
        source: comment.source.name.clone(),
        at: comment.at as f64 / 1e3,
        written_for: (!comment.speaks_of(position)).then(|| comment.written_for.clone()),
    };
    let mut comments: Vec<BookComment> = entry.comments.iter().map(comment).collect();
    comments.sort_by_key(|comment| distance(&comment.language, language));
    comments
}

/// How far a language is from the wanted one: the same, related, English, not said, others.
fn distance(found: &str, wanted: &str) -> u8 {
    let found = found.to_ascii_lowercase();
    let wanted = wanted.trim().to_ascii_lowercase();
    let family = |tag: &str| tag.split('-').next().unwrap_or("").to_owned();
    match () {
        () if found.is_empty() => 3,
        () if found == wanted => 0,
        () if family(&found) == family(&wanted) => 1,
        () if family(&found) == "en" => 2,
        () => 4,
    }
}

fn hit(hit: tengen_book::Hit) -> BookHit {
    let (rules, position) = hit.position.unwrap_or_default();
    let found = tengen_book::start(&rules, &position).ok();
    BookHit {
        kind: match hit.kind {
            HitKind::Name => BookHitKind::Name,
            HitKind::Comment => BookHitKind::Comment,
            HitKind::Source => BookHitKind::Source,
        },
        text: hit.text,
        opening: found.and_then(|position| names::name_of(&position)),
        rules,
        position,
    }
}
