//! From facts to the file. Every fact may come twice.

use rusqlite::Connection;
use tengen_rules::{Position, Turn, notation};

use super::journals::Journals;
use super::{Fact, Merged, position};
use crate::facts::{
    Claim, Comment, Name, Opinion, Source, language_tag, put_claim, put_comment, put_name,
    put_opinion, put_source, put_turn,
};
use crate::games::put_game;
use crate::place::Place;
use crate::{Error, Result, fields};

/// Stores one fact. Proofs were stored before.
pub(super) fn fact(
    connection: &Connection,
    fact: &Fact,
    journals: &mut Journals,
    merged: &mut Merged,
) -> Result<()> {
    merged.facts += 1;
    match fact {
        Fact::Book { .. } => merged.facts -= 1,
        Fact::Proof { .. } => {}
        Fact::Source { name, url, licence } => {
            let source = Source {
                name: name.clone(),
                url: url.clone(),
                licence: licence.clone(),
            };
            put_source(connection, &source)?;
        }
        Fact::Position {
            rules,
            position: text,
        } => {
            Place::of(&position(rules, text)?).put(connection)?;
        }
        Fact::Turn {
            rules,
            position: text,
            turn,
        } => {
            put_turn(connection, &position(rules, text)?, &parsed(turn)?)?;
        }
        Fact::Game(game) => {
            if game.sources.is_empty() {
                return Err(Error::Fact("a game needs at least one source".to_owned()));
            }
            merged.games += u64::from(put_game(connection, game)?);
        }
        Fact::Search { .. } => journals.search(connection, fact)?,
        Fact::Event {
            search,
            number,
            event,
        } => journals.event(connection, search, *number, event)?,
        Fact::Command {
            search,
            command,
            at,
        } => journals.command(connection, search, command, *at)?,
        Fact::Name { .. } | Fact::Comment { .. } | Fact::Opinion { .. } | Fact::Claim { .. } => {
            said(connection, fact)?;
        }
    }
    Ok(())
}

/// What somebody says of a position.
fn said(connection: &Connection, fact: &Fact) -> Result<()> {
    match fact.clone() {
        Fact::Name {
            rules,
            position: text,
            name,
            language,
            source,
            at,
        } => {
            let language = language_tag(&language)?;
            let name = Name {
                name,
                language,
                source,
                at,
            };
            put_name(
                connection,
                Place::of(&position(&rules, &text)?).put(connection)?,
                &name,
            )
        }
        Fact::Comment {
            rules,
            position: about,
            text,
            language,
            marks,
            source,
            at,
        } => {
            let position: Position = position(&rules, &about)?;
            let comment = Comment {
                text,
                language: language_tag(&language)?,
                marks: marks.valid()?,
                written_for: notation::setup_text(&position.to_setup()),
                source,
                at,
            };
            put_comment(connection, &position, &comment).map(|_| ())
        }
        Fact::Opinion {
            rules,
            position: text,
            verdict,
            score,
            source,
            at,
        } => {
            let opinion = Opinion {
                verdict,
                score,
                source,
                at,
            };
            put_opinion(
                connection,
                Place::of(&position(&rules, &text)?).put(connection)?,
                &opinion,
            )
        }
        Fact::Claim {
            rules,
            position: text,
            winner,
            source,
            at,
        } => {
            let winner = fields::side(&winner).ok_or_else(|| {
                let winner = fields::shortened(&winner);
                Error::Fact(format!("`{winner}` is no side, expected black or white"))
            })?;
            let claim = Claim { winner, source, at };
            put_claim(
                connection,
                Place::of(&position(&rules, &text)?).put(connection)?,
                &claim,
            )
        }
        _ => Ok(()),
    }
}

fn parsed(turn: &str) -> Result<Turn> {
    turn.parse()
        .map_err(|error: tengen_rules::ParseCellError| Error::Turn {
            turn: fields::shortened(turn),
            reason: error.to_string(),
        })
}
