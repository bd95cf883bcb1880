//! Charts of barriers as a picture: warps are lanes from top to bottom, uses of barriers are bars
//! across those that take part.
//!
//! A filled dot waits, a ring arrives and goes on, a small square is a copy that ends or bytes that
//! are announced; red is at odds.
//! **Promises**: the same charts are the same bytes, and text from a program cannot leave its
//! place.

use std::fmt::Write;

use heddle_diagnostics::render::one_line;
use heddle_driver::{Cell, Chart, Part, Row};

use super::chart_text::word;

const LANE: usize = 150;
const ROW: usize = 34;
const LEFT: usize = 210;
const HEAD: usize = 76;

/// All charts, one below the other.
pub(super) fn picture(charts: &[Chart]) -> String {
    let lanes = charts.iter().map(|it| it.lanes.len()).max().unwrap_or(0);
    let width = (LEFT + lanes * LANE).max(640);
    let height: usize = charts.iter().map(height_of).sum();
    let mut svg = String::new();
    _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"
    );
    let mut top = 0;
    for chart in charts {
        one(&mut svg, chart, top);
        top += height_of(chart);
    }
    svg.push_str("</svg>\n");
    svg
}

fn height_of(chart: &Chart) -> usize {
    HEAD + ROW * (chart.rows.len() + 1)
}

fn one(svg: &mut String, chart: &Chart, top: usize) {
    let title = format!("{}: {}", chart.kernel, chart.verdict);
    text(svg, (10, top + 22), "font-weight=\"bold\"", &title);
    let bottom = top + HEAD + ROW * chart.rows.len();
    for (lane, name) in chart.lanes.iter().enumerate() {
        let x = middle(lane);
        text(svg, (x, top + 50), "text-anchor=\"middle\"", name);
        line(svg, (x, top + 58), (x, bottom), "stroke=\"#bbb\"");
    }
    for (index, row) in chart.rows.iter().enumerate() {
        bar(svg, row, top + HEAD + ROW * index);
    }
    if chart.left_out > 0 {
        text(svg, (10, bottom + 14), "fill=\"#555\"", &format!("and {} more", chart.left_out));
    }
}

fn bar(svg: &mut String, row: &Row, y: usize) {
    let open = if row.is_complete { "" } else { " (open)" };
    text(svg, (10, y + 4), "", &format!("{}{open}", row.title));
    let ends = [row.cells.iter().map(|it| it.lane).min(), row.cells.iter().map(|it| it.lane).max()];
    if let [Some(first), Some(last)] = ends {
        let style = match row.is_complete {
            true => "stroke=\"#357\" stroke-width=\"2\"",
            false => "stroke=\"#c33\" stroke-width=\"2\" stroke-dasharray=\"5 4\"",
        };
        line(svg, (middle(first), y), (middle(last), y), style);
    }
    let mut beside = vec![0; row.cells.iter().map(|it| it.lane + 1).max().unwrap_or(0)];
    for cell in &row.cells {
        let before = &mut beside[cell.lane];
        dot(svg, cell, (middle(cell.lane) + *before * 16, y));
        *before += 1;
    }
}

fn dot(svg: &mut String, cell: &Cell, (x, y): (usize, usize)) {
    let colour = if cell.mark.is_some() { "#c33" } else { "#357" };
    let said = [
        Some(word(cell.part).to_owned()),
        cell.line.map(|it| format!("line {it}")),
        cell.mark.clone(),
    ];
    let said = escaped(&said.into_iter().flatten().collect::<Vec<_>>().join(", "));
    _ = match cell.part {
        Part::Waits => writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"{colour}\"><title>{said}</title></circle>"
        ),
        Part::Arrives => writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"white\" stroke=\"{colour}\" stroke-width=\"2\"><title>{said}</title></circle>"
        ),
        Part::Signals => writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"8\" height=\"8\" fill=\"{colour}\"><title>{said}</title></rect>",
            x - 4,
            y - 4
        ),
    };
    if let Some(mark) = &cell.mark {
        text(svg, (x + 10, y - 6), "fill=\"#c33\" font-size=\"11\"", mark);
    }
}

fn middle(lane: usize) -> usize {
    LEFT + lane * LANE + LANE / 3
}

fn text(svg: &mut String, (x, y): (usize, usize), style: &str, said: &str) {
    let space = if style.is_empty() { "" } else { " " };
    _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\"{space}{style}>{}</text>",
        escaped(&one_line(said))
    );
}

fn line(svg: &mut String, (x1, y1): (usize, usize), (x2, y2): (usize, usize), style: &str) {
    _ = writeln!(svg, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {style}/>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
