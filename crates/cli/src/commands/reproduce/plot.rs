//! Curves as SVG, legible by day and by night.

use std::fmt::Write as _;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 520.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 610.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 460.0;
/// As many as there are policies.
const COLOURS: usize = 5;
/// Between two lines of the legend.
const LINE: f64 = 18.0;

/// A place in the picture.
type Spot = (f64, f64);

const STYLE: &str = "\
<style>
svg{color:#1c1f25;--bg:#faf8f3;--c0:#b3400a;--c1:#0b5fa5;--c2:#0b6b55;--c3:#8a2b86;--c4:#6b5b00}
@media (prefers-color-scheme:dark){svg{color:#eceef2;--bg:#15171c;--c0:#ff9a5c;--c1:#6db8ff;--c2:#5fcbaa;--c3:#e79be4;--c4:#d9c65a}}
text{fill:currentColor;font-size:13px}.grid{stroke:currentColor;stroke-opacity:.15}.axis{stroke:currentColor}
.ideal{stroke:currentColor;stroke-opacity:.6;stroke-dasharray:2 4}.lead{stroke-opacity:.35}
.c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}
.c0.dot{fill:var(--c0)}.c1.dot{fill:var(--c1)}.c2.dot{fill:var(--c2)}.c3.dot{fill:var(--c3)}.c4.dot{fill:var(--c4)}
polyline{fill:none;stroke-width:2}.thin{stroke-dasharray:7 4;stroke-width:1.5}
</style>";

/// A direction: its range and where it has marks, in its own scale.
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) log: bool,
    /// Values and their texts.
    pub(super) marks: Vec<(f64, String)>,
    /// Whether the texts are too long to stand side by side.
    pub(super) slanted: bool,
}

/// A line and its name.
pub(super) struct Curve {
    pub(super) label: String,
    /// One of the colours, counted from 0.
    pub(super) colour: usize,
    pub(super) dashed: bool,
    pub(super) points: Vec<(f64, f64)>,
}

/// A picture of curves.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// What would be perfect, and its name.
    pub(super) ideal: Option<(String, [(f64, f64); 2])>,
    pub(super) curves: Vec<Curve>,
}

impl Axis {
    /// 0 at the lower end, 1 at the upper.
    fn share(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.log { value.ln() } else { value };
        let (low, high) = (scale(self.low), scale(self.high));
        ((scale(value) - low) / (high - low)).clamp(0.0, 1.0)
    }
}

impl Chart {
    pub(super) fn svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">\n<title>{0}</title>\n{STYLE}\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"10\" style=\"fill:var(--bg)\"/>\n\
             <text x=\"{LEFT}\" y=\"30\" style=\"font-size:16px;font-weight:600\">{0}</text>\n",
            escaped(&self.title)
        );
        self.axes(&mut svg);
        if let Some((_, ends)) = &self.ideal {
            let [from, to] = ends.map(|point| self.place(point));
            put(&mut svg, format_args!("{}", straight("ideal", from, to)));
        }
        for curve in &self.curves {
            self.curve(&mut svg, curve);
        }
        self.legend(&mut svg);
        svg + "</svg>\n"
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (
            LEFT + self.x.share(x) * (RIGHT - LEFT),
            BOTTOM - self.y.share(y) * (BOTTOM - TOP),
        )
    }

    fn axes(&self, svg: &mut String) {
        for (value, text) in &self.x.marks {
            let (x, _) = self.place((*value, self.y.low));
            put(
                svg,
                format_args!("{}", straight("grid", (x, TOP), (x, BOTTOM))),
            );
            let y = BOTTOM + 18.0;
            let how = match self.x.slanted {
                true => format!("text-anchor=\"end\" transform=\"rotate(-30 {x:.1} {y})\""),
                false => "text-anchor=\"middle\"".to_owned(),
            };
            put(
                svg,
                format_args!(
                    "<text x=\"{x:.1}\" y=\"{y}\" {how}>{}</text>",
                    escaped(text)
                ),
            );
        }
        for (value, text) in &self.y.marks {
            let (_, y) = self.place((self.x.low, *value));
            put(
                svg,
                format_args!("{}", straight("grid", (LEFT, y), (RIGHT, y))),
            );
            let (x, y) = (LEFT - 8.0, y + 4.5);
            put(
                svg,
                format_args!(
                    "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>",
                    escaped(text)
                ),
            );
        }
        put(
            svg,
            format_args!("{}", straight("axis", (LEFT, BOTTOM), (RIGHT, BOTTOM))),
        );
        put(
            svg,
            format_args!("{}", straight("axis", (LEFT, TOP), (LEFT, BOTTOM))),
        );
        let (middle, below) = ((LEFT + RIGHT) / 2.0, HEIGHT - 12.0);
        put(
            svg,
            format_args!(
                "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>",
                escaped(&self.x.name)
            ),
        );
        let centre = (TOP + BOTTOM) / 2.0;
        put(
            svg,
            format_args!(
                "<text x=\"18\" y=\"{centre}\" text-anchor=\"middle\" transform=\"rotate(-90 18 {centre})\">{}</text>",
                escaped(&self.y.name)
            ),
        );
    }

    fn curve(&self, svg: &mut String, curve: &Curve) {
        let places: Vec<_> = curve
            .points
            .iter()
            .map(|&point| self.place(point))
            .collect();
        let texts: Vec<_> = places
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let class = curve.class();
        put(
            svg,
            format_args!(
                "<polyline class=\"{class}\" points=\"{}\"/>",
                texts.join(" ")
            ),
        );
        for (x, y) in places {
            put(
                svg,
                format_args!(
                    "<circle class=\"c{} dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"/>",
                    curve.colour % COLOURS
                ),
            );
        }
    }

    /// The names, each as near to the end of its curve as the others allow.
    fn legend(&self, svg: &mut String) {
        let mut ends: Vec<(Option<Spot>, &str, String)> = Vec::new();
        if let Some((label, ends_of)) = &self.ideal {
            ends.push((Some(self.place(ends_of[1])), label, "ideal".to_owned()));
        }
        for curve in &self.curves {
            let end = curve.points.last().map(|&point| self.place(point));
            ends.push((end, &curve.label, curve.class()));
        }
        let height = |end: &Option<Spot>| end.map_or(BOTTOM, |end| end.1);
        ends.sort_by(|a, b| height(&a.0).total_cmp(&height(&b.0)));
        let wanted: Vec<f64> = ends.iter().map(|end| height(&end.0)).collect();
        for ((end, label, class), y) in ends.iter().zip(spread(&wanted)) {
            if let Some(end) = end {
                put(
                    svg,
                    format_args!(
                        "{}",
                        straight(&format!("{class} lead"), *end, (RIGHT + 24.0, y))
                    ),
                );
            }
            put(svg, format_args!("{}", sample(class, (RIGHT + 24.0, y))));
            let (x, y) = (RIGHT + 64.0, y + 4.5);
            put(
                svg,
                format_args!("<text x=\"{x}\" y=\"{y:.1}\">{}</text>", escaped(label)),
            );
        }
    }
}

impl Curve {
    fn class(&self) -> String {
        let dashed = if self.dashed { " thin" } else { "" };
        format!("c{}{dashed}", self.colour % COLOURS)
    }
}

/// Heights at least a line apart, in the same order, near what is wanted and inside the picture.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut heights = Vec::with_capacity(wanted.len());
    let mut least = TOP;
    for (place, height) in wanted.iter().enumerate() {
        let below = (wanted.len() - 1 - place) as f64 * LINE;
        let height = height.max(least).min((BOTTOM - below).max(least));
        heights.push(height);
        least = height + LINE;
    }
    heights
}

fn straight(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    format!(
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
        from.0, from.1, to.0, to.1
    )
}

/// How a curve looks, beside its name.
fn sample(class: &str, (x, y): (f64, f64)) -> String {
    format!(
        "<polyline class=\"{class}\" points=\"{x:.1},{y:.1} {:.1},{y:.1}\"/>",
        x + 34.0
    )
}

fn put(svg: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(svg, "{line}");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{BOTTOM, LINE, TOP, spread};

    #[test]
    fn names_do_not_cover_each_other() {
        for wanted in [
            vec![TOP; 9],
            vec![BOTTOM; 9],
            vec![100.0, 101.0, 300.0, 459.0, 460.0],
        ] {
            let heights = spread(&wanted);
            assert!(
                heights.windows(2).all(|two| two[1] - two[0] >= LINE),
                "{heights:?}"
            );
            assert!(
                heights[0] >= TOP && heights[heights.len() - 1] <= BOTTOM,
                "{heights:?}"
            );
        }
        assert_eq!(
            spread(&[100.0, 300.0]),
            [100.0, 300.0],
            "nothing is moved without need"
        );
    }
}
