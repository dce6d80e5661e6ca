//! The numbers in `suites/perft` against the binary, and against a brute force that shares no code
//! with it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Larger counts are left to the binary; their small neighbours vouch for them.
const BRUTE_FORCE_LIMIT: u64 = 150_000;

const SUITES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/perft");

/// A naive board: every question is answered by looking at all cells.
#[derive(Clone)]
struct Board {
    width: i32,
    height: i32,
    line: i32,
    per_turn: usize,
    exact: bool,
    cells: Vec<u8>,
    black: bool,
    left: usize,
}

impl Board {
    fn new(rules: &str) -> Self {
        let rules = match rules {
            "connect6" => "19,19,6,2,1",
            "gomoku" => "15,15,5,1,1",
            "gomoku-standard" => "15,15,5,1,1,exact",
            numbers => numbers,
        };
        let exact = rules.ends_with(",exact");
        let numbers: Vec<i32> = rules
            .trim_end_matches(",exact")
            .split(',')
            .map(|number| number.parse().expect("a number"))
            .collect();
        Self {
            width: numbers[0],
            height: numbers[1],
            line: numbers[2],
            per_turn: numbers[3] as usize,
            exact,
            cells: vec![b'.'; (numbers[0] * numbers[1]) as usize],
            black: true,
            left: numbers[4] as usize,
        }
    }

    fn stone(&self, x: i32, y: i32) -> u8 {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.cells[(y * self.width + x) as usize]
        } else {
            b'#'
        }
    }

    fn place(&mut self, cell: usize) {
        assert_eq!(self.cells[cell], b'.');
        self.cells[cell] = if self.black { b'X' } else { b'O' };
        self.left -= 1;
        if self.left == 0 {
            self.black = !self.black;
            self.left = self.per_turn;
        }
    }

    fn has_line(&self) -> bool {
        (0..self.width).any(|x| (0..self.height).any(|y| self.line_begins_at(x, y)))
    }

    fn line_begins_at(&self, x: i32, y: i32) -> bool {
        let stone = self.stone(x, y);
        stone != b'.'
            && [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(dx, dy)| {
                let run = (0..).take_while(|i| self.stone(x + i * dx, y + i * dy) == stone);
                let run = run.count() as i32;
                let begins = self.stone(x - dx, y - dy) != stone;
                begins && (run == self.line || run > self.line && !self.exact)
            })
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.has_line() {
            return 0;
        }
        // Every set of stones that some order of placing reaches.
        let mut ends = BTreeSet::new();
        let mut open = BTreeSet::from([Vec::new()]);
        while let Some(turn) = open.pop_first() {
            for cell in (0..self.cells.len()).filter(|&cell| self.cells[cell] == b'.') {
                if turn.contains(&cell) {
                    continue;
                }
                let mut longer = turn.clone();
                longer.push(cell);
                longer.sort_unstable();
                let after = self.after(&longer);
                let full = after.cells.iter().all(|&stone| stone != b'.');
                if after.has_line() || full || longer.len() == self.left {
                    ends.insert(longer);
                } else {
                    open.insert(longer);
                }
            }
        }
        if depth == 1 {
            return ends.len() as u64;
        }
        ends.iter()
            .map(|turn| self.after(turn).perft(depth - 1))
            .sum()
    }

    fn after(&self, turn: &[usize]) -> Self {
        let mut after = self.clone();
        turn.iter().for_each(|&cell| after.place(cell));
        after
    }
}

#[test]
fn brute_force_agrees_with_the_suites() {
    let mut checked = 0;
    for file in fs::read_dir(SUITES).expect("the suites are there") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let (mut rules, mut board) = ("", Board::new("3,3,3,1,1"));
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["rules", name] => (rules, board) = (name, Board::new(name)),
                ["position", ref stones @ ..] => {
                    board = Board::new(rules);
                    for stone in stones {
                        let (letter, row) = stone.split_at(1);
                        let x = i32::from(letter.as_bytes()[0] - b'A');
                        let y = row.parse::<i32>().expect("a row") - 1;
                        board.place((y * board.width + x) as usize);
                    }
                }
                ["perft", depth, count] => {
                    let (depth, count) = (depth.parse(), count.parse::<u64>().expect("a count"));
                    if count <= BRUTE_FORCE_LIMIT {
                        let found = board.perft(depth.expect("a depth"));
                        assert_eq!(found, count, "{}: {rules}: {line}", path.display());
                        checked += 1;
                    }
                }
                _ => assert!(words.is_empty() || words[0].starts_with('#'), "{line}"),
            }
        }
    }
    assert!(checked > 60, "only {checked} counts were checked");
}

#[test]
fn the_binary_agrees_with_the_suites() {
    let tengen = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["perft", "--suite", SUITES])
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&tengen.stdout);
    assert!(tengen.status.success(), "{text}");
    assert!(text.ends_with(" right, 0 wrong\n"), "{text}");
}

#[test]
fn a_wrong_number_is_found() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong.perft");
    fs::write(&path, "rules tic-tac-toe\nperft 1 9\nperft 2 71\n").expect("a temporary file");
    let tengen = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["perft", "--suite"])
        .arg(&path)
        .output()
        .expect("the binary runs");
    assert_eq!(tengen.status.code(), Some(1));
    let text = String::from_utf8_lossy(&tengen.stdout);
    assert!(text.contains("wrong.perft:3: tic-tac-toe perft 2 is 72, expected 71"));
    assert!(text.ends_with("perft suite: 1 right, 1 wrong\n"));
}
