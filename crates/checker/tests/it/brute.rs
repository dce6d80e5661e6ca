//! Plain minimax on boards of at most 32 cells, stone by stone, with nothing clever in it. It shares
//! no code with the checker: this is what the checker is measured by.

use std::collections::HashMap;

/// A set of cells, bit x + y * width.
pub(crate) type Set = u32;

pub(crate) struct Game {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) line: u32,
    pub(crate) per_turn: u32,
    pub(crate) exact: bool,
    /// All windows, each with the cells before and behind it.
    windows: Vec<(Set, Set)>,
    won: HashMap<(Set, Set, bool, u32), bool>,
}

/// The attacker's and the defender's stones, who is to move, and how many stones of the turn are
/// left.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) attacker: Set,
    pub(crate) defender: Set,
    pub(crate) attacker_moves: bool,
    pub(crate) left: u32,
}

impl Game {
    pub(crate) fn new(width: u32, height: u32, line: u32, per_turn: u32, exact: bool) -> Self {
        assert!(width * height <= 32);
        let mut windows = Vec::new();
        let on_board = |x: i32, y: i32| {
            let inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
            inside.then(|| 1 << (x + y * width as i32))
        };
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let at = |i: i32| on_board(x + i * dx, y + i * dy);
                    let cells: Option<Vec<Set>> = (0..line as i32).map(at).collect();
                    if let Some(cells) = cells {
                        let flanks = at(-1).unwrap_or(0) | at(line as i32).unwrap_or(0);
                        windows.push((cells.iter().sum(), flanks));
                    }
                }
            }
        }
        Self {
            width,
            height,
            line,
            per_turn,
            exact,
            windows,
            won: HashMap::new(),
        }
    }

    pub(crate) fn rules(&self) -> String {
        let exact = if self.exact { ",exact" } else { "" };
        let (m, n, k, p) = (self.width, self.height, self.line, self.per_turn);
        format!("{m},{n},{k},{p},1{exact}")
    }

    pub(crate) fn cells(&self) -> u32 {
        self.width * self.height
    }

    pub(crate) fn has_line(&self, stones: Set) -> bool {
        self.windows.iter().any(|&(window, flanks)| {
            window & stones == window && !(self.exact && flanks & stones != 0)
        })
    }

    pub(crate) fn empty(&self, state: State) -> Set {
        let all = if self.cells() == 32 {
            !0
        } else {
            (1 << self.cells()) - 1
        };
        all & !state.attacker & !state.defender
    }

    /// Whether the attacker wins. Nobody has a line yet, except perhaps the defender: then not.
    pub(crate) fn is_won(&mut self, state: State) -> bool {
        !self.has_line(state.defender) && self.search(state)
    }

    fn search(&mut self, state: State) -> bool {
        let key = (
            state.attacker,
            state.defender,
            state.attacker_moves,
            state.left,
        );
        if let Some(&won) = self.won.get(&key) {
            return won;
        }
        if self.completes(state) {
            return state.attacker_moves;
        }
        let mut won = !state.attacker_moves && self.empty(state) != 0;
        for cell in bits(self.empty(state)) {
            let value = self.after_stone(state, cell);
            if value == state.attacker_moves {
                won = value;
                break;
            }
        }
        if self.won.len() > 6_000_000 {
            self.won.clear();
        }
        self.won.insert(key, won);
        won
    }

    /// Whether the side to move can complete a line with the stones left: the one short cut here.
    fn completes(&self, state: State) -> bool {
        let (own, other) = match state.attacker_moves {
            true => (state.attacker, state.defender),
            false => (state.defender, state.attacker),
        };
        self.windows.iter().any(|&(window, flanks)| {
            let missing = (window & !own).count_ones();
            let spoilt = self.exact && flanks & own != 0;
            window & other == 0 && missing <= state.left && !spoilt
        })
    }

    fn after_stone(&mut self, state: State, cell: Set) -> bool {
        let mut next = state;
        let own = if state.attacker_moves {
            &mut next.attacker
        } else {
            &mut next.defender
        };
        *own |= cell;
        let own = *own;
        if self.has_line(own) {
            return state.attacker_moves;
        }
        next.left -= 1;
        if next.left == 0 {
            next.attacker_moves = !state.attacker_moves;
            next.left = self.per_turn;
        }
        self.search(next)
    }

    pub(crate) fn cell_name(&self, cell: Set) -> String {
        let index = cell.trailing_zeros();
        let column = char::from(b'A' + (index % self.width) as u8);
        format!("{column}{}", index / self.width + 1)
    }

    pub(crate) fn names(&self, set: Set) -> String {
        if set == 0 {
            return "-".to_owned();
        }
        let names: Vec<String> = bits(set).map(|cell| self.cell_name(cell)).collect();
        names.join(",")
    }

    pub(crate) fn position(&self, state: State) -> String {
        let field = |name: &str, set: Set| {
            if set == 0 {
                String::new()
            } else {
                format!("{name}:{} ", self.names(set))
            }
        };
        let side = if state.attacker_moves { "B" } else { "W" };
        let (black, white) = (field("B", state.attacker), field("W", state.defender));
        let left = if state.left < self.per_turn {
            format!(" left:{}", state.left)
        } else {
            String::new()
        };
        format!("{black}{white}to-move:{side}{left}")
    }
}

/// The cells of a set, one at a time.
pub(crate) fn bits(set: Set) -> impl Iterator<Item = Set> {
    std::iter::successors(Some(set), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(|rest| rest & rest.wrapping_neg())
}

/// All subsets of `set` with `size` cells.
pub(crate) fn subsets(set: Set, size: u32) -> Vec<Set> {
    if size == 0 {
        return vec![0];
    }
    let mut all = Vec::new();
    for cell in bits(set) {
        // Only cells after this one, so that every subset comes once.
        let later = set & !(cell | (cell - 1));
        all.extend(subsets(later, size - 1).into_iter().map(|rest| rest | cell));
    }
    all
}

#[test]
fn tic_tac_toe_is_a_draw_and_small_games_have_their_known_values() {
    let start = |left| State {
        attacker: 0,
        defender: 0,
        attacker_moves: true,
        left,
    };
    assert!(!Game::new(3, 3, 3, 1, false).is_won(start(1)));
    assert!(Game::new(4, 3, 3, 1, false).is_won(start(1)));
    assert!(!Game::new(4, 4, 4, 1, false).is_won(start(1)));
    assert!(Game::new(3, 3, 3, 2, false).is_won(start(2)));
    assert_eq!(subsets(0b10111, 2).len(), 6);
}
