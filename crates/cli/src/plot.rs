//! Plots as SVG that follow the page's colours, light or dark.

use houseway_rules::describe::grouped;
use plotters::prelude::*;

/// Drawn in these colours, which are then replaced by the page's.
const INK: RGBColor = RGBColor(1, 1, 1);
const FAINT: RGBColor = RGBColor(2, 2, 2);
const FIRST: RGBColor = RGBColor(3, 3, 3);
const SECOND: RGBColor = RGBColor(4, 4, 4);
const THIRD: RGBColor = RGBColor(5, 5, 5);

/// What stands for a colour: the page's variable, and what it is where there is no page.
const COLOURS: [(&str, &str); 5] = [
    ("#010101", "var(--ink, #555)"),
    ("#020202", "var(--line, #bbb)"),
    ("#030303", "var(--first, #1f6f54)"),
    ("#040404", "var(--second, #b0562b)"),
    ("#050505", "var(--third, #5b5ea6)"),
];

const SIZE: (u32, u32) = (720, 300);

/// Names of a plot's axes.
pub(crate) struct Axes<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
}

/// One line of a plot.
pub(crate) struct Course<'a> {
    pub(crate) name: &'a str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// What is drawn between the axes.
enum Series<'a> {
    Bars { bars: &'a [(f64, f64)], width: f64 },
    Lines(&'a [Course<'a>]),
}

/// Bars of equal width that begin at these places.
pub(crate) fn bars(axes: &Axes<'_>, bars: &[(f64, f64)], width: f64) -> anyhow::Result<String> {
    let left = bars.first().map_or(0.0, |bar| bar.0);
    let right = bars.last().map_or(1.0, |bar| bar.0) + width;
    let top = bars.iter().map(|bar| bar.1).fold(0.0, f64::max) * 1.05;
    draw(axes, left..right, 0.0..top, &Series::Bars { bars, width })
}

/// Lines, each in a colour of its own and named; a line without a name goes with the one before.
pub(crate) fn lines(axes: &Axes<'_>, courses: &[Course<'_>]) -> anyhow::Result<String> {
    let all = || courses.iter().flat_map(|course| &course.points);
    let least = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (bottom, top) = (least(|it| it.1), most(|it| it.1));
    let room = ((top - bottom) * 0.06).max(1e-9);
    let y = (bottom - room).min(0.0)..top + room;
    draw(axes, least(|it| it.0)..most(|it| it.0), y, &Series::Lines(courses))
}

fn draw(
    axes: &Axes<'_>,
    x: std::ops::Range<f64>,
    y: std::ops::Range<f64>,
    series: &Series<'_>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_right(28)
            .x_label_area_size(38)
            .y_label_area_size(64)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT.mix(0.5))
            .axis_style(FAINT)
            .label_style(("sans-serif", 12, &INK))
            .axis_desc_style(("sans-serif", 13, &INK))
            .x_label_formatter(&|value| number(*value))
            .y_label_formatter(&|value| number(*value))
            .x_desc(axes.x)
            .y_desc(axes.y)
            .draw()?;
        match series {
            Series::Bars { bars, width } => {
                let rectangles = bars.iter().map(|&(place, height)| {
                    let corner = (place + width * 0.92, height);
                    Rectangle::new([(place, 0.0), corner], FIRST.filled())
                });
                chart.draw_series(rectangles)?;
            }
            Series::Lines(courses) => {
                let mut colours = [FIRST, SECOND, THIRD].into_iter().cycle();
                let mut colour = FIRST;
                for course in *courses {
                    if !course.name.is_empty() {
                        colour = colours.next().unwrap_or(FIRST);
                    }
                    let points = course.points.iter().copied();
                    let drawn =
                        chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
                    if !course.name.is_empty() {
                        drawn.label(course.name).legend(move |(x, y)| {
                            PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3))
                        });
                    }
                }
                if courses.len() > 1 {
                    let mut labels = chart.configure_series_labels();
                    labels.position(SeriesLabelPosition::UpperRight);
                    labels.border_style(FAINT).label_font(("sans-serif", 12, &INK)).draw()?;
                }
            }
        }
        area.present()?;
    }
    Ok(themed(&svg, axes.title))
}

/// A number beside an axis: as short as it can be read.
fn number(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let whole = grouped(whole.parse().unwrap_or(0));
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    let minus = if value < -0.0005 { "−" } else { "" };
    format!("{minus}{whole}{point}{rest}")
}

/// With the page's colours, a title for those who cannot see it, and a size that fits its place.
fn themed(svg: &str, title: &str) -> String {
    let mut svg = svg.to_string();
    for (drawn, themed) in COLOURS {
        svg = svg.replace(drawn, themed);
    }
    let from = format!("<svg width=\"{}\" height=\"{}\"", SIZE.0, SIZE.1);
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let to = "<svg role=\"img\" style=\"max-width:100%;height:auto\"".to_string()
        + from.strip_prefix("<svg").unwrap_or_default();
    let svg = svg.replacen(&from, &to, 1);
    match svg.split_once('>') {
        Some((open, rest)) => format!("{open}><title>{title}</title>{rest}"),
        None => svg,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let numbers = [0.0, 1_000_000.0, -250.0, 2.5, -0.125].map(number);
        assert_eq!(numbers, ["0", "1,000,000", "−250", "2.5", "−0.125"]);
    }

    #[test]
    fn plots_follow_the_page() {
        let axes = Axes { title: "a < b", x: "x", y: "y" };
        let svg = bars(&axes, &[(0.0, 1.0), (1.0, 3.0)], 1.0).unwrap();
        assert!(svg.starts_with("<svg role=\"img\""), "{svg}");
        assert!(svg.contains("<title>a &lt; b</title>") && svg.contains("var(--first"));
        assert!(COLOURS.iter().all(|(drawn, _)| !svg.contains(drawn)));
        let course = |name| Course { name, points: vec![(0.0, 1.0), (2.0, -1.0)] };
        let svg = lines(&axes, &[course("one"), course("two")]).unwrap();
        assert!(svg.contains("one") && svg.contains("var(--second"));
        // Nothing to draw is no reason to fail.
        assert!(bars(&axes, &[], 1.0).is_ok());
    }
}
