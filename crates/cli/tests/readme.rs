//! What the README shows is what the binary prints.

mod common;

use common::Folder;

const README: &str = include_str!("../../../README.md");

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
            let arguments: Vec<&str> = call.split(' ').collect();
            let run = folder.run_with(&arguments, input.as_bytes());
            assert_eq!(run.stdout + &run.stderr, printed, "{line}");
            compared += 1;
        }
    }
    assert_eq!(compared, 7);
    let picture = include_str!("../../../docs/pictures/board.svg");
    assert_eq!(folder.read("board.svg"), picture);
}
