//! Boards of at most 64 cells as bits: cells, lines, symmetries.

/// The most cells a board may have.
pub(super) const MOST_CELLS: u32 = 64;

/// A board with its lines: every k cells in a row, a column or a diagonal. More than k in a row contain k, so completing a
/// line is the same as having k or more.
pub(super) struct Board {
    /// All cells; cell (x, y) is bit y * width + x.
    pub(super) cells: u64,
    pub(super) lines: Vec<u64>,
    /// All but the identity.
    symmetries: Vec<Symmetry>,
}

/// Who stands where. A cell of both is dead: it stops the lines of both sides and completes none.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stones {
    pub(super) black: u64,
    pub(super) white: u64,
}

/// Where the bits of each byte of a set of cells go.
struct Symmetry {
    images: Vec<[u64; 256]>,
}

impl Board {
    /// `None` if it has more than 64 cells.
    pub(super) fn new(width: u32, height: u32, line: u32) -> Option<Self> {
        let size = width * height;
        if size == 0 || size > MOST_CELLS || line == 0 {
            return None;
        }
        Some(Self {
            cells: u64::MAX >> (MOST_CELLS - size),
            lines: lines(width as i32, height as i32, line as i32),
            symmetries: symmetries(width, height),
        })
    }

    /// The least of all images: positions that differ only by a symmetry of the board have the same.
    pub(super) fn canonical(&self, stones: Stones) -> Stones {
        let images = self.symmetries.iter().map(|symmetry| Stones {
            black: symmetry.image(stones.black),
            white: symmetry.image(stones.white),
        });
        images.fold(stones, Stones::min)
    }
}

fn lines(width: i32, height: i32, line: i32) -> Vec<u64> {
    let mut lines = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (last_x, last_y) = (x + dx * (line - 1), y + dy * (line - 1));
            if last_x < width && (0..height).contains(&last_y) {
                let cells = (0..line).map(|i| 1 << ((y + dy * i) * width + x + dx * i));
                lines.push(cells.fold(0, |all, cell: u64| all | cell));
            }
        }
    }
    // A line of one cell is the same in all directions.
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Eight on a square, four otherwise; without the identity.
fn symmetries(width: u32, height: u32) -> Vec<Symmetry> {
    let mut symmetries = Vec::new();
    for number in 1..8 {
        let (mirror, flip, turn) = (number & 1 != 0, number & 2 != 0, number & 4 != 0);
        if turn && width != height {
            continue;
        }
        symmetries.push(Symmetry::new(width * height, |cell| {
            let (x, y) = (cell % width, cell / width);
            let x = if mirror { width - 1 - x } else { x };
            let y = if flip { height - 1 - y } else { y };
            if turn { x * width + y } else { y * width + x }
        }));
    }
    symmetries
}

impl Symmetry {
    fn new(size: u32, goes_to: impl Fn(u32) -> u32) -> Self {
        let image = |byte: u32, bits: u64| {
            (0..8)
                .map(|bit| (bit, byte * 8 + bit))
                .filter(|&(bit, cell)| cell < size && bits >> bit & 1 != 0)
                .fold(0, |all, (_, cell)| all | 1 << goes_to(cell))
        };
        let images = (0..size.div_ceil(8))
            .map(|byte| std::array::from_fn(|bits| image(byte, bits as u64)))
            .collect();
        Self { images }
    }

    fn image(&self, cells: u64) -> u64 {
        let bytes = cells.to_le_bytes();
        let parts = self.images.iter().zip(bytes);
        parts.fold(0, |all, (images, byte)| all | images[usize::from(byte)])
    }
}
