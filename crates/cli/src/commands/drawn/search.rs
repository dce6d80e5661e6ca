//! `tengen drawn search`: looks for tiles, keeps what was excluded, and has what is found checked.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use tengen_drawn::search::{Frame, NoGoods, Outcome, Request, Symmetry, search_frame};

use super::prove;
use crate::args::{DrawnSearchArgs, DrawnSymmetry};
use crate::error::ExitWith;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;

/// The first word of a file of what was excluded, and its version.
const MAGIC: &str = "tengen-tiles 1";

/// What is known from earlier runs: frames that need not be tried again, and lines with which Black wins.
#[derive(Default)]
struct State {
    done: BTreeSet<String>,
    nogoods: NoGoods,
}

impl State {
    /// Frames are excluded for one request only; sets of lines with which Black wins hold for every request with as many stones a turn.
    fn read(path: &Path, request: &Request) -> anyhow::Result<Self> {
        let mut state = Self::default();
        if !path.exists() {
            return Ok(state);
        }
        let text = fs::read_to_string(path)?;
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) {
            bail!("it does not begin with `{MAGIC}`");
        }
        let (mut of_this, mut same_turns) = (false, false);
        for line in lines {
            if let Some(words) = line.strip_prefix("request ") {
                of_this = words == request_in_words(request);
                same_turns = words.split(' ').nth(1) == Some(&request.per_turn.to_string());
            } else if let Some(name) = line.strip_prefix("excluded ") {
                if of_this {
                    state.done.insert(name.to_owned());
                }
            } else if let Some(words) = line.strip_prefix("black-wins ") {
                let set = NoGoods::parse(words)
                    .with_context(|| format!("`{words}` is no set of lines"))?;
                if same_turns {
                    state.nogoods.add(&set);
                }
            }
        }
        Ok(state)
    }
}

fn request_in_words(request: &Request) -> String {
    let Request {
        line,
        per_turn,
        cells,
        symmetry,
        shortest,
        longest,
    } = request;
    let symmetry = symmetry.name();
    format!("{line} {per_turn} cells {cells} {symmetry} lines {shortest}-{longest}")
}

pub(super) fn run(args: &DrawnSearchArgs, out: &mut Output) -> anyhow::Result<()> {
    interrupt::flag();
    let per_turn = usize::from(args.per_turn);
    let shortest = args.shortest.unwrap_or(per_turn + 1);
    let request = Request {
        line: args.line,
        per_turn,
        cells: i32::from(args.cells),
        symmetry: match args.symmetry {
            DrawnSymmetry::Translations => Symmetry::Translations,
            DrawnSymmetry::Mirrored => Symmetry::Mirrored,
            DrawnSymmetry::Rotated => Symmetry::Rotated,
            DrawnSymmetry::Bands => Symmetry::Bands,
        },
        shortest,
        longest: args.longest.unwrap_or(shortest + 3),
    };
    if request.shortest <= per_turn
        || request.longest < request.shortest
        || request.longest > args.line
    {
        bail!(
            "lines of {} to {} cells, expected at least {} and at most {}",
            request.shortest,
            request.longest,
            per_turn + 1,
            args.line
        );
    }
    let mut state = match &args.state {
        Some(path) => State::read(path, &request)
            .with_context(|| format!("cannot read `{}`", path.display()))?,
        None => State::default(),
    };
    let mut log = Log::open(args.state.as_deref(), &request)?;
    writeln!(
        out,
        "Connect({},{per_turn}): tiles for {}",
        args.line,
        request_in_words(&request)
    )?;
    let (mut excluded, mut undecided) = (0, 0);
    for frame in Frame::all(&request) {
        let name = frame.name();
        if state.done.contains(&name) {
            excluded += 1;
            continue;
        }
        let before: BTreeSet<_> = state.nogoods.iter().cloned().collect();
        let nogoods = &mut state.nogoods;
        let outcome = watched(
            || name.clone(),
            || search_frame(&request, &frame, nogoods, interrupt::is_stopped),
        )?;
        for set in state.nogoods.iter().filter(|set| !before.contains(*set)) {
            log.add(&format!("black-wins {}", NoGoods::text(set)))?;
        }
        match outcome {
            Outcome::Excluded => {
                excluded += 1;
                log.add(&format!("excluded {name}"))?;
                writeln!(out, "  excluded: {name}")?;
            }
            Outcome::Undecided => {
                undecided += 1;
                writeln!(out, "  undecided, some games were too large: {name}")?;
            }
            Outcome::Stopped => return Err(ExitWith(INTERRUPTED).into()),
            Outcome::Found(tiling) => {
                let proved = prove(request.line, per_turn, &tiling)?;
                let path = args.out.clone().unwrap_or_else(|| {
                    PathBuf::from(format!("connect-{}-{per_turn}.draw", request.line))
                });
                write_file(&path, proved.text.as_bytes())?;
                writeln!(out, "  found: {name}")?;
                for tile in &tiling.tiles {
                    writeln!(out, "{}", tile.board)?;
                }
                writeln!(
                    out,
                    "Connect({},{per_turn}) is drawn: VERIFIED; certificate {}: {} bytes",
                    request.line,
                    path.display(),
                    grouped(proved.text.len() as u64)
                )?;
                return Ok(());
            }
        }
        out.flush()?;
    }
    writeln!(
        out,
        "No tile found: {excluded} frames excluded, {undecided} undecided, with {} sets of lines with which Black wins. Tiles \
         outside these boxes, with other lines or symmetries, are not excluded.",
        state.nogoods.len()
    )?;
    Ok(())
}

/// The file of what was excluded, written as it grows.
struct Log(Option<fs::File>);

impl Log {
    fn open(path: Option<&Path>, request: &Request) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self(None));
        };
        let new = !path.exists();
        let open = || fs::OpenOptions::new().append(true).create(true).open(path);
        let file = open().with_context(|| format!("cannot write `{}`", path.display()))?;
        let mut log = Self(Some(file));
        if new {
            log.add(MAGIC)?;
        }
        log.add(&format!("request {}", request_in_words(request)))?;
        Ok(log)
    }

    fn add(&mut self, line: &str) -> anyhow::Result<()> {
        if let Some(file) = &mut self.0 {
            writeln!(file, "{line}")?;
        }
        Ok(())
    }
}
