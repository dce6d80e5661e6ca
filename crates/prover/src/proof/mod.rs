//! The proof as a value, and its forms; `docs/proof-format.md` is the contract.

mod compact;
mod json;
mod text;

pub use compact::CompactError;
pub use text::ProofTextError;

use tengen_rules::{Cell, Setup, Side, Turn};

/// The version of the format that is written and read.
pub(crate) const VERSION: u32 = 1;

/// A claim that a side wins, with its strategy. Nothing is guaranteed before a checker accepted it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The rules and the position.
    pub position: Setup,
    /// Who is claimed to win.
    pub attacker: Side,
    /// Replies that are left open: the win is claimed against every reply that contains none of
    /// these sets. Only where the defender is to move; empty for a whole win.
    pub except: Vec<Vec<Cell>>,
    /// Two opposite corners of a rectangle, on the infinite board only: the win is claimed on every
    /// board that contains the rectangle and the stones of the position.
    pub region: Option<(Cell, Cell)>,
    /// Claimed relevance zones Z_1, Z_2, ...; may be empty.
    pub zones: Vec<Vec<Cell>>,
    /// The nodes; the first is the root, children come after their parents.
    pub nodes: Vec<ProofNode>,
}

impl Proof {
    /// The claim that the side to move wins by completing a line with this turn.
    pub fn of_one_turn(position: Setup, turn: &Turn) -> Self {
        Self {
            attacker: position.to_move,
            position,
            except: Vec::new(),
            region: None,
            zones: Vec::new(),
            nodes: vec![ProofNode {
                turn: turn.cells().to_vec(),
                replies: Vec::new(),
            }],
        }
    }
}

/// What the attacker does in one node, and which replies are answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofNode {
    /// The attacker's turn; empty only at a root where the defender moves.
    pub turn: Vec<Cell>,
    /// The replies with the nodes that answer them.
    pub replies: Vec<Reply>,
}

/// A reply of the defender and the node that answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The stones; fewer than a turn for null and semi-null turns, more for macro turns.
    pub stones: Vec<Cell>,
    /// The number of the node.
    pub child: u32,
}

/// What sort of reply it is.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ReplyKind {
    /// A whole turn.
    Full,
    /// Some stones of a turn.
    SemiNull,
    /// No stone.
    Null,
    /// More stones than a turn has: all alternatives at once.
    Macro,
}

impl Reply {
    /// What sort of reply it is where a turn has `per_turn` stones.
    pub fn kind(&self, per_turn: u8) -> ReplyKind {
        match self.stones.len() {
            0 => ReplyKind::Null,
            n if n < usize::from(per_turn) => ReplyKind::SemiNull,
            n if n == usize::from(per_turn) => ReplyKind::Full,
            _ => ReplyKind::Macro,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKED: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
        attacker black\nnodes 3\n0 D2 A2=1 E2=2\n1 E2\n2 A2\nend\n";
    const PARTIAL: &str = "tengen-proof 1\nrules inf,inf,4,1,1\n\
        position B:A1,B1 W:(-3,12) to-move:W\nattacker black\nexcept -\nexcept (-1,1)\n\
        region (-3,0),F6\nnodes 2\n0 - -=1\n1 C1\nend\n";

    fn read(text: &str) -> Result<Proof, ProofTextError> {
        text.parse()
    }

    #[test]
    fn every_form_holds_all_of_a_proof() {
        for text in [WORKED, PARTIAL] {
            let proof = read(text).expect("well formed");
            assert_eq!(proof.to_text(), text);
            let again = Proof::from_compact(&proof.to_compact()).expect("just written");
            assert_eq!(again, proof);
        }
        let partial = read(PARTIAL).expect("well formed");
        assert_eq!(partial.except, [vec![], vec![Cell::new(-2, 0)]]);
        assert_eq!(partial.region, Some((Cell::new(-4, -1), Cell::new(5, 5))));
        let json = partial.to_json();
        assert_eq!(json["except"], serde_json::json!([[], ["(-1,1)"]]));
        assert_eq!(json["region"], serde_json::json!(["(-3,0)", "F6"]));
        let json = read(WORKED).expect("well formed").to_json();
        assert_eq!(json["except"], serde_json::json!([]));
        assert!(json["region"].is_null());
    }

    #[test]
    fn the_first_compact_version_is_still_read() {
        let written = b"TENGENPF\x01\x28\xb5\x2f\xfd\x00\x60\x69\x01\x00\x096,6,4,1,1\x02\x02\x02\
            \x04\x02\x02\x02\x08\x04\x08\x01\x00\x01\x00\x03\x01\x06\x02\x02\x01\x00\x02\x01\x01\x08\
            \x02\x02\x01\x08\x02\x00\x01\x00\x02\x00";
        let proof = Proof::from_compact(written).expect("written by version 1");
        assert_eq!(proof.to_text(), WORKED);
        // As version 2 it is cut: nothing is assumed about what is not there.
        let mut cut = written.to_vec();
        cut[8] = 2;
        assert!(matches!(
            Proof::from_compact(&cut),
            Err(CompactError::Content(_))
        ));
    }

    #[test]
    fn lines_in_the_wrong_place_are_refused() {
        let message = |text: String| read(&text).expect_err("malformed").to_string();
        let place = |line: &str| PARTIAL.replace("nodes", &format!("{line}\nnodes"));
        assert!(message(place("except A2")).contains("in this order"));
        assert!(message(place("region A1,B2")).contains("in this order"));
        assert!(message(PARTIAL.replace("(-3,0),F6", "F6")).contains("two corners"));
        assert!(message(PARTIAL.replace("to-move:W", "to-move:B")).contains("attacker is to move"));
        assert!(message(WORKED.replace("nodes", "region A1,B2\nnodes")).contains("finite"));
    }
}
