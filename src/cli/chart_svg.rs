//! Charts of barriers as a picture: warps are lanes from top to bottom, uses of barriers are bars
//! across those that take part.
//!
//! A filled dot waits, a ring arrives and goes on, a small square is a copy that ends or bytes that
//! are announced; red is at odds.
//! **Promises**: the same charts are the same bytes, and text from a program cannot leave its
//! place.

use heddle_diagnostics::render::one_line;
use heddle_driver::{Cell, Chart, Part, Row};
use heddle_progress::svg::{Document, Element};

use super::chart_text::word;

const LANE: usize = 150;
const ROW: usize = 34;
const LEFT: usize = 210;
const HEAD: usize = 76;
const BLUE: &str = "#357";
const RED: &str = "#c33";

/// All charts, one below the other.
pub(super) fn picture(charts: &[Chart]) -> String {
    let lanes = charts.iter().map(|it| it.lanes.len()).max().unwrap_or(0);
    let width = (LEFT + lanes * LANE).max(640);
    let height: usize = charts.iter().map(height_of).sum();
    let mut document = Document::new(|root| {
        root.with("width", width)
            .with("height", height)
            .with("viewBox", format_args!("0 0 {width} {height}"))
            .with("font-family", "sans-serif")
            .with("font-size", 12)
    });
    let ground = Element::new("rect").with("width", width).with("height", height);
    document.add(ground.with("fill", "white"));
    let mut top = 0;
    for chart in charts {
        one(&mut document, chart, top);
        top += height_of(chart);
    }
    document.finish()
}

fn height_of(chart: &Chart) -> usize {
    HEAD + ROW * (chart.rows.len() + 1)
}

fn one(document: &mut Document, chart: &Chart, top: usize) {
    let title = format!("{}: {}", chart.kernel, chart.verdict);
    document.add(at((10, top + 22)).with("font-weight", "bold").around(&one_line(&title)));
    let bottom = top + HEAD + ROW * chart.rows.len();
    for (lane, name) in chart.lanes.iter().enumerate() {
        let x = middle(lane);
        document.add(at((x, top + 50)).with("text-anchor", "middle").around(&one_line(name)));
        document.add(line((x, top + 58), (x, bottom)).with("stroke", "#bbb"));
    }
    for (index, row) in chart.rows.iter().enumerate() {
        bar(document, row, top + HEAD + ROW * index);
    }
    if chart.left_out > 0 {
        let more = format!("and {} more", chart.left_out);
        document.add(at((10, bottom + 14)).with("fill", "#555").around(&more));
    }
}

fn bar(document: &mut Document, row: &Row, y: usize) {
    let open = if row.is_complete { "" } else { " (open)" };
    document.add(at((10, y + 4)).around(&one_line(&format!("{}{open}", row.title))));
    let ends = [row.cells.iter().map(|it| it.lane).min(), row.cells.iter().map(|it| it.lane).max()];
    if let [Some(first), Some(last)] = ends {
        let line = line((middle(first), y), (middle(last), y));
        document.add(match row.is_complete {
            true => line.with("stroke", BLUE).with("stroke-width", 2),
            false => {
                line.with("stroke", RED).with("stroke-width", 2).with("stroke-dasharray", "5 4")
            }
        });
    }
    let mut beside = vec![0; row.cells.iter().map(|it| it.lane + 1).max().unwrap_or(0)];
    for cell in &row.cells {
        let before = &mut beside[cell.lane];
        dot(document, cell, (middle(cell.lane) + *before * 16, y));
        *before += 1;
    }
}

fn dot(document: &mut Document, cell: &Cell, (x, y): (usize, usize)) {
    let colour = if cell.mark.is_some() { RED } else { BLUE };
    let said = [
        Some(word(cell.part).to_owned()),
        cell.line.map(|it| format!("line {it}")),
        cell.mark.clone(),
    ];
    let circle = Element::new("circle").with("cx", x).with("cy", y);
    let shape = match cell.part {
        Part::Waits => circle.with("r", 6).with("fill", colour),
        Part::Arrives => {
            circle.with("r", 5).with("fill", "white").with("stroke", colour).with("stroke-width", 2)
        }
        Part::Signals => Element::new("rect")
            .with("x", x - 4)
            .with("y", y - 4)
            .with("width", 8)
            .with("height", 8)
            .with("fill", colour),
    };
    document.add(shape.titled(&said.into_iter().flatten().collect::<Vec<_>>().join(", ")));
    if let Some(mark) = &cell.mark {
        let beside = at((x + 10, y - 6)).with("fill", RED).with("font-size", 11);
        document.add(beside.around(&one_line(mark)));
    }
}

fn middle(lane: usize) -> usize {
    LEFT + lane * LANE + LANE / 3
}

/// A text that begins at a point.
fn at((x, y): (usize, usize)) -> Element {
    Element::new("text").with("x", x).with("y", y)
}

fn line((x1, y1): (usize, usize), (x2, y2): (usize, usize)) -> Element {
    Element::new("line").with("x1", x1).with("y1", y1).with("x2", x2).with("y2", y2)
}
