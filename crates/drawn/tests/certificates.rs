//! What the solver finds is written down and checked by the checker, which shares no code with it; what
//! is changed is refused.

use tengen_checker::{DrawVerdict, Limits, check_draw};
use tengen_drawn::known::{self, Known};
use tengen_drawn::{Position, Solver, Strategy, certificate};

fn prove(known: &Known) -> (String, Solver) {
    let mut solver = Solver::new(known.per_turn);
    let strategies: Vec<Strategy> = known
        .tiling
        .tiles
        .iter()
        .map(|tile| {
            let drawn = solver.is_drawn(&Position::from_board(&tile.board));
            assert_eq!(drawn, Some(true));
            Strategy::find(&tile.board.sets(), known.per_turn, &mut solver).expect("drawn")
        })
        .collect();
    let text = certificate(known.line, known.per_turn, &known.tiling, &strategies);
    (text, solver)
}

fn verdict(text: &str) -> DrawVerdict {
    check_draw(text, &Limits::default())
}

#[test]
fn theorem_1_is_verified() {
    let known = known::theorem_1();
    let mut solver = Solver::new(2);
    let board = &known.tiling.tiles[0].board;
    assert_eq!(solver.is_drawn(&Position::from_board(board)), Some(true));
    assert!(solver.generated() <= 20_000, "{}", solver.generated());
    let (text, _) = prove(&known);
    assert!(text.len() < 20_000, "{}", text.len());
    let found = verdict(&text);
    assert_eq!(found.to_string(), "VERIFIED Connect(11,2) is drawn");
}

#[test]
fn sixteen_three_is_verified() {
    let (text, _) = prove(&known::sixteen_three());
    assert_eq!(verdict(&text).to_string(), "VERIFIED Connect(16,3) is drawn");
}
