//! A cable between two programs that can be cut: what is sent meanwhile is lost, as on a network that drops packets until
//! both ends give up.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A cable to a port of this machine.
pub(crate) struct Cable {
    port: u16,
    cut: Arc<AtomicBool>,
    ends: Arc<Mutex<Vec<TcpStream>>>,
}

impl Cable {
    /// Lays one.
    pub(crate) fn to(target: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let cut = Arc::new(AtomicBool::new(false));
        let ends: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        let (is_cut, known) = (Arc::clone(&cut), Arc::clone(&ends));
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(("127.0.0.1", target)) else {
                    continue;
                };
                let mut known = known.lock().expect("no panic");
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let from = from.try_clone().expect("a socket");
                    let to = to.try_clone().expect("a socket");
                    let is_cut = Arc::clone(&is_cut);
                    thread::spawn(move || carry(from, to, &is_cut));
                }
                known.extend([near, far]);
            }
        });
        Self { port, cut, ends }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Cuts it for so long. Nobody is told: the ends learn it when the cable is whole again, by a reset.
    pub(crate) fn cut_for(&self, time: Duration) {
        self.cut.store(true, Ordering::SeqCst);
        thread::sleep(time);
        for end in self.ends.lock().expect("no panic").drain(..) {
            let _closed_already = end.shutdown(Shutdown::Both);
        }
        self.cut.store(false, Ordering::SeqCst);
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut buffer = [0; 1 << 14];
    while let Ok(count) = from.read(&mut buffer) {
        if count == 0 {
            break;
        }
        if !is_cut.load(Ordering::SeqCst) && to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _closed_already = to.shutdown(Shutdown::Both);
}
