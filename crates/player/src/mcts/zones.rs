//! Relevance zones for the side to move: where must it play if its opponent wins after a pass?

use tengen_prover::{Limits, Request, Solver, Value};
use tengen_rules::{Position, Side};
use tengen_threats::Index;

use super::ctss::Ctss;
use super::field::{Cells, Field};
use super::variables::Variables;
use crate::Deadline;

/// Where zones come from, at one node.
pub(super) struct ZoneSource<'z> {
    /// The position of the node.
    pub(super) position: Position,
    pub(super) ctss: &'z mut dyn Searcher,
    pub(super) solver: &'z mut Solver,
    pub(super) nodes: &'z mut u64,
    pub(super) variables: Variables,
    pub(super) deadline: Deadline<'z>,
}

/// Threat-space search without its lifetime.
pub(super) trait Searcher {
    /// Whether it finds a win.
    fn wins(&mut self, field: &mut Field, side: Side, stones: u8, nodes: u64) -> bool;
}

impl Searcher for Ctss<'_> {
    fn wins(&mut self, field: &mut Field, side: Side, stones: u8, nodes: u64) -> bool {
        self.win(field, side, stones, nodes).is_some()
    }
}

impl ZoneSource<'_> {
    /// Z1 and Z2 of a win of the opponent after these stones of the side to move and a pass; `None` if
    /// there is no such win or it has no zones.
    pub(super) fn after(
        &mut self,
        field: &mut Field,
        mover: Side,
        prefix: &Cells,
    ) -> Option<[Vec<Index>; 2]> {
        let per_turn = field.board.rules().per_turn();
        field.play(mover, prefix);
        let nodes = self.variables.ctss_nodes;
        let threatened = self.ctss.wins(field, !mover, per_turn, nodes);
        field.undo(prefix.len());
        if !threatened {
            return None;
        }
        let mut position = self.position.clone();
        for &cell in prefix {
            position.place(field.board.cell(cell)).ok()?;
        }
        position.pass();
        if position.outcome().is_some() || position.to_move() == mover {
            return None;
        }
        let request = Request {
            limits: Limits {
                nodes: Some(self.variables.zone_nodes),
                time: self.deadline.remaining(),
            },
            stop: self.deadline.stop(),
            ..Request::new(!mover, 1)
        };
        let solution = self.solver.solve(&position, &request);
        *self.nodes += solution.nodes;
        let zones = match solution.value {
            Value::Win(_) => solution.zones?,
            Value::None | Value::Unknown => return None,
        };
        let free = |cell: &Index| field.is_free(*cell) && !prefix.contains(cell);
        let cells = |number: usize| zones.sets().get(number).map(|set| set.iter().filter(free));
        let first = cells(0)?.collect();
        let second = match cells(1) {
            Some(cells) => cells.collect(),
            // Beyond the last zone it is the whole board.
            None => field.free_cells().filter(free).collect(),
        };
        Some([first, second])
    }
}
