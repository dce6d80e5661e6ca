//! The folder of a match: `settings.json`, `games.jsonl` with one game a line, and `NNNN.sgf` of each game.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use tengen_player::arena::{GameRecord, Plan};
use tengen_rules::notation::{self, Format};
use tengen_rules::{Record, Rules};

use super::settings::Settings;
use crate::error::{WithHint as _, io_words};
use crate::output::write_file;

/// An open folder.
pub(crate) struct Store {
    folder: PathBuf,
    rules: Rules,
    games: File,
}

impl Store {
    /// Opens the folder of this match, or makes it, and says which games it has.
    pub(crate) fn open(
        folder: &Path,
        settings: &Settings,
        plans: &[Plan],
    ) -> anyhow::Result<(Self, Vec<GameRecord>)> {
        fs::create_dir_all(folder)
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let path = folder.join("settings.json");
        if path.exists() {
            compare(&path, folder, settings)?;
        } else {
            write_file(
                &path,
                (serde_json::to_string_pretty(settings)? + "\n").as_bytes(),
            )?;
        }
        let path = folder.join("games.jsonl");
        let games = read_games(&path, plans)?;
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        let store = Self {
            folder: folder.to_owned(),
            rules: settings.conditions.rules,
            games: file,
        };
        Ok((store, games))
    }

    /// Writes a finished game down: first the SGF, so that a game that is listed has one.
    pub(crate) fn keep(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        let sgf = notation::write(Format::Sgf, &[record(game, self.rules)?])?;
        write_file(&self.folder.join(format!("{:04}.sgf", game.game)), &sgf)?;
        let line = serde_json::to_string(game)? + "\n";
        self.games
            .write_all(line.as_bytes())
            .and_then(|()| self.games.flush())
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot write to `{}`", self.folder.display()))
    }
}

/// Refuses a folder of another match.
fn compare(path: &Path, folder: &Path, settings: &Settings) -> anyhow::Result<()> {
    let cannot = || format!("cannot read `{}`", path.display());
    let text = fs::read_to_string(path).map_err(|error| anyhow!(io_words(&error)));
    let kept: Settings = serde_json::from_str(&text.with_context(cannot)?).with_context(cannot)?;
    let found = kept.differences(settings);
    if found.is_empty() {
        return Ok(());
    }
    let message = format!(
        "`{}` holds a match with other settings: {}",
        folder.display(),
        found.join("; ")
    );
    Err(anyhow!(message))
        .hint(|| Some("give the same settings to go on with it, or another --out".to_owned()))
}

/// The games of an earlier run. A last line that was not written to its end is cut off.
fn read_games(path: &Path, plans: &[Plan]) -> anyhow::Result<Vec<GameRecord>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let cannot = || format!("cannot read `{}`", path.display());
    let text = fs::read(path).map_err(|error| anyhow!(io_words(&error)));
    let bytes = text.with_context(cannot)?;
    let whole = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    if whole < bytes.len() {
        write_file(path, &bytes[..whole])?;
    }
    let mut games: Vec<GameRecord> = Vec::new();
    for (index, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let game: GameRecord = serde_json::from_slice(line)
            .with_context(|| format!("cannot read `{}`: line {}", path.display(), index + 1))?;
        if games.iter().any(|other| other.game == game.game) {
            bail!("`{}` has game {} twice", path.display(), game.game);
        }
        games.push(game);
    }
    // A shorter match than before looks at its own games only.
    games.retain(|game| game.game <= plans.len());
    Ok(games)
}

/// The game as other programs read it.
fn record(game: &GameRecord, rules: Rules) -> anyhow::Result<Record> {
    let cells = notation::parse_moves(&game.moves, rules)?;
    let mut record = Record::from_moves(rules, &cells);
    record.info.black.clone_from(&game.black);
    record.info.white.clone_from(&game.white);
    record.info.event = format!("tengen match, game {}, opening {}", game.game, game.opening);
    record.info.result = super::words::sgf_result(game).to_owned();
    let ending = match game.detail.as_str() {
        "" => game.reason.to_string(),
        detail => format!("{}: {detail}", game.reason),
    };
    let stones: usize = game
        .log
        .iter()
        .map(|turn| turn.turn.split_whitespace().count())
        .sum();
    let path = record.path(record.main_end());
    // The root holds no stone; the last stone of each turn carries what was thought of it.
    let mut at = cells.len() - stones;
    for turn in &game.log {
        at += turn.turn.split_whitespace().count();
        record.node_mut(path[at]).comment = super::words::turn_comment(turn);
    }
    record.node_mut(Record::ROOT).comment = format!("Ended by {ending}");
    Ok(record)
}
