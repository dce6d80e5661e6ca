//! Reading what was written gives the same records: trees, texts, marks, all rule sets.

use proptest::prelude::*;
use tengen_rules::notation::{
    Format, ReadOptions, moves_text, parse_moves, parse_setup, read, setup_text, write,
};
use tengen_rules::{
    Action, Cell, Extent, Info, Mark, NodeId, Placement, Position, Record, Rules, Setup, Side,
};

const RULES: [&str; 9] = [
    "connect6",
    "gomoku",
    "gomoku-standard",
    "tic-tac-toe",
    "7,4,4,2,1",
    "26,26,6,2,1",
    "63,30,6,2,1",
    "inf,inf,6,2,3",
    "inf,inf,5,1,1,exact",
];

fn rules(name: &str) -> Rules {
    name.parse().expect("known rules")
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(&RULES[..]).prop_map(rules)
}

fn any_cell(rules: Rules) -> BoxedStrategy<Cell> {
    match rules.extent() {
        Extent::Finite { width, height } => {
            let cell = |(x, y): (u8, u8)| Cell::new(x.into(), y.into());
            (0..width, 0..height).prop_map(cell).boxed()
        }
        Extent::Infinite => (-400..400_i16, -40..40_i16)
            .prop_map(|(x, y)| Cell::new(x, y))
            .boxed(),
    }
}

fn any_side() -> impl Strategy<Value = Side> {
    prop::sample::select(&Side::BOTH[..])
}

/// Text with what formats find hard. `\r` is left out: line breaks are read as `\n`.
fn any_text() -> impl Strategy<Value = String> {
    let hard = r"[\]\[\\:;()\n\t #a-zA-Z0-9é先Я🎲\u{a0}]{0,20}";
    prop_oneof![3 => Just(String::new()), 2 => hard, 1 => "[^\r\0\u{8}]{0,12}"]
}

/// Text that is a single line in SGF.
fn any_line() -> impl Strategy<Value = String> {
    any_text().prop_map(|text| text.replace('\n', " "))
}

fn any_mark() -> impl Strategy<Value = Mark> {
    prop::sample::select(vec![
        Mark::Cross,
        Mark::Circle,
        Mark::Square,
        Mark::Triangle,
    ])
}

fn any_action(rules: Rules) -> impl Strategy<Value = Action> {
    let place = (any_side(), any_cell(rules))
        .prop_map(|(side, cell)| Action::Place(Placement { side, cell }));
    prop_oneof![8 => place, 1 => any_side().prop_map(Action::Pass), 1 => Just(Action::Nothing)]
}

prop_compose! {
    fn any_setup(rules: Rules)(
        black in prop::collection::vec(any_cell(rules), 0..5),
        white in prop::collection::vec(any_cell(rules), 0..5),
        to_move in any_side(),
        left in prop::option::of(0..9_u8),
    ) -> Setup {
        Setup { rules, black, white, to_move, left }
    }
}

prop_compose! {
    fn any_info()(texts in prop::array::uniform8(any_line())) -> Info {
        let [name, black, white, result, date, place, event, source] = texts;
        Info { name, black, white, result, date, place, event, source }
    }
}

/// A node: its parent (as a fraction of the nodes before it), action and notes.
type AnyNode = (
    f64,
    Action,
    (String, String),
    Vec<(Cell, String)>,
    Vec<(Cell, Mark)>,
    Vec<(Cell, Cell)>,
);

fn any_node(rules: Rules) -> impl Strategy<Value = AnyNode> {
    (
        0.0..1.0,
        any_action(rules),
        (any_text(), any_line()),
        prop::collection::vec((any_cell(rules), any_line()), 0..3),
        prop::collection::vec((any_cell(rules), any_mark()), 0..3),
        prop::collection::vec((any_cell(rules), any_cell(rules)), 0..2),
    )
}

fn record_of(start: Setup, info: Info, nodes: Vec<AnyNode>) -> Record {
    let mut record = Record::new(start);
    record.info = info;
    for (index, (parent, action, (comment, name), labels, marks, arrows)) in
        nodes.into_iter().enumerate()
    {
        // The first entry gives the root its notes. Later ones often continue the line.
        let id = if index == 0 {
            Record::ROOT
        } else {
            let last = record.len() - 1;
            let parent = ((parent * 2.0 * record.len() as f64) as usize).min(last);
            record.add(NodeId(parent), action)
        };
        let node = record.node_mut(id);
        node.comment = comment;
        node.name = name;
        node.labels = labels.into_iter().collect();
        node.marks = marks.into_iter().collect();
        node.arrows = arrows;
    }
    record
}

fn any_record(rules: Rules) -> impl Strategy<Value = Record> {
    let nodes = prop::collection::vec(any_node(rules), 0..20);
    (any_setup(rules), any_info(), nodes)
        .prop_map(|(start, info, nodes)| record_of(start, info, nodes))
}

/// A record that a library can hold: sides alternate, stones may not be legal.
fn any_library() -> impl Strategy<Value = Record> {
    let nodes = prop::collection::vec(any_node(Rules::GOMOKU), 0..25);
    nodes.prop_map(|nodes| {
        let mut record = record_of(Setup::empty(Rules::GOMOKU), Info::default(), nodes);
        for index in 0..record.len() {
            let id = NodeId(index);
            let path = record.path(id);
            let moves = path[..path.len() - 1]
                .iter()
                .filter(|&&before| record.node(before).action != Action::Nothing)
                .count();
            let side = Side::BOTH[moves % 2];
            let node = record.node_mut(id);
            let own = match &mut node.action {
                Action::Place(stone) => {
                    stone.side = side;
                    Some(stone.cell)
                }
                Action::Pass(passing) => {
                    *passing = side;
                    None
                }
                Action::Nothing => None,
            };
            // What a library has no place for.
            node.name.clear();
            node.arrows.clear();
            let marked = own.filter(|cell| node.marks.contains_key(cell));
            node.marks = marked
                .map(|cell| (cell, Mark::Circle))
                .into_iter()
                .collect();
            node.labels.retain(|_, label| !label.is_empty());
        }
        record
    })
}

/// A legal game of up to `most` stones.
fn any_game(rules: Rules, most: usize) -> impl Strategy<Value = Vec<Cell>> {
    prop::collection::vec(any_cell(rules), 0..most).prop_map(move |cells| {
        let mut position = Position::new(rules);
        cells
            .into_iter()
            .filter(|&cell| position.place(cell).is_ok())
            .collect()
    })
}

fn again(format: Format, records: &[Record]) -> Vec<Record> {
    let bytes = write(format, records).unwrap_or_else(|error| panic!("{format}: {error}"));
    assert_eq!(
        Format::detect(&bytes),
        Some(format),
        "{}",
        bytes.escape_ascii()
    );
    read(format, &bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&bytes)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sgf(records in any_rules().prop_flat_map(|r| prop::collection::vec(any_record(r), 1..3))) {
        prop_assert_eq!(again(Format::Sgf, &records), records);
    }

    #[test]
    fn renlib(record in any_library()) {
        let records = [record];
        prop_assert_eq!(again(Format::Lib, &records), records);
    }

    #[test]
    fn moves(games in prop::collection::vec(
        any_rules().prop_flat_map(|r| any_game(r, 60).prop_map(move |g| (r, g))), 1..4)
    ) {
        let records: Vec<Record> =
            games.iter().map(|(rules, cells)| Record::from_moves(*rules, cells)).collect();
        prop_assert_eq!(again(Format::Moves, &records), records);
        for (rules, cells) in &games {
            let text = moves_text(cells);
            prop_assert_eq!(&parse_moves(&text, *rules).expect("reads"), cells);
            let glued = text.to_lowercase().replace(' ', "");
            prop_assert_eq!(&parse_moves(&glued, *rules).expect("reads"), cells);
        }
    }

    #[test]
    fn set_ups(setups in prop::collection::vec(any_rules().prop_flat_map(any_setup), 1..4)) {
        for setup in &setups {
            prop_assert_eq!(&parse_setup(&setup_text(setup), setup.rules).expect("reads"), setup);
        }
        let records: Vec<Record> = setups.into_iter().map(Record::new).collect();
        prop_assert_eq!(again(Format::Setup, &records), records);
    }

    #[test]
    fn ccgc(
        cells in any_game(Rules::CONNECT6, 60),
        names in prop::array::uniform3("[^\\]]{0,10}"),
        result in prop::sample::select(vec!["B+", "W+", "0", "", "Void"]),
    ) {
        let mut record = Record::from_moves(Rules::CONNECT6, &cells);
        let [black, white, event] =
            names.map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
        record.info = Info {
            black,
            white,
            result: result.to_owned(),
            date: "2019.08.01 10:00".to_owned(),
            place: "天津 B".to_owned(),
            event,
            ..Info::default()
        };
        let records = [record.clone(), record];
        prop_assert_eq!(again(Format::Ccgc, &records), records);
    }

    #[test]
    fn psq(
        record in prop::sample::select(vec!["gomoku", "7,9,5,1,1", "20,20,5,1,1", "5,63,5,1,1"])
            .prop_map(rules)
            .prop_flat_map(|r| any_game(r, 80).prop_map(move |g| Record::from_moves(r, &g))),
        names in prop::array::uniform2("[a-z][^\n\r]{0,10}"),
    ) {
        let mut record = record;
        let [black, white] = names.map(|name| name.trim().to_owned());
        record.info = Info { black, white, ..Info::default() };
        let records = [record];
        prop_assert_eq!(again(Format::Psq, &records), records);
    }

    #[test]
    fn littlegolem(cells in any_game(Rules::CONNECT6, 60), number in 0..1_000_000_u32) {
        let mut record = Record::from_moves(Rules::CONNECT6, &cells);
        record.info.source = format!("littlegolem {number}");
        let records = [record];
        prop_assert_eq!(
            read(Format::LittleGolem, &write(Format::LittleGolem, &records).expect("writes"),
                 &ReadOptions::default()).expect("reads"),
            records
        );
    }
}
