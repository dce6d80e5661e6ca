//! The pattern table: how many threats a stone creates in one direction (seed paper, section IV.A).
//!
//! For Connect6 only: all 3^11 configurations of the eleven points around a stone, empty 0, white 1,
//! black 2, with the border as stones of the opponent. The two stones of a turn are looked up one
//! by one, with both on the board; where they stand on one line, the paper corrects the sum. Its
//! "distance" counts both end points (the rules fit the geometry only so: stones that share a window
//! have a distance of at most 6, stones whose windows share a point one of at most 11). "Half of
//! their sum" is rounded up here: what one stone alone makes is there.
//!
//! The correction is not exact. It never looks across lines, so one point that stops two of them is
//! taken for two (rules 1, 2, 3a and 3b count too much); rule 3a takes two different threats for one, and
//! rule 3b takes one away even when no point stops both (these count too little). Rule 3c is exact. The
//! tests have a position of each kind.

use std::sync::LazyLock;

use tengen_rules::{Cell, Side};
use tengen_threats::{Index, LineBoard};

use super::influence::DIRECTIONS;

/// Points of a pattern; the stone stands in the middle.
const POINTS: usize = 11;

/// A line of Connect6.
const LINE: usize = 6;

/// Windows with so many stones threaten.
const THREAT: usize = 4;

/// The powers of 3.
const WEIGHTS: [usize; POINTS] = [1, 3, 9, 27, 81, 243, 729, 2_187, 6_561, 19_683, 59_049];

/// Stronger than any turn can stop.
pub(super) const TOO_MANY: u8 = 3;

/// The number of threats of each configuration.
static TABLE: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let configurations = 3_usize.pow(POINTS as u32);
    (0..configurations).map(threats_of).collect()
});

/// What one pattern is worth: the stones needed to stop its windows, all of which hold the centre.
fn threats_of(key: usize) -> u8 {
    let points: [usize; POINTS] = WEIGHTS.map(|weight| key / weight % 3);
    let owner = points[POINTS / 2];
    if owner == 0 {
        return 0;
    }
    // From left to right: a window that is not stopped yet gets a stone on its last empty point.
    let (mut threats, mut stopped) = (0, None);
    for start in 0..=POINTS - LINE {
        let window = &points[start..start + LINE];
        let own = window.iter().filter(|&&point| point == owner).count();
        let empty = window.iter().rposition(|&point| point == 0);
        if window.contains(&(3 - owner)) || own < THREAT || stopped >= Some(start) {
            continue;
        }
        match empty {
            Some(place) => stopped = Some(start + place),
            None => return TOO_MANY,
        }
        threats += 1;
    }
    threats
}

const fn digit(side: Side) -> usize {
    match side {
        Side::White => 1,
        Side::Black => 2,
    }
}

/// The key of the eleven points around a cell.
fn key(board: &LineBoard, centre: Cell, direction: (i16, i16), owner: Side) -> usize {
    let half = (POINTS / 2) as i16;
    (-half..=half).rev().fold(0, |key, distance| {
        let point = match board.index(centre.step(direction, distance)) {
            Some(index) => board.stone(index).map_or(0, digit),
            None => digit(!owner),
        };
        key * 3 + point
    })
}

/// A stone that may be placed, with what the table says of it.
#[derive(Debug)]
pub(super) struct Stone {
    cell: Cell,
    keys: [usize; 4],
    threats: [u8; 4],
}

impl Stone {
    /// A stone of `owner` on an empty cell, or one that stands there.
    pub(super) fn new(board: &LineBoard, owner: Side, cell: Index) -> Self {
        let cell = board.cell(cell);
        let centre = digit(owner) * WEIGHTS[POINTS / 2];
        let keys = DIRECTIONS.map(|direction| key(board, cell, direction, owner) + centre);
        Self {
            cell,
            keys,
            threats: keys.map(|key| TABLE[key]),
        }
    }

    /// The threats that it makes alone, in all directions.
    pub(super) fn threats(&self) -> u8 {
        self.threats.iter().sum()
    }

    /// The threats that it makes in one direction with another stone of its owner there, so many
    /// points ahead.
    fn threats_with(&self, owner: Side, direction: usize, ahead: i16) -> u8 {
        let place = (POINTS / 2) as i16 + ahead;
        match usize::try_from(place)
            .ok()
            .and_then(|place| WEIGHTS.get(place))
        {
            Some(weight) => TABLE[self.keys[direction] + digit(owner) * weight],
            None => self.threats[direction],
        }
    }
}

/// Which rule of the correction applies to a turn.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// 1: not on one line.
    Apart,
    /// 2: on one line, with an opponent's stone between them.
    Separated,
    /// 3a: at a distance of at most 6.
    Near,
    /// 3b: from 7 to 11.
    Middle,
    /// 3c: 12 and more.
    Far,
}

/// A direction by its number, and how many points ahead in it the other cell lies.
type Shared = (usize, i16);

/// How two cells lie to each other, if they are on one line.
fn shared(one: Cell, other: Cell) -> Option<Shared> {
    let (dx, dy) = (other.x - one.x, other.y - one.y);
    let steps = if dx == 0 { dy } else { dx };
    let on_line = |&(x, y): &(i16, i16)| (x * steps, y * steps) == (dx, dy);
    Some((DIRECTIONS.iter().position(on_line)?, steps))
}

/// Which rule applies to two cells on one line.
fn rule(board: &LineBoard, owner: Side, one: Cell, (direction, steps): Shared) -> Rule {
    let opposed = (1..steps.abs()).any(|distance| {
        let between = one.step(DIRECTIONS[direction], distance * steps.signum());
        let index = board.index(between);
        index.and_then(|index| board.stone(index)) == Some(!owner)
    });
    match steps.abs() + 1 {
        _ if opposed => Rule::Separated,
        ..=6 => Rule::Near,
        7..=11 => Rule::Middle,
        _ => Rule::Far,
    }
}

/// How many threats a turn of two stones makes as the paper counts them, and by which rule.
pub(super) fn of_turn(board: &LineBoard, owner: Side, one: &Stone, other: &Stone) -> (u8, Rule) {
    let sum = one.threats() + other.threats();
    let Some((direction, steps)) = shared(one.cell, other.cell) else {
        return (sum, Rule::Apart);
    };
    let rule = rule(board, owner, one.cell, (direction, steps));
    let rest = sum - one.threats[direction] - other.threats[direction];
    let here =
        one.threats_with(owner, direction, steps) + other.threats_with(owner, direction, -steps);
    let threats = match rule {
        Rule::Near => rest + here.div_ceil(2),
        Rule::Middle => rest + here.saturating_sub(1),
        Rule::Apart | Rule::Separated | Rule::Far => sum,
    };
    (threats, rule)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fastrand::Rng;
    use tengen_rules::{Grid, Rules, notation};

    use super::*;

    /// A board with stones thrown on it, where Black has no threat yet.
    fn random_board(random: &mut Rng) -> LineBoard {
        let grid = Grid::around(Rules::CONNECT6, []).expect("a finite board");
        let mut board = LineBoard::new(Rules::CONNECT6, grid);
        let stones = random.usize(12..80);
        while board.count() < stones {
            let cell = Cell::new(random.i16(3..16), random.i16(3..16));
            let side = if random.u8(..3) == 0 {
                Side::White
            } else {
                Side::Black
            };
            let index = board.index(cell).expect("on the board");
            if board.stone(index).is_none() {
                board.place(side, index);
                if side == Side::Black && board.has_threat(side) {
                    board.undo();
                    board.place(Side::White, index);
                }
            }
        }
        board
    }

    /// Threats by table and exactly, capped alike.
    fn counted(board: &mut LineBoard, turn: [Index; 2]) -> (Rule, u8, u8) {
        let [one, other] = turn.map(|cell| Stone::new(board, Side::Black, cell));
        let (table, rule) = of_turn(board, Side::Black, &one, &other);
        for cell in turn {
            board.place(Side::Black, cell);
        }
        let exact = board.threat_count(Side::Black);
        for _ in turn {
            board.undo();
        }
        (rule, table.min(TOO_MANY), exact)
    }

    fn at(position: &str, turn: &str) -> (Rule, u8, u8) {
        let text = format!("{position} to-move:B");
        let position = notation::parse_position(&text, Rules::CONNECT6).expect("a legal set-up");
        let mut board = LineBoard::from_position(&position);
        let turn: Vec<Index> = turn
            .split(' ')
            .map(|cell| {
                board
                    .index(cell.parse().expect("a cell"))
                    .expect("on the board")
            })
            .collect();
        counted(&mut board, [turn[0], turn[1]])
    }

    /// Figures 12 and 13: the key, and a dead four counted from both of its new stones.
    #[test]
    fn keys_and_patterns_of_the_paper() {
        let setup = "B:E10,H10,I10 W:L10 to-move:B";
        let position = notation::parse_position(setup, Rules::CONNECT6).expect("a legal set-up");
        let board = LineBoard::from_position(&position);
        let key = key(&board, Cell::new(9, 9), (1, 0), Side::Black);
        assert_eq!(key, 2 + 2 * 27 + 2 * 81 + 2187);
        // Borders are stones of the opponent.
        let empty = LineBoard::new(Rules::CONNECT6, board.grid());
        let corner = super::key(&empty, Cell::new(0, 0), (1, 0), Side::Black);
        assert_eq!(corner, 1 + 3 + 9 + 27 + 81);
        let (rule, table, exact) = at("B:H10,I10 W:G10", "J10 K10");
        assert_eq!((rule, table, exact), (Rule::Near, 1, 1));
        let (rule, table, exact) = at("B:H10,I10 W:A1", "J10 K10");
        assert_eq!((rule, table, exact), (Rule::Near, 2, 2));
    }

    /// One position for each way in which the correction is wrong: a point that stops two lines is
    /// counted twice by rules 1, 2, 3a and 3b, and rules 3a and 3b drop threats that are there.
    #[test]
    fn where_the_correction_is_wrong() {
        use Rule::{Apart, Far, Middle, Near, Separated};
        let crossing = "B:J11,J12,J13,N11,M12,L13 W:J9,P9";
        for (position, turn, rule, table, exact) in [
            // K10 stops row 10 and column K.
            ("B:G10,H10,I10,K7,K8,K9 W:F10,K5", "J10 K6", Apart, 2, 1),
            // J15 stops column J and the diagonal; the stones share row 10, with and without L10.
            (&format!("{crossing},L10")[..], "J10 O10", Separated, 2, 1),
            (crossing, "J10 O10", Near, 2, 1),
            // K14 stops both diagonals.
            ("B:H11,I12,J13,N11,M12,L13 W:F9,P9", "G10 O10", Middle, 2, 1),
            // N11 makes a live four; I6, which makes nothing, halves it.
            ("B:M10,O12,P13 W:A1", "N11 I6", Near, 1, 2),
            // Two dead fours that share a line but no point.
            ("B:B10,C10,D10,K10,L10,M10 W:A10,N10", "E10 J10", Near, 1, 2),
            (
                "B:B10,C10,D10,L10,M10,N10 W:A10,O10",
                "E10 K10",
                Middle,
                1,
                2,
            ),
            // With a point between them that stops both, the correction is right, as intended.
            (
                "B:B10,C10,D10,H10,I10,J10 W:A10,L10",
                "E10 K10",
                Middle,
                1,
                1,
            ),
            // Too far apart to have anything to do with each other: always right.
            ("B:B10,C10,D10,Q10,R10,S10 W:A10", "E10 P10", Far, 2, 2),
        ] {
            assert_eq!(
                at(position, turn),
                (rule, table, exact),
                "{position}: {turn}"
            );
        }
    }

    /// How often the correction is wrong on boards full of random stones, and that it is wrong in no
    /// other way than the positions above.
    #[test]
    fn the_correction_against_exact_counts() {
        let mut random = Rng::with_seed(6);
        let mut turns: BTreeMap<(Rule, i8), u64> = BTreeMap::new();
        for _ in 0..8_000 {
            let mut board = random_board(&mut random);
            let empty: Vec<Index> = (0..361).filter(|&c| board.stone(c).is_none()).collect();
            for _ in 0..40 {
                let turn = [(); 2].map(|()| empty[random.usize(..empty.len())]);
                if turn[0] == turn[1] {
                    continue;
                }
                let (rule, table, exact) = counted(&mut board, turn);
                if table > 0 || exact > 0 {
                    *turns.entry((rule, table as i8 - exact as i8)).or_default() += 1;
                }
            }
        }
        let count = |rule, way: fn(i8) -> bool| -> u64 {
            let kinds = turns.iter().filter(|((r, off), _)| *r == rule && way(*off));
            kinds.map(|(_, number)| number).sum()
        };
        let [less, same, more]: [fn(i8) -> bool; 3] =
            [|off| off < 0, |off| off == 0, |off| off > 0];
        use Rule::{Apart, Far, Middle, Near, Separated};
        for rule in [Apart, Separated, Near, Middle, Far] {
            let wrong = count(rule, less) + count(rule, more);
            assert!(
                count(rule, same) > 2 * wrong,
                "mostly right: {rule:?} {turns:?}"
            );
        }
        assert!(count(Apart, more) > 10, "{turns:?}");
        assert!(count(Near, less) > 3 && count(Near, more) > 3, "{turns:?}");
        assert!(count(Middle, less) > 100, "{turns:?}");
        for rule in [Apart, Separated, Far] {
            assert_eq!(count(rule, less), 0, "never too few: {turns:?}");
        }
        assert_eq!(count(Far, more), 0, "exact: {turns:?}");
    }
}
