//! The rules of the search, one by one.

mod search_support;

use std::time::Duration;

use search_support::{Game, answer, check, configs, decision, key, proof, turn};
use tengen_grid::search::{Config, Event, NodeId, Order, Policy, Retry, Search, Selection};
use tengen_grid::{Evidence, Expansion, Found, JobId, Numbers, Verdict, Work};
use tengen_rules::{Side, Turn};

const NOW: Duration = Duration::ZERO;

fn policy(policy: Policy) -> Config {
    Config {
        selection: Selection::ProofNumber(policy),
        ..Config::default()
    }
}

fn search(config: Config) -> Search {
    Search::new(Side::Black, key(0, 0), config)
}

fn proved() -> Evidence {
    Evidence::Proof(proof(&mut fastrand::Rng::with_seed(1)))
}

/// Turn and child of the same number on a level.
fn found(level: usize, number: usize, verdict: Verdict) -> Found {
    Found {
        turn: turn(number),
        key: key(level, number),
        verdict,
        after: None,
    }
}

fn turns(turns: Vec<Found>, rest_loses: Option<Evidence>) -> Expansion {
    Expansion {
        turns,
        rest_loses,
        ..Expansion::default()
    }
}

fn grow(search: &mut Search, node: u32, found: Vec<Found>, rest_loses: Option<Evidence>) {
    let changes = search.apply(answer(NodeId(node), turns(found, rest_loses)));
    assert!(changes.refused.is_empty(), "{changes:?}");
    check(search);
}

fn nodes(orders: &[Order]) -> Vec<u32> {
    orders.iter().map(|order| order.node.0).collect()
}

/// Figure 5: a is the root with the branches b (whose reply is e), c (whose reply is f) and d.
fn figure_5(chosen: Policy) -> (Search, Vec<u32>) {
    let mut config = policy(chosen);
    config.numbers.0[Verdict::W1 as usize] = Numbers::new(8, 5);
    let mut search = search(config);
    let branches = vec![
        found(1, 1, Verdict::B3),
        found(1, 2, Verdict::Stable),
        found(1, 3, Verdict::W1),
    ];
    grow(&mut search, 0, branches, Some(proved()));
    grow(
        &mut search,
        1,
        vec![found(2, 1, Verdict::B3)],
        Some(proved()),
    );
    grow(
        &mut search,
        2,
        vec![found(2, 2, Verdict::Stable)],
        Some(proved()),
    );
    let orders = search.orders(1, NOW);
    (search, nodes(&orders))
}

#[test]
fn a_virtual_win_stops_after_e_and_a_virtual_loss_goes_on_with_f_and_d() {
    let (mut search, first) = figure_5(Policy::VirtualWin);
    assert_eq!(first, [4], "e is the most-proving node");
    assert_eq!(search.root().supposed, Numbers::decided(Side::Black));
    assert_eq!(search.orders(2, NOW), []);

    let (mut search, first) = figure_5(Policy::VirtualLoss);
    assert_eq!(first, [4]);
    let b = search.node(NodeId(1)).expect("b");
    assert_eq!(b.supposed, Numbers::decided(Side::White));
    assert_eq!(search.root().supposed, Numbers::new(6, 11));
    assert_eq!(
        search.root().numbers,
        Numbers::new(2, 23),
        "watchers see the real ones"
    );
    assert_eq!(
        nodes(&search.orders(3, NOW)),
        [5, 3],
        "f and d, then nothing is left"
    );

    let (mut search, first) = figure_5(Policy::Greedy);
    assert_eq!(first, [4]);
    assert_eq!(
        search.orders(2, NOW),
        [],
        "e is better for Black: a virtual win"
    );

    let (mut search, first) = figure_5(Policy::VirtualEquivalence);
    assert_eq!(first, [4]);
    assert_eq!(
        search.root().supposed,
        Numbers::new(6, 23),
        "as good as the best that is free"
    );
    assert_eq!(nodes(&search.orders(3, NOW)), [5, 3]);

    let (mut search, first) = figure_5(Policy::Patient);
    assert_eq!(first, [4]);
    assert_eq!(
        search.root().supposed.proof,
        6,
        "as good as the best that is free"
    );
    let e = search.node(NodeId(4)).expect("e");
    assert_eq!(e.supposed, Numbers::new(16, 96), "it gets harder for both");
    assert_eq!(nodes(&search.orders(3, NOW)), [5, 3]);
}

/// The root has two turns and no more: 1, which looks better and whose next reply is being looked for, and 2.
#[test]
fn a_patient_search_goes_elsewhere_until_the_next_turn_is_found() {
    for (chosen, then) in [
        (Policy::VirtualEquivalence, [4, 3]),
        (Policy::Patient, [3, 4]),
    ] {
        let mut search = search(policy(chosen));
        let branches = vec![found(1, 1, Verdict::B3), found(1, 2, Verdict::W1)];
        grow(&mut search, 0, branches, Some(proved()));
        grow(
            &mut search,
            2,
            vec![found(2, 0, Verdict::Stable)],
            Some(proved()),
        );
        grow(&mut search, 1, vec![found(2, 1, Verdict::B3)], None);
        // Whoever goes through the only reply orders the next one; the first job is lost.
        let orders = search.orders(2, NOW);
        assert_eq!(nodes(&orders), [4, 1], "{chosen}");
        assert_eq!(search.lost(orders[0].job), Retry::Again);
        let rest = search.orders(1, NOW);
        check(&search);
        assert_eq!(nodes(&rest), [then[0]], "{chosen}");
        assert_eq!(
            nodes(&search.orders(9, NOW)),
            [then[1]],
            "{chosen}: better than nothing"
        );
        // The next reply is there: no reason to wait any more.
        search.finished(orders[1].job);
        grow(
            &mut search,
            1,
            vec![found(2, 2, Verdict::B3)],
            Some(proved()),
        );
        assert_eq!(nodes(&search.orders(9, NOW)), [5], "{chosen}");
    }
}

#[test]
fn the_next_sibling_is_ordered_with_the_last_child_and_excludes_all_others() {
    let mut search = search(policy(Policy::VirtualLoss));
    assert_eq!(nodes(&search.orders(5, NOW)), [0], "a leaf alone");
    assert_eq!(search.finished(JobId(0)), Some(NodeId::ROOT));
    let mut first = turns(
        vec![found(1, 0, Verdict::B1), found(1, 1, Verdict::B2)],
        None,
    );
    first.hints = vec![turn(7), turn(8)];
    search.apply(answer(NodeId::ROOT, first));

    let orders = search.orders(1, NOW);
    assert_eq!(nodes(&orders), [2], "the better one is the last");
    let orders = search.orders(1, NOW);
    let work = Work::Expand {
        exclude: vec![turn(0), turn(1)],
        hints: vec![turn(7), turn(8)],
        attempt: 0,
        attacker: None,
    };
    assert_eq!(
        nodes(&orders),
        [0],
        "the sibling comes when a worker is free"
    );
    assert_eq!(orders[0].work, work);
    assert_eq!(nodes(&search.orders(5, NOW)), [1], "and only once");

    search.finished(orders[0].job);
    grow(&mut search, 0, vec![found(1, 2, Verdict::W4)], None);
    assert_eq!(
        nodes(&search.orders(5, NOW)),
        [3, 0],
        "the new last child and the one after it"
    );
}

#[test]
fn a_node_whose_children_are_lost_asks_for_more_until_a_proof_closes_it() {
    let mut search = search(policy(Policy::VirtualLoss));
    grow(&mut search, 0, vec![found(1, 0, Verdict::B1)], None);
    search.apply(answer(NodeId(1), decision(Side::White, proved())));
    assert_eq!(search.winner(), None);
    assert_eq!(
        search.root().numbers,
        Numbers::new(18, 1),
        "a bad turn may still be found"
    );
    assert_eq!(nodes(&search.orders(9, NOW)), [0]);
    search.finished(JobId(0));

    let mut claimed = search;
    grow(&mut claimed, 0, vec![], Some(Evidence::Claim));
    assert_eq!(claimed.winner(), None);
    assert_eq!(claimed.root().closed, Some(Evidence::Claim));
    assert_eq!(claimed.root().numbers, Numbers::new(Numbers::MOST, 1));
    assert_eq!(claimed.orders(9, NOW), [], "it has been asked");
    assert!(claimed.stuck());
    claimed.apply(Event::Retry { node: NodeId::ROOT });
    assert_eq!(
        nodes(&claimed.orders(9, NOW)),
        [0],
        "until somebody insists"
    );
    grow(&mut claimed, 0, vec![], Some(proved()));
    assert_eq!(claimed.winner(), Some(Side::White));
}

#[test]
fn liars_decide_nothing() {
    for config in configs() {
        for seed in 0..40 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let game = Game::random(&mut rng);
            let mut search = search(config.clone());
            for _ in 0..200 {
                for order in search.orders(rng.usize(1..5), NOW) {
                    let key = search.node(order.node).expect("ordered").key;
                    let Work::Expand { exclude, .. } = order.work else {
                        panic!("only expansions are ordered");
                    };
                    let mut lie = game.answer(key, &exclude, &mut rng);
                    make_claims(&mut lie, &mut rng);
                    search.finished(order.job);
                    let changes = search.apply(answer(order.node, lie));
                    assert_eq!(changes.decided, []);
                    check(&search);
                }
                if rng.u32(..8) == 0 {
                    let node = NodeId(rng.usize(..search.len()) as u32);
                    search.apply(Event::Retry { node });
                }
            }
            let decided = |id| search.node(NodeId(id)).expect("in range").decided;
            assert!((0..search.len() as u32).all(|id| decided(id).is_none()));
        }
    }
}

/// Half of the answers are honest and proved, the others are claims, often wrong: what is decided is decided rightly.
#[test]
fn claims_among_proofs_lead_to_nothing_wrong() {
    let mut decided = 0;
    for config in configs() {
        for seed in 0..100 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let game = Game::random(&mut rng);
            let mut search = search(config.clone());
            for _ in 0..60 {
                for order in search.orders(rng.usize(1..5), NOW) {
                    let key = search.node(order.node).expect("ordered").key;
                    let Work::Expand { exclude, .. } = order.work else {
                        panic!("only expansions are ordered");
                    };
                    let mut said = game.answer(key, &exclude, &mut rng);
                    if rng.bool() {
                        make_claims(&mut said, &mut rng);
                    }
                    search.finished(order.job);
                    for (node, winner) in search.apply(answer(order.node, said)).decided {
                        let key = search.node(node).expect("decided").key;
                        assert_eq!(winner, game.value_of(key), "seed {seed}, {node:?}");
                        decided += 1;
                    }
                }
                check(&search);
            }
        }
    }
    assert!(decided > 1_000, "there was something to decide: {decided}");
}

fn make_claims(expansion: &mut Expansion, rng: &mut fastrand::Rng) {
    if let Some(decision) = &mut expansion.decided {
        decision.evidence = Evidence::Claim;
        decision.winner = Side::BOTH[rng.usize(..2)];
    }
    if expansion.rest_loses.is_some() || rng.bool() {
        expansion.rest_loses = Some(Evidence::Claim);
    }
    for found in &mut expansion.turns {
        found.verdict = Verdict::win(Side::BOTH[rng.usize(..2)]);
        if let Some(after) = &mut found.after {
            make_claims(after, rng);
        }
    }
}

#[test]
fn a_table_of_zeros_decides_nothing() {
    let mut config = Config::default();
    config.numbers.0 = [Numbers::decided(Side::Black); 13];
    let mut search = search(config);
    assert_eq!(search.root().numbers, Numbers::new(1, Numbers::MOST));
    let many = (0..3).map(|number| found(1, number, Verdict::B1)).collect();
    search.apply(answer(NodeId::ROOT, turns(many, Some(proved()))));
    assert_eq!(
        search.root().numbers,
        Numbers::new(1, Numbers::MOST),
        "sums saturate"
    );
    search.check_slow().expect("clamped everywhere");
}

#[test]
fn contradictions_are_reported_once_and_the_first_proof_stays() {
    let mut search = search(policy(Policy::VirtualLoss));
    grow(&mut search, 0, vec![found(1, 0, Verdict::B1)], None);
    search.apply(answer(NodeId::ROOT, decision(Side::White, proved())));
    let changes = search.apply(answer(NodeId::ROOT, decision(Side::Black, proved())));
    assert_eq!(changes.contradictions, [NodeId::ROOT]);
    let changes = search.apply(answer(NodeId(1), decision(Side::Black, proved())));
    assert_eq!(changes.decided, [(NodeId(1), Side::Black)]);
    assert_eq!(changes.contradictions, [], "said already");
    assert_eq!(search.winner(), Some(Side::White));
    assert!(search.root().contradicted);
}

#[test]
fn a_child_that_contradicts_its_parent_is_reported() {
    let mut search = search(policy(Policy::VirtualLoss));
    grow(&mut search, 0, vec![found(1, 0, Verdict::B1)], None);
    search.apply(answer(NodeId::ROOT, decision(Side::White, proved())));
    let changes = search.apply(answer(NodeId(1), decision(Side::Black, proved())));
    assert_eq!(changes.contradictions, [NodeId::ROOT]);
    assert_eq!(search.winner(), Some(Side::White));
}

#[test]
fn what_cannot_follow_is_refused_and_closes_nothing() {
    let mut search = search(policy(Policy::VirtualLoss));
    grow(&mut search, 0, vec![found(1, 0, Verdict::B1)], None);
    let mut cycle = found(1, 5, Verdict::B1);
    cycle.key = key(0, 0);
    let changes = search.apply(answer(NodeId(1), turns(vec![cycle], Some(proved()))));
    assert_eq!(changes.refused.len(), 1);
    assert_eq!(changes.refused[0].turn, Some(turn(5)));
    assert_eq!(search.node(NodeId(1)).expect("there").closed, None);
    assert_eq!(search.winner(), None);

    let changes = search.apply(answer(NodeId(99), Expansion::default()));
    assert_eq!(changes.refused.len(), 1, "no such node");
    assert_eq!(search.node(NodeId(99)), None);
    assert_eq!(search.line(NodeId(99)), []);
}

#[test]
fn two_turns_to_one_child_count_once() {
    let mut search = search(policy(Policy::VirtualLoss));
    let mut twin = found(1, 1, Verdict::B1);
    twin.key = key(1, 0);
    let children = vec![found(1, 0, Verdict::B1), twin, found(1, 2, Verdict::B2)];
    grow(&mut search, 0, children, None);
    assert_eq!(search.len(), 3);
    assert_eq!(search.root().numbers, Numbers::new(3, 18));
    assert_eq!(
        search.node(NodeId(1)).expect("there").parents,
        [NodeId::ROOT]
    );
    assert_eq!(search.line(NodeId(2)), [turn(2)]);
    assert_eq!(search.find(&key(1, 2)), Some(NodeId(2)));
}

#[test]
fn lost_jobs_are_tried_again_then_given_up_and_tried_once_more_at_the_end() {
    let mut search = search(Config {
        retries: 1,
        timeout: Some(Duration::from_secs(60)),
        ..Config::default()
    });
    let children = vec![found(1, 0, Verdict::B3), found(1, 1, Verdict::B1)];
    grow(&mut search, 0, children, Some(proved()));
    for (job, retry) in [(0, Retry::Again), (1, Retry::GiveUp(NodeId(1)))] {
        assert_eq!(nodes(&search.orders(1, NOW)), [1]);
        assert_eq!(search.overdue(Duration::from_secs(60)), []);
        assert_eq!(search.overdue(Duration::from_secs(61)), [JobId(job)]);
        assert_eq!(search.lost(JobId(job)), retry);
    }
    assert_eq!(search.lost(JobId(1)), Retry::Unknown);
    let reason = "the worker has died twice".to_owned();
    let node = NodeId(1);
    search.apply(Event::GaveUp {
        node,
        reason: reason.clone(),
    });
    assert_eq!(
        search.node(node).expect("there").numbers,
        Numbers::new(18, 1)
    );
    assert_eq!(nodes(&search.orders(9, NOW)), [2], "not before all else");
    search.finished(JobId(2));
    search.apply(answer(NodeId(2), decision(Side::White, proved())));
    assert_eq!(search.winner(), None, "giving up decides nothing");
    assert_eq!(nodes(&search.orders(9, NOW)), [1]);
    search.lost(JobId(3));
    search.lost(JobId(3));
    search.apply(Event::GaveUp { node, reason });
    assert_eq!(search.orders(9, NOW), [], "that was its second chance");
    search.apply(answer(node, decision(Side::White, proved())));
    assert_eq!(search.winner(), Some(Side::White), "late is not too late");
}

#[test]
fn an_excluded_turn_is_neither_chosen_nor_forgotten() {
    let mut search = search(policy(Policy::VirtualLoss));
    let children = vec![found(1, 0, Verdict::B3), found(1, 1, Verdict::B1)];
    grow(&mut search, 0, children, Some(proved()));
    assert_eq!(nodes(&search.orders(1, NOW)), [1]);
    let changes = search.apply(exclude(0));
    assert_eq!(changes.cancel, [JobId(0)], "nobody wants to know any more");
    assert_eq!(search.root().numbers, Numbers::new(4, 20));
    assert_eq!(nodes(&search.orders(9, NOW)), [2]);
    search.finished(JobId(1));
    search.apply(answer(NodeId(2), decision(Side::White, proved())));
    assert_eq!(search.winner(), None, "an exclusion refutes nothing");
    assert_eq!(search.orders(9, NOW), []);

    search.apply(allow(0));
    assert_eq!(nodes(&search.orders(9, NOW)), [1]);
    search.apply(answer(NodeId(1), decision(Side::White, proved())));
    assert_eq!(search.winner(), Some(Side::White));
}

#[test]
fn a_turn_excluded_before_it_was_found_still_has_to_be_refuted() {
    let mut search = search(policy(Policy::VirtualLoss));
    search.apply(exclude(4));
    let orders = search.orders(9, NOW);
    assert!(matches!(&orders[0].work, Work::Expand { exclude, .. } if *exclude == [turn(4)]));
    search.finished(orders[0].job);
    grow(&mut search, 0, vec![], Some(proved()));
    assert_eq!(search.winner(), None, "all turns but one lose");
    assert_eq!(search.apply(allow(9)).refused.len(), 1);
    assert_eq!(search.winner(), None);
}

#[test]
fn a_suggested_turn_is_looked_at_soon() {
    let mut search = search(policy(Policy::VirtualLoss));
    grow(&mut search, 0, vec![found(1, 0, Verdict::B1)], None);
    search.apply(Event::Suggest {
        node: NodeId::ROOT,
        turn: turn(6),
        key: key(1, 6),
    });
    let child = search.node(NodeId(2)).expect("added");
    assert_eq!(child.verdict, Verdict::B3);
    assert_eq!(nodes(&search.orders(1, NOW)), [2]);
}

/// What a worker has counted does not go before what an expert thinks.
#[test]
fn a_turn_that_is_known_is_suggested() {
    let mut search = search(policy(Policy::VirtualLoss));
    let counted = |number, proof| Found {
        after: Some(Box::new(Expansion::estimated(Numbers::new(proof, 4)))),
        ..found(1, number, Verdict::B1)
    };
    let children = turns(vec![counted(0, 3), counted(1, 90)], None);
    search.apply(answer(NodeId::ROOT, children));
    assert_eq!(nodes(&search.orders(1, NOW)), [1]);
    search.finished(JobId(0));
    search.apply(Event::Suggest {
        node: NodeId::ROOT,
        turn: turn(1),
        key: key(1, 1),
    });
    search.check_slow().expect("sound");
    assert_eq!(nodes(&search.orders(1, NOW)), [2]);
}

fn exclude(number: usize) -> Event {
    Event::Exclude {
        node: NodeId::ROOT,
        turn: turn(number),
        key: key(1, number),
    }
}

fn allow(number: usize) -> Event {
    let turn: Turn = turn(number);
    Event::Allow {
        node: NodeId::ROOT,
        turn,
    }
}

#[test]
fn policies_have_names() {
    for policy in Policy::ALL {
        let selection = Selection::ProofNumber(policy);
        assert_eq!(selection.to_string().parse(), Ok(selection));
        let json = serde_json::to_string(&policy).expect("a word");
        assert_eq!(json, format!("\"{policy}\""));
    }
    assert_eq!(Selection::UCT.to_string().parse(), Ok(Selection::UCT));
    let error = "virtual".parse::<Selection>().expect_err("half a name");
    assert!(error.to_string().contains("virtual-loss"));
}
