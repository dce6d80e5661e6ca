//! What a stone makes on one line of Go-Moku, by the four cells on either side of it: a table, computed once from the
//! definitions (Allis, section 5.2.2) and from nothing else.

use std::sync::LazyLock;

/// What a stone makes on one line.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Shape {
    /// Nothing that matters yet.
    Nothing,
    /// Another stone could make a three.
    Two,
    /// Another stone could make a four that two cells complete.
    Three,
    /// One cell completes a five.
    Four,
    /// Two cells or more do.
    StraightFour,
    /// A five, or more.
    Five,
}

impl Shape {
    const ALL: [Self; 6] = [
        Self::Nothing,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::StraightFour,
        Self::Five,
    ];
}

/// How far a stone reaches.
pub(crate) const REACH: usize = 4;

/// The cells around a stone, two bits each: 0 empty, 1 and 2 the sides, 3 outside.
pub(crate) type Surroundings = u16;

/// The shapes of both sides for all surroundings: the low four bits are for side 1, the high ones for side 2.
static SHAPES: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let shape = |code: usize| {
        let of = |side: u8| shape_of(row(code as Surroundings, side)) as u8;
        of(1) | of(2) << 4
    };
    (0..1 << 16).map(shape).collect()
});

/// The shapes that a stone of side 0 and one of side 1 would make there.
#[inline]
pub(crate) fn shapes(surroundings: Surroundings) -> [Shape; 2] {
    let both = SHAPES[usize::from(surroundings)];
    [
        Shape::ALL[usize::from(both & 15)],
        Shape::ALL[usize::from(both >> 4)],
    ]
}

/// A line of nine cells with the stone in its middle: `Some(true)` for own stones, `None` for empty cells.
type Row = [Option<bool>; 2 * REACH + 1];

fn row(code: Surroundings, side: u8) -> Row {
    let mut row = [Some(true); 2 * REACH + 1];
    for slot in 0..2 * REACH {
        let at = if slot < REACH { slot } else { slot + 1 };
        row[at] = match (code >> (2 * slot) & 3) as u8 {
            0 => None,
            own => Some(own == side),
        };
    }
    row
}

fn shape_of(row: Row) -> Shape {
    if is_five(&row) {
        return Shape::Five;
    }
    match completions(&row) {
        0 => {}
        1 => return Shape::Four,
        _ => return Shape::StraightFour,
    }
    let best = |row: &Row, wanted: fn(&Row) -> bool| {
        (0..row.len()).any(|at| row[at].is_none() && wanted(&with(row, at)))
    };
    let straight = |row: &Row| completions(row) >= 2;
    if best(&row, straight) {
        return Shape::Three;
    }
    let three: fn(&Row) -> bool = |row| {
        let straight = |row: &Row| completions(row) >= 2;
        completions(row) == 0
            && (0..row.len()).any(|at| row[at].is_none() && straight(&with(row, at)))
    };
    match best(&row, three) {
        true => Shape::Two,
        false => Shape::Nothing,
    }
}

const fn with(row: &Row, at: usize) -> Row {
    let mut more = *row;
    more[at] = Some(true);
    more
}

/// Whether five cells with the middle one are own stones.
fn is_five(row: &Row) -> bool {
    (0..=REACH).any(|first| {
        row[first..=first + REACH]
            .iter()
            .all(|&cell| cell == Some(true))
    })
}

/// How many cells complete a five with the middle one.
fn completions(row: &Row) -> usize {
    (0..row.len())
        .filter(|&at| row[at].is_none() && is_five(&with(row, at)))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of the stone `*` in a line of nine.
    fn shape(text: &str) -> Shape {
        let mut code = 0;
        for (slot, letter) in text.chars().filter(|&letter| letter != '*').enumerate() {
            let value = match letter {
                'x' => 1,
                'o' => 2,
                '#' => 3,
                _ => 0,
            };
            code |= value << (2 * slot);
        }
        shapes(code)[0]
    }

    #[test]
    fn shapes_have_their_names() {
        assert_eq!(shape("xxxx*...."), Shape::Five);
        assert_eq!(shape(".xxx*x..."), Shape::Five);
        assert_eq!(shape(".xxx*.oo."), Shape::StraightFour);
        assert_eq!(shape("oxxx*...."), Shape::Four);
        assert_eq!(shape("x.xx*.oo."), Shape::Four);
        assert_eq!(shape("..xx*...."), Shape::Three);
        assert_eq!(shape(".x.x*...."), Shape::Three);
        assert_eq!(shape("#..x*..x#"), Shape::Two);
        assert_eq!(shape("...x*...."), Shape::Two);
        assert_eq!(shape("##.x*.##."), Shape::Nothing);
        assert_eq!(shape(".oxx*.o.."), Shape::Nothing);
        // Two fours on one line are as good as a straight one.
        assert_eq!(shape("x.xx*.x.."), Shape::StraightFour);
        assert_eq!(shape("x.x.*.x.x"), Shape::Three);
    }
}
