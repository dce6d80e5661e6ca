//! What a proof claims, in words.

use tengen_rules::{Cell, Side};

use crate::output::grouped;
use crate::view::cells_in_words;

/// "Black wins on every board that contains C4-P17 against every reply except the 15 listed".
pub(crate) fn claim_in_words(
    attacker: Side,
    except: &[Vec<Cell>],
    region: Option<(Cell, Cell)>,
) -> String {
    let boards = region.map_or_else(String::new, |(one, other)| {
        format!(" on every board that contains {one}-{other}")
    });
    let replies = match except.len() {
        0 => String::new(),
        1 => " against every reply except the one listed".to_owned(),
        n => format!(
            " against every reply except the {} listed",
            grouped(n as u64)
        ),
    };
    format!("{attacker} wins{boards}{replies}")
}

/// "Left open: every reply with J9 K9; L10; ... and 5 more"; at most `most` are listed.
pub(crate) fn open_replies_in_words(except: &[Vec<Cell>], most: usize) -> String {
    if except.iter().any(Vec::is_empty) {
        return "Left open: every reply, so nothing is claimed".to_owned();
    }
    let listed = except.iter().take(most).map(|cells| cells_in_words(cells));
    let listed: Vec<String> = listed.collect();
    let more = match except.len() - listed.len() {
        0 => String::new(),
        n => format!("; and {} more", grouped(n as u64)),
    };
    format!("Left open: every reply with {}{more}", listed.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(names: &str) -> Vec<Cell> {
        let names = names.split_whitespace();
        names.map(|name| name.parse().expect("a cell")).collect()
    }

    #[test]
    fn a_partial_claim_never_reads_as_a_win() {
        let corners = Some((Cell::new(2, 3), Cell::new(15, 16)));
        let open = [cells("J9 K9"), cells("L10")];
        assert_eq!(claim_in_words(Side::Black, &[], None), "Black wins");
        assert_eq!(
            claim_in_words(Side::White, &open, corners),
            "White wins on every board that contains C4-P17 against every reply except the 2 listed"
        );
        assert_eq!(
            open_replies_in_words(&open, 5),
            "Left open: every reply with J9 K9; L10"
        );
        assert_eq!(
            open_replies_in_words(&open, 1),
            "Left open: every reply with J9 K9; and 1 more"
        );
        assert_eq!(
            open_replies_in_words(&[cells("J9"), cells("")], 1),
            "Left open: every reply, so nothing is claimed"
        );
    }
}
