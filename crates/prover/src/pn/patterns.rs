//! What a stone makes on one line of Go-Moku, by the cells on either side of it: tables, computed once from the
//! definitions (Allis, section 5.2.2) and from nothing else.

use std::sync::LazyLock;

/// Which rows of stones win.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Fives {
    /// Five or more: free-style Go-Moku.
    OrMore,
    /// Exactly five: standard Go-Moku.
    Exactly,
}

/// What a stone makes on one line.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Shape {
    /// Nothing that matters yet.
    Nothing,
    /// Another stone could make a three.
    Two,
    /// Five cells of the line hold three own stones now and none of the other side's.
    Closed,
    /// The same, and another stone could make a three besides.
    ClosedTwo,
    /// Another stone could make a four that two cells complete.
    Three,
    /// One cell completes a five.
    Four,
    /// Two cells or more do.
    StraightFour,
    /// A five.
    Five,
}

/// How far a stone can see at most.
pub(crate) const FARTHEST: usize = 5;

/// How far the cells are that are the low bits of an index.
const NEAR: usize = 2;

/// What a cell is good for, as bits: completing a five,
pub(crate) const FIVE: u8 = 1;
/// making fours that two cells or more complete,
pub(crate) const DOUBLE: u8 = 2;
/// a four at least,
pub(crate) const FOUR: u8 = 4;
/// a three at least,
pub(crate) const THREE: u8 = 8;
/// having three stones in five cells at least.
pub(crate) const TOUCH: u8 = 16;

/// What is looked up.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) wins: Fives,
    /// How far a stone sees.
    pub(crate) reach: u32,
    /// The shapes that a stone would make, three bits for each side, by what surrounds it (see `index`): two bits a cell,
    /// 0 empty, 1 and 2 the sides, 3 outside.
    shapes: Box<[u8]>,
    /// The same without twos, which come and go with every stone and make a cell good for nothing.
    threats: Box<[u8]>,
    /// What a stone makes by its shapes in four directions, three bits each.
    pub(crate) kinds: Box<[u8; 4096]>,
}

/// The tables for a game.
pub(crate) fn tables(wins: Fives) -> &'static Tables {
    static OR_MORE: LazyLock<Tables> = LazyLock::new(|| Tables::new(Fives::OrMore));
    static EXACTLY: LazyLock<Tables> = LazyLock::new(|| Tables::new(Fives::Exactly));
    match wins {
        Fives::OrMore => &OR_MORE,
        Fives::Exactly => &EXACTLY,
    }
}

impl Tables {
    fn new(wins: Fives) -> Self {
        // Whether a row is longer than five depends on one cell more.
        let reach = match wins {
            Fives::OrMore => FARTHEST - 1,
            Fives::Exactly => FARTHEST,
        };
        let shape = |index: usize| {
            let (bits, far) = (4 * reach, 2 * (reach - NEAR));
            let code = (index << far | index >> (bits - far)) & ((1 << bits) - 1);
            let of = |side: usize| Row::new(code, reach, side).shape(wins) as u8;
            of(1) | of(2) << 3
        };
        let four = |shapes: usize| [0, 3, 6, 9].map(|shift| (shapes >> shift & 7) as u8);
        let shapes: Box<[u8]> = (0..1 << (4 * reach)).map(shape).collect();
        let without_twos = |&both: &u8| {
            let of = |shape: u8| shape & if shape < Shape::Three as u8 { !1 } else { !0 };
            of(both & 7) | of(both >> 3) << 3
        };
        Self {
            wins,
            reach: reach as u32,
            threats: shapes.iter().map(without_twos).collect(),
            shapes,
            kinds: Box::new(std::array::from_fn(|shapes| kinds(four(shapes)))),
        }
    }

    /// The shapes but for twos that a stone of either side would make on an empty cell of a line, which has two bits a cell,
    /// where the bits of this one begin.
    #[inline]
    pub(crate) fn threats<const REACH: usize>(&self, line: u64, bit: u32) -> u32 {
        u32::from(self.threats[index(REACH, line, bit)])
    }

    /// What the shape of a stone on an empty cell of a line is worth to one of the sides.
    pub(crate) fn worth(&self, line: u64, bit: u32, side: usize) -> u32 {
        let both = self.shapes[index(self.reach as usize, line, bit)];
        WORTH[usize::from(both >> (3 * side) & 7)]
    }
}

/// Weights by hand; they only say what is looked at first.
const WORTH: [u32; 8] = [0, 10, 6, 14, 30, 32, 200, 1000];

/// Where to look up what surrounds a cell. The cells next to it are the low bits, so that what is looked up often is near
/// together.
#[inline]
const fn index(reach: usize, line: u64, bit: u32) -> usize {
    let (near, far) = (2 * NEAR as u32, 2 * (reach - NEAR) as u32);
    let before = line >> (bit - near) & ((1 << near) - 1);
    let after = line >> (bit + 2) & ((1 << (near + far)) - 1);
    let long_before = line >> (bit - near - far) & ((1 << far) - 1);
    (before | after << near | long_before << (2 * near + far)) as usize
}

fn kinds(shapes: [u8; 4]) -> u8 {
    let best = shapes.into_iter().max().unwrap_or(0);
    let is = |least: Shape, bit: u8| if best >= least as u8 { bit } else { 0 };
    let fours = shapes.iter().filter(|&&shape| shape >= Shape::Four as u8);
    let double = is(Shape::StraightFour, DOUBLE) | if fours.count() > 1 { DOUBLE } else { 0 };
    double
        | is(Shape::Five, FIVE)
        | is(Shape::Four, FOUR)
        | is(Shape::Three, THREE)
        | is(Shape::Closed, TOUCH)
}

/// A line with the stone in its middle: `Some(true)` for own stones, `None` for empty cells.
#[derive(Debug, Copy, Clone)]
struct Row([Option<bool>; 2 * FARTHEST + 1]);

impl Row {
    fn new(code: usize, reach: usize, side: usize) -> Self {
        // What is not seen is nobody's.
        let mut row = [Some(false); 2 * FARTHEST + 1];
        row[FARTHEST] = Some(true);
        for slot in 0..2 * reach {
            let at = FARTHEST - reach + if slot < reach { slot } else { slot + 1 };
            row[at] = match code >> (2 * slot) & 3 {
                0 => None,
                stone => Some(stone == side),
            };
        }
        Self(row)
    }

    fn shape(&self, wins: Fives) -> Shape {
        if self.is_five(wins) {
            return Shape::Five;
        }
        match self.completions(wins) {
            0 => {}
            1 => return Shape::Four,
            _ => return Shape::StraightFour,
        }
        if self.is_three(wins) {
            return Shape::Three;
        }
        let two = self.after().any(|row| row.is_three(wins));
        match (self.is_closed(), two) {
            (true, true) => Shape::ClosedTwo,
            (true, false) => Shape::Closed,
            (false, true) => Shape::Two,
            (false, false) => Shape::Nothing,
        }
    }

    /// The row with another own stone, for every empty cell.
    fn after(&self) -> impl Iterator<Item = Self> {
        let empty = (0..self.0.len()).filter(|&at| self.0[at].is_none());
        empty.map(|at| {
            let mut more = *self;
            more.0[at] = Some(true);
            more
        })
    }

    /// Whether the middle stone is in a row that wins.
    fn is_five(&self, wins: Fives) -> bool {
        let own = |cell: &&Option<bool>| **cell == Some(true);
        let length = 1
            + self.0[..FARTHEST].iter().rev().take_while(own).count()
            + self.0[FARTHEST + 1..].iter().take_while(own).count();
        match wins {
            Fives::OrMore => length >= 5,
            Fives::Exactly => length == 5,
        }
    }

    /// How many cells complete a five with the middle stone.
    fn completions(&self, wins: Fives) -> usize {
        self.after().filter(|row| row.is_five(wins)).count()
    }

    /// Whether another stone makes a four that two cells complete, and none completes a five yet.
    fn is_three(&self, wins: Fives) -> bool {
        self.completions(wins) == 0 && self.after().any(|row| row.completions(wins) >= 2)
    }

    /// Whether five cells with the middle one hold three own stones and no other.
    fn is_closed(&self) -> bool {
        (FARTHEST - 4..=FARTHEST).any(|first| {
            let five = &self.0[first..first + 5];
            let own = five.iter().filter(|&&cell| cell == Some(true)).count();
            own >= 3 && !five.contains(&Some(false))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of the stone `*` in a line.
    fn shape(wins: Fives, text: &str) -> Shape {
        let middle = text.find('*').expect("a stone");
        let mut row = [Some(false); 2 * FARTHEST + 1];
        for (at, letter) in text.chars().enumerate() {
            row[FARTHEST + at - middle] = match letter {
                'x' | '*' => Some(true),
                '.' => None,
                _ => Some(false),
            };
        }
        Row(row).shape(wins)
    }

    /// All rows of as many cells as a stone sees, of own stones, empty cells and others; the stone is in the middle.
    fn rows(reach: usize) -> impl Iterator<Item = Row> {
        (0..3_usize.pow(2 * reach as u32)).map(move |mut number| {
            let mut row = [Some(false); 2 * FARTHEST + 1];
            for (at, cell) in row.iter_mut().enumerate() {
                if at.abs_diff(FARTHEST) <= reach && at != FARTHEST {
                    *cell = [None, Some(true), Some(false)][number % 3];
                    number /= 3;
                }
            }
            row[FARTHEST] = Some(true);
            Row(row)
        })
    }

    /// `Board` passes over lines on which a new stone has no other of its side near it, and not two of the other's.
    #[test]
    fn a_stone_alone_changes_no_shape_that_matters() {
        for (wins, reach) in [(Fives::OrMore, 4), (Fives::Exactly, 5)] {
            let matters = |row: &Row| match row.shape(wins) {
                Shape::Nothing | Shape::Two => Shape::Nothing,
                Shape::ClosedTwo => Shape::Closed,
                other => other,
            };
            let mut changes = 0;
            for row in rows(reach) {
                let before = matters(&row);
                for at in (0..row.0.len()).filter(|&at| row.0[at].is_none()) {
                    let near = |other: &usize| other.abs_diff(at) <= reach && *other != FARTHEST;
                    let own = (0..row.0.len()).filter(|&other| row.0[other] == Some(true));
                    let own = own.filter(near).count();
                    for (stone, fewest) in [(true, 1), (false, 2)] {
                        let mut after = row;
                        after.0[at] = Some(stone);
                        let changed = matters(&after) != before;
                        assert!(!changed || own >= fewest, "{row:?} {at} {stone}");
                        changes += usize::from(changed && own == fewest);
                    }
                }
            }
            assert!(changes > 1_000, "{changes}");
        }
    }

    #[test]
    fn what_is_looked_up_is_what_the_row_says() {
        for wins in [Fives::OrMore, Fives::Exactly] {
            let tables = tables(wins);
            let reach = tables.reach as usize;
            for row in rows(reach).step_by(7) {
                let mut line = 0;
                for (at, cell) in row.0.iter().enumerate() {
                    let bits = match cell {
                        _ if at == FARTHEST => 0,
                        None => 0,
                        Some(true) => 2,
                        Some(false) => 1,
                    };
                    line |= bits << (2 * at);
                }
                // White's row; for Black it is another.
                let (shape, bit) = (row.shape(wins), 2 * FARTHEST as u32);
                let threats = match reach {
                    4 => tables.threats::<4>(line, bit),
                    _ => tables.threats::<5>(line, bit),
                };
                let known = match shape {
                    Shape::Two => Shape::Nothing,
                    Shape::ClosedTwo => Shape::Closed,
                    other => other,
                };
                assert_eq!(threats >> 3, known as u32, "{row:?}");
                assert_eq!(tables.worth(line, bit, 1), WORTH[shape as usize], "{row:?}");
            }
        }
    }

    #[test]
    fn shapes_have_their_names() {
        let shape = |text| shape(Fives::OrMore, text);
        assert_eq!(shape("xxxx*...."), Shape::Five);
        assert_eq!(shape(".xxx*x..."), Shape::Five);
        assert_eq!(shape(".xxx*.oo."), Shape::StraightFour);
        assert_eq!(shape("oxxx*...."), Shape::Four);
        assert_eq!(shape("x.xx*.oo."), Shape::Four);
        assert_eq!(shape("..xx*...."), Shape::Three);
        assert_eq!(shape(".x.x*...."), Shape::Three);
        assert_eq!(shape("#..x*..x#"), Shape::ClosedTwo);
        assert_eq!(shape("...x*...."), Shape::Two);
        assert_eq!(shape("##.x*.##."), Shape::Nothing);
        assert_eq!(shape(".oxx*..o."), Shape::Closed);
        assert_eq!(shape(".oxx*.o.."), Shape::Nothing);
        // Two fours on one line are as good as a straight one.
        assert_eq!(shape("x.xx*.x.."), Shape::StraightFour);
        assert_eq!(shape("x.x.*.x.x"), Shape::Three);
    }

    #[test]
    fn exactly_five_is_another_matter() {
        let shape = |text| shape(Fives::Exactly, text);
        assert_eq!(shape("xxxx*....."), Shape::Five);
        assert_eq!(shape("xxxxx*...."), Shape::Closed);
        assert_eq!(shape("x.xxx*...."), Shape::Four);
        assert_eq!(shape("..xxx*...."), Shape::StraightFour);
        assert_eq!(shape("x.xx*.x..."), Shape::StraightFour);
        assert_eq!(shape("..xx*...x"), Shape::Three);
        assert_eq!(shape("oxxx.*xxo"), Shape::Closed);
    }
}
