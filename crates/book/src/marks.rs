//! Marks on cells. They are kept as they were drawn, and turned when a turned position is asked about.

use serde::{Deserialize, Serialize};
use tengen_rules::Cell;

use crate::{Error, Result, fields};

/// Marks on cells that belong to a comment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// Texts on cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<(String, String)>,
    /// `cross`, `circle`, `square` or `triangle` on cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(String, String)>,
    /// Arrows from one cell to another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<(String, String)>,
}

impl Marks {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses what is no cell and no mark.
    pub(crate) fn valid(self) -> Result<Self> {
        let cell = |text: &String| match text.parse::<Cell>() {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::Fact(format!("marks: {error}"))),
        };
        for (at, mark) in &self.marks {
            cell(at)?;
            if !["cross", "circle", "square", "triangle"].contains(&mark.as_str()) {
                let mark = fields::shortened(mark);
                let expected = "expected cross, circle, square or triangle";
                return Err(Error::Fact(format!("`{mark}` is no mark, {expected}")));
            }
        }
        self.labels.iter().try_for_each(|(at, _)| cell(at))?;
        for (from, to) in &self.arrows {
            cell(from)?;
            cell(to)?;
        }
        Ok(self)
    }

    /// The same marks on other cells.
    pub(crate) fn moved(&self, map: impl Fn(Cell) -> Cell) -> Self {
        let move_one = |cell: &String| match cell.parse::<Cell>() {
            Ok(cell) => map(cell).to_string(),
            Err(_) => cell.clone(),
        };
        let texts = |pairs: &[(String, String)]| {
            let mut moved: Vec<(String, String)> = pairs
                .iter()
                .map(|(cell, text)| (move_one(cell), text.clone()))
                .collect();
            moved.sort();
            moved
        };
        let arrow = |(from, to): &(String, String)| (move_one(from), move_one(to));
        Self {
            labels: texts(&self.labels),
            marks: texts(&self.marks),
            arrows: self.arrows.iter().map(arrow).collect(),
        }
    }
}
