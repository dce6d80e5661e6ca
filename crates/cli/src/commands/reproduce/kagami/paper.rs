//! Tables I to IV as the paper has them, and sums of such tables.

/// One of the paper's tables: results, lengths, and re-searches where there are any.
pub(super) struct Paper {
    pub(super) head: &'static str,
    results: [char; 10],
    lengths: [usize; 10],
    re_searches: Option<[u32; 10]>,
}

pub(super) const TABLE_1: Paper = Paper {
    head: "I: NCTU6 level 3",
    results: ['D'; 10],
    lengths: [121, 120, 119, 124, 120, 120, 123, 121, 120, 123],
    re_searches: None,
};

pub(super) const TABLE_2: Paper = Paper {
    head: "II: X6          ",
    results: ['L', 'D', 'D', 'D', 'L', 'L', 'D', 'D', 'D', 'L'],
    lengths: [31, 121, 123, 131, 47, 18, 118, 128, 120, 34],
    re_searches: None,
};

pub(super) const TABLE_3: Paper = Paper {
    head: "III: X6         ",
    results: ['D'; 10],
    lengths: [121, 119, 123, 121, 119, 123, 124, 126, 124, 120],
    re_searches: Some([0, 0, 0, 1, 0, 0, 0, 1, 2, 0]),
};

pub(super) const TABLE_4: Paper = Paper {
    head: "IV: MeinStein   ",
    results: ['W', 'L', 'W', 'L', 'L', 'W', 'W', 'W', 'L', 'W'],
    lengths: [52, 14, 51, 58, 16, 63, 81, 54, 16, 54],
    re_searches: Some([3, 1, 6, 1, 1, 2, 2, 3, 1, 3]),
};

impl Paper {
    /// Result, turns, and re-searches if there are any.
    pub(super) fn game(&self, number: usize) -> String {
        let again = self.re_searches.map(|all| format!(" {:>4}", all[number]));
        format!(
            "{} {:>4}{}",
            self.results[number],
            self.lengths[number],
            again.unwrap_or_default()
        )
    }

    pub(super) fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for (number, &result) in self.results.iter().enumerate() {
            let again = self.re_searches.map_or(0, |all| all[number]);
            sums.add(result, self.lengths[number], again);
        }
        sums
    }
}

/// Wins, draws and losses of one match.
#[derive(Debug, Default)]
pub(super) struct Sums {
    counts: [usize; 3],
    turns: usize,
    re_searches: u32,
}

impl Sums {
    pub(super) fn add(&mut self, result: char, turns: usize, re_searches: u32) {
        let place = "WDL".find(result).unwrap_or(1);
        self.counts[place] += 1;
        self.turns += turns;
        self.re_searches += re_searches;
    }

    pub(super) fn row(&self, name: &str, searches: bool) -> [String; 6] {
        let games = self.counts.iter().sum::<usize>().max(1);
        let [wins, draws, losses] = self.counts.map(|count| count.to_string());
        let again = match searches {
            true => self.re_searches.to_string(),
            false => "-".to_owned(),
        };
        let length = format!("{:.1}", self.turns as f64 / games as f64);
        [name.to_owned(), wins, draws, losses, length, again]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_numbers() {
        for (paper, counts, turns, re_searches) in [
            (TABLE_1, [0, 10, 0], 1211, 0),
            (TABLE_2, [0, 6, 4], 871, 0),
            (TABLE_3, [0, 10, 0], 1220, 4),
            (TABLE_4, [6, 0, 4], 459, 23),
        ] {
            let sums = paper.sums();
            assert_eq!(
                (sums.counts, sums.turns, sums.re_searches),
                (counts, turns, re_searches)
            );
        }
    }
}
