//! What the README shows is what the binary prints.

mod common;

use common::Folder;

const README: &str = include_str!("../../../README.md");

/// What differs from run to run, or from one version of the search to the next.
const UNITS: [&str; 6] = ["s", "nodes", "searches", "replays", "replies", "bytes"];

/// Leaves the numbers out that may differ.
fn timeless(text: &str) -> String {
    let mut words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    for i in 1..words.len() {
        let unit = words[i].trim_end_matches([',', ';', ':', '\n', ' ']);
        if UNITS.contains(&unit) {
            words[i - 1] = "_ ";
        }
    }
    words.concat()
}

/// Splits as a shell does, with single quotes.
fn words(call: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (i, part) in call.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

#[test]
fn the_tour_is_true() {
    let folder = Folder::new("readme");
    let mut compared = 0;
    for block in README.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block ends");
        for command in block.split("$ ").skip(1) {
            let (line, printed) = command.split_once('\n').unwrap_or((command, ""));
            // Times differ from run to run.
            if line.starts_with("tengen perft") || line.starts_with("tengen bench") {
                continue;
            }
            let (input, call) = match line.split_once(" | tengen ") {
                Some((echo, call)) => (
                    echo.trim_start_matches("echo ").replace('\'', "") + "\n",
                    call,
                ),
                None => (
                    String::new(),
                    line.strip_prefix("tengen ").expect("our command"),
                ),
            };
            let arguments = words(call);
            let run = folder.run_with(&arguments, input.as_bytes());
            let said = run.stdout + &run.stderr;
            assert_eq!(timeless(&said), timeless(printed), "{line}");
            compared += 1;
        }
    }
    assert_eq!(compared, 10);
    let picture = include_str!("../../../docs/pictures/board.svg");
    assert_eq!(folder.read("board.svg"), picture);
}
