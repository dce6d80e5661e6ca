//! Values against brute force, limits, and every sort of game.

use std::collections::HashMap;

use tengen_rules::{Outcome, Position, Rules, Side, Turn, notation};

use super::field::{Cells, Field};
use super::plan::{Plan, Scene};
use super::search::{Search, Setup};
use super::tree::{Candidate, NodeId, ROOT, Sort, Tree, Value};
use super::*;
use crate::{Clock, EngineKind, Limits, Verdict};

fn position(rules: &str, text: &str) -> Position {
    let rules: Rules = rules.parse().expect("known rules");
    notation::parse_position(text, rules).expect("a legal position")
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn kinds() -> [Mcts; 3] {
    let options = Options::default();
    let kavalan = Mcts::new(&options);
    let first = Mcts {
        stages: Stages::TypeI,
        ..kavalan
    };
    [kavalan, first, Mcts::plain(&options)]
}

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
    use super::tree::Formula;
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

/// Who wins with best play; `None` is a draw.
fn minimax(position: &Position, known: &mut HashMap<u64, Option<Side>>) -> Option<Side> {
    match position.outcome() {
        Some(Outcome::Win { side, .. }) => return Some(*side),
        Some(Outcome::Draw) => return None,
        None => {}
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let side = position.to_move();
    let mut best = Some(!side);
    for cell in position.grid().cells() {
        let mut after = position.clone();
        if after.place(cell).is_err() {
            continue;
        }
        let value = minimax(&after, known);
        if value == Some(side) {
            best = value;
            break;
        }
        if value.is_none() {
            best = None;
        }
    }
    known.insert(position.key(), best);
    best
}

/// A position with so many empty cells, if no line was completed on the way.
fn random_position(rules: Rules, empty: u32, rng: &mut fastrand::Rng) -> Option<Position> {
    let mut position = Position::new(rules);
    let mut cells: Vec<_> = position.grid().cells().collect();
    rng.shuffle(&mut cells);
    for cell in cells {
        if position.empty_cells()? == empty {
            break;
        }
        position.place(cell).ok()?;
    }
    position.outcome().is_none().then_some(position)
}

/// Compares all decided nodes near the root; says how many there were.
fn compare(
    search: &Search<'_>,
    id: NodeId,
    position: &Position,
    depth: u32,
    known: &mut HashMap<u64, Option<Side>>,
) -> usize {
    let node = search.tree.get(id);
    let mut compared = 0;
    let value = match node.value {
        Value::Won(side) => Some(Some(side)),
        Value::Drawn => Some(None),
        Value::Unknown => None,
    };
    if let Some(value) = value {
        let truth = minimax(position, known);
        let text = notation::setup_text(&position.to_setup());
        assert_eq!(value, truth, "{} {text}", position.rules());
        compared = 1;
    }
    if depth == 0 {
        return compared;
    }
    for &child in &node.children {
        let mut after = position.clone();
        let turn = search.field.turn(&search.tree.get(child).turn);
        after.play(&turn).expect("only legal turns are in the tree");
        compared += compare(search, child, &after, depth - 1, known);
    }
    compared
}

#[test]
fn decided_nodes_agree_with_brute_force() {
    let games = [
        ("6,6,4,2,1", 8),
        ("5,4,4,2,1", 10),
        ("6,6,4,1,1", 10),
        ("5,5,4,1,1,exact", 10),
        ("5,5,5,2,1,exact", 8),
        ("5,5,5,2,1", 9),
        ("5,4,4,3,2", 9),
    ];
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut positions, mut compared, mut roots) = (0, 0, 0);
    for (rules, empty) in games {
        let rules: Rules = rules.parse().expect("known rules");
        let mut made = 0;
        while made < 36 {
            let Some(position) = random_position(rules, empty, &mut rng) else {
                continue;
            };
            made += 1;
            positions += 1;
            let engine = kinds()[made % 3];
            let setup = Setup {
                contest: made % 2 == 0,
                nodes: Some(3_000),
                seed: made as u64,
                ..engine.setup(Deadline::new(&Clock::default(), None))
            };
            let mut search = Search::new(&position, setup);
            while !search.is_over() {
                search.simulate();
            }
            roots += usize::from(search.tree.get(ROOT).is_decided());
            compared += compare(&search, ROOT, &position, 2, &mut HashMap::new());
        }
    }
    assert!(
        positions >= 200 && roots > positions / 2,
        "{roots} of {positions} decided"
    );
    assert!(compared > 1_000, "{compared} nodes compared");
}

#[test]
fn a_node_limit_and_a_seed_determine_the_answer() {
    let start = position("connect6", "J10 I8 H9 K11 L10");
    for mut engine in kinds() {
        let mut ask = || {
            let answer = engine
                .think(&start, &Task::new(nodes(2_000)))
                .expect("a turn");
            (answer.lines, answer.nodes)
        };
        let first = ask();
        assert_eq!(ask(), first);
        assert!(first.1 >= 2_000);
    }
}

#[test]
fn excluded_turns_are_not_played() {
    let start = position("connect6", "J10 I8 H9 K11 L10");
    for mut engine in kinds() {
        let mut exclude: Vec<Turn> = vec!["J9".parse().expect("a turn")];
        for _ in 0..4 {
            let task = Task {
                exclude: &exclude,
                lines: 3,
                ..Task::new(nodes(400))
            };
            let answer = engine.think(&start, &task).expect("turns are left");
            assert_eq!(answer.lines.len(), 3);
            for line in &answer.lines {
                assert!(!task.excludes(&line.turn), "{}", line.turn);
                assert_eq!(line.main_line.first(), Some(&line.turn));
            }
            exclude.push(answer.best().turn.clone());
        }
    }
}

#[test]
fn excluding_everything_or_almost() {
    let start = position("4,4,4,2,1", "B2 C2 C3");
    let cells: Vec<Turn> = start
        .grid()
        .cells()
        .map(|cell| [cell].into_iter().collect())
        .collect();
    let mut left = cells.clone();
    left.retain(|turn| !["A1", "D4"].contains(&turn.to_string().as_str()));
    for mut engine in kinds() {
        let mut ask = |exclude: &[Turn]| {
            let task = Task {
                exclude,
                ..Task::new(nodes(50))
            };
            engine
                .think(&start, &task)
                .map(|answer| answer.best().turn.to_string())
        };
        assert_eq!(ask(&cells), Err(ThinkError::AllExcluded));
        assert_eq!(ask(&left), Ok("A1 D4".to_owned()));
    }
}

#[test]
fn lines_are_completed_and_stopped_at_once() {
    // Four stones with room on both sides; the other side has nothing.
    let four = "B:J10,K10,L10,M10 W:J5,K7,N15 to-move:";
    for mut engine in kinds() {
        for limit in [1, 300] {
            let mut ask = |side: char| {
                let position = position("connect6", &format!("{four}{side}"));
                let answer = engine
                    .think(&position, &Task::new(nodes(limit)))
                    .expect("a turn");
                let mut after = position.clone();
                after.play(&answer.best().turn).expect("legal");
                (answer.best().verdict.clone(), after)
            };
            let (verdict, won) = ask('B');
            assert!(matches!(
                won.outcome(),
                Some(Outcome::Win {
                    side: Side::Black,
                    ..
                })
            ));
            if limit > 1 {
                assert!(matches!(verdict, Verdict::Win(_)), "{verdict}");
            }
            let (_, stopped) = ask('W');
            let board = tengen_threats::LineBoard::from_position(&stopped);
            assert!(!board.has_threat(Side::Black), "{limit} nodes");
        }
    }
}

#[test]
fn a_win_by_threats_comes_with_a_proof_and_a_loss_too() {
    let won = position(
        "9,9,5,1,1",
        "B:C5,D5,E5,F2,F3,F4 W:B5,F1,C8,E8,G7,H3 to-move:B",
    );
    let mut engine = Mcts::new(&Options::default());
    let answer = engine
        .think(&won, &Task::new(nodes(20_000)))
        .expect("a turn");
    let Verdict::Win(proof) = &answer.best().verdict else {
        panic!("{}", answer.best().verdict);
    };
    let checked = tengen_checker::check(&proof.to_text(), &Default::default());
    assert_eq!(checked.exit_code(), 0);
    // Three in a row, open at both ends, and another three: White cannot stop both.
    let lost = position("9,9,5,1,1", "B:C5,D5,E5,E6,E7 W:A1,A3,A9,I9 to-move:W");
    let answer = engine
        .think(&lost, &Task::new(nodes(50_000)))
        .expect("a turn");
    let Verdict::Loss(proof) = &answer.best().verdict else {
        panic!("{}", answer.best().verdict);
    };
    let checked = tengen_checker::check(&proof.to_text(), &Default::default());
    assert_eq!(checked.exit_code(), 0);
    assert!(answer.others_lose.is_some());
}

#[test]
fn little_memory_is_enough() {
    let options = Options {
        memory: 64 << 10,
        seed: 3,
    };
    let start = position("connect6", "J10 I8 H9 K11 L10");
    for mut engine in [Mcts::new(&options), Mcts::plain(&options)] {
        let answer = engine
            .think(&start, &Task::new(nodes(5_000)))
            .expect("a turn");
        start.clone().play(&answer.best().turn).expect("legal");
    }
}

#[test]
fn every_game_of_the_family_gets_a_legal_turn() {
    let games = [
        "connect6",
        "gomoku",
        "gomoku-standard",
        "tic-tac-toe",
        "2,1,2,1,1",
        "1,3,3,2,1",
        "4,4,3,2,1",
        "5,5,4,3,1",
        "6,7,6,5,2",
        "7,6,4,1,1",
        "19,19,6,2,3",
        "inf,inf,6,2,3",
        "inf,inf,5,1,1",
        "9,9,5,2,1,exact",
        "63,63,7,3,2",
        "63,2,9,4,1",
        "3,3,3,2,2",
    ];
    for rules in games {
        let rules: Rules = rules.parse().expect("known rules");
        for kind in [EngineKind::Mcts, EngineKind::MctsPlain] {
            let mut engine = kind.build(&Options::default());
            let mut game = Position::new(rules);
            for _ in 0..6 {
                if game.outcome().is_some() {
                    let over = engine.think(&game, &Task::new(nodes(30)));
                    assert_eq!(over, Err(ThinkError::Over));
                    break;
                }
                let answer = engine.think(&game, &Task::new(nodes(30))).expect("a turn");
                game.play(&answer.best().turn).expect("a legal turn");
            }
        }
    }
}

#[test]
fn the_rest_of_a_turn_is_played() {
    for (rules, text) in [
        ("connect6", "J10 I8"),
        ("connect6", "B:J10,K10,L10,M10 W:J5,K7,N15 to-move:W left:1"),
        ("connect6", "B:J10,K10,L10,M10 W:J5,K7,N15 to-move:B left:1"),
        ("9,9,6,3,1", "E5 D5"),
    ] {
        let start = position(rules, text);
        for mut engine in kinds() {
            let answer = engine
                .think(&start, &Task::new(nodes(200)))
                .expect("a turn");
            let turn = &answer.best().turn;
            assert_eq!(turn.len(), usize::from(start.left()), "{text}");
            start.clone().play(turn).expect("legal");
        }
    }
}

#[test]
fn threat_searches_find_what_they_can() {
    let won = position(
        "connect6",
        "B:J10,K10,L10,J11,J12,K13 W:A1,C1,E1,G1,A3,S19 to-move:B",
    );
    let found = depth_first(&won, 14, 600_000);
    assert_eq!(found.winner, Some(Side::Black));
    assert_eq!(breadth_first(&won, 600_000).winner, Some(Side::Black));
    let limits = SolveLimits {
        simulations: 1_000,
        time: None,
    };
    for engine in &kinds()[..2] {
        assert_eq!(engine.solve(&won, &limits).winner, Some(Side::Black));
    }
    let quiet = position("connect6", "J10 I8 H9");
    assert_eq!(depth_first(&quiet, 14, 10_000).winner, None);
    assert_eq!(breadth_first(&quiet, 10_000).winner, None);
}
