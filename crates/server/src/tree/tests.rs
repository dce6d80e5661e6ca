//! Trees become files and files trees, and nothing is lost that the format can hold.

use proptest::prelude::*;
use tengen_rules::notation::{self, Format, ReadOptions};
use tengen_rules::{Action, Placement, Record, Rules, Setup, Side};

use super::*;
use crate::api::{Arrow, Mark, MarkKind};

fn tree(start: Setup) -> Tree {
    Tree {
        start,
        title: "A game".into(),
        info: GameInfo::default(),
        nodes: vec![Node::default()],
    }
}

fn add(tree: &mut Tree, parent: u32, turn: &str) -> u32 {
    let id = tree.nodes.len() as u32;
    let siblings = tree.nodes.iter().filter(|node| node.parent == Some(parent));
    tree.nodes.push(Node {
        id,
        parent: Some(parent),
        order: siblings.count() as f64,
        turn: turn.split_whitespace().map(str::to_owned).collect(),
        ..Node::default()
    });
    id
}

fn line(rules: Rules, turns: &[&str]) -> Tree {
    let mut tree = tree(Setup::empty(rules));
    let mut at = 0;
    for turn in turns {
        at = add(&mut tree, at, turn);
    }
    tree
}

/// Through a file and back.
fn again(tree: &Tree, format: Format) -> Tree {
    let record = tree.to_record().expect("legal cells");
    let bytes = notation::write(format, &[record]).expect("the format holds it");
    let options = ReadOptions {
        rules: Some(tree.start.rules),
        charset: None,
    };
    let records = notation::read(format, &bytes, &options).expect("we read what we write");
    assert_eq!(records.len(), 1);
    Tree::from_record(&records[0])
}

/// The turns, each with its parent's number, in preorder.
fn turns(tree: &Tree) -> Vec<(Option<u32>, String)> {
    let turn = |node: &Node| (node.parent, node.turn.join(" "));
    tree.nodes.iter().map(turn).collect()
}

#[test]
fn single_games_come_back_in_every_format() {
    let connect6 = line(Rules::CONNECT6, &["J10", "I8 H9", "K11 L10", "J7"]);
    for format in [
        Format::Moves,
        Format::LittleGolem,
        Format::Ccgc,
        Format::Sgf,
    ] {
        assert_eq!(
            turns(&again(&connect6, format)),
            turns(&connect6),
            "{format}"
        );
    }
    let gomoku = line(Rules::GOMOKU, &["H8", "I9", "G7"]);
    for format in [Format::Psq, Format::Lib, Format::Moves] {
        assert_eq!(turns(&again(&gomoku, format)), turns(&gomoku), "{format}");
    }
}

#[test]
fn a_set_up_comes_back() {
    let text = "B:J10,K11 W:I8 to-move:W left:1";
    let start = notation::parse_setup(text, Rules::CONNECT6).expect("a set-up");
    let mut whole = tree(start);
    assert_eq!(again(&whole, Format::Setup).start, whole.start);
    let first = add(&mut whole, 0, "H9");
    add(&mut whole, first, "A1 A2");
    let back = again(&whole, Format::Sgf);
    assert_eq!((&back.start, turns(&back)), (&whole.start, turns(&whole)));
}

#[test]
fn a_library_comes_back_with_variations_and_comments() {
    let mut library = line(Rules::GOMOKU, &["H8", "I9"]);
    library.nodes[1].comment = "the centre\nand more".into();
    add(&mut library, 1, "H9");
    library.nodes[3].marks.push(Mark {
        cell: "H9".into(),
        kind: MarkKind::Circle,
        text: String::new(),
    });
    let back = again(&library, Format::Lib);
    assert_eq!(back.nodes, library.nodes);
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let mut split = line(Rules::CONNECT6, &["J10", "I8 H9"]);
    add(&mut split, 1, "A1 A2");
    let record = split.to_record().expect("legal cells");
    let error = notation::write(Format::Moves, &[record]).expect_err("variations");
    assert!(error.to_string().contains("main line"), "{error}");
}

fn place(
    record: &mut Record,
    at: tengen_rules::NodeId,
    side: Side,
    cell: &str,
) -> tengen_rules::NodeId {
    let cell = cell.parse().expect("a cell");
    record.add(at, Action::Place(Placement { side, cell }))
}

#[test]
fn both_orders_of_a_turn_are_one_node() {
    let mut record = Record::new(Setup::empty(Rules::CONNECT6));
    let first = place(&mut record, Record::ROOT, Side::Black, "J10");
    let i8 = place(&mut record, first, Side::White, "I8");
    record.node_mut(i8).comment = "half".into();
    let one = place(&mut record, i8, Side::White, "H9");
    record.node_mut(one).comment = "one".into();
    let other = place(&mut record, i8, Side::White, "H7");
    record.node_mut(other).name = "other".into();
    let h9 = place(&mut record, first, Side::White, "H9");
    let two = place(&mut record, h9, Side::White, "I8");
    record.node_mut(two).comment = "two".into();
    place(&mut record, two, Side::Black, "A1");
    let tree = Tree::from_record(&record);
    let expected = [
        (None, ""),
        (Some(0), "J10"),
        (Some(1), "I8 H9"),
        (Some(2), "A1"),
        (Some(1), "I8 H7"),
    ];
    assert_eq!(
        turns(&tree),
        expected.map(|(parent, turn)| (parent, turn.to_owned()))
    );
    assert_eq!(tree.nodes[2].comment, "half\n\none\n\ntwo");
    assert_eq!(
        (&*tree.nodes[4].name, &*tree.nodes[4].comment),
        ("other", "")
    );
}

#[test]
fn passes_are_empty_turns() {
    let mut record = Record::new(Setup::empty(Rules::CONNECT6));
    let first = place(&mut record, Record::ROOT, Side::Black, "J10");
    let half = place(&mut record, first, Side::White, "I8");
    record.node_mut(half).comment = "half".into();
    let pass = record.add(half, Action::Pass(Side::White));
    record.node_mut(pass).comment = "pass".into();
    let black = place(&mut record, pass, Side::Black, "A1");
    let black = place(&mut record, black, Side::Black, "A2");
    // Black again: White has passed without saying so.
    let again = place(&mut record, black, Side::Black, "A3");
    place(&mut record, again, Side::Black, "A4");
    let tree = Tree::from_record(&record);
    let words: Vec<String> = tree.nodes.iter().map(|node| node.turn.join(" ")).collect();
    assert_eq!(words, ["", "J10", "I8", "", "A1 A2", "", "A3 A4"]);
    assert_eq!(
        (&*tree.nodes[2].comment, &*tree.nodes[3].comment),
        ("half", "pass")
    );
    assert!(tree.keys().iter().all(Option::is_some), "all can be played");
    let back = Tree::from_record(&tree.to_record().expect("legal cells"));
    assert_eq!(turns(&back), turns(&tree));
}

#[test]
fn what_cannot_be_played_is_kept_without_a_key() {
    let tree = line(Rules::CONNECT6, &["J10", "J10 A1", "B1 B2"]);
    let known: Vec<bool> = tree.keys().iter().map(Option::is_some).collect();
    assert_eq!(known, [true, true, false, false]);
    assert_eq!(turns(&again(&tree, Format::Sgf)), turns(&tree));
}

/// One node to be added, if the rules allow it: where, how many stones, which, and what is written on it.
type Wish = (prop::sample::Index, u8, [u8; 3], u8, String);

fn wish() -> impl Strategy<Value = Wish> {
    let text = prop::sample::select(vec![
        "",
        "a]b",
        "\\",
        ":",
        "[x]\n(;y)",
        "棋盤",
        "<b>&amp;</b>",
        "B:J10",
    ]);
    (
        any::<prop::sample::Index>(),
        0..4_u8,
        any::<[u8; 3]>(),
        0..16_u8,
        text.prop_map(str::to_owned),
    )
}

/// A legal tree on a small board, where lines are decided soon.
fn grown(wishes: &[Wish]) -> Tree {
    let rules: Rules = "6,5,4,2,1".parse().expect("rules");
    let mut grown = tree(Setup::empty(rules));
    for (parent, stones, places, kind, text) in wishes {
        let parent = parent.index(grown.nodes.len()) as u32;
        let name = |place: u8| format!("{}{}", char::from(b'A' + place % 6), place / 6 % 5 + 1);
        let cells: Vec<String> = places
            .iter()
            .take(usize::from(*stones))
            .map(|&place| name(place))
            .collect();
        let set = |turn: &[String]| {
            turn.iter()
                .cloned()
                .collect::<std::collections::BTreeSet<_>>()
        };
        let twin = |node: &Node| node.parent == Some(parent) && set(&node.turn) == set(&cells);
        if grown.nodes.iter().any(twin) {
            continue;
        }
        let id = add(&mut grown, parent, &cells.join(" "));
        let node = &mut grown.nodes[id as usize];
        if kind & 1 != 0 {
            node.comment.clone_from(text);
        }
        if kind & 2 != 0 {
            node.name = text.replace('\n', " ");
        }
        if kind & 4 != 0 {
            let (kind, text) = (MarkKind::Label, text.replace('\n', " "));
            node.marks.push(Mark {
                cell: name(places[0]),
                kind,
                text,
            });
        }
        if kind & 8 != 0 {
            let (from, to) = (name(places[1]), name(places[2]));
            node.marks.insert(
                0,
                Mark {
                    cell: from.clone(),
                    kind: MarkKind::Triangle,
                    text: String::new(),
                },
            );
            node.arrows.push(Arrow { from, to });
        }
        if preorder(&grown).keys().iter().any(Option::is_none) {
            grown.nodes.pop();
        }
    }
    preorder(&grown)
}

/// The same tree with its nodes in the order that documents have.
fn preorder(tree: &Tree) -> Tree {
    let mut sorted: Vec<Node> = Vec::new();
    let mut pending = vec![(0, None)];
    while let Some((old, parent)) = pending.pop() {
        let id = sorted.len() as u32;
        sorted.push(Node {
            id,
            parent,
            ..tree.nodes[old as usize].clone()
        });
        let children = tree
            .nodes
            .iter()
            .filter(|node| node.parent == Some(old) && node.id != 0);
        let children: Vec<u32> = children.map(|node| node.id).collect();
        pending.extend(children.into_iter().rev().map(|child| (child, Some(id))));
    }
    Tree {
        nodes: sorted,
        ..tree.clone()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_tree_survives_sgf(wishes in prop::collection::vec(wish(), 0..40)) {
        let tree = grown(&wishes);
        prop_assert_eq!(again(&tree, Format::Sgf), tree);
    }
}
