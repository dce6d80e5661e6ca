//! Openings of Connect6 and their names.
//!
//! Black's first stone is in the centre. The name says where White's stones are when the board is turned as it is
//! usual: the nearer one is T (J9), X (I9), TT (J8), TX (I8) or XX (H8); then come the quadrant of the other one as
//! the letter whose bowl lies there (d lower left, b lower right, q upper left, p upper right) and its distances from
//! the centre. So `TX-d21` is I8 and H9. A stone straight above or below the centre counts as right, one beside it as
//! lower.
//!
//! Where a symmetry would allow two names it is the one further right, then the one with fewer columns between the
//! stones: T-p12, not T-q12.

use tengen_rules::{Cell, Position, Rules, Side, Symmetry, notation};

/// The game whose openings have names.
pub const RULES: Rules = Rules::CONNECT6;
/// Where Black's first stone is.
pub const CENTRE: Cell = Cell::new(9, 9);

/// Where the nearer stone may be, the nearest first.
const NEAR: [(&str, (i16, i16)); 5] = [
    ("T", (0, -1)),
    ("X", (-1, -1)),
    ("TT", (0, -2)),
    ("TX", (-1, -2)),
    ("XX", (-2, -2)),
];

/// An opening that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// For example `TX-d21`.
    pub name: String,
    /// White's stones, turned as the name has them.
    pub white: [Cell; 2],
}

impl Named {
    /// The three stones in play order.
    pub fn moves(&self) -> String {
        notation::moves_text(&[CENTRE, self.white[0], self.white[1]])
    }
}

/// The name of the opening that a position is or came from. A set-up has no past: then only the three stones themselves
/// have a name.
pub fn name_of(position: &Position) -> Option<String> {
    if position.rules() != RULES {
        return None;
    }
    let played: Vec<Cell> = position
        .history()
        .map_while(|(_, cell)| cell)
        .take(3)
        .collect();
    let from_start = position.history().count() == position.stones().count();
    let (black, white) = match played[..] {
        [black, first, second] if from_start => (black, [first, second]),
        _ => three_stones(position)?,
    };
    (black == CENTRE)
        .then(|| named(white))
        .flatten()
        .map(|named| named.name)
}

/// What people call a position: the name of its opening and what was played after it; all stones if the board is not
/// turned as the name has it.
pub fn title_of(position: &Position) -> Option<String> {
    let name = name_of(position)?;
    let played: Vec<Cell> = position.history().filter_map(|(_, cell)| cell).collect();
    let (first, later) = played.split_at(played.len().min(3));
    if later.is_empty() {
        return Some(name);
    }
    let as_named = position_of(&name).is_some_and(|named| {
        let mut stones = named.stones();
        stones.all(|stone| first.contains(&stone.cell))
    });
    Some(match as_named {
        true => format!("{name} {}", notation::moves_text(later)),
        false => notation::moves_text(&played),
    })
}

fn three_stones(position: &Position) -> Option<(Cell, [Cell; 2])> {
    let setup = position.to_setup();
    let whole = setup.to_move == Side::Black && setup.left.is_none();
    match (&setup.black[..], &setup.white[..]) {
        (&[black], &[first, second]) if whole => Some((black, [first, second])),
        _ => None,
    }
}

/// The name that White's two stones make with Black in the centre.
pub fn named(white: [Cell; 2]) -> Option<Named> {
    let [a, b] = white;
    let mut names = Vec::new();
    for symmetry in Symmetry::all(RULES) {
        for (near, far) in [(a, b), (b, a)] {
            let near = from_centre(symmetry.apply(RULES, near));
            let far = from_centre(symmetry.apply(RULES, far));
            let known = NEAR.iter().position(|&(_, place)| place == near);
            names.extend(known.map(|known| (known, preference(far), far)));
        }
    }
    let (known, _, far) = names.into_iter().min()?;
    let (word, near) = NEAR[known];
    let (right, upper) = quadrant(far);
    let letter = match (right, upper) {
        (false, false) => 'd',
        (true, false) => 'b',
        (false, true) => 'q',
        (true, true) => 'p',
    };
    Some(Named {
        name: format!("{word}-{letter}{}{}", far.0.abs(), far.1.abs()),
        white: [near, far].map(|place| CENTRE.step(place, 1)),
    })
}

/// The position that a name means, turned as the name has it: `TX-d21` is I8 and H9. Letters may be of either case.
pub fn position_of(name: &str) -> Option<Position> {
    let (word, rest) = name.trim().split_once('-')?;
    let known = NEAR
        .iter()
        .find(|(near, _)| near.eq_ignore_ascii_case(word));
    let &(_, near) = known?;
    let mut letters = rest.chars();
    let (right, upper) = match letters.next()?.to_ascii_lowercase() {
        'd' => (false, false),
        'b' => (true, false),
        'q' => (false, true),
        'p' => (true, true),
        _ => return None,
    };
    let mut distance = || letters.next()?.to_digit(10).map(|digit| digit as i16);
    let (x, y) = (distance()?, distance()?);
    let far = (if right { x } else { -x }, if upper { y } else { -y });
    if letters.next().is_some() || quadrant(far) != (right, upper) {
        return None;
    }
    let cells = [(0, 0), near, far].map(|place| CENTRE.step(place, 1));
    Position::replay(RULES, &cells).ok()
}

const fn from_centre(cell: Cell) -> (i16, i16) {
    (cell.x - CENTRE.x, cell.y - CENTRE.y)
}

const fn quadrant((x, y): (i16, i16)) -> (bool, bool) {
    (x >= 0, y > 0)
}

/// Less is better.
const fn preference(far: (i16, i16)) -> (bool, bool, i16) {
    let (right, upper) = quadrant(far);
    (!right, upper, far.0.abs())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn name(moves: &str) -> Option<String> {
        name_of(&notation::parse_position(moves, RULES).expect("legal"))
    }

    #[test]
    fn names_are_the_usual_ones() {
        for (moves, expected) in [
            ("J10 I8 H9", "TX-d21"),
            ("J10 I8 H8", "TX-d22"),
            ("J10 I8 H12", "TX-q22"),
            ("J10 H8 L8", "XX-b22"),
            ("J10 J9 K12", "T-p12"),
            ("J10 I8 K8", "TX-b12"),
            ("J10 J8 J12", "TT-p02"),
            ("J10 I9 K11", "X-p11"),
            ("J10 J8 L10", "TT-b20"),
        ] {
            assert_eq!(name(moves).as_deref(), Some(expected), "{moves}");
        }
    }

    #[test]
    fn turned_openings_have_one_name_and_different_ones_different_names() {
        let mut moves_of: HashMap<String, String> = HashMap::new();
        let near: Vec<Cell> = (5..14)
            .flat_map(|x| (5..14).map(move |y| Cell::new(x, y)))
            .collect();
        for (index, &first) in near.iter().enumerate() {
            for &second in &near[index + 1..] {
                if first == CENTRE || second == CENTRE {
                    continue;
                }
                let Some(named) = named([first, second]) else {
                    let far = |cell| from_centre(cell).0.abs().max(from_centre(cell).1.abs()) > 2;
                    assert!(far(first) && far(second), "{first} {second}");
                    continue;
                };
                let given = Position::replay(RULES, &[CENTRE, first, second]).expect("legal");
                let shown = notation::parse_position(&named.moves(), RULES).expect("legal");
                assert_eq!(
                    tengen_rules::position_key(&given).0,
                    tengen_rules::position_key(&shown).0,
                    "{}",
                    named.name
                );
                let moves = moves_of
                    .entry(named.name.clone())
                    .or_insert_with(|| named.moves());
                assert_eq!(*moves, named.moves(), "{}", named.name);
            }
        }
        let keys: std::collections::HashSet<_> = moves_of
            .values()
            .map(|moves| {
                tengen_rules::position_key(&notation::parse_position(moves, RULES).expect("legal"))
                    .0
            })
            .collect();
        assert_eq!(keys.len(), moves_of.len(), "one name for each opening");
    }

    #[test]
    fn later_positions_keep_the_name_and_others_have_none() {
        assert_eq!(name("J10 K12 L11 A1 A2").as_deref(), Some("TX-d21"));
        assert_eq!(name("B:J10 W:I8,H9 to-move:B").as_deref(), Some("TX-d21"));
        assert_eq!(name("B:J10,A1,A2 W:I8,H9 to-move:W"), None);
        assert_eq!(name("B:J10 W:I8,H9 to-move:W"), None);
        assert_eq!(name("K10 I8 H9"), None);
        assert_eq!(name("J10 A1 B2"), None, "too far for a name");
        assert_eq!(name("J10 I8"), None);
        let gomoku = notation::parse_position("J10 I8 H9", Rules::GOMOKU).expect("legal");
        assert_eq!(name_of(&gomoku), None);
    }

    #[test]
    fn titles_tell_positions_of_one_opening_apart() {
        let title = |moves: &str| title_of(&notation::parse_position(moves, RULES).expect("legal"));
        assert_eq!(title("J10 K12 L11").as_deref(), Some("TX-d21"));
        let later = title("J10 H9 I8 K11 L10");
        assert_eq!(later.as_deref(), Some("TX-d21 K11 L10"));
        // Turned otherwise than the name has it, the stones would be misunderstood.
        let turned = title("J10 K12 L11 A1 A2");
        assert_eq!(turned.as_deref(), Some("J10 K12 L11 A1 A2"));
        assert_eq!(title("K10 I8 H9"), None);
    }

    #[test]
    fn names_lead_back_to_their_positions() {
        for name in ["TX-d21", "XX-b22", "T-p12", "TT-p02", "TT-b20", "X-p11"] {
            let position = position_of(name).expect("a name");
            assert_eq!(name_of(&position).as_deref(), Some(name));
        }
        assert_eq!(position_of(" tx-D21 "), position_of("TX-d21"));
        // Another name of an opening is understood, though not given.
        let other = position_of("T-q12").expect("understood");
        assert_eq!(name_of(&other).as_deref(), Some("T-p12"));
        for wrong in [
            "", "TX", "TX-d2", "TX-d211", "TX-x21", "Y-d21", "T-d01", "TX-p00", "X-b99x",
        ] {
            assert_eq!(position_of(wrong), None, "{wrong}");
        }
    }
}
