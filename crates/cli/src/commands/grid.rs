//! `tengen grid`: a server for trying it out, who does what, and keys.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{anyhow, bail};
use tengen_grid::nats::{
    Access, Beat, ClientBeat, Grid, Keys, LocalServer, Revoked, ServerProgram, Status, VERSION,
    status,
};

use crate::args::{GridAccessArgs, GridCommand, GridKeysCommand, GridStatusArgs, GridUpArgs};
use crate::commands::check::counted;
use crate::commands::serve::usual_folder;
use crate::error::WithHint as _;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(command: &GridCommand, out: &mut Output) -> anyhow::Result<()> {
    match command {
        GridCommand::Up(args) => up(args, out),
        GridCommand::Status(args) => show_status(args, out),
        GridCommand::Keys(command) => keys(command, out),
    }
}

/// The grid that the options name, if they name one.
pub(crate) fn connected(args: &GridAccessArgs) -> anyhow::Result<Option<Grid>> {
    let access = match (&args.grid_key, &args.grid) {
        (Some(key), Some(url)) => Access::with_key(key)?.moved_to(url)?,
        (Some(key), None) => Access::with_key(key)?,
        (None, Some(url)) => Access::at(url)?,
        (None, None) => return Ok(None),
    };
    let grid = Grid::connect(&access).map_err(|error| anyhow!(error));
    let grid =
        grid.hint(|| Some("`tengen grid up` starts a server for trying it out".to_owned()))?;
    Ok(Some(grid))
}

fn up(args: &GridUpArgs, out: &mut Output) -> anyhow::Result<()> {
    let usual = || usual_folder().map(|folder| folder.join("grid"));
    let data = args.data.clone().or_else(usual);
    let data = data
        .ok_or_else(|| anyhow!("this system does not say where data belongs"))
        .hint(|| Some("name a folder with --data DIR".to_owned()))?;
    interrupt::flag();
    let program = server_program(args, &data)?;
    let bind = SocketAddr::new(args.bind, args.port);
    let mut server = LocalServer::start_program(program.path(), &data, bind)?;
    let url = server.url().to_owned();
    writeln!(
        out,
        "The grid is at {url} (process {}, data in {})",
        server.pid(),
        data.display()
    )?;
    writeln!(out, "  a worker:  tengen worker --connect {url}")?;
    writeln!(out, "  a search:  tengen opening solve TX-d21 --grid {url}")?;
    writeln!(out, "  the page:  tengen serve --grid {url}")?;
    if args.bind.is_unspecified() {
        writeln!(
            out,
            "On other machines put this machine's name in place of {}",
            local_of(&url)
        )?;
    }
    writeln!(out, "Ctrl-C stops it; what it keeps stays")?;
    out.flush()?;
    while !interrupt::is_stopped() {
        if server.has_ended() {
            // Ctrl-C ends both; ours may be noticed later.
            thread::sleep(Duration::from_millis(300));
            if interrupt::is_stopped() {
                break;
            }
            bail!(
                "the server has ended; {} says why",
                data.join("nats.log").display()
            );
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// The server's program, which is fetched if it is not there.
fn server_program(args: &GridUpArgs, data: &Path) -> anyhow::Result<ServerProgram> {
    let home = usual_folder().unwrap_or_else(|| data.to_owned());
    let home = home.join("nats-server");
    if args.no_install {
        return Ok(ServerProgram::find(&home)?);
    }
    let tell = || {
        let _nobody_reads = writeln!(
            io::stderr(),
            "nats-server is not installed: fetching the distribution's package and unpacking it into {}",
            home.display()
        );
    };
    Ok(ServerProgram::find_or_install(&home, tell)?)
}

fn local_of(url: &str) -> &str {
    let host = url.rsplit_once('@').map_or(url, |(_, host)| host);
    host.rsplit_once(':').map_or(host, |(host, _)| host)
}

fn show_status(args: &GridStatusArgs, out: &mut Output) -> anyhow::Result<()> {
    let Some(grid) = connected(&args.access)? else {
        bail!("which grid? --grid URL or --grid-key FILE says it");
    };
    let seconds = args.seconds.clamp(0.2, 60.0);
    let status = status(&grid, Duration::from_secs_f64(seconds))?;
    if args.json {
        return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&status)?)?);
    }
    print(&status, out)
}

fn print(status: &Status, out: &mut Output) -> anyhow::Result<()> {
    let threads: usize = status.workers.iter().map(|worker| worker.threads).sum();
    let busy: usize = status
        .workers
        .iter()
        .map(|worker| worker.running.len())
        .sum();
    writeln!(
        out,
        "{} with {}, {busy} of them busy; {} and {} on the server",
        counted(status.workers.len() as u64, "worker"),
        counted(threads as u64, "thread"),
        counted(status.jobs, "job"),
        counted(status.results, "answer"),
    )?;
    if !status.workers.is_empty() {
        writeln!(
            out,
            "\n{:<20} {:<16} {:>7} {:>5} {:>7} {:>6}  now",
            "worker", "machine", "threads", "busy", "done", "failed"
        )?;
    }
    for worker in &status.workers {
        writeln!(
            out,
            "{:<20} {:<16} {:>7} {:>5} {:>7} {:>6}  {}",
            worker.name,
            worker.machine,
            worker.threads,
            worker.running.len(),
            worker.done,
            worker.failed,
            does(worker)
        )?;
    }
    if !status.clients.is_empty() {
        writeln!(
            out,
            "\n{:<20} {:>6} {:>5} {:>6} {:>7} {:>6} {:>6} {:>6}",
            "search", "class", "share", "gets", "running", "queued", "done", "failed"
        )?;
    }
    for client in &status.clients {
        writeln!(
            out,
            "{:<20} {:>6} {:>5} {:>6} {:>7} {:>6} {:>6} {:>6}",
            client.title,
            client.class,
            client.weight,
            client.granted,
            client.running,
            client.queued,
            client.done,
            client.failures
        )?;
        troubles(client, out)?;
    }
    Ok(())
}

fn does(worker: &Beat) -> String {
    if worker.version != VERSION {
        return format!(
            "speaks version {}, expected {VERSION}: it gets no jobs",
            worker.version
        );
    }
    if worker.paused && worker.running.is_empty() {
        return "paused: its machine is used by others".to_owned();
    }
    if worker.leaving {
        return "leaving".to_owned();
    }
    let Some(job) = worker.running.first() else {
        return "idle".to_owned();
    };
    let then = if worker.paused {
        ", then pauses: its machine is used by others"
    } else {
        ""
    };
    format!("{} for {:.0} s{then}", job.position, job.seconds)
}

fn troubles(client: &ClientBeat, out: &mut Output) -> anyhow::Result<()> {
    for (worker, reason) in &client.dropped {
        writeln!(out, "  dropped {worker}: {reason}")?;
    }
    for job in &client.dead {
        writeln!(
            out,
            "  dead job {job}: workers took it and nobody finished it"
        )?;
    }
    Ok(())
}

fn keys(command: &GridKeysCommand, out: &mut Output) -> anyhow::Result<()> {
    match command {
        GridKeysCommand::Init(args) => {
            let tls = <[_; 3]>::try_from(args.tls.clone()).ok();
            let keys = Keys::create(&args.folder, &args.url, tls)?;
            writeln!(
                out,
                "Server:       nats-server -c {}",
                keys.config().display()
            )?;
            writeln!(
                out,
                "Coordinator:  tengen opening solve TX-d21 --grid-key {}",
                keys.coordinator().display()
            )?;
            writeln!(
                out,
                "Workers:      tengen grid keys worker {} NAME",
                args.folder.display()
            )?;
        }
        GridKeysCommand::Worker(args) => {
            let mut keys = Keys::open(&args.folder)?;
            let path = match &args.leaf {
                Some(leaf) => keys.add_leaf_worker(leaf, &args.name)?,
                None => keys.add_worker(&args.name)?,
            };
            writeln!(
                out,
                "Give {} to whoever runs it: tengen worker --key {}.key",
                path.display(),
                args.name
            )?;
            match (&args.leaf, path.parent()) {
                (Some(leaf), Some(folder)) => writeln!(
                    out,
                    "{leaf} needs {} again, and both servers must be started anew",
                    folder.display()
                )?,
                _ => writeln!(out, "{RELOAD}")?,
            }
        }
        GridKeysCommand::Cluster(args) => {
            let configs = Keys::open(&args.folder)?.make_cluster(args.servers.clone())?;
            let folder = args.folder.join("cluster");
            writeln!(
                out,
                "Carry {} to each of them; it is a secret. There, in the folder:",
                folder.display()
            )?;
            for (config, server) in configs.iter().zip(&args.servers) {
                let name = config.file_name().unwrap_or_default().to_string_lossy();
                writeln!(out, "  {:<24} nats-server -c {name}", server.host)?;
            }
            writeln!(
                out,
                "Keys that are made or taken back later are in {}: carry it again",
                folder.join("accounts.conf").display()
            )?;
        }
        GridKeysCommand::Leaf(args) => {
            let mut keys = Keys::open(&args.folder)?;
            let folder = keys.add_leaf(&args.name, &args.url, args.port)?;
            writeln!(
                out,
                "Give {} to {}; it is a secret. There, in the folder: nats-server -c server.conf",
                folder.display(),
                args.name
            )?;
            writeln!(
                out,
                "Workers:      tengen grid keys worker {} NAME --leaf {}",
                args.folder.display(),
                args.name
            )?;
            writeln!(out, "Our server must be started anew")?;
        }
        GridKeysCommand::Revoke(args) => {
            let revoked = Keys::open(&args.folder)?.revoke(&args.name)?;
            let (name, when) = (
                &args.name,
                match revoked {
                    Revoked::Worker => "reads its configuration again: nats-server --signal reload",
                    Revoked::Leaf => "is started anew",
                },
            );
            writeln!(out, "{name} may do nothing any more once the server {when}")?;
        }
    }
    Ok(())
}

/// What to do after a key was made.
const RELOAD: &str = "The server must read its configuration again: nats-server --signal reload";

#[cfg(test)]
mod tests {
    use tengen_grid::nats::RunningJob;

    use super::*;

    #[test]
    fn a_worker_that_pauses_is_seen_to_do_so_with_and_without_a_job() {
        let job = RunningJob {
            position: "B:J10 to-move:W".to_owned(),
            seconds: 12.4,
            ..RunningJob::default()
        };
        let worker = |paused: bool, running: Vec<RunningJob>| Beat {
            version: VERSION,
            paused,
            running,
            ..Beat::default()
        };
        assert_eq!(does(&worker(false, Vec::new())), "idle");
        let paused = does(&worker(true, Vec::new()));
        assert_eq!(paused, "paused: its machine is used by others");
        let busy = does(&worker(false, vec![job.clone()]));
        assert_eq!(busy, "B:J10 to-move:W for 12 s");
        let last = does(&worker(true, vec![job]));
        assert!(last.ends_with("for 12 s, then pauses: its machine is used by others"));
    }
}
