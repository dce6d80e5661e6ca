//! The table of turns, at the end and while the engine thinks.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};

use tengen_player::{Answer, Line};
use terminal_size::{Width, terminal_size};

use crate::interrupt;
use crate::opinion::{continuation, score_in_words, verdict_in_table};
use crate::output::{Output, grouped};

const HEADINGS: [&str; 5] = ["#", "turn", "verdict", "score", "expected to follow"];

/// A width that every terminal has.
const USUAL_WIDTH: usize = 80;

/// One line of text for the headings and for each turn. `proved` says what the checker has found.
pub(crate) fn lines<'a>(turns: impl Iterator<Item = (&'a Line, Option<bool>)>) -> Vec<String> {
    let row = |(number, (line, proved)): (usize, (&Line, Option<bool>))| {
        [
            number.to_string(),
            line.turn.to_string(),
            verdict_in_table(&line.verdict, proved),
            score_in_words(line.score),
            continuation(line),
        ]
    };
    let rows: Vec<[String; 5]> = [HEADINGS.map(str::to_owned)]
        .into_iter()
        .chain((1..).zip(turns).map(row))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let [numbers, turns, verdicts, scores] = [0, 1, 2, 3].map(width);
    let text = |[number, turn, verdict, score, rest]: &[String; 5]| {
        let line = format!(
            "{number:>numbers$}  {turn:<turns$}  {verdict:<verdicts$}  {score:>scores$}  {rest}"
        );
        line.trim_end().to_owned()
    };
    rows.iter().map(text).collect()
}

/// The table on a terminal, drawn again and again in the same place.
pub(crate) struct LiveTable {
    drawn: usize,
}

impl LiveTable {
    /// `None` where nothing can be drawn twice.
    pub(crate) fn new(out: &Output) -> Option<Self> {
        let dumb = env::var("TERM").is_ok_and(|term| term == "dumb");
        (out.is_terminal() && !dumb).then_some(Self { drawn: 0 })
    }

    /// Replaces what was drawn before. Proofs are not checked before the end.
    pub(crate) fn draw(&mut self, answer: Option<&Answer>, state: &str, out: &mut Output) {
        // Ctrl-C has written below the table, and the end is near.
        if interrupt::is_stopped() {
            return;
        }
        let width = terminal_size().map_or(USUAL_WIDTH, |(Width(width), _)| width.into());
        let turns = answer.map(|answer| lines(answer.lines.iter().map(|line| (line, None))));
        let mut text = self.back();
        self.drawn = 0;
        for line in turns.into_iter().flatten().chain([state.to_owned()]) {
            // A line that wraps would take two, and the next table would begin too low.
            let line: String = line.chars().take(width.saturating_sub(1)).collect();
            text += &format!("{line}\x1b[K\n");
            self.drawn += 1;
        }
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// Leaves nothing of it.
    pub(crate) fn erase(&mut self, out: &mut Output) {
        let back = self.back();
        let _ = out.write_all(back.as_bytes()).and_then(|()| out.flush());
        self.drawn = 0;
    }

    /// To where the table begins, and nothing below.
    fn back(&self) -> String {
        let below = if interrupt::is_stopped() && io::stderr().is_terminal() {
            interrupt::MESSAGE_LINES
        } else {
            0
        };
        match self.drawn {
            0 => String::new(),
            lines => format!("\x1b[{}A\r\x1b[J", lines + below),
        }
    }
}

/// "12,345 nodes, 3.2 s, depth 6".
pub(crate) fn state(answer: Option<&Answer>, seconds: f64) -> String {
    match answer {
        None => format!("thinking, {seconds:.1} s"),
        Some(answer) => format!(
            "{} nodes, {seconds:.1} s, depth {}",
            grouped(answer.nodes),
            answer.depth
        ),
    }
}
