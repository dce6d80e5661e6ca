//! `cargo run --release -p tengen-drawn --example search -- 8 1 12 translations 3 6`
#![expect(clippy::print_stdout, reason = "this is the program's output")]
use std::time::Instant;
use tengen_drawn::search::{Frame, NoGoods, Outcome, Request, Symmetry, search_frame};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| words[i].parse::<usize>().expect("a number");
    let request = Request {
        line: number(0),
        per_turn: number(1),
        cells: number(2) as i32,
        symmetry: match words[3].as_str() {
            "mirrored" => Symmetry::Mirrored,
            "bands" => Symmetry::Bands,
            "rotated" => Symmetry::Rotated,
            _ => Symmetry::Translations,
        },
        shortest: number(4),
        longest: number(5),
    };
    let mut nogoods = NoGoods::default();
    let start = Instant::now();
    for frame in Frame::all(&request) {
        let outcome = search_frame(&request, &frame, &mut nogoods, || false);
        let found = matches!(outcome, Outcome::Found(_));
        println!(
            "{} {:.1} s, {} no-goods: {}",
            frame.name(),
            start.elapsed().as_secs_f64(),
            nogoods.len(),
            match outcome {
                Outcome::Found(tiling) => format!(
                    "found {:?}\n{}",
                    tiling.lattice,
                    tiling
                        .tiles
                        .iter()
                        .map(|tile| format!("tile\n{}", tile.board))
                        .collect::<String>()
                ),
                other => format!("{other:?}"),
            }
        );
        if found {
            break;
        }
    }
}
