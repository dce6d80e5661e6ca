//! Corollary 2 and Table 1 of Wu and Huang, *A New Family of k-in-a-row Games* (2005): games that one side wins
//! because the other cannot answer all threats, and games judged by experiment.

/// What is said of a game, and how well it is founded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Black wins by Corollary 2, whose argument is by hand.
    BlackByCorollary2,
    /// Table 1: informally proved by Wu and Huang that this side wins.
    Informal(Favoured),
    /// Table 1: experiments favour this side.
    Favours(Favoured),
    /// Connect(k,p) is drawn, and a certificate of it was verified.
    DrawnVerified,
    /// Connect(k,p) is drawn by a theorem that is quoted.
    DrawnQuoted(&'static str),
    /// Nothing is known.
    Open,
}

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Favoured {
    /// The first player.
    Black,
    /// The second.
    White,
}

/// Corollary 2: with d = k - p, Black wins Connect(k,p,q) when p is less than this. `None` when k <= p: any p
/// stones are a line.
pub fn corollary_2(line: usize, per_turn: usize, first_turn: usize) -> Option<usize> {
    let delta = line.checked_sub(per_turn).filter(|&delta| delta > 0)?;
    let groups = first_turn / (delta * delta);
    let rest = first_turn % (delta * delta);
    Some(groups * (4 * delta + 4) + rest.min(8 * groups))
}

/// Whether Black wins by Corollary 2.
pub fn black_wins_by_corollary_2(line: usize, per_turn: usize, first_turn: usize) -> bool {
    corollary_2(line, per_turn, first_turn).is_none_or(|bound| per_turn < bound)
}

/// Table 1: games with k - p = 3 and k <= 9; rows are q, columns p = 1 to 6.
const TABLE_1: [[&str; 6]; 6] = [
    ["B", "B", "W", "W", "W", "W"],
    ["", "B", "W", "W", "W", "W"],
    ["", "", "B", "FB", "FB", "FW"],
    ["", "", "", "B", "B", "FW"],
    ["", "", "", "", "B", "B"],
    ["", "", "", "", "", "B"],
];

/// What Table 1 says.
pub fn table_1(line: usize, per_turn: usize, first_turn: usize) -> Option<Standing> {
    if line != per_turn + 3 || !(1..=6).contains(&per_turn) || !(1..=per_turn).contains(&first_turn)
    {
        return None;
    }
    match TABLE_1[first_turn - 1][per_turn - 1] {
        "B" => Some(Standing::Informal(Favoured::Black)),
        "W" => Some(Standing::Informal(Favoured::White)),
        "FB" => Some(Standing::Favours(Favoured::Black)),
        "FW" => Some(Standing::Favours(Favoured::White)),
        _ => None,
    }
}

/// What is known about Connect(k,p,q) on the infinite board, with q <= p; `verified` is the least k with a
/// verified certificate of a draw for this p.
pub fn standing(
    line: usize,
    per_turn: usize,
    first_turn: usize,
    verified: Option<usize>,
) -> Standing {
    if black_wins_by_corollary_2(line, per_turn, first_turn) {
        return Standing::BlackByCorollary2;
    }
    if verified.is_some_and(|least| line >= least) {
        return Standing::DrawnVerified;
    }
    if per_turn == 1 && line >= 8 {
        return Standing::DrawnQuoted("Zetters 1980");
    }
    if line >= crate::induction::theorem_2(per_turn) {
        return Standing::DrawnQuoted("Theorem 2");
    }
    table_1(line, per_turn, first_turn).unwrap_or(Standing::Open)
}
