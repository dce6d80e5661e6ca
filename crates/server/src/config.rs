//! How a server is started.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::gomoku::Gomoku;

/// What the command line says.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder of the database; made if it is not there.
    pub data: PathBuf,
    /// Where to listen. Other addresses than the loopback's demand a token.
    pub bind: SocketAddr,
    /// What a browser must know to be let in.
    pub token: Option<String>,
    /// How many jobs run at a time.
    pub workers: usize,
    /// The most bytes of an uploaded file.
    pub largest_upload: usize,
    /// Collections of puzzles for the trainer, beside the one that comes with Tengen.
    pub puzzles: Vec<PathBuf>,
    /// A proof of Go-Moku to play against.
    pub gomoku: Option<Arc<Gomoku>>,
    /// Whose workers do the jobs of searches; without it this machine does them.
    pub grid: Option<tengen_grid::nats::Grid>,
}

impl Config {
    /// The port that nobody else uses by habit.
    pub const PORT: u16 = 6160;
    /// Enough for LittleGolem's whole collection and for large libraries.
    pub const LARGEST_UPLOAD: usize = 64 << 20;

    /// The embedded default: this folder, the loopback, one job for each processor.
    pub fn local(data: PathBuf) -> Self {
        Self {
            data,
            bind: SocketAddr::from(([127, 0, 0, 1], Self::PORT)),
            token: None,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            largest_upload: Self::LARGEST_UPLOAD,
            puzzles: Vec::new(),
            gomoku: None,
            grid: None,
        }
    }
}
