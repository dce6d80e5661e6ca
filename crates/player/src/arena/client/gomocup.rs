//! Gomocup's protocol: `START`, `BEGIN` or `BOARD` for the first turn, then `TURN x,y`. Columns count from 0
//! at the left and rows from 0 at the **top**.

use std::time::Duration;

use tengen_rules::{Cell, Overline, Position};

use super::{Client, Heard, Start, last_turn, quoted};
use crate::Limits;

/// The engine has no limit of this kind.
const ENDLESS: u128 = 2_147_483_647;

/// A game.
pub(super) struct Gomocup {
    game: Start,
    begun: bool,
}

impl Gomocup {
    pub(super) const fn new(game: Start) -> Self {
        Self { game, begun: false }
    }

    fn size(&self) -> (u8, u8) {
        self.game.rules.size().unwrap_or((20, 20))
    }

    fn point(&self, cell: Cell) -> String {
        let (_, height) = self.size();
        format!("{},{}", cell.x, i16::from(height) - 1 - cell.y)
    }

    /// What holds for the whole game.
    fn infos(&self, limits: &Limits) -> Vec<String> {
        let clock = limits.clock;
        let milliseconds = |time: Duration| time.as_millis().min(ENDLESS);
        let game = clock.left.map_or(0, milliseconds);
        let turn = clock.per_turn.map_or(game, milliseconds);
        let exact = u8::from(self.game.rules.overline() == Overline::DoesNotWin);
        vec![
            format!("INFO timeout_turn {turn}"),
            format!("INFO timeout_match {game}"),
            format!("INFO max_memory {}", self.game.memory),
            "INFO game_type 1".to_owned(),
            format!("INFO rule {exact}"),
        ]
    }
}

impl Client for Gomocup {
    fn hello(&mut self) -> Vec<String> {
        let (width, height) = self.size();
        vec![if width == height {
            format!("START {width}")
        } else {
            format!("RECTSTART {width},{height}")
        }]
    }

    fn ask(&mut self, position: &Position, limits: &Limits) -> Vec<String> {
        let left = limits.clock.left.map_or(ENDLESS, |left| left.as_millis());
        let left = format!("INFO time_left {}", left.min(ENDLESS));
        if self.begun {
            let stones = last_turn(position).into_iter().flat_map(|(_, turn)| {
                let cells: Vec<Cell> = turn.cells().to_vec();
                cells
                    .into_iter()
                    .map(|cell| format!("TURN {}", self.point(cell)))
            });
            return [left].into_iter().chain(stones).collect();
        }
        self.begun = true;
        let mut lines = self.infos(limits);
        lines.push(left);
        let stones: Vec<String> = position
            .history()
            .filter_map(|(side, cell)| {
                let whose = if side == self.game.side { 1 } else { 2 };
                Some(format!("{},{whose}", self.point(cell?)))
            })
            .collect();
        if stones.is_empty() {
            lines.push("BEGIN".to_owned());
        } else {
            lines.push("BOARD".to_owned());
            lines.extend(stones);
            lines.push("DONE".to_owned());
        }
        lines
    }

    fn hear(&mut self, line: &str) -> Result<Heard, String> {
        let word = line.split_whitespace().next().unwrap_or("");
        match word.to_ascii_uppercase().as_str() {
            "OK" => return Ok(Heard::Ready),
            "" | "MESSAGE" | "DEBUG" | "INFO" | "UNKNOWN" | "SUGGEST" => return Ok(Heard::Nothing),
            "ERROR" => return Err(format!("it says {}", quoted(line))),
            _ => {}
        }
        let number = |text: &str| text.trim().parse::<i16>().ok().filter(|n| n.abs() < 1000);
        let point = line.split_once(',');
        let point = point.and_then(|(x, y)| Some((number(x)?, number(y)?)));
        let (x, y) = point.ok_or_else(|| format!("{} is no turn, expected x,y", quoted(line)))?;
        let (_, height) = self.size();
        let cell = Cell::new(x, i16::from(height) - 1 - y);
        Ok(Heard::Turn([cell].into_iter().collect()))
    }

    fn bye(&self) -> &'static str {
        "END"
    }
}
