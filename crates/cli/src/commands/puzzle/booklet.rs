//! A booklet to print: n puzzles on a page, solutions at the end, in one of the page's languages. HTML by itself, PDF
//! through Chromium where it is installed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, anyhow, bail};
use tengen_puzzles::{Kind, Puzzle};
use tengen_rules::Side;

use super::diagram;
use super::export::is_quiet;
use super::words::{Words, words};
use crate::args::{PuzzleExportArgs, PuzzleLanguage};
use crate::error::WithHint as _;
use crate::output::write_file;

const STYLE: &str = "@page{size:A4;margin:14mm}*{box-sizing:border-box}body{font-family:'Noto Sans','DejaVu Sans',\
'Noto Sans CJK JP','Noto Sans CJK SC','WenQuanYi Zen Hei',sans-serif;margin:0;color:#000}\
h1{font-size:20pt;margin:0 0 4mm}.note{font-size:9pt;margin:0 0 6mm;color:#333}\
.page{display:grid;gap:5mm;break-after:page;align-content:start}.page:last-child{break-after:auto}\
figure{margin:0;break-inside:avoid;display:flex;flex-direction:column}figcaption{font-size:9pt;margin-bottom:1.5mm}\
figcaption b{font-size:11pt;margin-right:2mm}figure svg{width:100%;height:auto;max-height:var(--tall)}\
.text{font-size:8pt;line-height:1.35;margin-top:1mm}";

pub(super) fn write(args: &PuzzleExportArgs, puzzles: &[Puzzle]) -> anyhow::Result<()> {
    let html = html(puzzles, usize::from(args.per_page), args.language);
    if args
        .path
        .extension()
        .is_some_and(|extension| extension == "pdf")
    {
        pdf(&html, &args.path)
    } else {
        write_file(&args.path, html.as_bytes())
    }
}

/// The whole page.
fn html(puzzles: &[Puzzle], per_page: usize, language: PuzzleLanguage) -> String {
    let words = words(language);
    let columns = match per_page {
        1 => 1,
        2..=6 => 2,
        _ => 3,
    };
    let rows = per_page.div_ceil(columns);
    let tall = 225 / rows.max(1) - 14;
    let mut page = format!(
        "<!doctype html><html lang=\"{0}\"><meta charset=\"utf-8\"><title>{1}</title><style>{STYLE}.page{{grid-template-columns:repeat({columns},1fr);--tall:{tall}mm}}</style><body><h1>{1}</h1><p class=\"note\">{2}</p>",
        words.tag, words.title, words.note
    );
    let mut number = 0;
    for group in puzzles.chunks(per_page) {
        page.push_str("<section class=\"page\">");
        for puzzle in group {
            number += 1;
            let svg = diagram::draw(puzzle, false).unwrap_or_default();
            let _ = write!(
                page,
                "<figure><figcaption><b>{number}</b>{} · {} {}</figcaption>{svg}</figure>",
                task(puzzle, &words),
                words.grade,
                puzzle.grade
            );
        }
        page.push_str("</section>");
    }
    let _ = write!(page, "<h1>{}</h1>", words.solutions);
    let mut number = 0;
    for group in puzzles.chunks(9) {
        page.push_str(
            "<section class=\"page\" style=\"grid-template-columns:repeat(3,1fr);--tall:62mm\">",
        );
        for puzzle in group {
            number += 1;
            let svg = diagram::draw(puzzle, true).unwrap_or_default();
            let _ = write!(
                page,
                "<figure><figcaption><b>{number}</b>{}</figcaption>{svg}<div class=\"text\">{}</div></figure>",
                puzzle.solution.join(" "),
                solution(puzzle, &words)
            );
        }
        page.push_str("</section>");
    }
    page.push_str("</body></html>\n");
    page
}

fn task(puzzle: &Puzzle, words: &Words) -> String {
    let side = puzzle.to_move().unwrap_or(Side::Black);
    match (puzzle.kind, side) {
        (Kind::Win, side) => {
            let who = if side == Side::Black {
                words.black_wins
            } else {
                words.white_wins
            };
            let turns = words
                .in_turns
                .replace("{n}", &puzzle.features.turns.to_string());
            match puzzle.order {
                1 => format!("{who} · {turns}"),
                3 if is_quiet(puzzle) => format!("{who} · {turns} · {}", words.quiet),
                _ => format!("{who} · {turns} · {}", words.single),
            }
        }
        (Kind::Defence, Side::Black) => words.black_defends.to_owned(),
        (Kind::Defence, Side::White) => words.white_defends.to_owned(),
    }
}

/// The main line and why tempting turns fail.
fn solution(puzzle: &Puzzle, words: &Words) -> String {
    let mut text = String::new();
    for (number, turn) in puzzle.main_line().iter().enumerate() {
        let _ = write!(text, "{}. {} ", number + 1, turn.join(" "));
        if number == 0 && turn.len() == 1 {
            let _ = write!(text, "({}) ", words.free);
        }
    }
    for wrong in puzzle.tries.iter().take(2) {
        let sentence = words
            .fails
            .replace("{turn}", &wrong.turn.join(" "))
            .replace("{reply}", &wrong.reply.join(" "));
        let _ = write!(text, "<br>{sentence}");
    }
    if puzzle.kind == Kind::Defence {
        let _ = write!(text, "<br>{}", words.only);
    }
    text
}

/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

fn pdf(html: &str, path: &Path) -> anyhow::Result<()> {
    let page = path.with_extension("booklet.html");
    write_file(&page, html.as_bytes())?;
    let printed = print(&page, path);
    let _gone = std::fs::remove_file(&page);
    printed
}

fn print(page: &Path, path: &Path) -> anyhow::Result<()> {
    let absolute = |path: &Path| -> anyhow::Result<PathBuf> {
        std::path::absolute(path).with_context(|| format!("cannot find `{}`", path.display()))
    };
    let (page, target) = (absolute(page)?, absolute(path)?);
    for browser in BROWSERS {
        let mut command = Command::new(browser);
        command
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-pdf-header-footer",
            ])
            .arg(format!("--print-to-pdf={}", target.display()))
            .arg(format!("file://{}", page.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match command.status() {
            Ok(status) if status.success() && target.is_file() => return Ok(()),
            Ok(_) => bail!("{browser} could not print `{}`", path.display()),
            Err(_) => {}
        }
    }
    Err(anyhow!(
        "no Chromium was found to print `{}`",
        path.display()
    ))
    .hint(|| Some("write .html instead and print it with any browser".to_owned()))
}
