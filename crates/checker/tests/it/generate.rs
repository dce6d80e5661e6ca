//! Writes proofs for tiny boards, honest and dishonest ones, guided by brute force only.

use std::collections::HashMap;

use fastrand::Rng;

use crate::brute::{Game, Set, State, bits, subsets};

/// The attacker's turn and the replies that are answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Tree {
    pub(crate) turn: Set,
    pub(crate) replies: Vec<(Set, Tree)>,
}

/// How often each kind of reply gets a child, in percent.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Style {
    pub(crate) null: u32,
    pub(crate) semi: u32,
    pub(crate) full: u32,
    pub(crate) macros: u32,
    /// A turn with fewer stones than allowed.
    pub(crate) short: u32,
    /// A winning turn is taken at once.
    pub(crate) direct: u32,
}

impl Style {
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let mut percent = |choices: &[u32]| choices[rng.usize(..choices.len())];
        Self {
            null: percent(&[0, 50, 100, 100]),
            semi: percent(&[0, 50, 100, 100]),
            full: percent(&[80, 100, 100, 100]),
            macros: percent(&[0, 0, 30, 100]),
            short: percent(&[0, 0, 30]),
            direct: percent(&[60, 100, 100]),
        }
    }
}

/// A position with some stones of each side and no line.
pub(crate) fn random_state(game: &Game, rng: &mut Rng) -> State {
    loop {
        let (mut attacker, mut defender) = (0, 0);
        // Few enough empty cells for brute force.
        let least = game.cells().saturating_sub(13) / 2;
        let attackers = least + rng.u32(1..=game.line + 1);
        let defenders = least + rng.u32(0..=game.line + 1);
        for i in 0..attackers + defenders {
            let cell = 1 << rng.u32(0..game.cells());
            if (attacker | defender) & cell == 0 {
                *(if i < attackers {
                    &mut attacker
                } else {
                    &mut defender
                }) |= cell;
            }
        }
        let state = State {
            attacker,
            defender,
            attacker_moves: rng.u32(0..4) > 0,
            left: rng.u32(1..=game.per_turn),
        };
        if attacker != 0
            && !game.has_line(attacker)
            && !game.has_line(defender)
            && (1..=13).contains(&game.empty(state).count_ones())
        {
            return state;
        }
    }
}

/// A position in which the side to move cannot win at once, nor the attacker after a null turn.
pub(crate) fn undecided_state(game: &Game, rng: &mut Rng) -> State {
    loop {
        let state = random_state(game, rng);
        let attacker = State {
            left: if state.attacker_moves {
                state.left
            } else {
                game.per_turn
            },
            attacker_moves: true,
            ..state
        };
        if !wins_at_once(game, attacker) {
            return state;
        }
    }
}

/// Whether the attacker can complete a line with this turn.
fn wins_at_once(game: &Game, state: State) -> bool {
    let empty = game.empty(state);
    let turns = subsets(empty, state.left.min(empty.count_ones()));
    turns
        .into_iter()
        .any(|turn| game.has_line(state.attacker | turn))
}

pub(crate) struct Generator<'a> {
    pub(crate) game: &'a mut Game,
    pub(crate) rng: &'a mut Rng,
    pub(crate) style: Style,
    /// Nodes that may still be written; a proof that needs more is given up.
    pub(crate) budget: u32,
}

impl Generator<'_> {
    /// A strategy from a position. If `honest`, the position is won and so is every position after
    /// the root's turn; otherwise the root may play any turn that leaves few refutations.
    pub(crate) fn tree(&mut self, state: State, honest: bool) -> Option<Tree> {
        if !state.attacker_moves {
            let replies = self.replies(state)?;
            return Some(Tree { turn: 0, replies });
        }
        self.budget = self.budget.checked_sub(1)?;
        let empty = self.game.empty(state);
        let most = state.left.min(empty.count_ones());
        let mut turns = subsets(empty, most);
        if !self.game.exact && self.rng.u32(0..100) < self.style.short {
            (1..most).for_each(|size| turns.extend(subsets(empty, size)));
        }
        self.rng.shuffle(&mut turns);
        let wins = turns
            .iter()
            .copied()
            .find(|turn| self.game.has_line(state.attacker | turn));
        if let Some(turn) = wins
            && self.rng.u32(0..100) < self.style.direct
        {
            return Some(Tree {
                turn,
                replies: Vec::new(),
            });
        }
        // Of some turns that do, the one that leaves fewest replies that must be looked at.
        let mut best: Option<(usize, Set)> = None;
        let mut tried = 0;
        for turn in turns {
            if self.game.has_line(state.attacker | turn) {
                continue;
            }
            let next = self.after_turn(state, turn);
            if honest && !self.game.is_won(next) {
                continue;
            }
            let open = self.real_replies(next).len();
            let refuted = self.refutations(next);
            let cost = if honest { open } else { refuted * 1000 + open };
            if (honest || refuted > 0) && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, turn));
            }
            tried += 1;
            if tried >= 12 {
                break;
            }
        }
        let Some((_, turn)) = best else {
            return wins.map(|turn| Tree {
                turn,
                replies: Vec::new(),
            });
        };
        let replies = self.replies(self.after_turn(state, turn))?;
        Some(Tree { turn, replies })
    }

    fn after_turn(&self, state: State, turn: Set) -> State {
        State {
            attacker: state.attacker | turn,
            attacker_moves: false,
            left: self.game.per_turn,
            ..state
        }
    }

    fn after_reply(&self, state: State, reply: Set) -> State {
        State {
            defender: state.defender | reply,
            attacker_moves: true,
            left: self.game.per_turn,
            ..state
        }
    }

    /// The defender's whole turns after which the attacker does not win at once.
    fn real_replies(&self, state: State) -> Vec<Set> {
        let empty = self.game.empty(state);
        let size = state.left.min(empty.count_ones());
        let mut replies = subsets(empty, size);
        replies.retain(|&reply| {
            let next = self.after_reply(state, reply);
            !wins_at_once(self.game, next)
        });
        replies
    }

    /// How many whole turns of the defender prevent the win.
    fn refutations(&mut self, state: State) -> usize {
        let replies = self.real_replies(state);
        let lost = replies
            .into_iter()
            .filter(|&reply| !self.game.is_won(self.after_reply(state, reply)));
        lost.count()
    }

    /// A child for replies of every kind, wherever the attacker wins after them.
    fn replies(&mut self, state: State) -> Option<Vec<(Set, Tree)>> {
        let empty = self.game.empty(state);
        let real = self.real_replies(state);
        if real.is_empty() && self.rng.bool() {
            return Some(Vec::new());
        }
        let mut sets: Vec<(Set, u32)> = Vec::new();
        if !self.game.exact {
            sets.push((0, self.style.null));
            for size in 1..state.left {
                sets.extend(
                    subsets(empty, size)
                        .into_iter()
                        .map(|s| (s, self.style.semi)),
                );
            }
        }
        sets.extend(real.iter().map(|&reply| (reply, self.style.full)));
        if real.len() > 1 && !self.game.exact {
            for _ in 0..3 {
                let union = real[self.rng.usize(..real.len())] | real[self.rng.usize(..real.len())];
                sets.push((union, self.style.macros));
            }
        }
        let mut replies: Vec<(Set, Tree)> = Vec::new();
        for (stones, percent) in sets {
            let next = self.after_reply(state, stones);
            if self.rng.u32(0..100) < percent
                && replies.iter().all(|&(other, _)| other != stones)
                && self.game.is_won(next)
            {
                replies.push((stones, self.tree(next, true)?));
            }
        }
        Some(replies)
    }
}

/// The text of a proof; equal subtrees share a node if `shared`.
pub(crate) fn text(game: &Game, state: State, tree: &Tree, shared: bool) -> String {
    let lines = node_lines(game, tree, shared);
    format!(
        "tengen-proof 1\nrules {}\nposition {}\nattacker black\nnodes {}\n{}\nend\n",
        game.rules(),
        game.position(state),
        lines.len(),
        lines.join("\n")
    )
}

/// The turn and, for each reply, its stones and the place of the child.
type Line = (Set, Vec<(Set, usize)>);

fn node_lines(game: &Game, tree: &Tree, shared: bool) -> Vec<String> {
    // Postorder, then numbered backwards: parents come before children.
    let mut order: Vec<Line> = Vec::new();
    visit(tree, shared, &mut order, &mut HashMap::new());
    let last = order.len() - 1;
    let line = |(id, (turn, replies)): (usize, &Line)| {
        let mut line = format!("{id} {}", game.names(*turn));
        for (stones, child) in replies {
            line += &format!(" {}={}", game.names(*stones), last - child);
        }
        line
    };
    order.iter().rev().enumerate().map(line).collect()
}

fn visit<'t>(
    tree: &'t Tree,
    shared: bool,
    order: &mut Vec<Line>,
    known: &mut HashMap<&'t Tree, usize>,
) -> usize {
    if shared && let Some(&place) = known.get(tree) {
        return place;
    }
    let replies = tree.replies.iter();
    let replies = replies.map(|(stones, child)| (*stones, visit(child, shared, order, known)));
    let replies = replies.collect();
    order.push((tree.turn, replies));
    known.insert(tree, order.len() - 1);
    order.len() - 1
}

/// Every node of the tree, as the way to it from the root.
pub(crate) fn paths(tree: &Tree) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for (i, (_, child)) in tree.replies.iter().enumerate() {
        for mut path in paths(child) {
            path.insert(0, i);
            all.push(path);
        }
    }
    all
}

pub(crate) fn at<'t>(tree: &'t mut Tree, path: &[usize]) -> &'t mut Tree {
    match path {
        [] => tree,
        [first, rest @ ..] => at(&mut tree.replies[*first].1, rest),
    }
}

/// A random cell of a set.
pub(crate) fn random_cell(set: Set, rng: &mut Rng) -> Option<Set> {
    let cells: Vec<Set> = bits(set).collect();
    (!cells.is_empty()).then(|| cells[rng.usize(..cells.len())])
}
