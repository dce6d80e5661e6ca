//! Gomocup's protocol, which most Go-Moku managers speak, with the analysis commands of Yixin and later engines.
//!
//! Five in a row, one stone a turn; `x,y` counts from 0 at the **top** left. An `ERROR` means that nothing has
//! changed. Commands are understood in upper and lower case.

mod board;
mod info;
mod list;
mod report;
mod swap2;

use tengen_rules::{Cell, Turn};

use super::{Action, Protocol, Question, Settings, Urgency, command, quoted};
use crate::{Answer, ThinkError};
use board::{Board, Stone, Whose};
use info::Info;
use list::{List, ListKind};
use swap2::Swap2;

/// A conversation.
pub(super) struct Gomocup {
    settings: Settings,
    info: Info,
    board: Option<Board>,
    /// Cells that are not to be played.
    blocked: Vec<Cell>,
    /// A list of stones or cells that is being read.
    list: Option<List>,
    asked: Option<Asked>,
    /// Whether to tell about the search in plain words.
    talks: bool,
}

/// What the engine is thinking about.
enum Asked {
    /// A move; the board counts once it is answered.
    Move(Board),
    /// The best moves; nothing changes.
    Analysis(Board),
    /// How to open.
    Opening(Swap2),
}

const COMMANDS: [&str; 19] = [
    "ABOUT",
    "START",
    "RECTSTART",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "TAKEBACK",
    "INFO",
    "SWAP2BOARD",
    "END",
    "YXBOARD",
    "YXNBEST",
    "YXSTOP",
    "YXSHOWINFO",
    "YXBLOCK",
    "YXBLOCKRESET",
    "DONE",
    "YXHASHCLEAR",
];

type Done = Result<Vec<Action>, String>;

impl Gomocup {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            info: Info::default(),
            board: None,
            blocked: Vec::new(),
            list: None,
            asked: None,
            talks: false,
        }
    }

    fn obey(&mut self, word: &str, rest: &str) -> Done {
        match word {
            "ABOUT" => Ok(vec![say(self.about())]),
            "START" => self.start(board::square(rest)?),
            "RECTSTART" => self.start(board::rectangle(rest)?),
            "RESTART" => {
                let size = self.board()?.size();
                self.start(size)
            }
            "BEGIN" => self.begin(),
            "TURN" => self.turn(rest),
            "TAKEBACK" => self.take_back(rest),
            "INFO" => self.told(rest),
            "BOARD" => self.open(ListKind::Board),
            "YXBOARD" => self.open(ListKind::YxBoard),
            "YXBLOCK" => self.open(ListKind::YxBlock),
            "SWAP2BOARD" => self.open(ListKind::Swap2),
            "DONE" => Err("DONE ends no list, expected BOARD and stones before it".to_owned()),
            "YXBLOCKRESET" => {
                self.blocked.clear();
                Ok(Vec::new())
            }
            "YXNBEST" => self.analyse(rest),
            // There is nothing to stop: the driver stops what runs.
            "" | "YXSTOP" => Ok(Vec::new()),
            "YXHASHCLEAR" => Ok(vec![Action::NewGame]),
            "YXSHOWINFO" => {
                self.talks = true;
                Ok(vec![say("MESSAGE INFO MAX_THREAD_NUM 1".to_owned())])
            }
            "END" => Ok(vec![Action::Quit]),
            _ => Ok(vec![say(format!("UNKNOWN {} is no command", quoted(word)))]),
        }
    }

    fn about(&self) -> String {
        format!(
            "name=\"{}\", version=\"{}\", author=\"the Tengen authors\", country=\"\"",
            self.settings.name,
            env!("CARGO_PKG_VERSION")
        )
    }

    fn board(&self) -> Result<&Board, String> {
        let missing = || "no board, expected START first, such as `START 15`".to_owned();
        self.board.as_ref().ok_or_else(missing)
    }

    fn start(&mut self, (width, height): (u32, u32)) -> Done {
        self.board = Some(Board::new(width, height)?);
        self.blocked.clear();
        self.info.restart_clock();
        Ok(vec![Action::NewGame, say("OK".to_owned())])
    }

    fn begin(&mut self) -> Done {
        let board = self.board()?.clone();
        if !board.stones.is_empty() {
            return Err("BEGIN on a board with stones, expected TURN or BOARD".to_owned());
        }
        self.think_of_move(board)
    }

    fn turn(&mut self, text: &str) -> Done {
        let mut board = self.board()?.clone();
        let cell = board.cell(text)?;
        // A game that is over takes no more moves.
        board.position(self.info.overline)?;
        board.add(Stone {
            cell,
            whose: Whose::Theirs,
        })?;
        self.think_of_move(board)
    }

    fn take_back(&mut self, text: &str) -> Done {
        let mut board = self.board()?.clone();
        board.remove(board.cell(text)?)?;
        self.board = Some(board);
        Ok(vec![say("OK".to_owned())])
    }

    fn told(&mut self, rest: &str) -> Done {
        let before = self.info.memory(self.settings.memory);
        self.info.tell(rest)?;
        let now = self.info.memory(self.settings.memory);
        Ok(if now == before {
            Vec::new()
        } else {
            vec![Action::Memory(now)]
        })
    }

    fn open(&mut self, kind: ListKind) -> Done {
        self.list = Some(List::new(kind));
        Ok(Vec::new())
    }

    fn close(&mut self, list: &List) -> Done {
        let named = |reason| format!("{}: {reason}", list.kind.name());
        let lines = list.lines().map_err(named)?;
        let board = self.board().map_err(named)?.clone();
        match list.kind {
            ListKind::Board => {
                let board = board.set_up(lines).map_err(named)?;
                self.think_of_move(board).map_err(named)
            }
            ListKind::YxBoard => {
                self.board = Some(board.set_up(lines).map_err(named)?);
                Ok(Vec::new())
            }
            ListKind::YxBlock => {
                let cells = lines.iter().map(|line| board.cell(line));
                let cells: Vec<Cell> = cells.collect::<Result<_, _>>().map_err(named)?;
                self.blocked.extend(cells);
                self.blocked.sort_unstable();
                self.blocked.dedup();
                Ok(Vec::new())
            }
            ListKind::Swap2 => {
                let cells = lines.iter().map(|line| board.cell(line));
                let cells: Vec<Cell> = cells.collect::<Result<_, _>>().map_err(named)?;
                let opening = Swap2::new(&board, &cells, self.info.overline).map_err(named)?;
                Ok(self.think_of_opening(opening))
            }
        }
    }

    fn question(&self, board: &Board) -> Result<Question, String> {
        let position = board.position(self.info.overline)?;
        let limits = self.settings.within(&self.info.limits());
        Ok(Question {
            exclude: self
                .blocked
                .iter()
                .map(|&cell| Turn::from_iter([cell]))
                .collect(),
            progress: self.talks || self.info.detail.any(),
            ..Question::new(position, limits)
        })
    }

    fn think_of_move(&mut self, board: Board) -> Done {
        let question = self.question(&board)?;
        self.asked = Some(Asked::Move(board));
        Ok(vec![Action::Think(Box::new(question))])
    }

    fn analyse(&mut self, text: &str) -> Done {
        let lines = match text.parse() {
            Ok(lines @ 1..=3969) => lines,
            _ => {
                return Err(format!(
                    "{} is no number of moves, expected 1 or more",
                    quoted(text)
                ));
            }
        };
        let board = self.board()?.clone();
        let mut question = self.question(&board)?;
        question.lines = lines;
        self.asked = Some(Asked::Analysis(board));
        Ok(vec![Action::Think(Box::new(question))])
    }

    fn think_of_opening(&mut self, opening: Swap2) -> Vec<Action> {
        let limits = self.settings.within(&self.info.limits());
        let question = opening.question(limits);
        self.asked = Some(Asked::Opening(opening));
        vec![Action::Think(Box::new(question))]
    }

    fn hear_answer(&mut self, asked: Asked, answer: &Answer) -> Done {
        self.info.spend(answer.time);
        match asked {
            Asked::Move(mut board) => {
                let cell = only_cell(answer)?;
                let mut actions = self.report(&board, answer);
                board.add(Stone {
                    cell,
                    whose: Whose::Ours,
                })?;
                actions.push(say(board.text(cell)));
                self.board = Some(board);
                Ok(actions)
            }
            Asked::Analysis(board) => {
                let lines = report::detail(&board, answer);
                let mut actions: Vec<Action> = lines.into_iter().map(Action::Say).collect();
                actions.push(say(board.text(only_cell(answer)?)));
                Ok(actions)
            }
            Asked::Opening(mut opening) => match opening.judge(answer)? {
                None => Ok(self.think_of_opening(opening)),
                Some(choice) => {
                    self.board = Some(choice.board);
                    Ok(vec![say(choice.text)])
                }
            },
        }
    }

    /// What was found, as far as anybody wants to know.
    fn report(&self, board: &Board, answer: &Answer) -> Vec<Action> {
        let lines = report::lines(board, answer, self.talks, self.info.detail);
        lines.into_iter().map(Action::Say).collect()
    }
}

impl Protocol for Gomocup {
    fn line(&mut self, line: &str) -> Vec<Action> {
        let (word, rest) = command(line);
        let word = word.to_ascii_uppercase();
        let mut actions = Vec::new();
        if let Some(mut list) = self.list.take() {
            if word == "DONE" {
                return or_error(self.close(&list));
            }
            if !COMMANDS.contains(&word.as_str()) {
                list.push(line.trim());
                self.list = Some(list);
                return actions;
            }
            // Whoever begins something new has given the list up.
            let reason = format!("{} was not ended by DONE", list.kind.name());
            actions.push(error(&reason));
        }
        actions.extend(or_error(self.obey(&word, rest)));
        actions
    }

    fn overlong(&mut self) -> Vec<Action> {
        let reason = "the line is too long";
        match &mut self.list {
            Some(list) => {
                list.spoil(reason);
                Vec::new()
            }
            None => vec![error(reason)],
        }
    }

    fn answer(&mut self, answer: Result<&Answer, ThinkError>) -> Vec<Action> {
        let Some(asked) = self.asked.take() else {
            return Vec::new();
        };
        or_error(match answer {
            Ok(answer) => self.hear_answer(asked, answer),
            Err(reason) => Err(reason.to_string()),
        })
    }

    fn progress(&self, answer: &Answer) -> Vec<String> {
        match &self.asked {
            Some(Asked::Move(board) | Asked::Analysis(board)) => {
                report::lines(board, answer, self.talks, self.info.detail)
            }
            _ => Vec::new(),
        }
    }

    fn urgency(&self, line: &str) -> Urgency {
        match command(line).0.to_ascii_uppercase().as_str() {
            "END" => Urgency::Quits,
            "YXSTOP" => Urgency::Stops,
            _ => Urgency::Waits,
        }
    }
}

/// The stone of a turn of one stone.
fn only_cell(answer: &Answer) -> Result<Cell, String> {
    let cells = answer.best().turn.cells();
    cells
        .first()
        .copied()
        .ok_or_else(|| "the engine has no move".to_owned())
}

const fn say(line: String) -> Action {
    Action::Say(line)
}

fn error(reason: &str) -> Action {
    say(format!("ERROR {reason}"))
}

fn or_error(done: Done) -> Vec<Action> {
    done.unwrap_or_else(|reason| vec![error(&reason)])
}
