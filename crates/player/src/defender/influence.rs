//! How much a half-move is worth: the influence of a stone (seed paper, section II).
//!
//! The value of a stone on a point is
//!
//! ```text
//! d_i x (sum over the four directions of the product of the weights of the points on its line)
//! ```
//!
//! over lines of at most 2k-1 points with the stone in the centre. The section that defines the weights
//! is lost except for its worked example, `1.00000363725 x [((1 x 1 x 1 x 2 x 2) x (2 x 2^11 x 2^10 x 2 x 2))
//! + 2^10 + 2^10 + 2^10]`.
//!
//! From the paper: an empty point weighs ε = 2; a stone of the same side weighs 2^11 at distance 2 and
//! 2^10 at distance 3; an opponent's stone, the border and all points beyond weigh 1; `d_3` is
//! 1.00000363725 where one of the four directions holds an opponent's stone.
//!
//! Chosen here, because the text is lost:
//! - Stones weigh 2^(13-distance): the two weights that are left, continued ("the influence of a
//!   single stone decreases with increasing distance"). For lines of k it is 2^(2k+1-distance).
//! - The index of `d_i` is read as the number of directions without an opponent's stone: three in the
//!   example. The other parameters lie on the line through `d_0` = 1 and `d_3`. All of them only break
//!   ties, for the products are powers of two.
//! - A direction with fewer than k points up to the next obstacles has no potential line, and section
//!   II.A counts nothing else: all its points weigh 1.
//! - A half-move is worth what it is worth to both sides together, for it makes one's own connections and
//!   cuts the opponent's. The opponent's count as if each of his lines held one more stone, at the far
//!   end: a factor of 2^(k+2), 256 in Connect6, since he is the next to add one. It is one of six that
//!   were tried (1/16, 1, 16, 256, 1024, and the opponent's alone) in 10 to 40 games each against
//!   `alphabeta`, from the five openings of `tengen reproduce kagami`. In 40 further games from the same
//!   openings, with node limits of 4,000 to 10,000 a turn that had not been used to choose, the defender
//!   with search made 21 points with 256 and 12 with 1; in ten games at 0.2 s a turn, 1.5 and 2, so
//!   the gain is not certain. Without search it lost nearly all games with any of them.

use tengen_rules::{Cell, Side};
use tengen_threats::{Index, LineBoard};

/// One direction of each of the four kinds of lines.
pub(super) const DIRECTIONS: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// `d_0` to `d_4`.
const DEGREES: [f64; 5] = [
    1.0,
    1.000_001_212_42,
    1.000_002_424_83,
    1.000_003_637_25,
    1.000_004_849_67,
];

/// The binary logarithm of ε, the weight of an empty point.
const EMPTY: i32 = 1;

/// Products beyond this are all the same: `f64` holds no larger ones. Lines of 19 and more get there, with
/// more stones than a game survives.
const LARGEST: i32 = 900;

/// The binary logarithm of the weight of a stone.
const fn stone(line: i32, distance: i32) -> i32 {
    2 * line + 1 - distance
}

/// The points on one side of a stone.
struct Ray {
    /// How many there are before an obstacle.
    points: i32,
    /// The binary logarithm of the product of their weights.
    weight: i32,
    /// Whether the obstacle is an opponent's stone.
    opposed: bool,
}

fn ray(board: &LineBoard, side: Side, from: Cell, (dx, dy): (i16, i16)) -> Ray {
    let line = i32::from(board.rules().line());
    let grid = board.grid();
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let x = i32::from(from.x - grid.corner().x);
    let y = i32::from(from.y - grid.corner().y);
    let room = |at: i32, size: i32, step: i16| match step {
        0 => i32::MAX,
        ..0 => at,
        1.. => size - 1 - at,
    };
    let last = room(x, width, dx).min(room(y, height, dy)).min(line - 1);
    let stride = i32::from(dy) * width + i32::from(dx);
    let mut ray = Ray {
        points: 0,
        weight: 0,
        opposed: false,
    };
    for distance in 1..=last {
        match board.stone((y * width + x + distance * stride) as Index) {
            None => ray.weight += EMPTY,
            Some(owner) if owner == side => ray.weight += stone(line, distance),
            Some(_) => {
                ray.opposed = true;
                break;
            }
        }
        ray.points += 1;
    }
    ray
}

/// What a stone of `side` on this cell is worth to that side.
pub(super) fn influence(board: &LineBoard, side: Side, cell: Index) -> f64 {
    let at = board.cell(cell);
    let line = i32::from(board.rules().line());
    let mut free = 0;
    let mut sum = 0.0;
    for (dx, dy) in DIRECTIONS {
        let back = ray(board, side, at, (-dx, -dy));
        let ahead = ray(board, side, at, (dx, dy));
        let weight = match back.points + 1 + ahead.points {
            points if points < line => 0,
            _ => back.weight + ahead.weight,
        };
        sum += f64::from(weight.min(LARGEST)).exp2();
        free += usize::from(!back.opposed && !ahead.opposed);
    }
    DEGREES[free] * sum
}

/// What a half-move of `side` on this cell is worth, to both sides together.
pub(super) fn value(board: &LineBoard, side: Side, cell: Index) -> f64 {
    let line = i32::from(board.rules().line());
    let one_more = f64::from(stone(line, line - 1)).exp2();
    influence(board, side, cell) + one_more * influence(board, !side, cell)
}

#[cfg(test)]
mod tests {
    use tengen_rules::{Rules, notation};

    use super::*;

    fn board(text: &str, rules: Rules) -> LineBoard {
        let position = notation::parse_position(text, rules).expect("a legal set-up");
        LineBoard::from_position(&position)
    }

    fn at(text: &str, cell: &str, rules: Rules, side: Side) -> f64 {
        let board = board(text, rules);
        let cell = cell.parse().expect("a cell");
        influence(&board, side, board.index(cell).expect("on the board"))
    }

    /// The worked example: an opponent's stone three points to the left, own stones two and three
    /// points to the right, nothing else.
    #[test]
    fn the_worked_example_of_the_paper() {
        let text = "B:L10,M10 W:G10 to-move:B";
        let found = at(text, "J10", Rules::CONNECT6, Side::Black);
        let two = |exponent: i32| 2_f64.powi(exponent);
        let horizontal = (1.0 * 1.0 * 1.0 * 2.0 * 2.0) * (2.0 * two(11) * two(10) * 2.0 * 2.0);
        assert_eq!(
            found,
            1.00000363725 * (horizontal + two(10) + two(10) + two(10))
        );
        assert_eq!(found, 1.00000363725 * 67_111_936.0);
    }

    #[test]
    fn influence_ends_at_the_border() {
        // On an empty board all four lines have ten other points; in the corner only three lines are
        // left, with five points each.
        let empty = "to-move:B";
        let value = |cell| at(empty, cell, Rules::CONNECT6, Side::Black) / DEGREES[4];
        assert_eq!(value("J10"), 4.0 * 1024.0);
        assert_eq!(value("A1"), 3.0 * 32.0 + 1.0);
        assert_eq!(value("B1"), 64.0 + 32.0 + 32.0 + 1.0);
        // A stone beyond the opponent's counts for nothing, one before the border for much.
        let before = "B:B1 W:G10 to-move:B";
        let border = at(before, "A1", Rules::CONNECT6, Side::Black);
        assert_eq!(border / DEGREES[4], 65_536.0 + 64.0 + 1.0);
        let beyond = at("B:D10 W:F10 to-move:B", "G10", Rules::CONNECT6, Side::Black);
        let without = at("B:D1 W:F10 to-move:B", "G10", Rules::CONNECT6, Side::Black);
        assert_eq!(beyond, without);
    }

    #[test]
    fn a_line_without_room_counts_for_nothing() {
        // Five points between two opponents: three own stones there promise nothing.
        let closed = "B:H10,I10,K10 W:G10,M10 to-move:B";
        let open = "B:H10,I10,K10 W:G10 to-move:B";
        let value = |text| at(text, "J10", Rules::CONNECT6, Side::Black);
        assert_eq!(value(closed), DEGREES[3] * (3.0 * 1024.0 + 1.0));
        assert!(value(open) > 1e9);
    }

    #[test]
    fn longest_lines_stay_finite() {
        let rules: Rules = "63,63,60,30,1".parse().expect("rules");
        let row: Vec<String> = (1..=58).map(|y| format!("A{y}")).collect();
        let text = format!("B:{} W:C1 to-move:B", row.join(","));
        assert!(at(&text, "A59", rules, Side::Black).is_finite());
        let board = board(&text, rules);
        let cell = board.index(Cell::new(0, 58)).expect("on the board");
        assert!(value(&board, Side::White, cell).is_finite());
    }

    #[test]
    fn cutting_comes_before_connecting() {
        // The same three on both sides.
        let board = board("B:F10,G10,H10 W:F4,G4,H4 to-move:B", Rules::CONNECT6);
        let cell = |text: &str| {
            board
                .index(text.parse().expect("a cell"))
                .expect("on the board")
        };
        let [own, other] = ["I10", "I4"].map(|text| value(&board, Side::Black, cell(text)));
        assert!(other > own);
    }
}
