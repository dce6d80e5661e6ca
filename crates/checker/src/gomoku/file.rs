//! Reads a database: refuses what is malformed, and says at which byte.
//!
//! The bytes stay as they are; of each record the place is kept. Strategies nest, and are read with
//! a stack of this module's own, so that no file can exhaust the program's.

use std::fmt;

use super::board::CellSet;
use super::shape::{FiveRule, MOST_SIDE, Shape};

/// With this a database begins.
const MAGIC: &[u8; 8] = b"TENGENGM";

/// The version of the format.
const VERSION: u8 = 1;

/// The fewest bytes of a record: no stones, a move, no strategies.
const SHORTEST_RECORD: usize = 3;

/// Whether a file says that it is a database of a Go-Moku proof. Nothing else of it is looked at.
pub fn is_gomoku_database(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Why bytes are no database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GomokuReadError {
    /// The byte that is wrong, from 0.
    pub offset: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for GomokuReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for GomokuReadError {}

/// A database that is well-formed. Whether it proves anything is what
/// [`check`](Self::check) says.
#[derive(Debug)]
pub struct GomokuDatabase<'a> {
    bytes: &'a [u8],
    pub(super) shape: Shape,
    /// Where the root begins.
    root: usize,
    /// Where each record begins; the records are sorted.
    records: Vec<usize>,
    strategies: u64,
}

/// A position with Black to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stones<'a> {
    pub(super) black: &'a [u8],
    pub(super) white: &'a [u8],
    /// Black's stones ascending, then White's.
    pub(super) encoding: &'a [u8],
}

/// What a record holds.
pub(super) struct Record<'a> {
    pub(super) stones: Stones<'a>,
    /// Black's move.
    pub(super) cell: u8,
    pub(super) strategies: Strategies,
}

/// All strategies of a record: their nodes in one list, linked by numbers.
#[derive(Debug, Default)]
pub(super) struct Strategies {
    nodes: Vec<Node>,
    /// The first node of each.
    roots: Vec<usize>,
}

/// A move of the attacker, and the way to what is played after the replies.
#[derive(Debug)]
struct Node {
    cell: u8,
    /// The reply after which this node is played; of no meaning for a root.
    reply: u8,
    first_child: Option<usize>,
    next_sibling: Option<usize>,
}

impl Strategies {
    pub(super) fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// The move of a node.
    pub(super) fn cell(&self, node: usize) -> u8 {
        self.nodes[node].cell
    }

    /// The node to be played after this reply.
    pub(super) fn child(&self, node: usize, reply: u8) -> Option<usize> {
        let mut next = self.nodes[node].first_child;
        while let Some(child) = next
            && self.nodes[child].reply != reply
        {
            next = self.nodes[child].next_sibling;
        }
        next
    }
}

impl<'a> GomokuDatabase<'a> {
    /// Reads a database. Never panics, whatever the bytes.
    pub fn read(bytes: &'a [u8]) -> Result<Self, GomokuReadError> {
        let mut reader = Reader { bytes, at: 0 };
        let shape = reader.header()?;
        let root = reader.at;
        reader.stones(&shape)?;
        let count = reader.count()?;
        let room = (bytes.len() - reader.at) / SHORTEST_RECORD;
        let mut records: Vec<usize> = Vec::with_capacity(room.min(count as usize));
        let mut strategies = 0;
        for number in 0..count {
            let start = reader.at;
            let record = reader.record(&shape)?;
            strategies += record.strategies.roots.len() as u64;
            let stones = record.stones;
            let canonical = shape.canonical(stones.black, stones.white);
            if canonical != stones.encoding {
                let (black, white) = canonical.split_at(canonical.len() / 2);
                let expected = shape.position(black, white);
                let message = format!("record {number} is not canonical, expected {expected}");
                return Err(error(start, message));
            }
            if let Some(&last) = records.last() {
                let last = stones_at(bytes, last).encoding;
                if order(last) >= order(stones.encoding) {
                    let message = format!("record {number} does not come after the one before it");
                    return Err(error(start, message));
                }
            }
            records.push(start);
        }
        if reader.at < bytes.len() {
            return Err(error(reader.at, "expected the end of the file"));
        }
        Ok(Self {
            bytes,
            shape,
            root,
            records,
            strategies,
        })
    }

    /// How many records there are.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// How many strategies the records have together.
    pub fn strategies(&self) -> u64 {
        self.strategies
    }

    /// The rules: `15,15,5,1,1` is the board and five in a row, `exact` follows where overlines do
    /// not win.
    pub fn rules(&self) -> String {
        self.shape.rules()
    }

    /// The position that is claimed to be won for Black, to move.
    pub fn position(&self) -> String {
        let root = self.root();
        self.shape.position(root.black, root.white)
    }

    pub(super) fn root(&self) -> Stones<'a> {
        stones_at(self.bytes, self.root)
    }

    /// A record with its strategies.
    pub(super) fn record(&self, record: usize) -> Record<'a> {
        let mut reader = Reader {
            bytes: self.bytes,
            at: self.records[record],
        };
        reader
            .record(&self.shape)
            .expect("the record was read before")
    }

    /// The record of a position, which is compared as a whole; the encoding must be canonical.
    pub(super) fn find(&self, encoding: &[u8]) -> Option<usize> {
        let record = |start: &usize| order(stones_at(self.bytes, *start).encoding);
        self.records
            .binary_search_by_key(&order(encoding), record)
            .ok()
    }
}

/// Records are sorted by this.
fn order(encoding: &[u8]) -> (usize, &[u8]) {
    (encoding.len(), encoding)
}

/// A position that was read before.
fn stones_at(bytes: &[u8], start: usize) -> Stones<'_> {
    let number = usize::from(bytes[start]);
    let encoding = &bytes[start + 1..][..number];
    let (black, white) = encoding.split_at(number / 2);
    Stones {
        black,
        white,
        encoding,
    }
}

fn error(offset: usize, message: impl Into<String>) -> GomokuReadError {
    GomokuReadError {
        offset,
        message: message.into(),
    }
}

/// Bytes, and how far they were read.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next byte, which is expected to be this.
    fn byte(&mut self, what: &str) -> Result<u8, GomokuReadError> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return Err(error(
                self.at,
                format!("the file ends here, expected {what}"),
            ));
        };
        self.at += 1;
        Ok(byte)
    }

    /// A cell of the board.
    fn cell(&mut self, shape: &Shape, what: &str) -> Result<u8, GomokuReadError> {
        let cell = self.byte(what)?;
        if usize::from(cell) < shape.cells() {
            return Ok(cell);
        }
        let most = shape.cells() - 1;
        let message = format!("{what} is cell {cell}, expected at most {most}");
        Err(error(self.at - 1, message))
    }

    fn header(&mut self) -> Result<Shape, GomokuReadError> {
        if !is_gomoku_database(self.bytes) {
            return Err(error(0, "no database: expected TENGENGM"));
        }
        self.at = MAGIC.len();
        let version = self.byte("the version")?;
        if version != VERSION {
            let message = format!("version {version}, only version {VERSION} is read");
            return Err(error(self.at - 1, message));
        }
        let mut sides = [0; 2];
        for (side, what) in sides.iter_mut().zip(["the width", "the height"]) {
            *side = self.byte(what)?;
            if !(1..=MOST_SIDE).contains(side) {
                let message = format!("{what} is {side}, expected 1 to {MOST_SIDE}");
                return Err(error(self.at - 1, message));
            }
        }
        let rule = match self.byte("the rule")? {
            0 => FiveRule::FiveOrMore,
            1 => FiveRule::ExactlyFive,
            other => {
                let message = format!("the rule is {other}, expected 0 or 1");
                return Err(error(self.at - 1, message));
            }
        };
        Ok(Shape::new(sides[0], sides[1], rule))
    }

    /// How many records follow.
    fn count(&mut self) -> Result<u32, GomokuReadError> {
        let mut bytes = [0; 4];
        for byte in &mut bytes {
            *byte = self.byte("the number of records")?;
        }
        Ok(u32::from_le_bytes(bytes))
    }

    /// A position with Black to move: as many stones of White as of Black, each side's ascending.
    fn stones(&mut self, shape: &Shape) -> Result<Stones<'a>, GomokuReadError> {
        let start = self.at;
        let number = self.byte("the number of stones")?;
        if number % 2 == 1 {
            let message = format!("{number} stones, expected as many of White as of Black");
            return Err(error(start, message));
        }
        let mut seen = CellSet::EMPTY;
        for _side in 0..2 {
            let mut last = None;
            for _stone in 0..number / 2 {
                let cell = self.cell(shape, "a stone")?;
                let name = shape.name(cell);
                if last.is_some_and(|last| last >= cell) {
                    let message = format!("{name} is out of order, expected cells ascending");
                    return Err(error(self.at - 1, message));
                }
                if seen.contains(cell) {
                    return Err(error(self.at - 1, format!("{name} holds two stones")));
                }
                seen.insert(cell);
                last = Some(cell);
            }
        }
        Ok(stones_at(self.bytes, start))
    }

    fn record(&mut self, shape: &Shape) -> Result<Record<'a>, GomokuReadError> {
        let stones = self.stones(shape)?;
        let cell = self.cell(shape, "Black's move")?;
        if stones.encoding.contains(&cell) {
            let message = format!("Black's move {} is not empty", shape.name(cell));
            return Err(error(self.at - 1, message));
        }
        let mut strategies = Strategies::default();
        for _strategy in 0..self.byte("the number of strategies")? {
            strategies.roots.push(strategies.nodes.len());
            self.strategy(shape, &mut strategies.nodes)?;
        }
        Ok(Record {
            stones,
            cell,
            strategies,
        })
    }

    /// A strategy with all that is nested in it.
    fn strategy(&mut self, shape: &Shape, nodes: &mut Vec<Node>) -> Result<(), GomokuReadError> {
        /// A node whose replies are being read.
        struct Open {
            node: usize,
            left: u8,
            last: Option<usize>,
            replies: CellSet,
        }
        let mut path: Vec<Open> = Vec::new();
        let mut reply = 0;
        loop {
            let node = nodes.len();
            nodes.push(Node {
                cell: self.cell(shape, "a move")?,
                reply,
                first_child: None,
                next_sibling: None,
            });
            if let Some(parent) = path.last_mut() {
                match parent.last.replace(node) {
                    Some(sibling) => nodes[sibling].next_sibling = Some(node),
                    None => nodes[parent.node].first_child = Some(node),
                }
            }
            path.push(Open {
                node,
                left: self.byte("the number of replies")?,
                last: None,
                replies: CellSet::EMPTY,
            });
            // On to the next reply of the innermost node that has one left.
            while path.last().is_some_and(|open| open.left == 0) {
                path.pop();
            }
            if path.len() > shape.cells() {
                return Err(error(
                    self.at,
                    "strategies are nested deeper than the board",
                ));
            }
            let Some(open) = path.last_mut() else {
                return Ok(());
            };
            open.left -= 1;
            reply = self.cell(shape, "a reply")?;
            if open.replies.contains(reply) {
                let message = format!("the reply {} is given twice", shape.name(reply));
                return Err(error(self.at - 1, message));
            }
            open.replies.insert(reply);
        }
    }
}
