//! The atlas: White's second turns around Black's first stone, up to symmetry, and how each stands.

use std::collections::HashMap;

use tengen_book::names::{CENTRE, Named, RULES, named};
use tengen_grid::search::NodeId;
use tengen_rules::{Cell, Position, PositionKey, Side, Turn, notation, position_key};

use super::{Searches, entry, number};
use crate::api::{Atlas, AtlasClass, AtlasState, SearchState};
use crate::convert;
use crate::error::Failure;

/// The regions there are: so many cells a side.
const SIZES: [i16; 4] = [3, 5, 7, 9];

/// An opening and how far its search is.
struct Searched {
    search: u32,
    running: bool,
    proof: Option<u32>,
    disproof: Option<u32>,
}

impl Searches {
    /// All classes of a region such as `5x5`.
    pub(crate) fn atlas(&self, region: &str) -> Result<Atlas, Failure> {
        let size = SIZES
            .into_iter()
            .find(|size| region == format!("{size}x{size}"));
        let size = size.ok_or_else(|| {
            let region: String = region.chars().take(20).collect();
            Failure::BadRequest(format!(
                "`{region}` is no region, expected 3x3, 5x5, 7x7 or 9x9"
            ))
        })?;
        let classes = classes(size / 2);
        let searched = self.searched(&classes)?;
        let classes = classes.iter().map(|class| self.class(class, &searched));
        Ok(Atlas {
            region: region.to_owned(),
            classes: classes.collect::<Result<_, _>>()?,
        })
    }

    fn class(
        &self,
        class: &Class,
        searched: &HashMap<PositionKey, Searched>,
    ) -> Result<AtlasClass, Failure> {
        let position = &class.position;
        let entry = self.book.lookup(position)?;
        let proof = self.proof_of(position, entry.proved)?;
        // A turn of Black's to a position that Black has won wins, too.
        let winning = entry.turns.iter().find(|turn| match turn.proved {
            Some((winner, _)) => {
                winner == Side::Black && turn.turn.len() == usize::from(position.left())
            }
            None => false,
        });
        let searched = searched.get(&class.key);
        let state = match (entry.proved, winning, searched) {
            (Some((Side::Black, _)), _, _) | (None, Some(_), _) => AtlasState::BlackProved,
            (Some((Side::White, _)), _, _) => AtlasState::WhiteProved,
            (None, None, Some(_)) => AtlasState::Open,
            (None, None, None) => AtlasState::Untouched,
        };
        let turn = proof.and_then(|proof| proof.turn);
        Ok(AtlasClass {
            name: class.name.clone(),
            names: entry.names.iter().map(entry::name).collect(),
            white: convert::names(&class.white),
            moves: notation::moves_text(&[CENTRE, class.white[0], class.white[1]]),
            state,
            turn: turn.or_else(|| winning.map(|turn| convert::turn(&turn.turn))),
            proof: searched.and_then(|searched| searched.proof),
            disproof: searched.and_then(|searched| searched.disproof),
            search: searched.map(|searched| searched.search),
            running: searched.is_some_and(|searched| searched.running),
            claim: entry.claims.first().map(|claim| claim.winner.into()),
        })
    }

    /// The classes that searches have: those that start there, and those that start before White's turn.
    fn searched(&self, classes: &[Class]) -> Result<HashMap<PositionKey, Searched>, Failure> {
        let mut found = HashMap::new();
        let first = position_key(&first_stone()).0;
        // The oldest first, so that newer ones replace them.
        for search in self.list()?.iter().rev() {
            let Ok(root) = tengen_book::start(&search.rules, &search.root) else {
                continue;
            };
            let key = position_key(&root).0;
            let searched = |proof, disproof| Searched {
                search: search.id,
                running: search.state == SearchState::Running,
                proof,
                disproof,
            };
            if classes.iter().any(|class| class.key == key) {
                found.insert(key, searched(search.proof, search.disproof));
            } else if key == first {
                for (key, node) in self.classes_in(search.id, classes)? {
                    let node = self.node(search.id, node.0)?;
                    found.insert(key, searched(node.proof, node.disproof));
                }
            }
        }
        Ok(found)
    }

    /// The classes that are nodes of a search; none if its journal cannot be read.
    fn classes_in(
        &self,
        search: u32,
        classes: &[Class],
    ) -> Result<Vec<(PositionKey, NodeId)>, Failure> {
        let record = self.book.search(number(search))?;
        let nodes = self.with_tree(&record, |follower| {
            let node = |class: &Class| Some((class.key, follower.search().find(&class.key)?));
            classes.iter().filter_map(node).collect()
        });
        Ok(nodes.unwrap_or_default())
    }
}

/// White's turns that a symmetry makes of each other.
struct Class {
    name: Option<String>,
    white: [Cell; 2],
    position: Position,
    key: PositionKey,
}

/// All classes at most so far from the centre, the nearest stones first.
fn classes(reach: i16) -> Vec<Class> {
    let near = -reach..=reach;
    let cells = near.clone().flat_map(|x| near.clone().map(move |y| (x, y)));
    let cells: Vec<Cell> = cells
        .filter(|&place| place != (0, 0))
        .map(|place| CENTRE.step(place, 1))
        .collect();
    let mut classes: HashMap<PositionKey, Class> = HashMap::new();
    for (index, &first) in cells.iter().enumerate() {
        for &second in &cells[index + 1..] {
            if let Some(class) = class([first, second]) {
                classes.entry(class.key).or_insert(class);
            }
        }
    }
    let mut classes: Vec<Class> = classes.into_values().collect();
    classes.sort_by_key(|class| {
        let far = |cell: Cell| (cell.x - CENTRE.x).abs().max((cell.y - CENTRE.y).abs());
        let [a, b] = class.white.map(far);
        (a.max(b), a.min(b), class.name.clone(), class.white)
    });
    classes
}

fn class(white: [Cell; 2]) -> Option<Class> {
    let named: Option<Named> = named(white);
    let white = named.as_ref().map_or(white, |named| named.white);
    let mut position = first_stone();
    position.play(&Turn::from_iter(white)).ok()?;
    let (key, _) = position_key(&position);
    Some(Class {
        name: named.map(|named| named.name),
        white,
        position,
        key,
    })
}

fn first_stone() -> Position {
    let mut position = Position::new(RULES);
    position.place(CENTRE).expect("the board is empty");
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_central_regions_have_so_many_classes() {
        // Pairs of cells by Burnside: (28 + 4 + 4 · 4) / 8 and (276 + 12 + 4 · 16) / 8.
        assert_eq!(classes(1).len(), 6);
        assert_eq!(classes(2).len(), 44);
        for reach in 1..=3 {
            let names = classes(reach);
            let keys: std::collections::HashSet<_> = names.iter().map(|class| class.key).collect();
            assert_eq!(keys.len(), names.len());
        }
        assert!(classes(2).iter().all(|class| class.name.is_some()));
    }
}
