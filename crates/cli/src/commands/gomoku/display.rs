//! How far a search is, on the terminal: a board with White's second moves, and lines below it.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use tengen_prover::pn::{News, Solver, Stage, Work};
use tengen_rules::{Position, Side};
use terminal_size::{Height, Width, terminal_size_of};

use super::cell_of;
use super::summary::{memory, processor_time};
use crate::interrupt;
use crate::output::grouped;
use crate::view::{column_label, row_label};

type Xy = (usize, usize);

/// Where a search is.
#[derive(Debug, Copy, Clone)]
struct At {
    stage: Stage,
    /// The second move as the search has it, which is the third move's side of the board.
    second: Option<Xy>,
    third: Option<Xy>,
}

/// Without a terminal, how often a line is written.
const LINE_PERIOD: Duration = Duration::from_secs(600);

/// From this round on a line is written when it is over.
const LONG_ROUND: usize = 3;

/// So many notes are shown on a terminal.
const NOTES: usize = 3;

/// So many second moves must have been answered in this run before it is guessed how long the others take.
const GUESS_FROM: usize = 3;

/// What was told so far.
#[derive(Debug)]
pub(super) struct Live {
    size: Xy,
    /// Each second move up to symmetry, if the root is the empty board.
    seconds: BTreeMap<Xy, At>,
    /// The root itself, if it is another.
    root: At,
    /// What people were told of last.
    notes: VecDeque<String>,
    pub(super) work: Work,
    elsewhere: Duration,
    pub(super) records: usize,
    known_before: usize,
    start: Instant,
    cpu: Duration,
    terminal: bool,
    drawn: usize,
    last_line: Instant,
}

/// How many second moves are answered, in work, and neither.
#[derive(Debug, Copy, Clone, Default)]
pub(crate) struct SecondMoves {
    pub(crate) won: usize,
    pub(crate) in_work: usize,
    pub(crate) open: usize,
}

impl SecondMoves {
    pub(crate) const fn all(self) -> usize {
        self.won + self.in_work + self.open
    }
}

impl Live {
    pub(super) fn new(solver: &Solver, position: &Position) -> Self {
        let (width, height) = position.rules().size().unwrap_or((15, 15));
        let size = (usize::from(width), usize::from(height));
        let waiting = At {
            stage: Stage::Waiting,
            second: None,
            third: None,
        };
        let mut live = Self {
            size,
            seconds: BTreeMap::new(),
            root: waiting,
            notes: VecDeque::new(),
            work: Work::default(),
            elsewhere: Duration::ZERO,
            records: solver.count(),
            known_before: 0,
            start: Instant::now(),
            cpu: processor_time(),
            terminal: io::stderr().is_terminal(),
            drawn: 0,
            last_line: Instant::now(),
        };
        if position.stones().next().is_none() {
            let centre = live.centre();
            for cell in cells(size).filter(|&cell| cell != centre) {
                let class = live.class(cell);
                let known = || solver.knows([(Side::Black, centre), (Side::White, class)]);
                live.seconds.entry(class).or_insert_with(|| match known() {
                    true => At {
                        stage: Stage::Won,
                        ..waiting
                    },
                    false => waiting,
                });
            }
            live.known_before = live.second_moves().won;
        }
        live
    }

    const fn centre(&self) -> Xy {
        (self.size.0 / 2, self.size.1 / 2)
    }

    /// The first of the cells that a symmetry of the board with a stone in the centre takes for this one.
    fn class(&self, cell: Xy) -> Xy {
        let (width, height) = self.size;
        let image = |way: usize, (x, y): Xy| {
            let x = if way & 1 == 0 { x } else { width - 1 - x };
            let y = if way & 2 == 0 { y } else { height - 1 - y };
            if way & 4 == 0 { (x, y) } else { (y, x) }
        };
        let ways = if width == height { 8 } else { 4 };
        let centre = self.centre();
        let fixing = (0..ways).filter(|&way| image(way, centre) == centre);
        fixing.map(|way| image(way, cell)).min().unwrap_or(cell)
    }

    pub(super) fn hear(&mut self, news: &News) {
        self.work += news.work;
        self.elsewhere += news.elsewhere;
        self.records = self.records.max(news.records);
        let at = At {
            stage: news.stage,
            second: news.second,
            third: news.third,
        };
        let Some(class) = news.second.map(|second| self.class(second)) else {
            if self.root.stage != Stage::Won {
                self.root = at;
            }
            return;
        };
        // Another thread may still say what it did for it.
        let known = self.seconds.get(&class);
        if known.is_some_and(|known| known.stage == Stage::Won) {
            return;
        }
        self.seconds.insert(class, at);
        if news.stage == Stage::Won && !self.terminal {
            let third = news.third.map_or_else(String::new, |third| {
                format!(" is answered by {}", cell_of(third))
            });
            let second = news.second.map(|second| cell_of(second).to_string());
            self.line(&format!("{}{third}", second.unwrap_or_default()));
        }
        let is_long = matches!(news.stage, Stage::Round { round, .. } if round >= LONG_ROUND);
        if is_long && !self.terminal {
            self.line(&in_words(
                at,
                &news
                    .second
                    .map_or_else(String::new, |it| cell_of(it).to_string()),
            ));
        }
    }

    pub(super) fn second_moves(&self) -> SecondMoves {
        let mut counts = SecondMoves::default();
        for at in self.seconds.values() {
            match at.stage {
                Stage::Won => counts.won += 1,
                Stage::Race | Stage::Proving { .. } => counts.in_work += 1,
                Stage::Waiting | Stage::Round { .. } | Stage::GivenUp => counts.open += 1,
            }
        }
        counts
    }

    /// People should know this.
    pub(super) fn note(&mut self, text: &str) {
        if self.terminal {
            self.notes.truncate(NOTES - 1);
            self.notes.push_front(text.to_owned());
        } else {
            let _ = writeln!(io::stderr(), "tengen: {text}");
        }
    }

    /// How long this run takes, and how long all its threads ran, those of workers among them.
    pub(super) fn times(&self) -> (Duration, Duration) {
        let cpu = processor_time().saturating_sub(self.cpu);
        (self.start.elapsed(), cpu + self.elsewhere)
    }

    /// Shows it again; on a terminal in place of what was shown before.
    pub(super) fn show(&mut self) {
        if !self.terminal {
            if self.last_line.elapsed() >= LINE_PERIOD {
                self.line(&self.progress());
            }
            return;
        }
        // After Ctrl-C the cursor is no longer where it was.
        if interrupt::is_stopped() {
            return;
        }
        let size = terminal_size_of(io::stderr());
        let (width, height) = size.map_or((80, 24), |(Width(width), Height(height))| {
            (usize::from(width), usize::from(height))
        });
        let below = self.lines();
        let mut lines = self.board();
        if lines.len() + below.len() + 1 > height {
            lines.clear();
        }
        lines.extend(below);
        let mut text = match self.drawn {
            0 => String::new(),
            drawn => format!("\x1b[{drawn}A"),
        };
        for line in &lines {
            let line: String = line.chars().take(width.saturating_sub(1)).collect();
            let _ = writeln!(text, "\r{line}\x1b[K");
        }
        text += "\x1b[J";
        self.drawn = lines.len();
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// A line for a file or a pipe, with what was done.
    fn line(&mut self, what: &str) {
        self.last_line = Instant::now();
        let (time, cpu) = self.times();
        let second_moves = self.second_moves();
        let seconds = match second_moves.all() {
            0 => String::new(),
            all => format!("; {} of {all} second moves are answered", second_moves.won),
        };
        let text = format!(
            "tengen: {what}{seconds}; {} records, {} expansions, {:.0} s, {:.0} s of the processor\n",
            grouped(self.records as u64),
            grouped(self.work.expansions),
            time.as_secs_f64(),
            cpu.as_secs_f64()
        );
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// White's second moves on the board.
    fn board(&self) -> Vec<String> {
        if self.seconds.is_empty() {
            return Vec::new();
        }
        let (width, height) = self.size;
        let mut lines = Vec::new();
        for y in (0..height).rev() {
            let mut line = format!(" {:>2} ", row_label(y as i16));
            for x in 0..width {
                let sign = match self.seconds.get(&self.class((x, y))) {
                    None => 'X',
                    Some(at) => sign(at.stage),
                };
                let _ = write!(line, " {sign}");
            }
            lines.push(line);
        }
        let names: Vec<String> = (0..width).map(|x| column_label(x as i16)).collect();
        lines.push(format!("     {}", names.join(" ")));
        lines.push(
            "+ answered, 1-8 proved in this round, ~ third moves race, . waits, - given up"
                .to_owned(),
        );
        lines
    }

    fn progress(&self) -> String {
        if self.seconds.is_empty() {
            return in_words(self.root, "the position");
        }
        let seconds = self.seconds.iter().filter_map(|(&class, &at)| {
            let is_in_work = matches!(at.stage, Stage::Race | Stage::Proving { .. });
            let second = at.second.unwrap_or(class);
            is_in_work.then(|| in_words(at, &cell_of(second).to_string()))
        });
        seconds.collect::<Vec<_>>().join("; ")
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let second_moves = self.second_moves();
        if second_moves.all() > 0 {
            lines.push(format!(
                "Second moves: {} answered, {} in work, {} open",
                second_moves.won, second_moves.in_work, second_moves.open
            ));
        }
        lines.push(self.progress());
        lines.push(format!(
            "{} expansions, {} threat searches, {} positions in them",
            grouped(self.work.expansions),
            grouped(self.work.searches),
            grouped(self.work.nodes)
        ));
        let (time, cpu) = self.times();
        let memory = memory().map_or_else(String::new, |bytes| {
            format!(", {} MiB of memory", grouped(bytes >> 20))
        });
        lines.push(format!(
            "{} records{memory}, {:.0} s, {:.0} s of the processor",
            grouped(self.records as u64),
            time.as_secs_f64(),
            cpu.as_secs_f64()
        ));
        lines.extend(self.notes.iter().cloned());
        let now = second_moves.won.saturating_sub(self.known_before);
        if now >= GUESS_FROM {
            let left = (second_moves.all() - second_moves.won) as f64;
            let hours = time.as_secs_f64() / now as f64 * left / 3600.0;
            lines.push(format!(
                "Very roughly {hours:.1} h left, if the others take as long; the nearest come last and are the hardest"
            ));
        }
        lines
    }
}

fn cells((width, height): Xy) -> impl Iterator<Item = Xy> {
    (0..width).flat_map(move |x| (0..height).map(move |y| (x, y)))
}

fn sign(stage: Stage) -> char {
    match stage {
        Stage::Waiting => '.',
        Stage::Race => '~',
        Stage::Proving { round, .. } | Stage::Round { round, .. } => {
            char::from_digit((round as u32 + 1).min(9), 10).unwrap_or('9')
        }
        Stage::Won => '+',
        Stage::GivenUp => '-',
    }
}

/// "I9: H10 in round 2, 14 fourth moves open".
fn in_words(at: At, what: &str) -> String {
    match (at.stage, at.third) {
        (Stage::Waiting, _) => format!("{what} waits"),
        (Stage::Race, _) => format!("{what}: third moves race"),
        (Stage::Proving { open, round }, Some(third)) => format!(
            "{what}: {} in round {}, {open} fourth moves open",
            cell_of(third),
            round + 1
        ),
        (Stage::Round { failures, round }, Some(third)) => format!(
            "{what}: {} after round {}, {failures} fourth moves resist",
            cell_of(third),
            round + 1
        ),
        (Stage::Proving { round, .. } | Stage::Round { round, .. }, None) => {
            format!("{what}: round {}", round + 1)
        }
        (Stage::Won, _) => format!("{what} is won"),
        (Stage::GivenUp, _) => format!("{what} is given up"),
    }
}
