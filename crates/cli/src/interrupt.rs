//! Ctrl-C: the first asks running searches to stop, the second ends the program.

use std::io::{self, Write as _};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use tengen_grid::nats::Leave;

static STOP: AtomicBool = AtomicBool::new(false);

/// How many line breaks the message has that the first Ctrl-C writes.
pub(crate) const MESSAGE_LINES: usize = 2;

/// What shells expect of a program that was ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// From now on Ctrl-C sets the flag that is returned.
pub(crate) fn flag() -> &'static AtomicBool {
    // It fails where signals cannot be caught; Ctrl-C then ends the program at once, as everywhere.
    let _ = ctrlc::set_handler(on_signal);
    &STOP
}

/// From now on each Ctrl-C asks a worker to leave: once it finishes its jobs, twice it hands them back.
pub(crate) fn leave(leave: Arc<Leave>) {
    let count = AtomicU8::new(0);
    // As above.
    let _ = ctrlc::set_handler(move || {
        let message: &[u8] = match count.fetch_add(1, Ordering::Relaxed) {
            0 => b"\ntengen: finishing the jobs at hand; Ctrl-C again hands them back\n",
            1 => b"\ntengen: leaving\n",
            _ => abort(),
        };
        leave.ask();
        let _ = io::stderr().write_all(message);
    });
}

#[expect(clippy::exit, reason = "the user insists")]
fn abort() -> ! {
    process::exit(INTERRUPTED.into());
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// From now on the next Ctrl-C ends the program, as if one had come before.
pub(crate) fn end_at_next() {
    STOP.store(true, Ordering::Relaxed);
}

/// From now on the next Ctrl-C sets the flag, as if none had come before.
pub(crate) fn listen_again() {
    STOP.store(false, Ordering::Relaxed);
}

#[expect(clippy::exit, reason = "the user insists")]
fn on_signal() {
    if STOP.swap(true, Ordering::Relaxed) {
        process::exit(INTERRUPTED.into());
    }
    // Nobody is left to be told when stderr is closed.
    let _ = io::stderr().write_all(b"\ntengen: stopping; Ctrl-C again aborts\n");
}
