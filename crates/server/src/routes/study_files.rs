//! Studies from files and to files.

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tengen_rules::notation::{self, Format, ReadOptions};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{ApiError, ImportQuery, Live, Study};
use crate::app::Shared;
use crate::database::studies::{self, Prepared};
use crate::error::Failure;
use crate::tree::Tree;
use crate::upload;

/// A file with more games is a collection.
const MOST_GAMES: usize = 50;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(import))
        .routes(routes!(export))
}

/// One study for each game of a file, which is the body of the request.
#[utoipa::path(post, path = "/studies/import", tag = "studies", params(ImportQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Vec<Study>), (status = 400, body = ApiError), (status = 413, body = ApiError)))]
async fn import(
    State(app): State<Shared>,
    Query(query): Query<ImportQuery>,
    body: Body,
) -> Result<Json<Vec<Study>>, Failure> {
    let file = upload::read(body, app.config.largest_upload).await?;
    let prepared = tokio::task::spawn_blocking(move || trees(&file, &query))
        .await
        .map_err(|_| Failure::Internal("a bug in the server stopped the import".into()))??;
    let work = move |database: &rusqlite::Transaction<'_>| {
        let store = |tree| {
            let id = studies::create(database, tree)?;
            studies::study(database, id)
        };
        prepared.iter().map(store).collect()
    };
    let made: Vec<Study> = app.database.write(work).await?;
    app.hub.tell(&Live::Library);
    Ok(Json(made))
}

/// The games of a file as trees with titles.
fn trees(file: &[u8], query: &ImportQuery) -> Result<Vec<Prepared>, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::BadRequest(error.to_string());
    let parse = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let rules = parse(&query.rules).map(|text| text.parse());
    let charset = parse(&query.charset).map(|text| text.parse());
    let options = ReadOptions {
        rules: rules.transpose().map_err(|error| bad(&error))?,
        charset: charset.transpose().map_err(|error| bad(&error))?,
    };
    let name = query.name.clone().unwrap_or_default();
    let format = match parse(&query.format) {
        Some(text) => text.parse().map_err(|error| bad(&error))?,
        None => format_of(&name, file)?,
    };
    let records = notation::read(format, file, &options).map_err(|error| bad(&error))?;
    let games = records.len();
    if games > MOST_GAMES {
        return Err(Failure::BadRequest(format!(
            "the file has {games} games, at most {MOST_GAMES} become studies: import it as a collection of games"
        )));
    }
    let stem = match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ if name.is_empty() => "Imported",
        _ => &name,
    };
    let prepared = records.iter().zip(1..).map(|(record, number)| {
        let mut tree = Tree::from_record(record);
        tree.title = match tree.title.trim() {
            "" if games > 1 => format!("{stem} ({number})"),
            "" => stem.to_owned(),
            title => title.to_owned(),
        };
        Prepared::new(tree, String::new())
    });
    prepared.collect()
}

/// What the content looks like, or else what the name says.
fn format_of(name: &str, file: &[u8]) -> Result<Format, Failure> {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let named = extension.and_then(Format::from_extension);
    named.or_else(|| Format::detect(file)).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        Failure::BadRequest(format!(
            "the file looks like no format that is known here: name one of {}",
            names.join(", ")
        ))
    })
}

/// How a study is written.
#[derive(Debug, Deserialize, IntoParams)]
struct ExportQuery {
    /// `sgf`, `lib`, `psq`, `ccgc`, `littlegolem`, `moves` or `setup`.
    format: String,
    /// Only the main line, for formats without variations.
    #[serde(default)]
    main_line: bool,
}

/// A study as a file. What the format cannot hold is an error that says what can.
#[utoipa::path(get, path = "/studies/{id}/export", tag = "studies",
    params(("id" = u32, Path), ExportQuery),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 400, body = ApiError), (status = 404, body = ApiError)))]
async fn export(
    State(app): State<Shared>,
    Path(id): Path<u32>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::BadRequest(error.to_string());
    let format: Format = query.format.parse().map_err(|error| bad(&error))?;
    let work = move |database: &rusqlite::Connection| {
        let document = studies::document(database, id)?;
        let start = studies::start_of(&document.study)?;
        let tree = Tree {
            start,
            title: document.study.title,
            info: document.study.info,
            nodes: document.nodes,
        };
        Ok(tree)
    };
    let tree = app.database.read(work).await?;
    let mut record = tree.to_record()?;
    if query.main_line {
        record = record.main_line();
    }
    let bytes = notation::write(format, &[record]).map_err(|error| bad(&error))?;
    let name = file_name(&tree.title, format);
    Ok((
        [
            (CONTENT_TYPE, content_type(format).to_owned()),
            (CONTENT_DISPOSITION, name),
        ],
        bytes,
    )
        .into_response())
}

const fn content_type(format: Format) -> &'static str {
    match format {
        Format::Sgf => "application/x-go-sgf; charset=utf-8",
        Format::Lib => "application/octet-stream",
        _ => "text/plain; charset=utf-8",
    }
}

/// A name that every system takes, and beside it the title in its own script.
fn file_name(title: &str, format: Format) -> String {
    let extension = match format {
        Format::Sgf | Format::Lib | Format::Psq => format.name(),
        _ => "txt",
    };
    let harmless = |c: char| match c {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '.' | ';' | '%' | '\'' => '-',
        c if c.is_control() => '-',
        c => c,
    };
    let clean: String = title.trim().chars().take(80).map(harmless).collect();
    let clean = match clean.trim_matches(['-', ' ']) {
        "" => "study".to_owned(),
        name => name.to_owned(),
    };
    let ascii = |c: char| if c.is_ascii() { c } else { '_' };
    let plain: String = clean.chars().map(ascii).collect();
    let encode = |byte: &u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => char::from(*byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let encoded: String = clean.as_bytes().iter().map(encode).collect();
    format!("attachment; filename=\"{plain}.{extension}\"; filename*=UTF-8''{encoded}.{extension}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_harmless() {
        for (title, expected) in [
            (
                "A game",
                "filename=\"A game.sgf\"; filename*=UTF-8''A%20game.sgf",
            ),
            (
                "../../etc/passwd",
                "filename=\"etc-passwd.sgf\"; filename*=UTF-8''etc-passwd.sgf",
            ),
            (
                "\"\r\nSet-Cookie: a",
                "filename=\"Set-Cookie- a.sgf\"; filename*=UTF-8''Set-Cookie-%20a.sgf",
            ),
            ("棋", "filename=\"_.sgf\"; filename*=UTF-8''%E6%A3%8B.sgf"),
            ("", "filename=\"study.sgf\"; filename*=UTF-8''study.sgf"),
        ] {
            assert_eq!(
                file_name(title, Format::Sgf),
                format!("attachment; {expected}")
            );
        }
    }
}
