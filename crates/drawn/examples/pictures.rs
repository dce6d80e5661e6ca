//! Writes the pictures of docs/pictures: `cargo run -p tengen-drawn --example pictures -- docs/pictures`.

use tengen_drawn::{known, picture};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for known in known::all() {
        let (line, per_turn) = (known.line, known.per_turn);
        let title = format!("Connect({line},{per_turn})");
        let size = line as i32 + 9;
        let board = picture::board_picture(&known.tiling.tiles[0].board, &title);
        let plane = known.tiling.into_plane().expect("a tiling");
        let tiling = picture::plane_picture(&plane, ((0, 0), (size, size)), &[], &[], &title);
        std::fs::write(format!("{folder}/draw-{line}-{per_turn}-board.svg"), board)?;
        std::fs::write(
            format!("{folder}/draw-{line}-{per_turn}-tiling.svg"),
            tiling,
        )?;
    }
    Ok(())
}
