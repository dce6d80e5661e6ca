//! What follows from what, on trees made by hand.

use tengen_rules::Side;

use super::position;
use crate::mcts::field::{Cells, Field};
use crate::mcts::plan::{Plan, Scene};
use crate::mcts::tree::{Candidate, Formula, NodeId, ROOT, Sort, Tree, Value};

/// A tree without a board: `add` makes a child whose list of turns is as complete as told.
struct Drawn {
    tree: Tree,
}

impl Drawn {
    fn new() -> Self {
        let mut drawn = Self {
            tree: Tree::new(Side::Black, usize::MAX),
        };
        drawn.open(ROOT);
        drawn
    }

    /// Gives a node a list without any turn left.
    fn open(&mut self, id: NodeId) {
        let mut field = Field::new(&position("connect6", "J10"));
        let scene = Scene {
            field: &mut field,
            mover: Side::Black,
            stones: 2,
            batch: 20,
            zones: None,
            excluded: &|_, _| false,
        };
        let plan = Plan::new(Vec::new(), Vec::new(), Some(Vec::new()), &scene);
        self.tree.get_mut(id).plan = Some(Box::new(plan));
    }

    fn add(&mut self, parent: NodeId, first: bool) -> NodeId {
        let id = self.tree.add(
            parent,
            Candidate {
                turn: Cells::new(),
                sort: Sort::Quiet,
                first,
                hv: 0.0,
            },
        );
        self.open(id);
        id
    }

    fn decide(&mut self, id: NodeId, value: Value) {
        self.tree.get_mut(id).value = value;
    }

    fn value(&mut self, id: NodeId) -> Value {
        self.tree.update(id);
        self.tree.get(id).value
    }
}

#[test]
fn values_rise_through_the_tree() {
    use Side::{Black, White};
    let mut drawn = Drawn::new();
    let (a, b) = (drawn.add(ROOT, true), drawn.add(ROOT, true));
    let (a1, a2) = (drawn.add(a, false), drawn.add(a, false));
    drawn.decide(a1, Value::Won(Black));
    assert_eq!(drawn.value(a), Value::Unknown, "one reply is open");
    drawn.decide(a2, Value::Drawn);
    assert_eq!(drawn.value(a), Value::Drawn);
    let b1 = drawn.add(b, false);
    drawn.decide(b1, Value::Won(White));
    assert_eq!(drawn.value(b), Value::Won(White), "one reply is enough");
    assert_eq!(drawn.value(ROOT), Value::Drawn);
    // With all replies won, the turn wins; but not as long as turns are left to try.
    let mut drawn = Drawn::new();
    let a = drawn.add(ROOT, true);
    let a1 = drawn.add(a, false);
    drawn.decide(a1, Value::Won(Black));
    let plan = drawn.tree.get_mut(a).plan.take();
    assert_eq!(drawn.value(a), Value::Unknown);
    drawn.tree.get_mut(a).plan = plan;
    assert_eq!(drawn.value(a), Value::Won(Black));
    assert_eq!(drawn.value(ROOT), Value::Won(Black));
}

#[test]
fn first_stages_fail_when_every_threat_is_answered() {
    let mut drawn = Drawn::new();
    let (a, b) = (drawn.add(ROOT, true), drawn.add(ROOT, true));
    let quiet = drawn.add(ROOT, false);
    let a1 = drawn.add(a, false);
    let b1 = drawn.add(b, false);
    drawn.tree.get_mut(a1).own_fail = true;
    drawn.tree.update(a);
    drawn.tree.update(ROOT);
    assert!(drawn.tree.get(a).answered && !drawn.tree.get(ROOT).own_fail);
    drawn.decide(b1, Value::Won(Side::White));
    drawn.tree.update(b);
    drawn.tree.update(ROOT);
    assert!(drawn.tree.get(ROOT).own_fail, "quiet turns do not count");
    assert!(!drawn.tree.get(quiet).is_decided());
}

#[test]
fn formulas_prefer_what_the_paper_says() {
    let mut drawn = Drawn::new();
    let (a, b) = (drawn.add(ROOT, true), drawn.add(ROOT, true));
    drawn.tree.get_mut(ROOT).visits = 30;
    for (id, visits, pv) in [(a, 20, 18.0), (b, 10, -2.0)] {
        let node = drawn.tree.get_mut(id);
        (node.visits, node.pv) = (visits, pv);
    }
    let pick = |drawn: &Drawn, formula| drawn.tree.select(ROOT, formula, |_| true);
    assert_eq!(pick(&drawn, Formula::Uct(1.2)), Some(a));
    assert_eq!(
        pick(&drawn, Formula::Even),
        Some(b),
        "30/10 - 0.2 > 30/20 + 0.9"
    );
    drawn.tree.get_mut(b).hv = 2.0;
    assert_eq!(
        pick(&drawn, Formula::Uct(1.2)),
        Some(b),
        "by its heuristic value"
    );
    drawn.decide(b, Value::Drawn);
    assert_eq!(
        pick(&drawn, Formula::Even),
        Some(a),
        "what is decided is not searched"
    );
}
