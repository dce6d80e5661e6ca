//! What is told about a search, in the words of Yixin and later engines.

use tengen_prover::Proof;
use tengen_rules::Turn;

use super::board::Board;
use super::info::Detail;
use crate::{Answer, Line, Verdict};

/// Everything that is wanted about an answer.
pub(super) fn lines(board: &Board, answer: &Answer, talks: bool, detail: Detail) -> Vec<String> {
    let mut lines = Vec::new();
    if detail.realtime {
        let best = answer.best().turn.cells().first();
        lines.extend(best.map(|&cell| format!("MESSAGE REALTIME BEST {}", board.text(cell))));
    }
    if detail.lines {
        lines.extend(self::detail(board, answer));
    } else if talks {
        let best = answer.best();
        lines.push(format!(
            "MESSAGE DEPTH {} NODES {} EVAL {} ({}) BESTLINE {}",
            answer.depth,
            answer.nodes,
            eval(best),
            best.verdict,
            path(board, &best.main_line)
        ));
    }
    lines
}

/// One block for each line of play.
pub(super) fn detail(board: &Board, answer: &Answer) -> Vec<String> {
    let time = answer.time.as_millis();
    let speed = u128::from(answer.nodes) * 1000 / time.max(1);
    let mut lines = Vec::new();
    for (index, line) in answer.lines.iter().enumerate() {
        lines.push(format!("INFO PV {index}"));
        let mut tell = |key: &str, value: String| lines.push(format!("INFO {key} {value}"));
        tell("NUMPV", answer.lines.len().to_string());
        tell("DEPTH", answer.depth.to_string());
        tell(
            "SELDEPTH",
            line.main_line.len().max(answer.depth as usize).to_string(),
        );
        tell("NODES", answer.nodes.to_string());
        tell("TOTALNODES", answer.nodes.to_string());
        tell("TOTALTIME", time.to_string());
        tell("SPEED", speed.to_string());
        tell("EVAL", eval(line));
        tell("WINRATE", format!("{:.4}", win_rate(line)));
        tell("BESTLINE", path(board, &line.main_line));
        lines.push("INFO PV DONE".to_owned());
    }
    lines
}

fn path(board: &Board, turns: &[Turn]) -> String {
    let cells = turns.iter().flat_map(|turn| turn.cells());
    let names: Vec<String> = cells.map(|&cell| board.text(cell)).collect();
    names.join(" ")
}

/// `+M5`: proved to win within five single moves; otherwise an opinion as a number.
fn eval(line: &Line) -> String {
    match &line.verdict {
        Verdict::Win(proof) => format!("+M{}", (2 * longest(proof)).saturating_sub(1)),
        Verdict::Loss(proof) => format!("-M{}", 2 * longest(proof)),
        _ => line.score.0.to_string(),
    }
}

/// The winner's turns against the longest defence, at most. A node without replies counts the turn after it too:
/// it may make more threats than can be stopped.
fn longest(proof: &Proof) -> u32 {
    let mut turns = vec![1; proof.nodes.len()];
    // Children come after their parents.
    for (index, node) in proof.nodes.iter().enumerate().rev() {
        let children = node
            .replies
            .iter()
            .filter_map(|reply| turns.get(reply.child as usize));
        let after = children.copied().max().unwrap_or(1);
        turns[index] = after + u32::from(!node.turn.is_empty());
    }
    turns.first().copied().unwrap_or(1)
}

/// An opinion too: the evaluation is fitted such that 100 is one unit of a logistic curve.
fn win_rate(line: &Line) -> f64 {
    match line.verdict {
        Verdict::Win(_) => 1.0,
        Verdict::Loss(_) => 0.0,
        _ => 1.0 / (1.0 + (-f64::from(line.score.0) / 100.0).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;
    use std::sync::Arc;
    use std::time::Duration;

    fn line(verdict: Verdict, score: i32) -> Line {
        let turn: Turn = "C9".parse().expect("a turn");
        Line {
            main_line: vec![turn.clone(), "D1".parse().expect("a turn")],
            turn,
            verdict,
            score: Score(score),
        }
    }

    #[test]
    fn blocks_have_all_fields_and_count_from_the_top() {
        let board = Board::new(15, 12).expect("a board");
        let answer = Answer {
            lines: vec![line(Verdict::Stable, 0), line(Verdict::LossLikely(2), -300)],
            others_lose: None,
            nodes: 5000,
            depth: 7,
            time: Duration::from_millis(20),
        };
        let text = detail(&board, &answer).join("\n");
        let first = "INFO PV 0\nINFO NUMPV 2\nINFO DEPTH 7\nINFO SELDEPTH 7\nINFO NODES 5000\nINFO TOTALNODES 5000\n\
            INFO TOTALTIME 20\nINFO SPEED 250000\nINFO EVAL 0\nINFO WINRATE 0.5000\nINFO BESTLINE 2,3 3,11\nINFO PV DONE\n\
            INFO PV 1\n";
        assert!(text.starts_with(first), "{text}");
        assert!(
            text.contains("INFO EVAL -300\nINFO WINRATE 0.0474\n"),
            "{text}"
        );
        let all = Detail {
            realtime: true,
            lines: false,
        };
        let said = lines(&board, &answer, true, all);
        assert_eq!(said[0], "MESSAGE REALTIME BEST 2,3");
        assert_eq!(
            said[1],
            "MESSAGE DEPTH 7 NODES 5000 EVAL 0 (stable) BESTLINE 2,3 3,11"
        );
        assert_eq!(
            lines(&board, &answer, false, Detail::default()),
            Vec::<String>::new()
        );
    }

    #[test]
    fn proved_wins_are_counted_in_single_moves() {
        let proof = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
            attacker black\nnodes 3\n0 D2 A2=1 E2=2\n1 E2\n2 A2\nend\n";
        let proof: Arc<Proof> = Arc::new(proof.parse().expect("a proof"));
        assert_eq!(longest(&proof), 3);
        assert_eq!(eval(&line(Verdict::Win(Arc::clone(&proof)), 0)), "+M5");
        assert_eq!(eval(&line(Verdict::Loss(proof), 0)), "-M6");
    }
}
