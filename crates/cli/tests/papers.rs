//! Help, completions, manual pages, version and the bench's last line.

mod common;

use common::Folder;

const COMMANDS: &[&str] = &[
    "serve",
    "show",
    "threats",
    "solve",
    "verify",
    "play",
    "analyze",
    "check",
    "proof",
    "puzzle",
    "book",
    "opening",
    "worker",
    "grid",
    "drawn",
    "gomoku",
    "engine",
    "match",
    "tournament",
    "convert",
    "reproduce",
    "perft",
    "bench",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::new("papers_help");
    let all = folder.run(&["--help"]).ok();
    for &command in COMMANDS {
        assert!(all.contains(&format!("\n  {command} ")), "{command}");
        let help = folder.run(&[command, "--help"]).ok();
        assert!(
            help.contains(&format!("\nExamples:\n  tengen {command}")) || help.contains("| tengen")
        );
    }
    for command in ["show", "export", "import"] {
        let help = folder.run(&["proof", command, "--help"]).ok();
        assert!(help.contains(&format!("\nExamples:\n  tengen proof {command}")));
    }
    assert!(all.contains("Exit status: 0 done"));
}

#[test]
fn completions_for_every_shell() {
    let folder = Folder::new("papers_completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&["completions", shell]).ok();
        assert!(script.contains("perft"), "{shell}");
    }
}

#[test]
fn manual_pages() {
    let folder = Folder::new("papers_man");
    assert!(folder.run(&["man"]).ok().contains(".TH tengen 1"));
    let listed = folder.run(&["man", "pages/man1"]).ok();
    assert_eq!(listed.lines().count(), COMMANDS.len() + 1);
    let page = folder.read("pages/man1/tengen-show.1");
    assert!(page.contains(".TH tengen-show 1") || page.contains(".TH tengen\\-show 1"));
    assert!(page.contains("Draw a position"));
}

#[test]
fn version() {
    let folder = Folder::new("papers_version");
    let version = format!("tengen {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(folder.run(&["--version"]).ok(), version);
}

#[test]
fn perft_prints_every_depth() {
    let folder = Folder::new("papers_perft");
    let text = folder.run(&["perft", "6", "--rules", "tic-tac-toe"]).ok();
    let counts: Vec<&str> = text
        .lines()
        .skip(4)
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(counts, ["9", "72", "504", "3,024", "15,120", "54,720"]);
}
