//! Games and results in words.

use std::time::Duration;

use tengen_player::arena::statistics::{Estimate, Tally};
use tengen_player::arena::{GameRecord, GameResult, Reason, TurnLog};
use tengen_rules::Side;

/// `B+`, `W+T`, `0`: the result as SGF has it.
pub(crate) fn sgf_result(game: &GameRecord) -> &'static str {
    let forfeit = match game.reason {
        Reason::Time | Reason::Silent => 1,
        reason if reason.is_forfeit() => 2,
        _ => 0,
    };
    match game.result {
        GameResult::Draw => "0",
        GameResult::Black => ["B+", "B+T", "B+F"][forfeit],
        GameResult::White => ["W+", "W+T", "W+F"][forfeit],
    }
}

/// What an engine thought of its turn.
pub(crate) fn turn_comment(turn: &TurnLog) -> String {
    let mut parts = Vec::new();
    if let Some(verdict) = &turn.verdict {
        parts.push(verdict.clone());
    }
    if let Some(score) = turn.score {
        parts.push(format!("score {score}"));
    }
    if let Some(depth) = turn.depth {
        parts.push(format!("depth {depth}"));
    }
    if let Some(nodes) = turn.nodes {
        parts.push(format!("{nodes} nodes"));
    }
    parts.push(format!("{:.2} s", turn.seconds));
    parts.join(", ")
}

/// The last game and how the two stand now, on one line.
pub(crate) fn game_line(games: &[GameRecord], total: usize) -> String {
    let Some(game) = games.last() else {
        return String::new();
    };
    let winner = game.result.winner().map(|side| match side {
        Side::Black => &game.black,
        Side::White => &game.white,
    });
    let result = winner.map_or_else(|| "draw".to_owned(), |name| format!("{name} wins"));
    let detail = if game.reason.is_forfeit() {
        format!(": {}", game.detail)
    } else {
        String::new()
    };
    // The table is that of the engine that has Black in odd games.
    let (one, other) = if game.game.is_multiple_of(2) {
        (&game.white, &game.black)
    } else {
        (&game.black, &game.white)
    };
    let tally = Tally::of(games, one, other);
    format!(
        "game {} of {total}, opening {}: {} - {}: {result} ({}{detail}), {} turns; {one} {}",
        game.game,
        game.opening,
        game.black,
        game.white,
        game.reason,
        game.turns,
        balance(&tally),
    )
}

/// `+3 =1 -2`.
pub(crate) fn balance(tally: &Tally) -> String {
    format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses)
}

/// How far a match is.
pub(crate) fn progress_line(games: &[GameRecord], total: usize, time: Duration) -> String {
    let last = games.last().map_or_else(String::new, |_| {
        let line = game_line(games, total);
        let (_, score) = line.rsplit_once("; ").unwrap_or(("", ""));
        format!(", {score}")
    });
    format!(
        "{} of {total} games{last}, {:.0} s",
        games.len(),
        time.as_secs_f64()
    )
}

/// `75.0 %  [66.1, 82.3]`.
pub(crate) fn percent(estimate: &Estimate) -> String {
    let [low, value, high] = [estimate.low, estimate.value, estimate.high].map(|x| x * 100.0);
    format!("{value:.1} %  [{low:.1}, {high:.1}]")
}

/// `+191  [+116, +267]`.
pub(crate) fn elo(estimate: &Estimate) -> String {
    let [low, value, high] = [estimate.low, estimate.value, estimate.high].map(signed);
    format!("{value}  [{low}, {high}]")
}

/// A number of Elo points with its sign; `-` and `+` infinity as words.
pub(crate) fn signed(elo: f64) -> String {
    if elo == f64::INFINITY {
        "+inf".to_owned()
    } else if elo == f64::NEG_INFINITY {
        "-inf".to_owned()
    } else {
        format!("{:+}", elo.round() as i64)
    }
}

/// Why games ended, the most frequent first: `line 12, proof 7`.
pub(crate) fn reasons(games: &[GameRecord]) -> String {
    let mut counts: Vec<(Reason, usize)> = Vec::new();
    for game in games {
        match counts.iter_mut().find(|(reason, _)| *reason == game.reason) {
            Some((_, count)) => *count += 1,
            None => counts.push((game.reason, 1)),
        }
    }
    counts.sort_by_key(|&(reason, count)| (std::cmp::Reverse(count), reason.to_string()));
    let words = counts
        .iter()
        .map(|(reason, count)| format!("{reason} {count}"));
    words.collect::<Vec<_>>().join(", ")
}
