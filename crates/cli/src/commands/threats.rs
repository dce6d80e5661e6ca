//! `tengen threats`: everything that is forced, for people or as JSON for scripts.

use std::io::Write as _;

use crate::args::ThreatsArgs;
use crate::output::Output;
use crate::position_input;
use crate::threat_report::{self, Detail, SideReport, TurnsReport};
use crate::view::{played_turns, rules_in_words, state_in_words};

pub(crate) fn run(args: &ThreatsArgs, out: &mut Output) -> anyhow::Result<()> {
    let position = position_input::position(&args.position)?.position;
    let over = position.outcome().is_some();
    let sides = (!over).then(|| SideReport::both(&position));
    let turns = match args.turns {
        Some(at_least) if !over => Some(TurnsReport::new(&position, at_least)),
        _ => None,
    };
    if args.json {
        let json = threat_report::json(&position, sides.as_ref(), turns.as_ref());
        return Ok(writeln!(out, "{json:#}")?);
    }
    writeln!(out, "{}", rules_in_words(position.rules()))?;
    let played = played_turns(&position);
    writeln!(out, "{}", state_in_words(&position, &played))?;
    let detail = Detail {
        all: true,
        first: args.first,
    };
    for report in sides.iter().flatten() {
        write!(out, "\n{}", report.text(detail))?;
    }
    if let Some(turns) = turns {
        write!(out, "\n{}", turns.text(args.first))?;
    }
    Ok(())
}
