//! Reads the text form of a proof, version 1 of `docs/proof-format.md`, and refuses whatever is
//! malformed. Nothing here knows what a threat is.

use std::collections::HashSet;

use crate::tokens::{self, shown};
use crate::verdict::Reason;

/// Column and row, counted from 0; negative on infinite boards only.
pub(crate) type Cell = (i32, i32);

/// Connect(m,n,k,p,q).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Columns and rows; `None` for an infinite board.
    pub(crate) size: Option<(i32, i32)>,
    /// k
    pub(crate) line: usize,
    /// p
    pub(crate) per_turn: usize,
    /// q
    pub(crate) first_turn: usize,
    /// Overlines do not win.
    pub(crate) exact: bool,
}

impl Rules {
    pub(crate) fn contains(&self, (x, y): Cell) -> bool {
        self.size
            .is_none_or(|(width, height)| (0..width).contains(&x) && (0..height).contains(&y))
    }
}

/// A rectangle: its lowest and its highest corner.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Region {
    pub(crate) low: Cell,
    pub(crate) high: Cell,
}

impl Region {
    pub(crate) fn contains(&self, (x, y): Cell) -> bool {
        (self.low.0..=self.high.0).contains(&x) && (self.low.1..=self.high.1).contains(&y)
    }
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Side {
    Black,
    White,
}

/// Stones, whose turn it is and how many stones of it are left.
#[derive(Debug)]
pub(crate) struct Position {
    pub(crate) black: Vec<Cell>,
    pub(crate) white: Vec<Cell>,
    pub(crate) to_move: Side,
    pub(crate) left: usize,
}

/// A reply that is answered: the defender's stones and the node that answers.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) stones: Vec<Cell>,
    pub(crate) child: usize,
}

/// One node line: the attacker's turn and the replies.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) turn: Vec<Cell>,
    pub(crate) replies: Vec<Reply>,
}

/// What is claimed beyond or short of a win.
#[derive(Debug, Default)]
pub(crate) struct Claim {
    /// Nothing is claimed about replies that contain one of these sets, each in increasing order.
    pub(crate) except: Vec<Vec<Cell>>,
    /// The attacker wins on every board that contains this.
    pub(crate) region: Option<Region>,
    /// These are relevance zones.
    pub(crate) zones: Vec<Vec<Cell>>,
}

/// A whole file, well formed but not believed.
#[derive(Debug)]
pub(crate) struct Proof {
    pub(crate) rules: Rules,
    pub(crate) rules_text: String,
    pub(crate) position: Position,
    pub(crate) position_text: String,
    pub(crate) attacker: Side,
    pub(crate) claim: Claim,
    pub(crate) nodes: Vec<Node>,
}

/// The lines that count, with their numbers.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Split<'a, char>>,
    /// The line that was read last, from 1.
    number: usize,
}

impl<'a> Lines<'a> {
    /// The next line that is neither empty nor a comment.
    fn next(&mut self, expected: &str) -> Result<&'a str, Reason> {
        for (index, line) in self.lines.by_ref() {
            self.number = index + 1;
            let line = line.strip_suffix('\r').unwrap_or(line);
            if !line.starts_with('#') && !line.trim_ascii().is_empty() {
                return Ok(line);
            }
        }
        let message = format!("the file ends here, expected {expected}; it may have been cut");
        Err(self.error(message))
    }

    /// The next line, which must begin with the word `name`; returns what follows it.
    fn named(&mut self, name: &str) -> Result<&'a str, Reason> {
        let line = self.next(&format!("`{name}`"))?;
        match after_word(line, name) {
            Some(rest) => Ok(rest),
            None => Err(self.error(format!("found {}, expected `{name}`", shown(line)))),
        }
    }

    fn error(&self, message: impl Into<String>) -> Reason {
        Reason::at_line(self.number, message)
    }
}

/// What follows the word `name` at the beginning of the line.
fn after_word<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(name)?;
    let ends = rest.is_empty() || rest.starts_with([' ', '\t']);
    ends.then(|| rest.trim_ascii())
}

/// Reads a proof.
pub(crate) fn parse(text: &str) -> Result<Proof, Reason> {
    let mut lines = Lines {
        lines: text.split('\n').enumerate(),
        number: 1,
    };
    if text.starts_with('\u{feff}') {
        return Err(
            lines.error("the file begins with a byte order mark, expected `tengen-proof 1`")
        );
    }
    let version = lines.named("tengen-proof")?;
    if version != "1" {
        let version = shown(version);
        return Err(lines.error(format!(
            "the format has version {version}, only version 1 is read"
        )));
    }
    let rules_text = lines.named("rules")?;
    let rules = tokens::rules(rules_text).map_err(|message| lines.error(message))?;
    let position_text = lines.named("position")?;
    let position =
        tokens::position(position_text, &rules).map_err(|message| lines.error(message))?;
    let attacker = match lines.named("attacker")? {
        "black" => Side::Black,
        "white" => Side::White,
        other => {
            let message = format!("the attacker is {}, expected black or white", shown(other));
            return Err(lines.error(message));
        }
    };
    let defence = (position.to_move != attacker).then_some(&position);
    let (claim, count) = claim(&mut lines, &rules, defence)?;
    if count == 0 {
        return Err(lines.error("a proof has at least 1 node, found 0"));
    }
    let most = if position.to_move == attacker {
        position.left
    } else {
        0
    };
    let nodes = nodes(&mut lines, count, &rules, most)?;
    turns_are_inside(&nodes, claim.region)?;
    if !lines.named("end")?.is_empty() {
        return Err(lines.error("nothing may follow `end`"));
    }
    if let Ok(line) = lines.next("nothing") {
        return Err(lines.error(format!("found {} after `end`", shown(line))));
    }
    Ok(Proof {
        rules_text: rules_text.to_owned(),
        position_text: position_text.to_owned(),
        rules,
        position,
        attacker,
        claim,
        nodes,
    })
}

/// The lines before the nodes, and how many nodes follow. `defence` is the position if the defender
/// is to move there.
fn claim(
    lines: &mut Lines<'_>,
    rules: &Rules,
    defence: Option<&Position>,
) -> Result<(Claim, usize), Reason> {
    let mut claim = Claim::default();
    let mut given = HashSet::new();
    loop {
        let line = lines.next("`nodes`")?;
        let at_line = |message| lines.error(message);
        let early = claim.region.is_none() && claim.zones.is_empty();
        if let Some(rest) = after_word(line, "except").filter(|_| early) {
            let stones = exception(rest, rules, defence).map_err(at_line)?;
            if !given.insert(stones.clone()) {
                let stones = tokens::cell_names(&stones);
                return Err(lines.error(format!("the exception {stones} is given twice")));
            }
            claim.except.push(stones);
        } else if let Some(rest) = after_word(line, "region").filter(|_| early) {
            claim.region = Some(region(rest, rules).map_err(at_line)?);
        } else if let Some(rest) = after_word(line, "zone") {
            if !claim.except.is_empty() {
                return Err(lines.error("a proof with exceptions can claim no zones"));
            }
            let number = claim.zones.len() + 1;
            let zone = zone(rest, number, rules).map_err(at_line)?;
            claim.zones.push(zone);
        } else if let Some(rest) = after_word(line, "nodes") {
            return Ok((claim, tokens::number(rest).map_err(at_line)?));
        } else {
            return Err(lines.error(format!(
                "found {}, expected `except`, `region`, `zone` or `nodes` in this order",
                shown(line)
            )));
        }
    }
}

/// The stones of an exception in increasing order: part of a reply in this position.
fn exception(text: &str, rules: &Rules, defence: Option<&Position>) -> Result<Vec<Cell>, String> {
    let Some(position) = defence else {
        return Err(
            "the attacker is to move, exceptions are for the defender's replies".to_owned(),
        );
    };
    let mut stones = tokens::cells(text, rules)?;
    let taken = |cell: &&Cell| position.black.contains(cell) || position.white.contains(cell);
    if let Some(&cell) = stones.iter().find(taken) {
        let cell = tokens::cell_names(&[cell]);
        return Err(format!("{cell} of the exception is not empty"));
    }
    let (found, most) = (stones.len(), position.left);
    if found > most {
        return Err(format!(
            "the exception has {found} stones, expected at most {most}"
        ));
    }
    stones.sort_unstable();
    Ok(stones)
}

/// `CELL,CELL`: two opposite corners.
fn region(text: &str, rules: &Rules) -> Result<Region, String> {
    if rules.size.is_some() {
        return Err("a region is for the infinite board, this one is finite".to_owned());
    }
    let [one, other] = tokens::cells(text, rules)?[..] else {
        return Err(format!("found {}, expected two corners", shown(text)));
    };
    Ok(Region {
        low: (one.0.min(other.0), one.1.min(other.1)),
        high: (one.0.max(other.0), one.1.max(other.1)),
    })
}

/// The attacker plays inside the region only: other cells need not exist.
fn turns_are_inside(nodes: &[Node], region: Option<Region>) -> Result<(), Reason> {
    let outside = |cell: &&Cell| region.is_some_and(|region| !region.contains(**cell));
    for (id, node) in nodes.iter().enumerate() {
        if let Some(&cell) = node.turn.iter().find(outside) {
            let cell = tokens::cell_names(&[cell]);
            let message = format!("{cell} of the turn is outside the region");
            return Err(Reason {
                node: Some(id as u64),
                ..Reason::at_line(node.line, message)
            });
        }
    }
    Ok(())
}

/// `i CELL,...` where i is the number expected.
fn zone(text: &str, expected: usize, rules: &Rules) -> Result<Vec<Cell>, String> {
    let most = rules.line - rules.per_turn - 1;
    let Some((number, cells)) = text.split_once([' ', '\t']) else {
        return Err(format!(
            "found {}, expected a number and cells or `-`",
            shown(text)
        ));
    };
    let number = tokens::number(number)?;
    if number != expected || number > most {
        return Err(format!(
            "zone {number} is out of order, expected zone {expected} and at most {most} of them"
        ));
    }
    tokens::cells(cells.trim_ascii(), rules)
}

/// All node lines. The root's turn has at most `root_most` stones; 0 if the defender is to move.
fn nodes(
    lines: &mut Lines<'_>,
    count: usize,
    rules: &Rules,
    root_most: usize,
) -> Result<Vec<Node>, Reason> {
    let mut nodes = Vec::new();
    // Which nodes a node before them has named.
    let mut named = HashSet::from([0]);
    for id in 0..count {
        let line = lines.next(&format!("node {id} of {count}"))?;
        let most = if id == 0 { root_most } else { rules.per_turn };
        let node = node(line, lines.number, id, count, most, rules);
        let node = node.map_err(|message| Reason {
            node: Some(id as u64),
            ..lines.error(message)
        })?;
        if !named.remove(&id) {
            return Err(Reason {
                node: Some(id as u64),
                ..lines.error("no node before it leads here, expected every node to be reachable")
            });
        }
        named.extend(node.replies.iter().map(|reply| reply.child));
        nodes.push(node);
    }
    Ok(nodes)
}

/// `ID TURN STONES=CHILD ...`
fn node(
    text: &str,
    line: usize,
    id: usize,
    count: usize,
    most: usize,
    rules: &Rules,
) -> Result<Node, String> {
    let mut words = text.split_ascii_whitespace();
    let found = words.next().unwrap_or_default();
    if tokens::number(found) != Ok(id) {
        return Err(format!(
            "found {}, expected node {id} of {count}",
            shown(found)
        ));
    }
    let turn = words.next().ok_or("the turn is missing")?;
    let turn = tokens::cells(turn, rules)?;
    match (turn.len(), most) {
        (0, 0) => {}
        (_, 0) => return Err("the defender is to move, expected the turn `-`".to_owned()),
        (0, _) => return Err(format!("the turn is empty, expected 1 to {most} stones")),
        (stones, _) if stones > most => {
            return Err(format!(
                "the turn has {stones} stones, expected 1 to {most}"
            ));
        }
        _ => {}
    }
    let mut replies = Vec::new();
    let mut given = HashSet::new();
    for word in words {
        let Some((stones, child)) = word.split_once('=') else {
            return Err(format!(
                "{} is no reply, expected STONES=CHILD",
                shown(word)
            ));
        };
        let mut stones = tokens::cells(stones, rules)?;
        let child = tokens::number(child)?;
        if child <= id || child >= count {
            let last = count - 1;
            return Err(format!(
                "the reply leads to node {child}, expected a later node, at most {last}"
            ));
        }
        stones.sort_unstable();
        if !given.insert(stones.clone()) {
            let stones = tokens::cell_names(&stones);
            return Err(format!("the reply {stones} is given twice"));
        }
        replies.push(Reply { stones, child });
    }
    Ok(Node {
        line,
        turn,
        replies,
    })
}
