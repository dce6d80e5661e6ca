//! Searches and their nodes as the API has them.

use std::collections::HashSet;

use serde_json::Value;
use tengen_book::{Owner, Wanted, names};
use tengen_grid::search::{EdgeView, NodeId, Totals};
use tengen_grid::{Evidence, Follower, Numbers, Verdict};
use tengen_rules::{Position, Side};

use super::position as position_of;
use crate::api::{SearchChild, SearchEnd, SearchNode, SearchState, SearchSummary};
use crate::convert;
use crate::error::Failure;

/// More turns of one node are not listed.
const MOST_CHILDREN: usize = 300;

/// A number, or nothing for "never".
const fn number(number: u32) -> Option<u32> {
    match number {
        Numbers::INFINITE => None,
        number => Some(number),
    }
}

/// `b4`, `stable`: as journals have it.
fn word(verdict: Verdict) -> String {
    match serde_json::to_value(verdict) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// What the process that runs a search shows of it, while it lives.
fn snapshot(search: &tengen_book::Search) -> Option<Value> {
    last_snapshot(search).filter(|_| is_alive(search))
}

/// What the process that ran a search last has shown of it.
fn last_snapshot(search: &tengen_book::Search) -> Option<Value> {
    serde_json::from_str(search.snapshot.as_deref()?).ok()
}

/// The nodes at work, as the process that runs the search shows them: numbers, or objects with a field `node`.
pub(super) fn active(search: &tengen_book::Search) -> HashSet<NodeId> {
    let shown = snapshot(search);
    let jobs = shown
        .as_ref()
        .and_then(|shown| shown.get("active")?.as_array());
    let node = |job: &Value| {
        let number = job.as_u64().or_else(|| job.get("node")?.as_u64())?;
        u32::try_from(number).ok().map(NodeId)
    };
    jobs.into_iter().flatten().filter_map(node).collect()
}

fn is_alive(search: &tengen_book::Search) -> bool {
    search.owner.as_ref().is_some_and(|owner| owner.alive)
}

/// What a summary says of a tree: the same until the next event.
#[derive(Debug, Clone)]
pub(super) struct TreeFacts {
    moves: String,
    opening: Option<String>,
    winner: Option<Side>,
    numbers: Numbers,
    nodes: usize,
    totals: Totals,
}

impl TreeFacts {
    pub(super) fn of(follower: &Follower) -> Self {
        let root = follower.search().root();
        Self {
            moves: opening_moves(follower.root()),
            opening: names::name_of(follower.root()),
            winner: root.decided,
            numbers: root.numbers,
            nodes: follower.search().len(),
            totals: follower.search().totals(),
        }
    }
}

/// A search without its tree; `tree` may say why there is none.
pub(super) fn summary(
    search: &tengen_book::Search,
    tree: Result<&TreeFacts, &Failure>,
    ours: bool,
    asked: usize,
) -> SearchSummary {
    let facts = tree.ok();
    let totals = facts.map(|facts| facts.totals).unwrap_or_default();
    let winner = facts.and_then(|facts| facts.winner);
    let config: Value = serde_json::from_str(&search.config).unwrap_or_default();
    let shown = snapshot(search).unwrap_or_default();
    let workers = [&shown, &config]
        .into_iter()
        .find_map(|of| of.get("workers")?.as_u64());
    SearchSummary {
        id: search.id.0 as u32,
        title: search.title.clone(),
        rules: search.rules.clone(),
        root: search.root.clone(),
        moves: facts.map(|facts| facts.moves.clone()).unwrap_or_default(),
        opening: facts.and_then(|facts| facts.opening.clone()),
        state: state(search, winner),
        winner: winner.map(Into::into),
        proof: facts.and_then(|facts| number(facts.numbers.proof)),
        disproof: facts.and_then(|facts| number(facts.numbers.disproof)),
        nodes: facts.map_or(0, |facts| facts.nodes as u32),
        jobs: totals.answers,
        active: active(search).len() as u32,
        workers: workers.map(|workers| workers as u32),
        seconds: totals.seconds,
        speed: totals.nodes as f64 / totals.seconds.max(1e-3),
        events: search.events,
        left: shown.get("estimate").and_then(Value::as_f64),
        notes: notes(search),
        asked: asked as u32,
        elsewhere: elsewhere(search.owner.as_ref(), ours),
        created: search.created as f64 / 1e3,
        error: tree.err().map(ToString::to_string),
    }
}

fn state(search: &tengen_book::Search, winner: Option<Side>) -> SearchState {
    match (winner, is_alive(search), search.wanted) {
        (Some(_), _, _) => SearchState::Solved,
        (None, true, Wanted::Run) => SearchState::Running,
        (None, _, Wanted::Pause) => SearchState::Paused,
        (None, _, _) if is_stuck(search) => SearchState::Stuck,
        (None, _, _) => SearchState::Stopped,
    }
}

/// Whether its last run ended because nothing was left to try, and nothing has changed since.
fn is_stuck(search: &tengen_book::Search) -> bool {
    let shown = last_snapshot(search).unwrap_or_default();
    let events = shown.get("events").and_then(Value::as_u64);
    shown.get("state").and_then(Value::as_str) == Some("stuck") && events == Some(search.events)
}

fn notes(search: &tengen_book::Search) -> Vec<String> {
    let shown = last_snapshot(search).unwrap_or_default();
    let notes = shown.get("notes").and_then(Value::as_array);
    let text = |note: &Value| note.as_str().map(str::to_owned);
    notes.into_iter().flatten().filter_map(text).collect()
}

fn elsewhere(owner: Option<&Owner>, ours: bool) -> Option<String> {
    let owner = owner.filter(|owner| owner.alive && !ours)?;
    Some(format!("{}, process {}", owner.host, owner.pid))
}

/// The stones in play order of a position with at most one turn of each side: of others the order is not known.
fn opening_moves(root: &Position) -> String {
    let setup = root.to_setup();
    let rules = root.rules();
    let (black, white) = (setup.black.len(), setup.white.len());
    let first = black == usize::from(rules.first_turn());
    let known = match setup.to_move {
        Side::White => first && white == 0,
        Side::Black => first && white == usize::from(rules.per_turn()),
    };
    let cells: Vec<_> = setup.black.iter().chain(&setup.white).copied().collect();
    if known && setup.left.is_none() {
        tengen_rules::notation::moves_text(&cells)
    } else {
        String::new()
    }
}

/// A node with its children.
pub(super) fn node(
    follower: &Follower,
    id: NodeId,
    active: &HashSet<NodeId>,
) -> Result<SearchNode, Failure> {
    let view = follower.search().node(id).ok_or_else(|| {
        let nodes = follower.search().len();
        Failure::NotFound(format!("there is no node {}: the search has {nodes}", id.0))
    })?;
    let line = follower.search().line(id);
    let position = position_of(follower, id)?;
    let mut children: Vec<SearchChild> = Vec::new();
    let mut edges: Vec<(&EdgeView, Numbers)> = view
        .children
        .iter()
        .filter_map(|edge| Some((edge, follower.search().node(edge.node)?.numbers)))
        .collect();
    edges
        .sort_by_key(|&(edge, numbers)| (edge.excluded, numbers.missing_for(view.side), edge.node));
    for (edge, _) in edges.iter().take(MOST_CHILDREN) {
        children.extend(child(follower, &position, edge, active));
    }
    Ok(SearchNode {
        id: id.0,
        side: view.side.into(),
        line: line.iter().map(convert::turn).collect(),
        position: convert::setup(&position.to_setup()),
        proof: number(view.numbers.proof),
        disproof: number(view.numbers.disproof),
        verdict: word(view.verdict),
        mean: view.mean,
        decided: view.decided.map(Into::into),
        own_proof: view
            .proof
            .map(|proof| tengen_book::ProofId(proof.0).to_string()),
        closed: view.closed.map(|evidence| match evidence {
            Evidence::Proof(_) => SearchEnd::Proved,
            Evidence::Claim => SearchEnd::Claimed,
        }),
        active: active.contains(&id),
        gave_up: view.gave_up,
        contradicted: view.contradicted,
        more: (edges.len() - children.len()) as u32,
        children,
    })
}

fn child(
    follower: &Follower,
    position: &Position,
    edge: &EdgeView,
    active: &HashSet<NodeId>,
) -> Option<SearchChild> {
    let view = follower.search().node(edge.node)?;
    let stones = position.stones().count();
    let mut after = position.clone();
    let named = stones == 1 && after.play(&edge.turn).is_ok();
    Some(SearchChild {
        turn: convert::turn(&edge.turn),
        node: edge.node.0,
        opening: named.then(|| names::name_of(&after)).flatten(),
        proof: number(view.numbers.proof),
        disproof: number(view.numbers.disproof),
        verdict: word(view.verdict),
        decided: view.decided.map(Into::into),
        active: active.contains(&edge.node),
        mean: view.mean,
        excluded: edge.excluded,
        children: view.children.len() as u32,
    })
}
