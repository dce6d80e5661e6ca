//! `tengen show`: the board in the terminal, or as a picture.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

use tengen_rules::{Position, Side};

use crate::args::ShowArgs;
use crate::board_svg::{self, SvgWindow};
use crate::board_text::{self, CellMark, TextStyle};
use crate::output::{Output, write_file};
use crate::position_input::{self, Loaded, is_stdin};
use crate::threat_report::{self, Detail, SideReport};
use crate::view::{cut_in_words, played_turns, rules_in_words, state_in_words, turn_in_words};

/// Lists under the board stay short; `tengen threats` prints the rest.
const DETAIL: Detail = Detail {
    all: false,
    first: 12,
};

pub(crate) fn run(args: &ShowArgs, out: &mut Output) -> anyhow::Result<()> {
    let loaded = position_input::position(&args.position)?;
    let position = &loaded.position;
    // Threats of a game that is over mean nothing.
    let sides = (args.threats && position.outcome().is_none()).then(|| SideReport::both(position));
    if let Some(path) = &args.svg {
        return write_svg(path, position, sides.as_ref(), out);
    }
    let style = out.text_style(args.ascii);
    draw(&loaded, sides.as_ref(), style, out)?;
    Ok(())
}

fn draw(
    loaded: &Loaded,
    sides: Option<&[SideReport; 2]>,
    style: TextStyle,
    out: &mut Output,
) -> io::Result<()> {
    let position = &loaded.position;
    let turns = played_turns(position);
    let marks = sides.map_or_else(BTreeMap::new, threat_report::marks);
    writeln!(out, "{}", rules_in_words(position.rules()))?;
    if let Some((number, all)) = loaded.game {
        writeln!(out, "Game {number} of {all}; choose another with --game N")?;
    }
    let board = board_text::draw(position, turns.last(), &marks, style);
    writeln!(out, "\n{board}")?;
    writeln!(out, "{}", style.legend())?;
    writeln!(out, "{}", state_in_words(position, &turns))?;
    if let Some(turn) = turns.last() {
        let marked = if turn.cells.is_empty() {
            ""
        } else {
            ", marked ( )"
        };
        writeln!(out, "Last turn: {}{marked}", turn_in_words(turn))?;
    }
    if let Some(note) = cut_in_words(position) {
        writeln!(out, "{note}")?;
    }
    if let Some(sides) = sides {
        writeln!(out)?;
        for report in sides {
            write!(out, "{}", report.text(DETAIL))?;
        }
        let meanings = [
            (CellMark::Threat(Side::Black), "Black's"),
            (CellMark::Threat(Side::White), "White's"),
            (CellMark::BothThreats, "both"),
        ];
        let used: Vec<String> = meanings
            .into_iter()
            .filter(|(mark, _)| marks.values().any(|other| other == mark))
            .map(|(mark, whose)| format!("{} {whose}", style.mark(mark)))
            .collect();
        if !used.is_empty() {
            writeln!(out, "Open cells of threats: {}", used.join(", "))?;
        }
    }
    Ok(())
}

fn write_svg(
    path: &Path,
    position: &Position,
    sides: Option<&[SideReport; 2]>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let windows: Vec<SvgWindow> = sides
        .into_iter()
        .flatten()
        .zip(Side::BOTH)
        .flat_map(|(report, side)| {
            report.windows.iter().map(move |window| SvgWindow {
                side,
                cells: window.cells.clone(),
                empty: window.empty.clone(),
            })
        })
        .collect();
    let svg = board_svg::draw(position, &windows);
    if is_stdin(path) {
        return Ok(out.write_all(svg.as_bytes())?);
    }
    write_file(path, svg.as_bytes())
}
