//! The compact form: postcard inside a zstd frame.

use serde::{Deserialize, Serialize};
use tengen_rules::{Cell, Rules, Setup, Side};

use super::{Proof, ProofNode, Reply};

const MAGIC: &[u8; 8] = b"TENGENPF";

/// The version that is written; version 1 ends before the [`Additions`].
const VERSION: u8 = 2;

/// Decoding stops here, so that a small hostile file cannot fill the memory.
const MOST_BYTES: u64 = 1 << 30;

/// Why bytes are not a proof in compact form.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    /// They do not begin as one.
    #[error("not a compact proof: it does not begin with TENGENPF")]
    NotAProof,
    /// Another version.
    #[error("version {0} of the format, expected 1 to {VERSION}")]
    Version(u8),
    /// The compressed data are damaged.
    #[error("the compressed data are damaged or cut: {0}")]
    Compression(#[from] std::io::Error),
    /// The content is damaged.
    #[error("the content is damaged: {0}")]
    Content(#[from] postcard::Error),
    /// The rules are none.
    #[error("{0}")]
    Rules(#[from] tengen_rules::ParseRulesError),
    /// A node names a child that does not come after it.
    #[error("node {node} names child {child}, expected a later one")]
    Child {
        /// The node.
        node: usize,
        /// The child it names.
        child: u32,
    },
}

/// A cell as two small numbers; postcard makes each a byte or two.
type Spot = (i16, i16);

/// One reply: its stones and the child.
type Answer = (Vec<Spot>, u32);

#[derive(Serialize, Deserialize)]
struct Stored {
    rules: String,
    black: Vec<Spot>,
    white: Vec<Spot>,
    black_to_move: bool,
    left: Option<u8>,
    black_attacks: bool,
    zones: Vec<Vec<Spot>>,
    nodes: Vec<(Vec<Spot>, Vec<Answer>)>,
}

/// What follows in version 2.
#[derive(Default, Serialize, Deserialize)]
struct Additions {
    except: Vec<Vec<Spot>>,
    region: Option<(Spot, Spot)>,
}

fn spot(cell: Cell) -> Spot {
    (cell.x, cell.y)
}

fn cell((x, y): Spot) -> Cell {
    Cell::new(x, y)
}

fn spots(cells: &[Cell]) -> Vec<Spot> {
    cells.iter().copied().map(spot).collect()
}

fn cells(spots: Vec<Spot>) -> Vec<Cell> {
    spots.into_iter().map(cell).collect()
}

fn side(black: bool) -> Side {
    if black { Side::Black } else { Side::White }
}

impl Proof {
    /// The proof in compact form.
    pub fn to_compact(&self) -> Vec<u8> {
        let answer = |reply: &Reply| (spots(&reply.stones), reply.child);
        let stored = Stored {
            rules: self.position.rules.to_string(),
            black: spots(&self.position.black),
            white: spots(&self.position.white),
            black_to_move: self.position.to_move == Side::Black,
            left: self.position.left,
            black_attacks: self.attacker == Side::Black,
            zones: self.zones.iter().map(|zone| spots(zone)).collect(),
            nodes: self
                .nodes
                .iter()
                .map(|n| (spots(&n.turn), n.replies.iter().map(answer).collect()))
                .collect(),
        };
        let additions = Additions {
            except: self.except.iter().map(|stones| spots(stones)).collect(),
            region: self.region.map(|(one, other)| (spot(one), spot(other))),
        };
        let plain = postcard::to_allocvec(&(stored, additions)).expect("plain data can be encoded");
        let packed = zstd::encode_all(&plain[..], 9).expect("compressing in memory cannot fail");
        [&MAGIC[..], &[VERSION], &packed].concat()
    }

    /// Whether bytes look like the compact form.
    pub fn is_compact(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads the compact form.
    pub fn from_compact(bytes: &[u8]) -> Result<Self, CompactError> {
        Self::from_compact_within(bytes, MOST_BYTES)
    }

    /// The same for files of strangers: at most so many bytes are unpacked, and a proof with more is refused as
    /// damaged. In memory it takes up to some twenty times as much.
    pub fn from_compact_within(bytes: &[u8], most: u64) -> Result<Self, CompactError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CompactError::NotAProof)?;
        let (&version, packed) = rest.split_first().ok_or(CompactError::NotAProof)?;
        if !(1..=VERSION).contains(&version) {
            return Err(CompactError::Version(version));
        }
        let mut plain = Vec::new();
        let decoder = zstd::Decoder::new(packed)?;
        std::io::Read::read_to_end(&mut std::io::Read::take(decoder, most), &mut plain)?;
        let (stored, rest): (Stored, _) = postcard::take_from_bytes(&plain)?;
        let additions: Additions = match version {
            1 => Additions::default(),
            _ => postcard::from_bytes(rest)?,
        };
        let rules: Rules = stored.rules.parse()?;
        let reply = |(stones, child)| Reply {
            stones: cells(stones),
            child,
        };
        let node = |(turn, replies): (Vec<Spot>, Vec<Answer>)| ProofNode {
            turn: cells(turn),
            replies: replies.into_iter().map(reply).collect(),
        };
        let proof = Self {
            position: Setup {
                rules,
                black: cells(stored.black),
                white: cells(stored.white),
                to_move: side(stored.black_to_move),
                left: stored.left,
            },
            attacker: side(stored.black_attacks),
            except: additions.except.into_iter().map(cells).collect(),
            region: additions
                .region
                .map(|(one, other)| (cell(one), cell(other))),
            zones: stored.zones.into_iter().map(cells).collect(),
            nodes: stored.nodes.into_iter().map(node).collect(),
        };
        for (node, content) in proof.nodes.iter().enumerate() {
            let children = content.replies.iter().map(|reply| reply.child);
            if let Some(child) = children
                .into_iter()
                .find(|&c| c as usize <= node || c as usize >= proof.nodes.len())
            {
                return Err(CompactError::Child { node, child });
            }
        }
        Ok(proof)
    }
}
