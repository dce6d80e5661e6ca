//! Games and trees of a file into the book.

use rusqlite::Connection;
use tengen_rules::notation::{self, Charset, Format, ReadOptions};
use tengen_rules::{Action, Cell, Info, Mark, Node, NodeId, Position, Record, Rules, Turn};

use crate::facts::{Comment, Name, language_tag, put_comment, put_name, put_turn};
use crate::games::{Game, put_game};
use crate::place::Place;
use crate::{Book, Error, Marks, Result, Source, fields};

/// Records that are stored in one transaction.
const CHUNK: usize = 200;

/// Lines that begin so are written by exports and say nothing new.
pub(super) const OURS: &str = "[tengen] ";

/// How to read a file.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Where the file comes from.
    pub source: Source,
    /// The language of its comments, a BCP 47 tag; empty if not known.
    pub language: String,
    /// The game, where the file does not say it.
    pub rules: Option<Rules>,
    /// The character set, where the file does not say it.
    pub charset: Option<Charset>,
    /// Whether the main lines are games that count. `None`: those of collections do, and of SGF those that have a
    /// result or players.
    pub games: Option<bool>,
}

/// What a file has brought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Games that are new.
    pub games: u64,
    /// Games that the book had.
    pub known_games: u64,
    /// Turns that were read in trees.
    pub turns: u64,
    /// Comments that were read.
    pub comments: u64,
    /// Names that were read.
    pub names: u64,
    /// What was left out, and why.
    pub left_out: Vec<String>,
}

impl Book {
    /// Reads the games and trees of a file. What cannot be played is left out and told.
    pub fn import(
        &self,
        bytes: &[u8],
        format: Format,
        options: &ImportOptions,
    ) -> Result<Imported> {
        language_tag(&options.language)?;
        let reading = ReadOptions {
            rules: options.rules,
            charset: options.charset,
        };
        let records = notation::read(format, bytes, &reading)
            .map_err(|error| Error::Notation(error.to_string()))?;
        let mut imported = Imported::default();
        for (index, part) in records.chunks(CHUNK).enumerate() {
            self.write(|transaction| {
                for (record, number) in part.iter().zip(index * CHUNK + 1..) {
                    let mut import = Import {
                        connection: transaction,
                        options,
                        record,
                        number,
                        now: fields::now(),
                        found: &mut imported,
                    };
                    import.record(format)?;
                }
                Ok(())
            })?;
        }
        Ok(imported)
    }
}

/// One record on its way in.
struct Import<'a> {
    connection: &'a Connection,
    options: &'a ImportOptions,
    record: &'a Record,
    number: usize,
    now: i64,
    found: &'a mut Imported,
}

/// A node that is still to be looked at.
struct Pending {
    node: NodeId,
    /// Before the node.
    position: Position,
    /// Before the turn that the node belongs to.
    start: Position,
    /// The stones of that turn so far.
    cells: Vec<Cell>,
}

impl Import<'_> {
    fn record(&mut self, format: Format) -> Result<()> {
        let counts = self.options.games.unwrap_or_else(|| match format {
            Format::LittleGolem | Format::Ccgc | Format::Psq | Format::Moves => true,
            Format::Sgf => is_game(&self.record.info),
            Format::Lib | Format::Setup => false,
        });
        if counts {
            match Game::of(self.record, format, &self.options.source) {
                Ok(game) if put_game(self.connection, &game)? => self.found.games += 1,
                Ok(_) => self.found.known_games += 1,
                Err(error) => self.leave_out(&error.to_string()),
            }
        }
        // A game without notes and variations has nothing more to say.
        let bare = |id| {
            let node = self.record.node(NodeId(id));
            node.children().len() <= 1 && node.notes() == &tengen_rules::Notes::default()
        };
        if counts && (0..self.record.len()).all(bare) {
            return Ok(());
        }
        self.tree()
    }

    fn tree(&mut self) -> Result<()> {
        let start = match Position::from_setup(&self.record.start) {
            Ok(start) => start,
            Err(error) => {
                self.leave_out(&error.to_string());
                return Ok(());
            }
        };
        // Not recursive: trees may be a million nodes deep.
        let mut pending = vec![Pending {
            node: Record::ROOT,
            position: start.clone(),
            start,
            cells: Vec::new(),
        }];
        while let Some(mut at) = pending.pop() {
            let node = self.record.node(at.node);
            if let Err(reason) = self.play(&mut at, node)? {
                self.leave_out(&reason);
                continue;
            }
            self.notes(node, &at.position)?;
            for &child in node.children().iter().rev() {
                pending.push(Pending {
                    node: child,
                    position: at.position.clone(),
                    start: at.start.clone(),
                    cells: at.cells.clone(),
                });
            }
        }
        Ok(())
    }

    /// Plays a node, or says why it cannot be played.
    fn play(&mut self, at: &mut Pending, node: &Node) -> Result<std::result::Result<(), String>> {
        let stone = match node.action {
            Action::Nothing => return Ok(Ok(())),
            Action::Pass(_) => return Ok(Err("a player passes, which no book keeps".to_owned())),
            Action::Place(stone) => stone,
        };
        let mover = at.position.to_move();
        if at.position.outcome().is_some() {
            // Some records have the rest of the turn that has won.
            return Ok(Ok(()));
        }
        if stone.side != mover {
            return Ok(Err(format!(
                "{} plays {} out of turn",
                stone.side, stone.cell
            )));
        }
        if let Err(error) = at.position.place(stone.cell) {
            return Ok(Err(error.to_string()));
        }
        at.cells.push(stone.cell);
        let whole = at.position.outcome().is_some() || at.position.to_move() != mover;
        let told = !node.name.is_empty() || !node.comment.is_empty() || node.children().is_empty();
        if whole || told {
            let turn: Turn = at.cells.iter().copied().collect();
            match put_turn(self.connection, &at.start, &turn) {
                Ok(_) => self.found.turns += 1,
                Err(error @ Error::Turn { .. }) => return Ok(Err(error.to_string())),
                Err(error) => return Err(error),
            }
        }
        if whole {
            at.start = at.position.clone();
            at.cells.clear();
        }
        Ok(Ok(()))
    }

    fn notes(&mut self, node: &Node, position: &Position) -> Result<()> {
        let text = without_ours(&node.comment);
        let marks = marks_of(node);
        if text.is_empty() && node.name.trim().is_empty() && marks.is_empty() {
            return Ok(());
        }
        if position.outcome().is_some() {
            self.leave_out("a note after the end of the game");
            return Ok(());
        }
        let (source, language) = (&self.options.source, &self.options.language);
        if !node.name.trim().is_empty() {
            let name = Name {
                name: node.name.trim().to_owned(),
                language: language.clone(),
                source: source.clone(),
                at: self.now,
            };
            put_name(
                self.connection,
                Place::of(position).put(self.connection)?,
                &name,
            )?;
            self.found.names += 1;
        }
        if !text.is_empty() || !marks.is_empty() {
            let comment = Comment {
                text,
                language: language.clone(),
                marks,
                written_for: notation::setup_text(&position.to_setup()),
                source: source.clone(),
                at: self.now,
            };
            put_comment(self.connection, position, &comment)?;
            self.found.comments += 1;
        }
        Ok(())
    }

    fn leave_out(&mut self, reason: &str) {
        const MOST: usize = 1_000;
        if self.found.left_out.len() < MOST {
            let reason = format!("game {}: {reason}", self.number);
            self.found.left_out.push(reason);
        }
    }
}

fn is_game(info: &Info) -> bool {
    !info.result.trim().is_empty() || !info.black.trim().is_empty() || !info.white.trim().is_empty()
}

fn without_ours(comment: &str) -> String {
    let kept: Vec<&str> = comment
        .lines()
        .filter(|line| !line.starts_with(OURS))
        .collect();
    if kept.len() == comment.lines().count() {
        return comment.trim().to_owned();
    }
    kept.join("\n").trim().to_owned()
}

fn marks_of(node: &Node) -> Marks {
    let name = |mark: Mark| match mark {
        Mark::Cross => "cross",
        Mark::Circle => "circle",
        Mark::Square => "square",
        Mark::Triangle => "triangle",
    };
    Marks {
        labels: node
            .labels
            .iter()
            .map(|(cell, text)| (cell.to_string(), text.clone()))
            .collect(),
        marks: node
            .marks
            .iter()
            .map(|(cell, mark)| (cell.to_string(), name(*mark).to_owned()))
            .collect(),
        arrows: node
            .arrows
            .iter()
            .map(|(from, to)| (from.to_string(), to.to_string()))
            .collect(),
    }
}
