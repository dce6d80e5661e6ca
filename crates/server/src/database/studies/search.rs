//! Texts in studies.

use rusqlite::Connection;

use crate::api::{Place, PlaceKind};
use crate::error::Failure;

/// More results help nobody.
const MOST: usize = 200;
/// Characters shown on each side of what was found.
const AROUND: usize = 30;

/// Nodes with this text in their name or comment, and studies with it in their title; upper and lower case are the
/// same in every script.
pub(crate) fn search(database: &Connection, text: &str) -> Result<Vec<Place>, Failure> {
    let wanted: Vec<char> = folded(text.trim()).map(|(_, c)| c).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = database.prepare_cached(
        "SELECT studies.id, title, nodes.id, name, comment FROM studies JOIN nodes ON study = studies.id
         WHERE name <> '' OR comment <> '' OR nodes.id = 0
         ORDER BY updated DESC, studies.id DESC, nodes.id",
    )?;
    let mut rows = query.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (title, name, comment): (String, String, String) =
            (row.get(1)?, row.get(3)?, row.get(4)?);
        let at: u32 = row.get(2)?;
        let title_too = at == 0 && excerpt(&title, &wanted).is_some();
        let note = excerpt(&name, &wanted).or_else(|| excerpt(&comment, &wanted));
        if note.is_none() && !title_too {
            continue;
        }
        found.push(Place {
            kind: PlaceKind::Study,
            id: row.get(0)?,
            at,
            title,
            note: note.unwrap_or_default(),
            turned: false,
        });
        if found.len() == MOST {
            break;
        }
    }
    Ok(found)
}

/// The characters in lower case, each with the byte where it began.
fn folded(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    text.char_indices()
        .flat_map(|(at, c)| c.to_lowercase().map(move |lower| (at, lower)))
}

/// What stands around the first place where `wanted` is.
fn excerpt(text: &str, wanted: &[char]) -> Option<String> {
    let (places, folded): (Vec<usize>, Vec<char>) = folded(text).unzip();
    let at = folded
        .windows(wanted.len())
        .position(|part| part == wanted)?;
    let begin = places[at.saturating_sub(AROUND)];
    let end = at + wanted.len() + AROUND;
    let stop = places.get(end).copied().unwrap_or(text.len());
    let before = if begin > 0 { "…" } else { "" };
    let after = if stop < text.len() { "…" } else { "" };
    Some(format!("{before}{}{after}", &text[begin..stop]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, wanted: &str) -> Option<String> {
        let wanted: Vec<char> = folded(wanted).map(|(_, c)| c).collect();
        excerpt(text, &wanted)
    }

    #[test]
    fn texts_are_found_in_every_script() {
        assert_eq!(
            found("A Strong reply", "sTRONG").as_deref(),
            Some("A Strong reply")
        );
        assert_eq!(found("黑棋的強手", "強手").as_deref(), Some("黑棋的強手"));
        assert_eq!(
            found("Сильный ход", "сильный").as_deref(),
            Some("Сильный ход")
        );
        assert_eq!(found("weak", "strong"), None);
        assert_eq!(found("", "strong"), None);
        let long = format!("{}İstanbul{}", "x".repeat(100), "y".repeat(100));
        let part = found(&long, "istan")
            .or_else(|| found(&long, "stanbul"))
            .expect("found");
        assert!(part.starts_with('…') && part.ends_with('…'), "{part}");
    }
}
