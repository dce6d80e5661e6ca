//! The commands of the grid, and the options of searches that use one.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tengen_grid::nats::{Class, Kind, Member, is_token};

use super::proving::threads;

/// Where a grid is.
#[derive(Debug, Clone, Args)]
pub(crate) struct GridAccessArgs {
    /// Let the workers of a grid do the jobs: nats://HOST:PORT, with a token nats://TOKEN@HOST:PORT
    #[arg(long, value_name = "URL")]
    pub(crate) grid: Option<String>,

    /// The key that lets us in, as `tengen grid keys` writes it; it also says where the grid is
    #[arg(long, value_name = "FILE")]
    pub(crate) grid_key: Option<PathBuf>,
}

/// How a search uses a grid.
#[derive(Debug, Clone, Args)]
pub(crate) struct GridUseArgs {
    #[command(flatten)]
    pub(crate) access: GridAccessArgs,

    /// Its share of the grid's workers, compared with that of other searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) grid_share: u32,

    /// Only workers of this name or label
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) grid_pool: Option<String>,

    /// How urgent it is: high, normal or low
    #[arg(long, value_name = "CLASS", default_value_t = Class::Normal)]
    pub(crate) grid_class: Class,
}

/// Work for a grid: take jobs, do them, answer, until Ctrl-C
///
/// The first Ctrl-C finishes the jobs at hand and leaves, the second hands them back. Whatever happens to the server, the worker
/// waits and connects again.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen worker --connect nats://TOKEN@192.168.1.5:4222
  tengen worker --key laptop.key --threads 2 --nice 19 --pause-when-busy
  tengen worker --connect nats://localhost:4222 --name atlas --label fast --log json")]
pub(crate) struct WorkerArgs {
    /// Where the grid is: nats://HOST:PORT, with a token nats://TOKEN@HOST:PORT
    #[arg(long, value_name = "URL", required_unless_present = "key")]
    pub(crate) connect: Option<String>,

    /// The key that lets us in, as `tengen grid keys worker` writes it; it also says where the grid is
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,

    /// How many jobs to do at once [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Use about so many megabytes: fewer jobs at once if that is little
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..))]
    pub(crate) memory: Option<u64>,

    /// Do only this sort of work: expand, verify, prove, evaluate or gomoku; may be repeated
    #[arg(long, value_name = "KIND")]
    pub(crate) only: Vec<Kind>,

    /// What others call it [default: the machine's name and a number]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) name: Option<String>,

    /// A pool it belongs to; may be repeated
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) label: Vec<String>,

    /// How nice to be to other programs, from 0 (not at all) to 19
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=19))]
    pub(crate) nice: u8,

    /// Take no jobs while other programs use more than this percentage of the processors; programs that are nice do not count.
    /// Jobs at hand go on
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "25", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) pause_when_busy: Option<u8>,

    /// What is written to stderr
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    pub(crate) log: LogForm,
}

/// What is written to stderr.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    /// A line for people
    Text,
    /// A JSON object a line
    Json,
    /// Nothing
    None,
}

/// A grid of workers: start a server, see who does what, make keys
#[derive(Debug, Subcommand)]
#[command(after_long_help = "\
docs/grid.md leads from one laptop to many machines.

Examples:
  tengen grid up
  tengen grid status --grid nats://localhost:4222")]
pub(crate) enum GridCommand {
    Up(GridUpArgs),
    Status(GridStatusArgs),
    #[command(subcommand)]
    Keys(GridKeysCommand),
}

/// Start a NATS server for trying the grid out, until Ctrl-C
///
/// It lets in who knows the token, which is printed. For other people's machines use keys: `tengen grid keys`. Where no
/// nats-server is installed, the distribution's package is fetched and unpacked into the user's folder for data; nothing else is changed.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen grid up
  tengen grid up --bind 0.0.0.0 --port 4222 --data ~/grid")]
pub(crate) struct GridUpArgs {
    /// The folder of the server's data [default: grid in the user's folder for data]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,

    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,

    /// Fetch nothing: without a nats-server that is an error
    #[arg(long)]
    pub(crate) no_install: bool,
}

/// Show the workers and searches of a grid
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tengen grid status --grid nats://TOKEN@localhost:4222
  tengen grid status --grid-key keys/coordinator.key --json")]
pub(crate) struct GridStatusArgs {
    #[command(flatten)]
    pub(crate) access: GridAccessArgs,

    /// How long to listen, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.5)]
    pub(crate) seconds: f64,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Keys: the server's configuration, and who may do what
#[derive(Debug, Subcommand)]
#[command(after_long_help = "\
Examples:
  tengen grid keys init keys --url nats://grid.example.org:4222
  tengen grid keys worker keys laptop
  tengen grid keys cluster keys n1.example.org n2.example.org n3.example.org
  tengen grid keys leaf keys other-lab --url nats://nats.other-lab.example:4222
  tengen grid keys worker keys atlas --leaf other-lab
  tengen grid keys revoke keys laptop")]
pub(crate) enum GridKeysCommand {
    Init(KeysInitArgs),
    Worker(KeysWorkerArgs),
    Cluster(KeysClusterArgs),
    Leaf(KeysLeafArgs),
    Revoke(KeysRevokeArgs),
}

/// Make a folder with the server's configuration and the coordinator's key
#[derive(Debug, Args)]
pub(crate) struct KeysInitArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Where others find the server
    #[arg(long, value_name = "URL")]
    pub(crate) url: String,

    /// Encrypt: the server's certificate, its private key, and the authority that has signed it
    #[arg(long, num_args = 3, value_names = ["CERT", "KEY", "CA"])]
    pub(crate) tls: Vec<PathBuf>,
}

/// Make a worker's key
#[derive(Debug, Args)]
pub(crate) struct KeysWorkerArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// The worker's name
    #[arg(value_name = "NAME", value_parser = name)]
    pub(crate) name: String,

    /// It works at the server of this organisation, which `tengen grid keys leaf` has let in
    #[arg(long, value_name = "ORGANISATION", value_parser = name)]
    pub(crate) leaf: Option<String>,
}

/// Write the configurations of several servers that are one grid
#[derive(Debug, Args)]
pub(crate) struct KeysClusterArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// The servers, at least three: HOST, HOST:PORT, or HOST:PORT:PORT with the port for the other servers [ports: 4222 and 6222]
    #[arg(value_name = "SERVER", num_args = 1.., required = true)]
    pub(crate) servers: Vec<Member>,
}

/// Let another organisation join with a server and workers of its own
#[derive(Debug, Args)]
pub(crate) struct KeysLeafArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// The organisation's name
    #[arg(value_name = "ORGANISATION", value_parser = name)]
    pub(crate) name: String,

    /// Where its workers find its server
    #[arg(long, value_name = "URL")]
    pub(crate) url: String,

    /// Where our server listens for theirs [default: 7422]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
}

/// Take a key back: a worker's, or an organisation's with all its workers
#[derive(Debug, Args)]
pub(crate) struct KeysRevokeArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// The worker's name, or the organisation's
    #[arg(value_name = "NAME", value_parser = name)]
    pub(crate) name: String,
}

fn name(text: &str) -> Result<String, String> {
    if is_token(text) {
        Ok(text.to_owned())
    } else {
        Err("expected at most 64 letters, digits, - and _".to_owned())
    }
}
