//! Random walks from position to position, one or two stones at a time: wins by quiet turns are rare
//! among random positions and common beside each other. The walks start from `suites/solved/quiet.txt`.

use fastrand::Rng;
use tengen_rules::notation::parse_position;
use tengen_rules::{Position, Rules, Side};

use crate::naive::{Game, Stones};
use crate::support::{self, Case, pick, setup};

/// A walk among positions of one game.
pub(crate) struct Walk {
    pub(crate) rules: Rules,
    pub(crate) game: Game,
    rng: Rng,
    here: Case,
    steps: usize,
    /// Where to go back to.
    visited: Vec<Case>,
    /// Where a board is much emptier than the starts, brute force takes long.
    most_empty: u32,
}

/// After so many steps the walk goes on from somewhere else where it has been.
const STEPS: usize = 60;

impl Walk {
    /// A walk that starts from the positions of this game in the table.
    pub(crate) fn new(name: &str, seed: u64) -> Self {
        let rules = support::rules(name);
        let game = Game::new(rules);
        let starts = starts(name, rules);
        let empty = starts
            .iter()
            .map(|case| game.empty(case.stones).count_ones());
        Self {
            most_empty: empty.max().expect("a start") + 1,
            rules,
            game,
            rng: Rng::with_seed(seed),
            here: starts[0].clone(),
            steps: 0,
            visited: starts,
        }
    }

    /// A position beside this one that is not won at once: one or two stones more or less, sometimes
    /// with a turn that is half over.
    pub(crate) fn look(&mut self) -> Case {
        if self.steps.is_multiple_of(STEPS) {
            self.here = self.rng.choice(&self.visited).expect("a start").clone();
        }
        self.steps += 1;
        loop {
            let mut stones = self.here.stones;
            for _ in 0..=u32::from(self.rng.u32(0..3) == 0) {
                stones = self.changed(stones);
            }
            if let Some(case) = self.case(stones) {
                return case;
            }
        }
    }

    /// Goes on from here.
    pub(crate) fn go(&mut self, to: &Case) {
        self.here = to.clone();
        self.visited.push(to.clone());
    }

    fn changed(&mut self, stones: Stones) -> Stones {
        let Stones { attacker, defender } = stones;
        let rng = &mut self.rng;
        let own = rng.bool();
        let from = match (rng.bool(), own) {
            (true, _) => self.game.empty(stones),
            (false, true) => attacker,
            (false, false) => defender,
        };
        if from == 0 {
            return stones;
        }
        let cell = pick(from, rng);
        Stones {
            attacker: if own { attacker ^ cell } else { attacker },
            defender: if own { defender } else { defender ^ cell },
        }
    }

    fn case(&mut self, stones: Stones) -> Option<Case> {
        let Stones { attacker, defender } = stones;
        let (game, rng) = (&self.game, &mut self.rng);
        let whole = self.rules.per_turn();
        let left = if whole > 1 && rng.u32(0..8) == 0 {
            rng.u8(1..whole)
        } else {
            whole
        };
        if game.empty(stones).count_ones() > self.most_empty
            || game.can_complete(attacker, defender, u32::from(left))
            || game.can_complete(defender, attacker, 0)
        {
            return None;
        }
        let side = if rng.bool() { Side::Black } else { Side::White };
        let setup = setup(self.rules, stones, side, (left < whole).then_some(left));
        Position::from_setup(&setup).ok().map(Case::new)
    }
}

/// The positions of one game in the table.
fn starts(name: &str, rules: Rules) -> Vec<Case> {
    let table = include_str!("../../../../suites/solved/quiet.txt");
    let lines = table
        .lines()
        .skip_while(|line| *line != format!("rules {name}"));
    let lines = lines.skip(1).take_while(|line| !line.is_empty());
    let position = |line: &str| {
        let text = line.strip_prefix("order 3 win ").expect(line);
        parse_position(text, rules).expect(line)
    };
    lines.map(|line| Case::new(position(line))).collect()
}
