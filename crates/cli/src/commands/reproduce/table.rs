//! Tables that can be read on the terminal while they grow, and pasted into a page.

use std::io::Write as _;

use crate::output::Output;

/// A table with columns of fixed width; the first is a name, the others are numbers or single words.
pub(crate) struct Table {
    widths: Vec<usize>,
}

impl Table {
    /// Prints the heads. Each column is as wide as its head, spaces included.
    pub(crate) fn start<const N: usize>(
        out: &mut Output,
        heads: [&str; N],
    ) -> anyhow::Result<Self> {
        let widths: Vec<usize> = heads.iter().map(|head| head.len()).collect();
        let table = Self { widths };
        writeln!(out)?;
        table.row(out, heads.map(|head| head.trim().to_owned()))?;
        let rules = table
            .widths
            .iter()
            .enumerate()
            .map(|(place, &width)| match place {
                0 => "-".repeat(width + 2),
                _ => "-".repeat(width + 1) + ":",
            });
        writeln!(out, "|{}|", rules.collect::<Vec<_>>().join("|"))?;
        Ok(table)
    }

    /// Prints a row at once.
    pub(crate) fn row<const N: usize>(
        &self,
        out: &mut Output,
        cells: [String; N],
    ) -> anyhow::Result<()> {
        for (place, (cell, &width)) in cells.iter().zip(&self.widths).enumerate() {
            match place {
                0 => write!(out, "| {cell:<width$} ")?,
                _ => write!(out, "| {cell:>width$} ")?,
            }
        }
        writeln!(out, "|")?;
        Ok(out.flush()?)
    }
}
