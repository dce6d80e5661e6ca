//! What an engine thinks of a position, in words. Nothing here is called proved before the checker has
//! accepted its proof.

use std::sync::Arc;
use std::time::Duration;

use tengen_player::{Answer, Line, Score, Verdict, begins_with};
use tengen_prover::Proof;
use tengen_rules::{Cell, Outcome, Position, Side, Turn};

use crate::commands::check::sets_of;
use crate::error::CheckFailed;
use crate::verifying::Checked;

/// An answer after the checker has seen it.
#[derive(Debug)]
pub(crate) struct Opinion {
    /// The turns, best first, at least one.
    pub(crate) lines: Vec<CheckedLine>,
    /// Every turn that is not excluded loses: the proof and what the checker says.
    pub(crate) others_lose: Option<(Arc<Proof>, Checked)>,
    pub(crate) nodes: u64,
    pub(crate) depth: u32,
    pub(crate) time: Duration,
}

/// A turn, what is thought of it, and, if that is proved, what the checker says.
#[derive(Debug)]
pub(crate) struct CheckedLine {
    pub(crate) line: Line,
    pub(crate) check: Option<Checked>,
}

impl Opinion {
    /// Checks whatever an answer claims to be proved.
    pub(crate) fn new(
        position: &Position,
        answer: Answer,
        exclude: &[Turn],
    ) -> Result<Self, CheckFailed> {
        let checked = |line: Line| {
            let check = check_line(position, &line)?;
            Ok(CheckedLine { line, check })
        };
        let lines: Result<Vec<_>, _> = answer.lines.into_iter().map(checked).collect();
        let others_lose = answer.others_lose.map(|proof| {
            let check = check_others(position, &proof, exclude)?;
            Ok((proof, check))
        });
        Ok(Self {
            lines: lines?,
            others_lose: others_lose.transpose()?,
            nodes: answer.nodes,
            depth: answer.depth,
            time: answer.time,
        })
    }

    /// The checks that were made.
    pub(crate) fn checks(&self) -> impl Iterator<Item = &Checked> {
        let lines = self.lines.iter().filter_map(|line| line.check.as_ref());
        lines.chain(self.others_lose.as_ref().map(|(_, check)| check))
    }
}

/// The proof of a turn may be about the position before it, which then must be won by this turn or lost
/// with it, or about the position after it.
fn check_line(position: &Position, line: &Line) -> Result<Option<Checked>, CheckFailed> {
    let (mover, turn) = (position.to_move(), &line.turn);
    let mut after = position.clone();
    if let Err(error) = after.play(turn) {
        return Err(wrong(&format!("{turn} is no legal turn: {error}")));
    }
    let Some(proof) = line.verdict.proof() else {
        return Ok(None);
    };
    let attacker = winner(&line.verdict, mover);
    let before = Position::from_setup(&proof.position).is_ok_and(|about| about == *position);
    let about = if before { position } else { &after };
    let check = Checked::new(about, attacker, proof)?;
    let begins = begins_with(proof, turn) || has_won(&after, mover);
    if before && attacker == mover && !begins {
        return Err(wrong(&format!("the proof for {turn} begins otherwise")));
    }
    let open = |set: &Vec<Cell>| !before || set.iter().all(|&cell| turn.contains(cell));
    if sets_of(&check.report.except).iter().any(open) {
        return Err(wrong(&format!("the proof for {turn} leaves it open")));
    }
    Ok(Some(check))
}

/// Every turn that is not excluded must be covered: what the proof leaves open lies within exclusions.
fn check_others(
    position: &Position,
    proof: &Proof,
    exclude: &[Turn],
) -> Result<Checked, CheckFailed> {
    let check = Checked::new(position, !position.to_move(), proof)?;
    for open in sets_of(&check.report.except) {
        let within = |turn: &Turn| turn.cells().iter().all(|cell| open.contains(cell));
        if !exclude.iter().any(within) {
            let open: Turn = open.into_iter().collect();
            return Err(wrong(&format!(
                "the proof that all other turns lose leaves {open} open"
            )));
        }
    }
    Ok(check)
}

fn wrong(what: &str) -> CheckFailed {
    CheckFailed(format!(
        "the engine claims more than it shows: {what}; a report of it would help"
    ))
}

fn has_won(position: &Position, who: Side) -> bool {
    matches!(position.outcome(), Some(Outcome::Win { side, .. }) if *side == who)
}

/// Who is better, if anybody is.
fn winner(verdict: &Verdict, mover: Side) -> Side {
    match verdict {
        Verdict::Loss(_) | Verdict::LossLikely(_) => !mover,
        _ => mover,
    }
}

/// How a verdict is to be understood, as a sentence: "Black is better".
pub(crate) fn verdict_in_words(verdict: &Verdict, mover: Side, proved: bool) -> String {
    let side = winner(verdict, mover);
    match verdict {
        Verdict::Win(_) | Verdict::Loss(_) if proved => format!("{side} wins, and that is proved"),
        Verdict::Win(_) | Verdict::Loss(_) => format!("{side} seems to win"),
        Verdict::WinLikely(level) | Verdict::LossLikely(level) => match level {
            0 | 1 => format!("{side} is a little better"),
            2 => format!("{side} is better"),
            3 => format!("{side} is much better"),
            _ => format!("{side} is as good as winning"),
        },
        Verdict::Stable => "the game is balanced and quiet".to_owned(),
        Verdict::Unstable(2..) => "the game is balanced, and both sides attack".to_owned(),
        Verdict::Unstable(_) => "the game is balanced, but somebody attacks".to_owned(),
    }
}

/// The verdict as tables have it; `None` if nobody has looked at its proof yet.
pub(crate) fn verdict_in_table(verdict: &Verdict, proved: Option<bool>) -> String {
    match (verdict.proof(), proved) {
        (None, _) => verdict.to_string(),
        (Some(_), Some(true)) => format!("{verdict}, proved"),
        (Some(_), _) => format!("{verdict}, unchecked"),
    }
}

/// "+1.25"; beyond what a position that is not decided can have, "+max".
pub(crate) fn score_in_words(score: Score) -> String {
    let Score(hundredths) = score;
    if hundredths.unsigned_abs() >= Score::WIN_IN_SIGHT.0.unsigned_abs() {
        return if hundredths > 0 { "+max" } else { "-max" }.to_owned();
    }
    format!("{:+.2}", f64::from(hundredths) / 100.0)
}

/// What is expected after the turn: "J9 J8, K7 K8".
pub(crate) fn continuation(line: &Line) -> String {
    let own = usize::from(line.main_line.first() == Some(&line.turn));
    let turns: Vec<String> = line.main_line[own..].iter().map(Turn::to_string).collect();
    turns.join(", ")
}

#[cfg(test)]
mod tests;
