//! The driver: threads, stopping, leaving, memory.

use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tengen_player::protocol::{ProtocolKind, Settings, serve};
use tengen_player::{Answer, Engine, Task, ThinkError};
use tengen_rules::Position;

use crate::support::{Scripted, answer, first_turns, line};

/// Far more than anything here takes; a test that hangs fails by it.
const FOR_EVER: Duration = Duration::from_secs(60);

/// Everything said to these lines, in order.
fn talk(
    kind: ProtocolKind,
    lines: &str,
    build: impl Fn(usize) -> Box<dyn Engine> + Send + 'static,
) -> Vec<String> {
    let lines = lines.to_owned();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Without limits an engine thinks until it is stopped.
        let settings = Settings {
            usual: None,
            ..Settings::default()
        };
        let memory = settings.memory;
        let mut protocol = kind.start(settings);
        let mut output = Vec::new();
        let input = Cursor::new(lines.into_bytes());
        let done = serve(protocol.as_mut(), memory, build, input, &mut output);
        done.expect("memory cannot fail");
        let said = String::from_utf8(output).expect("a text");
        // The test may have given up.
        let _ = sender.send(said.lines().map(str::to_owned).collect());
    });
    receiver.recv_timeout(FOR_EVER).expect("the end in time")
}

fn scripted(_: usize) -> Box<dyn Engine> {
    Box::new(Scripted::default())
}

/// Thinks until it is stopped.
struct Endless;

impl Engine for Endless {
    fn name(&self) -> String {
        "endless".to_owned()
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        let turn = first_turns(position, task).remove(0);
        let found = answer(vec![line(turn, 0)]);
        if let Some(tell) = task.progress {
            tell(&found);
        }
        while !task.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(found)
    }
}

/// Never answers, whatever it is told.
struct Deaf;

impl Engine for Deaf {
    fn name(&self) -> String {
        "deaf".to_owned()
    }

    fn think(&mut self, _: &Position, _: &Task<'_>) -> Result<Answer, ThinkError> {
        loop {
            thread::park();
        }
    }
}

#[test]
fn lines_wait_in_order() {
    let said = talk(
        ProtocolKind::Gomocup,
        "START 15\r\nBEGIN\r\nTURN 0,0\nTAKEBACK 0,0\nNO",
        scripted,
    );
    let expected = ["OK", "0,14", "1,14", "OK", "UNKNOWN `NO` is no command"];
    assert_eq!(said, expected);
}

#[test]
fn a_stop_is_heard_while_thinking() {
    let lines = "START 15\nYXSHOWINFO\nBEGIN\nYXSTOP\nTURN 0,0\nTURN 0,1\nYXSTOP\nYXSTOP\nFOO\n";
    let said = talk(ProtocolKind::Gomocup, lines, |_| Box::new(Endless));
    let moves: Vec<&str> = said
        .iter()
        .map(String::as_str)
        .filter(|line| !line.starts_with("MESSAGE"))
        .collect();
    assert_eq!(
        moves,
        ["OK", "0,14", "1,14", "2,14", "UNKNOWN `FOO` is no command"]
    );
    // Told once while thinking, and once with the answer.
    let told = said
        .iter()
        .filter(|line| line.starts_with("MESSAGE DEPTH 1"));
    assert_eq!(told.count(), 6);
}

#[test]
fn the_end_of_the_lines_stops_what_nobody_else_could() {
    let said = talk(ProtocolKind::Sau, "new white\nmove JJ@@\n", |_| {
        Box::new(Endless)
    });
    assert_eq!(said, ["move AABA"]);
    let said = talk(
        ProtocolKind::Sau,
        "new white\nmove JJ@@\nend\nname?\n",
        |_| Box::new(Endless),
    );
    assert_eq!(said, ["move AABA", "name tengen"]);
}

#[test]
fn the_end_of_the_lines_does_not_cut_a_bounded_answer_short() {
    // Bounded by nodes; the scripted engine would not care, but it is not told to stop either.
    struct Told(Arc<AtomicUsize>);
    impl Engine for Told {
        fn name(&self) -> String {
            "told".to_owned()
        }
        fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
            // Long enough for the end to be read.
            thread::sleep(Duration::from_millis(100));
            let stopped = task.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            self.0
                .fetch_add(1 + 10 * usize::from(stopped), Ordering::Relaxed);
            Ok(answer(vec![line(first_turns(position, task).remove(0), 0)]))
        }
    }
    let count = Arc::new(AtomicUsize::new(0));
    let shared = Arc::clone(&count);
    let lines = "INFO max_node 5\nSTART 15\nBEGIN\n";
    let said = talk(ProtocolKind::Gomocup, lines, move |_| {
        Box::new(Told(Arc::clone(&shared)))
    });
    assert_eq!(said, ["OK", "0,14"]);
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[test]
fn whoever_quits_is_let_go() {
    for (kind, lines) in [
        (ProtocolKind::Gomocup, "START 15\nBEGIN\nEND\nABOUT\n"),
        (ProtocolKind::Sau, "new white\nmove JJ@@\nquit\n"),
        (ProtocolKind::Cloudict, "next\nquit\n"),
        (ProtocolKind::Simple, "go JJ\nquit\n"),
    ] {
        let said = talk(kind, lines, |_| Box::new(Deaf));
        assert!(said.len() <= 1, "{kind}: {said:?}");
        // One that listens still gives its answer.
        let said = talk(kind, lines, |_| Box::new(Endless));
        assert!(said.len() <= 2, "{kind}: {said:?}");
    }
}

#[test]
fn memory_is_taken_from_the_other_side() {
    let built = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&built);
    let build = move |bytes: usize| -> Box<dyn Engine> {
        shared.lock().expect("nobody panicked").push(bytes >> 20);
        Box::new(Scripted::default())
    };
    let lines = "START 15\nBEGIN\nINFO max_memory 83886080\nTURN 0,0\nINFO max_memory 83886080\nTURN 0,1\n\
        INFO max_memory 0\nTURN 0,2\n";
    let said = talk(ProtocolKind::Gomocup, lines, build);
    assert_eq!(said, ["OK", "0,14", "1,14", "2,14", "3,14"]);
    assert_eq!(*built.lock().expect("nobody panicked"), [256, 60, 256]);
}

#[test]
fn a_new_game_is_told_to_the_engine() {
    struct Forgetful(Arc<AtomicUsize>, Scripted);
    impl Engine for Forgetful {
        fn name(&self) -> String {
            "forgetful".to_owned()
        }
        fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
            self.1.think(position, task)
        }
        fn forget(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let count = Arc::new(AtomicUsize::new(0));
    let shared = Arc::clone(&count);
    let build = move |_| -> Box<dyn Engine> {
        Box::new(Forgetful(Arc::clone(&shared), Scripted::default()))
    };
    talk(
        ProtocolKind::Gomocup,
        "START 15\nBEGIN\nRESTART\nBEGIN\nSTART 10\nBEGIN\n",
        build,
    );
    assert_eq!(count.load(Ordering::Relaxed), 2);
}

#[test]
fn bytes_of_any_kind_are_answered() {
    let mut protocol = ProtocolKind::Sau.start(Settings::default());
    let mut input = b"\xff\xfe\0\nname?\r\n".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\nname?");
    let mut output = Vec::new();
    serve(
        protocol.as_mut(),
        1 << 20,
        scripted,
        Cursor::new(input),
        &mut output,
    )
    .expect("no failure");
    let said = String::from_utf8(output).expect("a text");
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 4);
    assert!(
        said[0].starts_with("error `\u{fffd}\u{fffd}\\u{0}` is no command"),
        "{}",
        said[0]
    );
    assert_eq!(
        said[1..],
        ["name tengen", "error the line is too long", "name tengen"]
    );
}

#[test]
fn a_bug_of_the_engine_is_not_hidden() {
    struct Broken;
    impl Engine for Broken {
        fn name(&self) -> String {
            "broken".to_owned()
        }
        fn think(&mut self, _: &Position, _: &Task<'_>) -> Result<Answer, ThinkError> {
            panic::resume_unwind(Box::new("broken on purpose"));
        }
    }
    let mut protocol = ProtocolKind::Simple.start(Settings::default());
    let serving = AssertUnwindSafe(|| {
        let build = |_| -> Box<dyn Engine> { Box::new(Broken) };
        serve(
            protocol.as_mut(),
            1 << 20,
            build,
            Cursor::new("go\n"),
            &mut Vec::new(),
        )
    });
    let payload = panic::catch_unwind(serving).expect_err("a panic");
    assert_eq!(payload.downcast_ref(), Some(&"broken on purpose"));
}
