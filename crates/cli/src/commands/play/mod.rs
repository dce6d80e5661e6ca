//! `tengen play`: a person against an engine in the terminal, or a script against it through a pipe.

mod command;
mod input;
mod session;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail};
use tengen_player::{Answer, Engine, EngineKind, Options, Task};
use tengen_rules::notation::{self, Format, ReadOptions};
use tengen_rules::{Outcome, Position, Side};

use crate::args::{PlayArgs, SideChoice};
use crate::board_text::{self, TextStyle};
use crate::commands::check::counted;
use crate::opinion::{Opinion, continuation, verdict_in_words};
use crate::output::{Output, write_file};
use crate::position_input::{self, is_stdin};
use crate::progress::ProgressLine;
use crate::threat_report::{Detail, SideReport};
use crate::view::{
    PlayedTurn, cells_in_words, cut_in_words, played_turns, rules_in_words, state_in_words, stones,
    turn_in_words,
};
use crate::{interrupt, thinking};
use command::Command;
pub(crate) use input::Input;
use session::{Ending, Session};

/// Lists stay short; `tengen threats` prints the rest.
const DETAIL: Detail = Detail {
    all: false,
    first: 12,
};

pub(crate) fn run(args: &PlayArgs, out: &mut Output) -> anyhow::Result<()> {
    let from_stdin = args.position.file.as_deref().is_some_and(is_stdin);
    if from_stdin || args.position.words == ["-"] {
        bail!("your turns come from stdin: give the position in words, or with --file FILE");
    }
    let start = position_input::position(&args.position)?.position;
    let mut table = Table::new(args, start, out);
    table.greet()?;
    let mut input = Input::new();
    loop {
        if table.session.is_engines_turn() {
            table.engine_plays()?;
            continue;
        }
        let prompt = table.prompt();
        // Nothing runs that could be stopped.
        interrupt::end_at_next();
        let Some(line) = input.line(&prompt, table.out)? else {
            return Ok(());
        };
        let done = match Command::parse(&line) {
            Ok(Command::Quit) => return Ok(()),
            Ok(command) => table.obey(command)?,
            Err(message) => Err(message),
        };
        if let Err(message) = done {
            writeln!(table.out, "{message}")?;
        }
    }
}

/// What a person is told when something cannot be done; nothing has changed.
type Refusal = String;

/// Board, person and engines.
struct Table<'a> {
    args: &'a PlayArgs,
    out: &'a mut Output,
    style: TextStyle,
    /// Where a new game begins.
    start: Position,
    session: Session,
    kind: EngineKind,
    engine: Box<dyn Engine>,
    options: Options,
    random: fastrand::Rng,
    /// Gives hints; made when the first one is wanted.
    adviser: Option<Box<dyn Engine>>,
}

impl<'a> Table<'a> {
    fn new(args: &'a PlayArgs, start: Position, out: &'a mut Output) -> Self {
        let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
        let options = Options {
            seed,
            ..Options::default()
        };
        let mut random = fastrand::Rng::with_seed(seed);
        let person = person(args.side, &mut random);
        let kind = args.engine.unwrap_or(EngineKind::Level(args.level));
        interrupt::flag();
        Self {
            args,
            style: out.text_style(args.ascii),
            out,
            session: Session::new(start.clone(), person),
            start,
            kind,
            engine: kind.build(&options),
            options,
            random,
            adviser: None,
        }
    }

    fn greet(&mut self) -> anyhow::Result<()> {
        let rules = self.session.position().rules();
        writeln!(self.out, "{}", rules_in_words(rules))?;
        writeln!(self.out, "{}", self.style.legend())?;
        self.tell_sides()?;
        writeln!(self.out, "`help` lists what you can type.")?;
        self.show_unless_engine_plays()
    }

    fn tell_sides(&mut self) -> anyhow::Result<()> {
        let (person, engine) = (self.session.person(), self.kind);
        Ok(writeln!(
            self.out,
            "You are {person}, {engine} is {}.",
            !person
        )?)
    }

    /// The engine's turn comes with a board of its own.
    fn show_unless_engine_plays(&mut self) -> anyhow::Result<()> {
        if self.session.is_engines_turn() {
            return Ok(());
        }
        self.show_board()
    }

    /// "Black> ", or "Black, 1 stone left> " inside a turn.
    fn prompt(&self) -> String {
        if self.session.result().is_some() {
            return "game over> ".to_owned();
        }
        let (position, person) = (self.session.position(), self.session.person());
        let last = played_turns(position).pop();
        if last.is_some_and(|turn| turn.side == person) {
            return format!("{person}, {} left> ", stones(position.left().into()));
        }
        format!("{person}> ")
    }

    /// Does what was asked, or says why it cannot be done.
    fn obey(&mut self, command: Command) -> anyhow::Result<Result<(), Refusal>> {
        let person = self.session.person();
        let begins = matches!(command, Command::New | Command::Load(_));
        let changed = match command {
            Command::Stones(text) => self.session.place(&text),
            Command::Undo => self.session.undo(),
            Command::Redo => self.session.redo(),
            Command::Swap => self.session.swap(),
            Command::New => {
                self.begin(self.start.clone());
                Ok(())
            }
            Command::Load(path) => self.load(&path).map_err(|error| format!("{error:#}")),
            Command::Board => Ok(()),
            other => return self.answer(other),
        };
        if changed.is_ok() {
            if begins || person != self.session.person() {
                self.tell_sides()?;
            }
            self.show_unless_engine_plays()?;
        }
        Ok(changed)
    }

    /// The commands that leave the board as it is.
    fn answer(&mut self, command: Command) -> anyhow::Result<Result<(), Refusal>> {
        match command {
            Command::Hint => return self.hint(),
            Command::Resign => {
                if let Err(message) = self.session.resign() {
                    return Ok(Err(message));
                }
                self.tell_result()?;
            }
            Command::Threats => return self.threats(),
            Command::Moves => self.moves()?,
            Command::Level(level) => {
                self.kind = EngineKind::Level(level);
                self.engine = self.kind.build(&self.options);
                writeln!(self.out, "{} plays on", self.kind)?;
            }
            Command::Save(path) => match self.save(&path) {
                Ok(saved) => writeln!(self.out, "{saved}")?,
                Err(error) => return Ok(Err(format!("{error:#}"))),
            },
            Command::Help => write!(self.out, "{}", command::help())?,
            _ => {}
        }
        Ok(Ok(()))
    }

    fn begin(&mut self, position: Position) {
        let person = person(self.args.side, &mut self.random);
        self.session = Session::new(position, person);
        self.engine.forget();
    }

    fn load(&mut self, path: &Path) -> anyhow::Result<()> {
        let records = position_input::records(path, None, &ReadOptions::default())?;
        let record = position_input::nth(&records, 1, path)?;
        let position = record
            .position(record.main_end())
            .with_context(|| format!("cannot play {}", position_input::name(path)))?;
        self.start = position.clone();
        self.begin(position);
        Ok(())
    }

    /// Writes the game in the format that the file's name means.
    fn save(&self, path: &Path) -> anyhow::Result<String> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let format = extension.and_then(Format::from_extension).ok_or_else(|| {
            let names = position_input::format_names().replace(", ", ", .");
            let path = path.display();
            anyhow!("`{path}` does not say which format to write: let it end in one of .{names}")
        })?;
        let record = self.session.record(&self.kind.to_string());
        let bytes = notation::write(format, &[record])
            .with_context(|| format!("cannot write {}", format.title()))?;
        write_file(path, &bytes)?;
        let path = path.display();
        Ok(format!("Saved as {}: {path}", format.title()))
    }

    fn engine_plays(&mut self) -> anyhow::Result<()> {
        let answer = self.think(false)?;
        let turn = &answer.best().turn;
        self.session
            .play(turn)
            .with_context(|| format!("{} wants to play {turn}", self.kind))?;
        writeln!(self.out, "{} plays {turn}", self.kind)?;
        self.show_board()
    }

    /// The opponent, or for hints the strongest engine, thinks about the position. Ctrl-C stops it.
    fn think(&mut self, hint: bool) -> anyhow::Result<Answer> {
        self.out.flush()?;
        interrupt::listen_again();
        let task = Task {
            stop: Some(interrupt::flag()),
            ..Task::new(thinking::limits(&self.args.think))
        };
        let mut name = self.kind;
        let engine = if hint {
            name = EngineKind::AlphaBeta;
            let options = &self.options;
            self.adviser.get_or_insert_with(|| name.build(options))
        } else {
            &mut self.engine
        };
        let mut line = ProgressLine::new();
        let start = Instant::now();
        thinking::think(&mut **engine, self.session.position(), &task, |_| {
            let seconds = start.elapsed().as_secs_f64();
            line.draw(&format!(
                "{name} is thinking, {seconds:.0} s; Ctrl-C ends it"
            ));
        })
    }

    fn hint(&mut self) -> anyhow::Result<Result<(), Refusal>> {
        if self.session.result().is_some() {
            return Ok(Err("the game is over, there is nothing to play".to_owned()));
        }
        let answer = self.think(true)?;
        let opinion = match Opinion::new(self.session.position(), answer, &[]) {
            Ok(opinion) => opinion,
            Err(failure) => return Ok(Err(format!("there is no hint: {}", failure.0))),
        };
        let best = &opinion.lines[0];
        let mover = self.session.position().to_move();
        let words = verdict_in_words(&best.line.verdict, mover, best.check.is_some());
        let work = counted(opinion.nodes, "node");
        writeln!(self.out, "Hint: {}; with it {words}", best.line.turn)?;
        let expected = continuation(&best.line);
        if !expected.is_empty() {
            writeln!(self.out, "Expected to follow: {expected}")?;
        }
        let engine = EngineKind::AlphaBeta;
        writeln!(self.out, "({engine}, {work}, depth {})", opinion.depth)?;
        Ok(Ok(()))
    }

    fn threats(&mut self) -> anyhow::Result<Result<(), Refusal>> {
        if self.session.position().outcome().is_some() {
            return Ok(Err("the game is over, nothing threatens".to_owned()));
        }
        for report in SideReport::both(self.session.position()) {
            write!(self.out, "{}", report.text(DETAIL))?;
        }
        Ok(Ok(()))
    }

    fn moves(&mut self) -> anyhow::Result<()> {
        let turns = played_turns(self.session.position());
        if turns.is_empty() {
            writeln!(self.out, "nothing has been played")?;
        }
        for (number, turn) in (1..).zip(&turns) {
            writeln!(self.out, "{number:>3}. {}", turn_in_words(turn))?;
        }
        Ok(())
    }

    /// The board with the last turn marked, or the line that has won, and what there is to say.
    fn show_board(&mut self) -> anyhow::Result<()> {
        let position = self.session.position();
        let turns = played_turns(position);
        let mut marked = turns.last().cloned();
        if let Some(Outcome::Win { side, cells }) = position.outcome() {
            marked = Some(PlayedTurn {
                side: *side,
                cells: cells.cells().to_vec(),
            });
        }
        let board = board_text::draw(position, marked.as_ref(), &BTreeMap::new(), self.style);
        writeln!(self.out, "\n{board}")?;
        let state = state_in_words(position, &turns);
        let note = match (&marked, position.outcome()) {
            (Some(_), Some(Outcome::Win { .. })) => ", marked ( )".to_owned(),
            (Some(turn), None) if !turn.cells.is_empty() => {
                format!("; ( ) marks {} {}", turn.side, cells_in_words(&turn.cells))
            }
            _ => String::new(),
        };
        writeln!(self.out, "{state}{note}")?;
        if let Some(note) = cut_in_words(position) {
            writeln!(self.out, "{note}")?;
        }
        self.tell_result()
    }

    fn tell_result(&mut self) -> anyhow::Result<()> {
        let (engine, person) = (self.kind, self.session.person());
        let words = match self.session.result() {
            None => return Ok(()),
            Some(Ending::Drawn) => "Nobody wins.".to_owned(),
            Some(Ending::Won(side)) if side == person => format!("You win against {engine}!"),
            Some(Ending::Won(_)) if self.session.has_resigned() => {
                format!("You resign: {engine} wins.")
            }
            Some(Ending::Won(_)) => format!("{engine} wins."),
        };
        writeln!(
            self.out,
            "{words} `new` begins another game, `undo` takes back."
        )?;
        Ok(())
    }
}

/// The side a person has chosen.
fn person(choice: SideChoice, random: &mut fastrand::Rng) -> Side {
    match choice {
        SideChoice::Black => Side::Black,
        SideChoice::White => Side::White,
        SideChoice::Random => Side::BOTH[usize::from(random.bool())],
    }
}
