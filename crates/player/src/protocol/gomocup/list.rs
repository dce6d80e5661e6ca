//! Lists of stones or cells: the lines between a command and `DONE`.

/// More lines than the largest board has cells.
const LONGEST: usize = 10_000;

/// A list that is being read. What is wrong with it is said once, at its end.
#[derive(Debug)]
pub(super) struct List {
    pub(super) kind: ListKind,
    lines: Vec<String>,
    spoilt: Option<String>,
}

/// What the list is for.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum ListKind {
    /// Stones, then move.
    Board,
    /// Stones.
    YxBoard,
    /// Cells not to be played.
    YxBlock,
    /// An opening.
    Swap2,
}

impl ListKind {
    /// The command that begins it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Board => "BOARD",
            Self::YxBoard => "YXBOARD",
            Self::YxBlock => "YXBLOCK",
            Self::Swap2 => "SWAP2BOARD",
        }
    }
}

impl List {
    pub(super) const fn new(kind: ListKind) -> Self {
        Self {
            kind,
            lines: Vec::new(),
            spoilt: None,
        }
    }

    /// One more line; empty ones do not count.
    pub(super) fn push(&mut self, line: &str) {
        if self.lines.len() == LONGEST {
            self.spoil("too many lines");
        } else if !line.is_empty() {
            self.lines.push(line.to_owned());
        }
    }

    /// Makes the list useless; the first reason is kept.
    pub(super) fn spoil(&mut self, reason: &str) {
        self.spoilt.get_or_insert_with(|| reason.to_owned());
    }

    /// The lines, if the list can be used.
    pub(super) fn lines(&self) -> Result<&[String], String> {
        match &self.spoilt {
            Some(reason) => Err(reason.clone()),
            None => Ok(&self.lines),
        }
    }
}
