//! A chart of barriers as text: a column for each warp, a row for each use of a barrier.
//!
//! `wait 12` waits in line 12, `arrive 12` goes on, `signal 12` is a copy that ends or bytes that
//! are announced; `!` marks what is at odds.

use heddle_diagnostics::render::one_line;
use heddle_driver::{Chart, Part, Row};

/// The chart, with a line that says what is wrong.
pub(super) fn text(chart: &Chart) -> String {
    let shown = |cells: Vec<String>| cells.iter().map(|it| one_line(it)).collect::<Vec<_>>();
    let table: Vec<Vec<String>> = chart.rows.iter().map(|row| shown(line(chart, row))).collect();
    let mut head = vec![String::new()];
    head.extend(chart.lanes.iter().cloned());
    let head = shown(head);
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            let cells = table.iter().chain([&head]).map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        })
        .collect();
    let mut text = one_line(&format!("kernel `{}`: {}", chart.kernel, chart.verdict)) + "\n";
    for row in [&head].into_iter().chain(&table) {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    if chart.left_out > 0 {
        text.push_str(&format!("and {} more\n", chart.left_out));
    }
    text
}

fn line(chart: &Chart, row: &Row) -> Vec<String> {
    let open = if row.is_complete { "" } else { " (open)" };
    let mut cells = vec![format!("{}{open}", row.title)];
    for lane in 0..chart.lanes.len() {
        let parts = row.cells.iter().filter(|cell| cell.lane == lane).map(|cell| {
            let line = cell.line.map(|it| format!(" {it}")).unwrap_or_default();
            let mark = cell.mark.as_ref().map(|it| format!(" ! {it}")).unwrap_or_default();
            format!("{}{line}{mark}", word(cell.part))
        });
        cells.push(parts.collect::<Vec<_>>().join(", "));
    }
    cells
}

/// What is done, in one word.
pub(super) fn word(part: Part) -> &'static str {
    match part {
        Part::Arrives => "arrive",
        Part::Waits => "wait",
        Part::Signals => "signal",
    }
}
