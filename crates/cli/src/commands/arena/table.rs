//! The cross table of a tournament.

use serde::Serialize;
use tengen_player::arena::GameRecord;
use tengen_player::arena::statistics::{Estimate, Tally, ratings};

use super::Session;
use super::words;

/// Everybody against everybody, the best first.
#[derive(Serialize)]
pub(crate) struct Table {
    pub(crate) rules: String,
    pub(crate) pace: String,
    pub(crate) games: usize,
    pub(crate) planned: usize,
    pub(crate) reasons: String,
    pub(crate) rejected_claims: usize,
    pub(crate) rows: Vec<Row>,
}

/// One engine.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) engine: String,
    /// Elo points above the mean of all.
    pub(crate) elo: Estimate,
    pub(crate) total: Tally,
    pub(crate) score: Option<Estimate>,
    /// Against each engine in the order of the rows; against itself nothing.
    pub(crate) against: Vec<Tally>,
}

impl Table {
    pub(crate) fn new(session: &Session) -> Self {
        let specs = &session.contestants;
        let games: &[GameRecord] = &session.games;
        let tally = |i: usize, j: usize| {
            if i == j {
                return Tally::default();
            }
            Tally::of(games, &specs[i].name, &specs[j].name)
        };
        let count = specs.len();
        let table: Vec<Vec<Tally>> = (0..count)
            .map(|i| (0..count).map(|j| tally(i, j)).collect())
            .collect();
        let conditions = &session.settings.conditions;
        let elos = ratings(&table, conditions.seed);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| elos[b].elo.value.total_cmp(&elos[a].elo.value));
        let row = |&i: &usize| {
            let mut total = Tally::default();
            table[i].iter().for_each(|tally| total.add(tally));
            Row {
                name: specs[i].name.clone(),
                engine: specs[i].text().to_owned(),
                elo: elos[i].elo,
                score: total.score(),
                total,
                against: order.iter().map(|&j| table[i][j]).collect(),
            }
        };
        Self {
            rules: conditions.rules.to_string(),
            pace: conditions.pace.to_string(),
            games: games.len(),
            planned: session.plans.len(),
            reasons: words::reasons(games),
            rejected_claims: games.iter().map(|game| game.rejected_claims.len()).sum(),
            rows: order.iter().map(row).collect(),
        }
    }

    /// As text, with aligned columns.
    pub(crate) fn text(&self) -> String {
        let mut lines = vec![self.header()];
        lines.extend(self.rows.iter().enumerate().map(|(i, row)| row.cells(i)));
        let columns = lines[0].len();
        let width = |column: usize| {
            let cells = lines.iter().map(|line| line[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            let cells = line.iter().zip(&widths).enumerate();
            let padded: Vec<String> = cells
                .map(|(column, (cell, &width))| match column {
                    1 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                })
                .collect();
            text += padded.join("  ").trim_end();
            text.push('\n');
        }
        text
    }

    fn header(&self) -> Vec<String> {
        let titles = ["", "engine", "Elo", "95 %", "points"].map(str::to_owned);
        let numbers = (1..=self.rows.len()).map(|number| number.to_string());
        titles.into_iter().chain(numbers).collect()
    }
}

impl Row {
    fn cells(&self, index: usize) -> Vec<String> {
        let [low, high] = [self.elo.low, self.elo.high].map(words::signed);
        let mut cells = vec![
            (index + 1).to_string(),
            self.name.clone(),
            words::signed(self.elo.value),
            format!("[{low}, {high}]"),
            points(&self.total),
        ];
        let against = self.against.iter().enumerate();
        cells.extend(against.map(|(j, tally)| match j == index {
            true => "-".to_owned(),
            false => points(tally),
        }));
        cells
    }
}

/// `15.5/20`.
pub(crate) fn points(tally: &Tally) -> String {
    format!("{}/{}", tally.points(), tally.games())
}
