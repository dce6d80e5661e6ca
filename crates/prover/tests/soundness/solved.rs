//! The table of positions with known results in `suites/solved`.

use tengen_prover::{Request, Solver, Value};
use tengen_rules::Rules;
use tengen_rules::notation::parse_position;

use crate::support::{text, verified};

#[test]
fn the_table_is_right() {
    let table = include_str!("../../../../suites/solved/small.txt");
    let mut rules: Option<Rules> = None;
    let mut rows = 0;
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut words = line.splitn(2, ' ');
        let (first, rest) = (
            words.next().expect("a word"),
            words.next().expect("more words"),
        );
        if first == "rules" {
            rules = Some(rest.parse().expect("rules"));
            continue;
        }
        let fields: Vec<&str> = rest.splitn(3, ' ').collect();
        let order: u8 = fields[0].parse().expect("an order");
        let (depth, position) = match fields[1] {
            "win" => {
                let (depth, position) = fields[2].split_once(' ').expect("depth and position");
                (Some(depth.parse::<u16>().expect("a depth")), position)
            }
            "none" => (None, fields[2]),
            other => panic!("`{other}` is no result: {line}"),
        };
        let position = parse_position(position, rules.expect("rules come first")).expect(line);
        let request = Request {
            shortest: true,
            ..Request::new(position.to_move(), order)
        };
        let solution = Solver::new(14).solve(&position, &request);
        assert_eq!(solution.depth, depth, "{}", text(&position));
        match &solution.value {
            Value::Win(proof) => {
                verified(proof, &solution, &position);
            }
            value => assert_eq!(*value, Value::None, "{}", text(&position)),
        }
        rows += 1;
    }
    assert!(rows > 100, "only {rows} rows");
}
