//! Workers that lie, in real processes beside honest ones: the search ends with the right VERIFIED result, and who can be seen to
//! lie is dropped and reported.
//!
//! Each lie is tried twice; `TENGEN_FAULTS=20` makes it 20 times (`make test-grid`). The counts are printed.

mod grid_scene;
mod grid_support;
mod runner_support;

use std::thread;
use std::time::{Duration, Instant};

use grid_scene::{Conduct, Scene, report, wanted};
use grid_support::{PATIENCE, until};
use tengen_grid::nats::status;

/// A worker that sends what no honest one would send is dropped and reported, whatever else happens; then honest ones do its work.
fn is_dropped(lie: &str) {
    let start = Instant::now();
    for round in 1..=wanted() {
        let mut scene = Scene::empty(&format!("fault_{lie}_{round}"));
        scene.hire(lie);
        let expected = format!("worker w1{lie} is dropped");
        until("the liar is dropped", || {
            assert!(!scene.is_over(), "solved by a liar: {:?}", scene.notes());
            scene.notes().iter().any(|note| note.starts_with(&expected))
        });
        scene.hire("");
        scene.hire("");
        let notes = scene.finish();
        let others = notes
            .iter()
            .filter(|note| note.contains("is dropped") && !note.starts_with(&expected));
        assert_eq!(others.count(), 0, "honest workers were dropped: {notes:?}");
    }
    report(
        &format!("a worker that lies ({lie}), dropped and reported"),
        wanted(),
        wanted(),
        start,
    );
}

/// A worker that lies works beside honest ones; it is dropped where a lie can be seen.
fn lies(lie: &str, is_seen: bool) {
    let start = Instant::now();
    for round in 1..=wanted() {
        let mut scene = Scene::new(&format!("fault_{lie}_{round}"));
        scene.hire(lie);
        let name = format!("w3{lie}");
        let mut dropped = false;
        let begun = Instant::now();
        while !scene.is_over() {
            dropped |= scene
                .notes()
                .iter()
                .any(|note| note.contains(&format!("{name} is dropped")));
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end: {:?}",
                scene.notes()
            );
            thread::sleep(Duration::from_millis(10));
        }
        let notes = scene.finish();
        dropped |= notes
            .iter()
            .any(|note| note.contains(&format!("{name} is dropped")));
        assert!(!dropped || is_seen, "{lie}: {notes:?}");
        let others = notes
            .iter()
            .filter(|note| note.contains("is dropped") && !note.contains(&name));
        assert_eq!(others.count(), 0, "honest workers were dropped: {notes:?}");
    }
    report(
        &format!("a worker that lies ({lie})"),
        wanted(),
        wanted(),
        start,
    );
}

#[test]
fn false_proofs_are_rejected() {
    is_dropped("false-proof");
}

#[test]
fn proofs_of_something_else_are_rejected() {
    is_dropped("other-proof");
}

#[test]
fn false_verdicts_decide_nothing() {
    // Seen only where others disagree three times before the end.
    lies("false-verdict", true);
}

#[test]
fn garbage_is_recognised() {
    is_dropped("garbage");
}

#[test]
fn other_versions_get_no_jobs_done_and_harm_nobody() {
    lies("version", false);
}

/// Who was caught is still known when the coordinator was killed and starts again, and when it comes back itself.
#[test]
fn who_was_caught_stays_dropped_when_the_coordinator_starts_again() {
    let mut scene = Scene::empty("liar_is_remembered");
    scene.hire("false-proof");
    let name = "w1false-proof";
    let noted = |scene: &Scene, how: &str| {
        let expected = format!("worker {name} {how} dropped");
        scene.notes().iter().any(|note| note.starts_with(&expected))
    };
    until("the liar is dropped", || noted(&scene, "is"));
    scene.coordinator.kill().expect("killed");
    scene.coordinator.wait().expect("dead");
    let before = scene.events();
    let left = |scene: &mut Scene| {
        let last = scene.workers.last_mut().expect("a worker");
        last.try_wait().expect("a process").is_some()
    };
    until("it has left", || left(&mut scene));
    scene.appoint();
    until("it is remembered", || noted(&scene, "stays"));
    scene.hire_as(name, "false-proof");
    until("it is sent away again", || left(&mut scene));
    assert_eq!(scene.events(), before, "nothing it says counts");
    let grid = scene.server.grid();
    until("everybody sees it", || {
        let status = status(&grid, Duration::from_millis(300)).expect("an answer");
        let mut dropped = status.clients.iter().flat_map(|client| &client.dropped);
        dropped.any(|(worker, _)| worker == name)
    });
    scene.hire("");
    scene.hire("");
    let notes = scene.finish();
    let caught_again = notes.iter().filter(|note| note.contains("is dropped"));
    assert_eq!(caught_again.count(), 0, "{notes:?}");
}

/// Black wins, and the workers need about 340 answers for it.
const LARGER: (&str, &str) = ("6,6,4,1,1", "B:B2 W:D4 to-move:B");

/// Who thinks otherwise than the others of nearly everything is found out by second opinions. Here all estimates are asked for twice, so
/// that a short search suffices; where it is too short even so, another one follows.
#[test]
fn false_estimates_are_found_out() {
    let start = Instant::now();
    let (mut dropped, mut searches) = (0, 0);
    while dropped < wanted() {
        searches += 1;
        assert!(searches <= 2 * wanted() + 10, "liars are not found out");
        let conduct = Conduct {
            all_twice: true,
            root: LARGER,
            ..Conduct::default()
        };
        let mut scene = Scene::with(&format!("fault_false-estimates_{searches}"), conduct);
        scene.hire("false-estimates");
        until("it is there", || scene.events() > 0);
        scene.hire("");
        scene.hire("");
        let notes = scene.finish();
        let expected =
            "worker w1false-estimates is dropped: its estimates are far from those of the others";
        dropped += usize::from(notes.iter().any(|note| note == expected));
        let is_wronged = |note: &&String| note.contains("is dropped") && *note != expected;
        let wronged = notes.iter().filter(is_wronged);
        assert_eq!(wronged.count(), 0, "honest workers were dropped: {notes:?}");
    }
    let what = "a worker that lies (false-estimates), dropped and reported";
    report(what, dropped, searches, start);
}

/// A worker that takes the first job, on which all others depend, and says for ever that it is at work, loses it to others.
#[test]
fn who_keeps_a_job_for_ever_loses_it() {
    let start = Instant::now();
    for round in 1..=wanted() {
        let mut scene = Scene::empty(&format!("fault_keeps-jobs_{round}"));
        scene.hire("keeps-jobs");
        let grid = scene.server.grid();
        until("it has a job", || {
            let status = status(&grid, Duration::from_millis(100)).expect("an answer");
            status
                .workers
                .iter()
                .any(|worker| !worker.running.is_empty())
        });
        scene.hire("");
        scene.hire("");
        scene.finish();
    }
    report(
        "a worker that keeps its job for ever",
        wanted(),
        wanted(),
        start,
    );
}
