//! What `match` and `tournament` share: contestants, openings and conditions from the command line, the
//! games that are played, and the folder they are kept in.

pub(crate) mod html;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod words;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Context as _;
use tengen_checker::{Limits, Verdict, check_claim};
use tengen_player::arena::{
    Arena, Checked, Entry, Event, GameRecord, Opening, Plan, Spec, distinguish, schedule,
};
use tengen_prover::Proof;
use tengen_rules::{Position, Side, notation};

use crate::args::ArenaArgs;
use crate::interrupt;
use crate::output::Output;
use crate::progress::ProgressLine;
use crate::solving::side_name;
use crate::verifying::processors;
use settings::Settings;
use store::Store;

/// A check that takes longer says nothing. Nodes come first: they do not depend on the machine.
const CHECK: Limits = Limits {
    seconds: Some(60.0),
    nodes: Some(1_000_000),
    memory_bytes: None,
};

/// Everything that is needed to play.
pub(crate) struct Session {
    pub(crate) contestants: Vec<Spec>,
    pub(crate) openings: Vec<Opening>,
    pub(crate) settings: Settings,
    pub(crate) plans: Vec<Plan>,
    concurrency: usize,
    quiet: bool,
    store: Option<Store>,
    /// Finished games, in the order in which they ended.
    pub(crate) games: Vec<GameRecord>,
    /// How many of them an earlier run had played.
    pub(crate) resumed: usize,
}

impl Session {
    pub(crate) fn new(mut contestants: Vec<Spec>, args: &ArenaArgs) -> anyhow::Result<Self> {
        distinguish(&mut contestants);
        let (conditions, openings, games) = settings::from_args(&contestants, args)?;
        let settings = Settings::new(&contestants, &openings, conditions);
        let plans = schedule(contestants.len(), openings.len(), games);
        let half = processors() / 2;
        let mut session = Self {
            contestants,
            openings,
            settings,
            plans,
            concurrency: args.concurrency.map_or(half.max(1), usize::from),
            quiet: args.json,
            store: None,
            games: Vec::new(),
            resumed: 0,
        };
        session.try_engines()?;
        if let Some(folder) = &args.out {
            let (store, games) = Store::open(folder, &session.settings, &session.plans)?;
            session.resumed = games.len();
            session.games = games;
            session.store = Some(store);
        }
        Ok(session)
    }

    /// Says what is going to be played.
    pub(crate) fn introduce(&self, out: &mut Output) -> anyhow::Result<()> {
        let conditions = &self.settings.conditions;
        let names = self.contestants.iter().map(|spec| spec.name.as_str());
        writeln!(
            out,
            "{}: {}, {}, {} games, {} openings, seed {}",
            names.collect::<Vec<_>>().join(" - "),
            conditions.rules,
            conditions.pace,
            self.plans.len(),
            self.openings.len(),
            conditions.seed,
        )?;
        if self.resumed > 0 {
            writeln!(out, "{} of them are there already", self.resumed)?;
        }
        out.flush()?;
        Ok(())
    }

    /// Starts other people's engines once, so that a wrong path is not a lost match.
    fn try_engines(&self) -> anyhow::Result<()> {
        let conditions = &self.settings.conditions;
        for spec in self.contestants.iter().filter(|spec| spec.is_external()) {
            let entry = Entry {
                rules: conditions.rules,
                side: Side::Black,
                memory_mib: conditions.memory_mib,
                seed: conditions.seed,
                stopped: &interrupt::is_stopped,
            };
            spec.enter(&entry).with_context(|| format!("{spec}"))?;
        }
        Ok(())
    }

    /// Plays what is missing, until `done` says that it is enough.
    pub(crate) fn play(
        &mut self,
        out: &mut Output,
        done: impl Fn(&[GameRecord]) -> bool,
    ) -> anyhow::Result<()> {
        // From here on Ctrl-C is a wish, not the end.
        interrupt::flag();
        if done(&self.games) {
            return Ok(());
        }
        let played = |plan: &&Plan| self.games.iter().any(|game| game.game == plan.number);
        let missing: Vec<Plan> = self
            .plans
            .iter()
            .filter(|plan| !played(plan))
            .copied()
            .collect();
        let arena = Arena {
            contestants: &self.contestants,
            openings: &self.openings,
            conditions: &self.settings.conditions,
            check: &checked,
        };
        let mut failure = None;
        let mut progress = ProgressLine::new();
        let quiet = self.quiet;
        let lines = !quiet && !out.is_terminal();
        let start = Instant::now();
        let total = self.plans.len();
        let (games, store) = (&mut self.games, &mut self.store);
        arena
            .run(&missing, self.concurrency, |event| {
                if let Event::Finished(record) = event {
                    games.push(*record);
                    let record = games.last().expect("it was pushed");
                    let kept = store.as_mut().map_or(Ok(()), |store| store.keep(record));
                    // On a terminal the progress line is enough, unless somebody misbehaves.
                    let tell = lines || (!quiet && record.reason.is_forfeit());
                    let told = kept.and_then(|()| {
                        if tell {
                            progress.erase();
                            writeln!(out, "{}", words::game_line(games, total))?;
                            out.flush()?;
                        }
                        Ok(())
                    });
                    if let Err(error) = told {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                }
                progress.draw(&words::progress_line(games, total, start.elapsed()));
                if interrupt::is_stopped() || done(games) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })
            .context("cannot start the games")?;
        failure.map_or(Ok(()), Err)
    }
}

/// Whether a proof shows that `side` wins this very position, against every reply.
fn checked(proof: &Proof, position: &Position, side: Side) -> Checked {
    let setup = notation::setup_text(&position.to_setup());
    let rules = position.rules().to_string();
    match check_claim(&proof.to_text(), &rules, &setup, side_name(side), &CHECK) {
        Verdict::Verified(_) => Checked::Verified,
        Verdict::Undecided(_) => Checked::Undecided,
        other @ (Verdict::Rejected(_) | Verdict::VerifiedExcept(_)) => {
            Checked::Rejected(other.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_proofs_of_this_position_are_verified() {
        let rules = "6,6,4,1,1".parse().expect("rules");
        let position = |text| notation::parse_position(text, rules).expect("a position");
        let proof = |turn: &str| -> Proof {
            let text = format!(
                "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\nattacker black\n\
                 nodes 1\n0 {turn}\nend\n"
            );
            text.parse().expect("well-formed")
        };
        let here = position("B:B2,C2 W:B5,C5 to-move:B");
        let right = proof("D2");
        assert_eq!(checked(&right, &here, Side::Black), Checked::Verified);
        let rejected = |proof: &Proof, position: &Position, side| {
            matches!(checked(proof, position, side), Checked::Rejected(_))
        };
        assert!(rejected(&right, &here, Side::White));
        assert!(rejected(
            &right,
            &position("B:B2,C2 W:B5,D5 to-move:B"),
            Side::Black
        ));
        assert!(rejected(&proof("F6"), &here, Side::Black));
        let open = Proof {
            except: vec![vec!["A1".parse().expect("a cell")]],
            ..right
        };
        assert!(rejected(&open, &here, Side::Black));
    }
}
