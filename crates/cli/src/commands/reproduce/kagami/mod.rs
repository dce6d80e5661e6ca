//! Kagami (Liu and Lin, 2010): the defensive strategy alone, and combined with threat-space search,
//! against stronger programs. Tables I to IV, with our engines in the place of theirs.

mod paper;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{anyhow, bail};
use serde::{Deserialize, Serialize};
use tengen_player::{Clock, Defender, Engine, EngineKind, Limits, Options, Task};
use tengen_rules::{Cell, Outcome, Position, Rules, Side};

use super::table::Table;
use crate::args::ReproduceArgs;
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;
use paper::{Sums, TABLE_1, TABLE_2, TABLE_3, TABLE_4};

/// A turn of either engine takes so long, unless the command line says otherwise.
const PER_TURN: Duration = Duration::from_millis(200);

/// A game is drawn when it has so many turns, as in the paper.
const LONGEST: usize = 120;

/// The opponents, strongest first.
const OPPONENTS: [EngineKind; 2] = [EngineKind::AlphaBeta, EngineKind::Mcts];

/// Three turns each, which the main engine judges even. The games differ by them: both engines would
/// otherwise play the same game again, or differ by chance.
const OPENINGS: [&str; 5] = [
    "J10 J13 K10 L11 K8",
    "J10 J8 L12 M11 M14",
    "J10 J7 I8 K6 K8",
    "J10 J8 F10 H8 I9",
    "J10 H12 H13 J11 I10",
];

/// A game as kept in the folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Game {
    pace: String,
    opening: String,
    defender: String,
    /// From the defender's view: W, D or L.
    result: char,
    turns: usize,
    re_searches: u32,
    /// All stones in the order of play.
    moves: String,
}

/// Ten games of one defender against one opponent.
struct Match<'a> {
    searches: bool,
    opponent: EngineKind,
    limits: Limits,
    pace: String,
    args: &'a ReproduceArgs,
}

pub(crate) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    let (limits, pace) = pace(args)?;
    writeln!(
        out,
        "Tables I to IV: the defender against other programs. Ours gives both engines {pace}, first \
         Black, then White, from five openings of three turns that the main engine judges even; a game \
         of {LONGEST} turns is drawn. W, D, L: the defender wins, draws, loses; then turns, and \
         turns that were searched again because the strategy's own lost. The paper's opponents and \
         times were others, so only the pattern can be compared."
    )?;
    let mut rows = Vec::new();
    'matches: for searches in [false, true] {
        for opponent in OPPONENTS {
            let played = Match {
                searches,
                opponent,
                limits,
                pace: pace.clone(),
                args,
            };
            let sums = played.play(out)?;
            rows.push(sums.row(&played.name(), searches));
            if interrupt::is_stopped() {
                break 'matches;
            }
        }
    }
    summary(&rows, out)
}

/// What a turn may take, and in words.
fn pace(args: &ReproduceArgs) -> anyhow::Result<(Limits, String)> {
    if let Some(nodes) = args.nodes {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        return Ok((limits, format!("{} nodes a turn", grouped(nodes))));
    }
    let Some(time) = args.time(PER_TURN) else {
        bail!(
            "games need a limit for each turn, and --seconds inf is none; expected a number of seconds"
        );
    };
    let limits = Limits {
        clock: Clock::per_turn(time),
        ..Limits::default()
    };
    Ok((limits, format!("{} s a turn", time.as_secs_f64())))
}

/// All matches in one table.
fn summary(rows: &[[String; 6]], out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "\nAll matches of the defender, and the paper's:")?;
    let table = Table::start(
        out,
        [
            "match                               ",
            "wins",
            "draws",
            "losses",
            "turns",
            "re-searches",
        ],
    )?;
    for row in rows {
        table.row(out, row.clone())?;
    }
    for (paper, name, searches) in [
        (TABLE_1, "paper: strategy alone v NCTU6", false),
        (TABLE_2, "paper: strategy alone v X6", false),
        (TABLE_3, "paper: with search v X6", true),
        (TABLE_4, "paper: with search v MeinStein", true),
    ] {
        table.row(out, paper.sums().row(name, searches))?;
    }
    Ok(())
}

impl Match<'_> {
    fn name(&self) -> String {
        format!("{} v {}", self.strategy(), self.opponent)
    }

    const fn strategy(&self) -> &'static str {
        match self.searches {
            false => "strategy alone",
            true => "with search",
        }
    }

    /// Plays and prints the games one by one; Ctrl-C ends it after the last complete one.
    fn play(&self, out: &mut Output) -> anyhow::Result<Sums> {
        let [first, second] = match self.searches {
            false => [TABLE_1, TABLE_2],
            true => [TABLE_3, TABLE_4],
        };
        writeln!(out, "\nThe defender, {}:", self.name())?;
        let heads = [
            "game",
            "plays",
            "opening",
            "result",
            "turns",
            "re-searches",
            first.head,
            second.head,
        ];
        let table = Table::start(out, heads)?;
        let mut sums = Sums::default();
        for number in 0..2 * OPENINGS.len() {
            if self.args.quick && !number.is_multiple_of(OPENINGS.len()) {
                continue;
            }
            let Some(game) = self.game(number)? else {
                break;
            };
            sums.add(game.result, game.turns, game.re_searches);
            let again = match self.searches {
                true => game.re_searches.to_string(),
                false => "-".to_owned(),
            };
            table.row(
                out,
                [
                    (number + 1).to_string(),
                    defends(number).to_string(),
                    (number % OPENINGS.len() + 1).to_string(),
                    game.result.to_string(),
                    game.turns.to_string(),
                    again,
                    first.game(number),
                    second.game(number),
                ],
            )?;
        }
        Ok(sums)
    }

    /// The game of this number, from the folder or played now; `None` if Ctrl-C came before its end.
    fn game(&self, number: usize) -> anyhow::Result<Option<Game>> {
        if interrupt::is_stopped() {
            return Ok(None);
        }
        let opening = OPENINGS[number % OPENINGS.len()];
        let path = self.path(number);
        if let Some(game) = path.as_ref().and_then(|path| self.earlier(path, number)) {
            return Ok(Some(game));
        }
        let line = format!("{}, game {}", self.name(), number + 1);
        let game = watched(|| line.clone(), || self.fought(opening, number))??;
        if let (Some(path), Some(game)) = (path, &game) {
            let json = serde_json::to_string_pretty(game)? + "\n";
            write_file(&path, json.as_bytes())?;
        }
        Ok(game)
    }

    fn path(&self, number: usize) -> Option<PathBuf> {
        let folder = self.args.out.as_ref()?;
        let name = self.name().replace(' ', "-");
        Some(folder.join(format!("kagami-{name}-{}.json", number + 1)))
    }

    /// A game that an earlier run left, if it was played under the same conditions.
    fn earlier(&self, path: &Path, number: usize) -> Option<Game> {
        let game: Game = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        let side = defends(number).to_string();
        let same = game.pace == self.pace
            && game.opening == OPENINGS[number % OPENINGS.len()]
            && game.defender == side;
        (same && "WDL".contains(game.result)).then_some(game)
    }

    fn fought(&self, opening: &str, number: usize) -> anyhow::Result<Option<Game>> {
        let options = Options {
            seed: number as u64 + 1,
            ..Options::default()
        };
        let mut defender = match self.searches {
            false => Defender::greedy(),
            true => Defender::new(&options),
        };
        let mut opponent = self.opponent.build(&options);
        let stones: Vec<Cell> = opening
            .split(' ')
            .map(|cell| cell.parse().expect("a cell of ours"))
            .collect();
        let mut position =
            Position::replay(Rules::CONNECT6, &stones).expect("an opening of ours is legal");
        let task = Task {
            stop: Some(interrupt::flag()),
            ..Task::new(self.limits)
        };
        let mut turns = turns_of(&position);
        while position.outcome().is_none() && turns < LONGEST {
            let engine: &mut dyn Engine = match position.to_move() == defends(number) {
                true => &mut defender,
                false => opponent.as_mut(),
            };
            let name = engine.name();
            let answer = engine.think(&position, &task);
            if interrupt::is_stopped() {
                return Ok(None);
            }
            let turn = answer.map_err(|error| anyhow!("{name}: {error}"))?;
            let played = position.play(&turn.best().turn);
            played.map_err(|error| anyhow!("{name}: {error}"))?;
            turns += 1;
        }
        let result = match position.outcome() {
            Some(Outcome::Win { side, .. }) if *side == defends(number) => 'W',
            Some(Outcome::Win { .. }) => 'L',
            Some(Outcome::Draw) | None => 'D',
        };
        let moves = position.history().filter_map(|(_, cell)| cell);
        Ok(Some(Game {
            pace: self.pace.clone(),
            opening: opening.to_owned(),
            defender: defends(number).to_string(),
            result,
            turns,
            re_searches: defender.re_searches(),
            moves: moves
                .map(|cell| cell.to_string())
                .collect::<Vec<_>>()
                .join(" "),
        }))
    }
}

/// The defender is Black in the first five games.
const fn defends(number: usize) -> Side {
    if number < OPENINGS.len() {
        Side::Black
    } else {
        Side::White
    }
}

/// How many turns a position from the empty board has.
fn turns_of(position: &Position) -> usize {
    let sides: Vec<Side> = position.history().map(|(side, _)| side).collect();
    sides.chunk_by(|a, b| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_have_three_whole_turns() {
        for opening in OPENINGS {
            let stones: Vec<Cell> = opening
                .split(' ')
                .map(|c| c.parse().expect("a cell"))
                .collect();
            let position = Position::replay(Rules::CONNECT6, &stones).expect("legal");
            assert_eq!((turns_of(&position), position.left()), (3, 2));
        }
    }
}
