//! The atlas as a picture: one small board for each class, coloured by who wins.

use std::fmt::Write as _;

use tengen_book::names;
use tengen_rules::{Cell, Side};

use super::Entry;
use super::classes::Region;

/// The distance between two lines of a small board.
const STEP: i32 = 16;
/// Around a small board.
const EDGE: i32 = 18;
/// Below it, for two lines of text.
const CAPTION: i32 = 40;
const COLUMNS: i32 = 8;

/// Colours for day and night.
const STYLE: &str = "\
<style>
.bg{fill:#faf8f3}.text{fill:#1c1f25}.quiet{fill:#5b6170}.line{stroke:#9a937f}
.open{fill:#efe9da;stroke:#9a937f}.won{fill:#cfe9dc;stroke:#0b6b55}.lost{fill:#f6d5dc;stroke:#a3123f}
.b{fill:#101114;stroke:#101114}.w{fill:#fff;stroke:#6d6759}.t{fill:none;stroke:#0b6b55;stroke-width:2}
@media (prefers-color-scheme:dark){.bg{fill:#15171c}.text{fill:#eceef2}.quiet{fill:#a9afbd}.line{stroke:#6b6f7a}
.open{fill:#2a2d35;stroke:#6b6f7a}.won{fill:#12453a;stroke:#5fcbaa}.lost{fill:#57182c;stroke:#f08ba6}.b{stroke:#8f95a3}.t{stroke:#5fcbaa}}
</style>";

pub(super) fn draw(entries: &[Entry], region: Region) -> String {
    let (columns, rows) = (region.high.x - region.low.x, region.high.y - region.low.y);
    let tile = (
        (i32::from(columns) * STEP + 2 * EDGE).max(118),
        i32::from(rows) * STEP + 2 * EDGE + CAPTION,
    );
    let lines = (entries.len() as i32 + COLUMNS - 1) / COLUMNS;
    let (width, height) = (COLUMNS * tile.0 + 20, lines * tile.1 + 70);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">\n<title>Atlas of openings: who \
         wins after White's second turn</title>\n{STYLE}\n<rect class=\"bg\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>\n"
    );
    legend(&mut svg, entries);
    for (index, entry) in entries.iter().enumerate() {
        let at = (index as i32 % COLUMNS, index as i32 / COLUMNS);
        let origin = (10 + at.0 * tile.0, 60 + at.1 * tile.1);
        board(&mut svg, entry, region, origin, tile);
    }
    svg += "</svg>\n";
    svg
}

fn put(svg: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(svg, "{line}");
}

fn legend(svg: &mut String, entries: &[Entry]) {
    let won = |side| {
        entries
            .iter()
            .filter(|entry| entry.winner == Some(side))
            .count()
    };
    let (black, white) = (won(Side::Black), won(Side::White));
    let items = [
        ("won", format!("proved for Black: {black}")),
        ("lost", format!("proved for White: {white}")),
        (
            "open",
            format!(
                "open: {}, proof/disproof numbers",
                entries.len() - black - white
            ),
        ),
    ];
    let mut x = 20;
    for (class, words) in items {
        put(
            svg,
            format_args!(r#"<rect class="{class}" x="{x}" y="20" width="20" height="20" rx="4"/>"#),
        );
        put(
            svg,
            format_args!(
                r#"<text class="text" x="{}" y="35" font-size="14">{words}</text>"#,
                x + 28
            ),
        );
        x += 60 + words.len() as i32 * 8;
    }
    put(
        svg,
        format_args!(r#"<circle class="t" cx="{}" cy="30" r="6"/>"#, x + 6),
    );
    put(
        svg,
        format_args!(
            r#"<text class="text" x="{}" y="35" font-size="14">Black's winning turn</text>"#,
            x + 20
        ),
    );
}

fn board(svg: &mut String, entry: &Entry, region: Region, origin: (i32, i32), tile: (i32, i32)) {
    let class = match entry.winner {
        Some(Side::Black) => "won",
        Some(Side::White) => "lost",
        None => "open",
    };
    put(
        svg,
        format_args!(
            r#"<g transform="translate({} {})"><rect class="{class}" x="3" y="3" width="{}" height="{}" rx="8"/>"#,
            origin.0,
            origin.1,
            tile.0 - 6,
            tile.1 - 6
        ),
    );
    let span = i32::from(region.high.x - region.low.x) * STEP;
    let left = (tile.0 - span) / 2;
    let place = |cell: Cell| {
        (
            left + i32::from(cell.x - region.low.x) * STEP,
            EDGE + i32::from(region.high.y - cell.y) * STEP,
        )
    };
    let (a, b) = (place(region.low), place(region.high));
    let mut path = String::new();
    for x in region.low.x..=region.high.x {
        let _ = write!(
            path,
            "M{} {}V{}",
            place(Cell::new(x, region.low.y)).0,
            b.1,
            a.1
        );
    }
    for y in region.low.y..=region.high.y {
        let _ = write!(
            path,
            "M{} {}H{}",
            a.0,
            place(Cell::new(region.low.x, y)).1,
            b.0
        );
    }
    put(
        svg,
        format_args!(r#"<path class="line" d="{path}" fill="none"/>"#),
    );
    let mut dot = |class: &str, cell: Cell, radius: i32| {
        let inside = (region.low.x..=region.high.x).contains(&cell.x)
            && (region.low.y..=region.high.y).contains(&cell.y);
        if inside {
            let (x, y) = place(cell);
            put(
                svg,
                format_args!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#),
            );
        }
    };
    dot("b", names::CENTRE, 6);
    for cell in entry.class.white {
        dot("w", cell, 6);
    }
    for cell in entry.turn.iter().flat_map(|turn| turn.cells().to_vec()) {
        dot("t", cell, 5);
    }
    let (middle, base) = (tile.0 / 2, tile.1 - CAPTION + 8);
    put(
        svg,
        format_args!(
            r#"<text class="text" x="{middle}" y="{base}" font-size="13" font-weight="600" text-anchor="middle">{}</text>"#,
            entry.class.name
        ),
    );
    put(
        svg,
        format_args!(
            r#"<text class="quiet" x="{middle}" y="{}" font-size="11" text-anchor="middle">{}</text></g>"#,
            base + 16,
            entry.verdict()
        ),
    );
}
