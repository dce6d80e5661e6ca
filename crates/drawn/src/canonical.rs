//! One numbering of the lines for all positions that differ by names only.
//!
//! Lines get colours from what lies on them, refined until nothing changes; while two lines share a
//! colour, each of the first such group in turn is set apart and the least result is taken. Lines
//! that can be exchanged give the same result, so one of them is enough: without that the grids
//! that occur here would take factorials.

use crate::position::{Class, Lines, Position, ones};

/// What a line sees: its colour, and for each class on it how many cells it has and the colours of its lines.
type Sight = (usize, Vec<(u8, Vec<usize>)>);

impl Position {
    /// The canonical form: equal for two positions exactly if one is the other with its lines
    /// numbered differently.
    pub fn canonical(&self) -> Self {
        self.canonical_with_numbers().0
    }

    /// The canonical form, and the new number of each line.
    pub fn canonical_with_numbers(&self) -> (Self, [u8; 64]) {
        let lines: Vec<usize> = ones(self.lines()).collect();
        let colours = vec![0_usize; lines.len()];
        let mut best = None;
        self.search(&lines, colours, &mut best);
        best.unwrap_or((Self::default(), [0; 64]))
    }

    fn search(
        &self,
        lines: &[usize],
        mut colours: Vec<usize>,
        best: &mut Option<(Self, [u8; 64])>,
    ) {
        self.refine(lines, &mut colours);
        // Colours are the number of lines with smaller ones, so a group of n leaves n - 1 unused.
        let group = (0..lines.len())
            .find(|&colour| colours.iter().filter(|&&other| other == colour).count() > 1);
        let Some(group) = group else {
            let mut number = [0; 64];
            for (line, colour) in lines.iter().zip(&colours) {
                number[*line] = *colour as u8;
            }
            let form = self.renumbered(&number);
            if best.as_ref().is_none_or(|(least, _)| form < *least) {
                *best = Some((form, number));
            }
            return;
        };
        let members: Vec<usize> = (0..lines.len()).filter(|&i| colours[i] == group).collect();
        let mut tried: Vec<usize> = Vec::new();
        for &member in &members {
            if tried
                .iter()
                .any(|&other| self.exchangeable(lines[other], lines[member]))
            {
                continue;
            }
            tried.push(member);
            let mut apart = colours.clone();
            for &other in &members {
                if other != member {
                    apart[other] = group + 1;
                }
            }
            self.search(lines, apart, best);
        }
    }

    /// Splits colours by what is on the lines until nothing changes.
    fn refine(&self, lines: &[usize], colours: &mut [usize]) {
        let mut index = [0; 64];
        for (position, line) in lines.iter().enumerate() {
            index[*line] = position;
        }
        let mut groups = count(colours);
        loop {
            let mut seen: Vec<Sight> = colours.iter().map(|&colour| (colour, Vec::new())).collect();
            for class in self.classes() {
                let mut through: Vec<usize> =
                    ones(class.lines).map(|line| colours[index[line]]).collect();
                through.sort_unstable();
                for line in ones(class.lines) {
                    seen[index[line]].1.push((class.cells, through.clone()));
                }
            }
            for (_, on) in &mut seen {
                on.sort_unstable();
            }
            let mut order: Vec<usize> = (0..lines.len()).collect();
            order.sort_unstable_by(|&a, &b| seen[a].cmp(&seen[b]));
            let mut start = 0;
            for place in 0..order.len() {
                if place > 0 && seen[order[place]] != seen[order[place - 1]] {
                    start = place;
                }
                colours[order[place]] = start;
            }
            let now = count(colours);
            if now == groups {
                return;
            }
            groups = now;
        }
    }

    /// Whether exchanging two lines changes nothing.
    fn exchangeable(&self, a: usize, b: usize) -> bool {
        let swap = |lines: Lines| {
            let (on_a, on_b) = (lines >> a & 1, lines >> b & 1);
            lines & !(1 << a | 1 << b) | on_a << b | on_b << a
        };
        self.classes().iter().all(|class| {
            let image = Class {
                lines: swap(class.lines),
                cells: class.cells,
            };
            self.classes().binary_search(&image).is_ok()
        })
    }
}

fn count(colours: &[usize]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
