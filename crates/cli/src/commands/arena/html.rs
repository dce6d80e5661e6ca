//! The cross table as a web page that needs nothing else.

use tengen_player::arena::statistics::Tally;

use super::table::{Row, Table, points};
use super::words;

const STYLE: &str = "\
:root{color-scheme:light dark;--fg:#1d2733;--dim:#5b6775;--bg:#fbfaf7;--line:#d9d5cb;--good:46,125,80;--bad:178,58,46;--bar:#2f6f9f}
@media(prefers-color-scheme:dark){:root{--fg:#e6e3dc;--dim:#9aa3ad;--bg:#171a1e;--line:#363b42;--good:92,190,130;--bad:226,106,92;--bar:#6fb3e0}}
body{margin:3rem auto;padding:0 1.25rem;max-width:72rem;background:var(--bg);color:var(--fg);font:17px/1.55 Georgia,'Noto Serif',serif}
h1{font-weight:normal;font-size:1.9rem;margin:0 0 .25rem}p{color:var(--dim);margin:.75rem 0 1.5rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font:15px/1.4 system-ui,'Noto Sans',sans-serif;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{font-weight:600;color:var(--dim)}th:nth-child(2),td.name{text-align:left}td.name{font-weight:600}td.self{color:var(--dim);text-align:center}
small{display:block;color:var(--dim);font-weight:normal}svg{vertical-align:middle}";

/// How wide the error bars are drawn, in pixels.
const WIDTH: f64 = 180.0;

/// Room for half a dot at either end.
const INSET: f64 = 5.0;

/// A whole page.
pub(crate) fn page(table: &Table) -> String {
    let numbers: String = (1..=table.rows.len())
        .map(|number| format!("<th scope=\"col\">{number}</th>"))
        .collect();
    let scale = Scale::of(&table.rows);
    let rows = table.rows.iter().enumerate();
    let rows: String = rows.map(|(i, row)| table_row(i, row, &scale)).collect();
    let unfinished = if table.games < table.planned {
        format!(" of {}", table.planned)
    } else {
        String::new()
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Tengen tournament</title>\n<style>{STYLE}</style></head>\n<body>\
         <h1>Tournament</h1>\n<p>{}, {}; {}{unfinished} games, ended by {}.</p>\n\
         <div class=\"scroll\"><table>\n<thead><tr><th></th><th scope=\"col\">engine</th>\
         <th scope=\"col\">Elo</th><th scope=\"col\">95 %</th><th scope=\"col\">points</th>{numbers}</tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n\
         <p>Elo points are above the mean of all (Bradley-Terry); the bars are 95 % of a bootstrap over pairs of \
         games with the same opening. A cell is points of games, with wins, draws and losses below.</p>\n\
         </body></html>\n",
        escape(&table.rules),
        escape(&table.pace),
        table.games,
        escape(&table.reasons),
    )
}

fn table_row(index: usize, row: &Row, scale: &Scale) -> String {
    let against = row.against.iter().enumerate();
    let cells: String = against
        .map(|(j, tally)| match j == index {
            true => "<td class=\"self\">-</td>".to_owned(),
            false => cell(tally),
        })
        .collect();
    let [low, high] = [row.elo.low, row.elo.high].map(words::signed);
    let engine = if row.engine == row.name {
        String::new()
    } else {
        format!("<small>{}</small>", escape(&row.engine))
    };
    format!(
        "<tr><td>{}</td><td class=\"name\">{}{engine}</td><td>{}</td><td>{}<small>{low} to {high}</small></td>\
         <td>{}</td>{cells}</tr>\n",
        index + 1,
        escape(&row.name),
        words::signed(row.elo.value),
        scale.bar(row),
        points(&row.total),
    )
}

/// A result, the greener the better.
fn cell(tally: &Tally) -> String {
    let games = f64::from(tally.games());
    if games == 0.0 {
        return "<td></td>".to_owned();
    }
    let lead = 2.0 * tally.points() / games - 1.0;
    let colour = if lead >= 0.0 { "good" } else { "bad" };
    format!(
        "<td style=\"background:rgba(var(--{colour}),{:.2})\">{}<small>{}</small></td>",
        lead.abs() * 0.45,
        points(tally),
        words::balance(tally),
    )
}

/// From Elo points to pixels.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rows: &[Row]) -> Self {
        let low = rows.iter().map(|row| row.elo.low).fold(0.0, f64::min);
        let high = rows.iter().map(|row| row.elo.high).fold(0.0, f64::max);
        Self {
            low: low - 10.0,
            high: high + 10.0,
        }
    }

    fn at(&self, elo: f64) -> f64 {
        INSET + (elo - self.low) / (self.high - self.low) * (WIDTH - 2.0 * INSET)
    }

    /// A line from the lower to the upper end, and a dot.
    fn bar(&self, row: &Row) -> String {
        let [low, value, high, zero] =
            [row.elo.low, row.elo.value, row.elo.high, 0.0].map(|elo| self.at(elo));
        format!(
            "<svg width=\"{WIDTH}\" height=\"16\" role=\"img\" aria-label=\"error bar\">\
             <line x1=\"{zero:.1}\" x2=\"{zero:.1}\" y1=\"0\" y2=\"16\" stroke=\"var(--line)\"/>\
             <line x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"8\" y2=\"8\" stroke=\"var(--bar)\" stroke-width=\"2\"/>\
             <circle cx=\"{value:.1}\" cy=\"8\" r=\"4\" fill=\"var(--bar)\"/></svg>"
        )
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
