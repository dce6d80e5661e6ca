//! The board as a manager sees it: our stones and theirs, `x,y` from the top left.

use tengen_rules::{Cell, Overline, Position, Rules, Setup, Side};

use super::quoted;

/// Whose stone it is. Who plays black follows from the stones.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Whose {
    Ours,
    Theirs,
}

/// A stone on a cell.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Stone {
    pub(super) cell: Cell,
    pub(super) whose: Whose,
}

/// A board with stones, on different cells. The game may be over: only a move needs one that is not.
#[derive(Debug, Clone)]
pub(super) struct Board {
    width: u32,
    height: u32,
    pub(super) stones: Vec<Stone>,
}

/// How many in a row win.
const LINE: u32 = 5;

impl Board {
    pub(super) fn new(width: u32, height: u32) -> Result<Self, String> {
        let board = Self {
            width,
            height,
            stones: Vec::new(),
        };
        board.rules(Overline::Wins)?;
        Ok(board)
    }

    pub(super) const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub(super) fn rules(&self, overline: Overline) -> Result<Rules, String> {
        Rules::finite(self.width, self.height, LINE, 1, 1, overline).map_err(|reasons| {
            let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            reasons.join("; ")
        })
    }

    /// Reads `x,y`.
    pub(super) fn cell(&self, text: &str) -> Result<Cell, String> {
        let numbers = numbers(text);
        let Some([x, y]) = numbers
            .as_deref()
            .and_then(|all| <[i64; 2]>::try_from(all).ok())
        else {
            return Err(format!("{} is no cell, expected x,y", quoted(text)));
        };
        self.at(x, y)
    }

    fn at(&self, x: i64, y: i64) -> Result<Cell, String> {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        if (0..width).contains(&x) && (0..height).contains(&y) {
            // Both are below 63.
            Ok(Cell::new(x as i16, (height - 1 - y) as i16))
        } else {
            Err(format!(
                "{x},{y} is off the board, expected 0,0 to {},{}",
                width - 1,
                height - 1
            ))
        }
    }

    /// Writes `x,y`.
    pub(super) fn text(&self, cell: Cell) -> String {
        format!("{},{}", cell.x, self.height as i16 - 1 - cell.y)
    }

    pub(super) fn add(&mut self, stone: Stone) -> Result<(), String> {
        if self.stones.iter().any(|other| other.cell == stone.cell) {
            return Err(format!("{} is already occupied", self.text(stone.cell)));
        }
        self.stones.push(stone);
        Ok(())
    }

    pub(super) fn remove(&mut self, cell: Cell) -> Result<(), String> {
        let before = self.stones.len();
        self.stones.retain(|stone| stone.cell != cell);
        if self.stones.len() == before {
            return Err(format!("there is no stone on {}", self.text(cell)));
        }
        Ok(())
    }

    /// A board of this size with other stones, from lines `x,y,f` in any order: 1 is ours, 2 is theirs.
    pub(super) fn set_up(&self, lines: &[String]) -> Result<Self, String> {
        let mut board = Self {
            stones: Vec::new(),
            ..*self
        };
        for line in lines {
            let numbers = numbers(line);
            let fields = numbers
                .as_deref()
                .and_then(|all| <[i64; 3]>::try_from(all).ok());
            let Some([x, y, field]) = fields else {
                return Err(format!(
                    "{} is no stone, expected x,y,1 or x,y,2",
                    quoted(line)
                ));
            };
            let whose = match field {
                1 => Whose::Ours,
                2 => Whose::Theirs,
                3 => {
                    return Err(format!(
                        "{x},{y},3 is a forbidden cell, which is not supported"
                    ));
                }
                _ => {
                    return Err(format!(
                        "{x},{y},{field} is nobody's stone, expected 1 for ours or 2 for theirs"
                    ));
                }
            };
            let cell = board.at(x, y)?;
            board.add(Stone { cell, whose })?;
        }
        Ok(board)
    }

    /// Our side: black if it would be black's turn in a game, and white if they have more stones.
    fn own_side(&self) -> Side {
        let theirs = self
            .stones
            .iter()
            .filter(|stone| stone.whose == Whose::Theirs);
        if theirs.count() * 2 > self.stones.len() {
            Side::White
        } else {
            Side::Black
        }
    }

    /// The position with us to move, if the game goes on.
    pub(super) fn position(&self, overline: Overline) -> Result<Position, String> {
        let own = self.own_side();
        let mut setup = Setup {
            to_move: own,
            ..Setup::empty(self.rules(overline)?)
        };
        for stone in &self.stones {
            let side = match stone.whose {
                Whose::Ours => own,
                Whose::Theirs => !own,
            };
            setup.stones_of_mut(side).push(stone.cell);
        }
        if self.stones.len() == (self.width * self.height) as usize {
            return Err("the game is over: the board is full".to_owned());
        }
        let over = |_| "the game is over: somebody has five in a row".to_owned();
        Position::from_setup(&setup).map_err(over)
    }
}

/// Numbers with commas between them.
fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split(',')
        .map(|field| field.trim().parse().ok())
        .collect()
}

/// The size of a square board.
pub(super) fn square(text: &str) -> Result<(u32, u32), String> {
    let expected = || format!("{} is no size, expected `START 15` or so", quoted(text));
    let side = text.parse().map_err(|_| expected())?;
    Ok((side, side))
}

/// The size of a rectangular board.
pub(super) fn rectangle(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once(',').and_then(|(width, height)| {
        Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
    });
    sides.ok_or_else(|| {
        format!(
            "{} is no size, expected `RECTSTART 20,15` or so",
            quoted(text)
        )
    })
}
