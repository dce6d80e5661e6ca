//! The wins that search has found: nodes of a growing forest, shared between parents.

use smallvec::SmallVec;
use tengen_rules::Setup;
use tengen_threats::{Index, LineBoard};

use crate::proof::{Proof, ProofNode, Reply};

/// A few cells.
pub(crate) type Cells = SmallVec<[Index; 4]>;

/// The number of a win in its forest.
pub(crate) type WinId = u32;

/// A position won for the attacker: what he plays, and what answers the replies. The meaning is
/// that of a node in `docs/proof-format.md`.
#[derive(Debug, Clone)]
pub(crate) struct Win {
    pub(crate) turn: Cells,
    pub(crate) replies: Vec<(Cells, WinId)>,
    /// Attacker's turns to the completed line, against the longest defence.
    pub(crate) depth: u16,
}

/// All wins found in one search.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    wins: Vec<Win>,
}

impl Forest {
    pub(crate) fn get(&self, id: WinId) -> &Win {
        &self.wins[id as usize]
    }

    /// A turn that completes a line.
    pub(crate) fn completes(&mut self, turn: Cells) -> WinId {
        self.push(Win {
            turn,
            replies: Vec::new(),
            depth: 1,
        })
    }

    /// A turn that makes more threats than one turn can answer.
    pub(crate) fn overwhelms(&mut self, turn: Cells) -> WinId {
        self.push(Win {
            turn,
            replies: Vec::new(),
            depth: 2,
        })
    }

    /// A turn all replies to which are answered.
    pub(crate) fn answers(&mut self, turn: Cells, replies: Vec<(Cells, WinId)>) -> WinId {
        // A reply that leaves a threat open is answered by completing a line: two turns in all.
        let longest = replies
            .iter()
            .map(|&(_, child)| self.get(child).depth)
            .max()
            .unwrap_or(1);
        self.push(Win {
            turn,
            replies,
            depth: longest + 1,
        })
    }

    fn push(&mut self, win: Win) -> WinId {
        self.wins.push(win);
        (self.wins.len() - 1) as WinId
    }

    /// Takes over a win of another forest.
    pub(crate) fn adopt(&mut self, other: &Self, root: WinId) -> WinId {
        let mut number = vec![None; root as usize + 1];
        for id in other.reachable(root) {
            let win = other.get(id);
            let replies = win.replies.iter();
            let adopted = Win {
                turn: win.turn.clone(),
                replies: replies
                    .map(|(stones, child)| {
                        let child = number[*child as usize].expect("children come first");
                        (stones.clone(), child)
                    })
                    .collect(),
                depth: win.depth,
            };
            number[id as usize] = Some(self.push(adopted));
        }
        number[root as usize].expect("the root reaches itself")
    }

    /// The wins that a strategy uses, children before their parents.
    fn reachable(&self, root: WinId) -> Vec<WinId> {
        let mut reachable = vec![false; root as usize + 1];
        reachable[root as usize] = true;
        for id in (0..=root).rev() {
            if reachable[id as usize] {
                for &(_, child) in &self.get(id).replies {
                    reachable[child as usize] = true;
                }
            }
        }
        (0..=root).filter(|&id| reachable[id as usize]).collect()
    }

    /// The strategy from one win on, as a proof without zones.
    pub(crate) fn proof(
        &self,
        root: WinId,
        board: &LineBoard,
        position: Setup,
        attacker: tengen_rules::Side,
    ) -> Proof {
        // Children have smaller ids than their parents here and larger ones in the proof: number
        // the reachable wins downwards.
        let mut order = self.reachable(root);
        order.reverse();
        let mut number = vec![0; root as usize + 1];
        for (place, &id) in order.iter().enumerate() {
            number[id as usize] = place as u32;
        }
        let cells = |cells: &Cells| cells.iter().map(|&cell| board.cell(cell)).collect();
        let node = |&id: &WinId| {
            let win = self.get(id);
            let reply = |(stones, child): &(Cells, WinId)| Reply {
                stones: cells(stones),
                child: number[*child as usize],
            };
            ProofNode {
                turn: cells(&win.turn),
                replies: win.replies.iter().map(reply).collect(),
            }
        };
        Proof {
            position,
            attacker,
            except: Vec::new(),
            region: None,
            zones: Vec::new(),
            nodes: order.iter().map(node).collect(),
        }
    }
}
