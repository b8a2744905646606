//! Plots with logarithmic axes as SVG, readable on light and on dark pages: no background, gray text, colors of medium
//! lightness.

use std::fmt::Write as _;

/// One line of a plot.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// Points, ascending.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 225.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 52.0;
/// Distinct for color-blind readers too; eventrie comes first, so it has the strong ones.
const COLORS: [&str; 6] = ["#1f9d8f", "#3d7fe0", "#d9822b", "#b85fc4", "#c9474f", "#8a8f98"];

/// Draws lines over two logarithmic axes.
#[must_use]
pub fn logarithmic(title: &str, across: &str, up: &str, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    let (low_x, high_x) = decades(all().map(|point| point.0));
    let (low_y, high_y) = decades(all().map(|point| point.1));
    let place = |(x, y): (f64, f64)| {
        let right = (x.log10() - low_x) / (high_x - low_x) * (WIDTH - LEFT - RIGHT);
        let above = (y.log10() - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM);
        (LEFT + right, HEIGHT - BOTTOM - above)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>text{{font:13px system-ui,sans-serif;fill:#7d8590}}.title{{font-size:15px;font-weight:600}}\
         .grid{{stroke:#7d8590;stroke-opacity:.25}}.line{{fill:none;stroke-width:2.5;stroke-linejoin:round}}</style>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"24\">{title}</text>\n"
    );
    for decade in low_x as i32..=high_x as i32 {
        let (x, bottom) = place((10_f64.powi(decade), 10_f64.powf(low_y)));
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{x:.1} {TOP}V{bottom:.1}\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            short(decade)
        );
    }
    for decade in low_y as i32..=high_y as i32 {
        let (left, y) = place((10_f64.powf(low_x), 10_f64.powi(decade)));
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{:.1}\"/>", WIDTH - RIGHT);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            y + 4.0,
            short(decade)
        );
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{across}</text>", HEIGHT - 12.0);
    let _ = writeln!(
        svg,
        "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{up}</text>",
        (TOP + HEIGHT - BOTTOM) / 2.0
    );
    let mut labels = Vec::new();
    for (line, color) in lines.iter().zip(COLORS.iter().cycle()) {
        let places: Vec<_> = line.points.iter().map(|point| place(*point)).collect();
        let path: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let _ = writeln!(svg, "<path class=\"line\" stroke=\"{color}\" d=\"M{}\"/>", path.join("L"));
        for (x, y) in &places {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\"/>");
        }
        labels.extend(places.last().map(|(x, y)| (*y, *x, line, *color)));
    }
    // Names stand at the ends of their lines, moved down past those above.
    labels.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut lowest = f64::MIN;
    for (y, x, line, color) in labels {
        let y = y.max(lowest + 15.0);
        lowest = y;
        let name = &line.name;
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{color}\">{name}</text>", x + 10.0, y + 4.0);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The powers of ten around all values.
fn decades(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.map(f64::log10).fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (0.0, 1.0);
    }
    let (low, high) = ((low + 0.01).floor(), (high - 0.01).ceil());
    (low, high.max(low + 1.0))
}

fn short(decade: i32) -> String {
    let (unit, rest) = match decade {
        6.. => (" M", decade - 6),
        3.. => (" k", decade - 3),
        _ => ("", decade),
    };
    format!("{}{unit}", 10_f64.powi(rest))
}
