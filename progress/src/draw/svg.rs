//! A drawing that any browser shows, laid out here so that nothing else has to be installed.
//!
//! States stand in rows by their distance from the start, each row ordered by where its states
//! come from. An edge down is a curve; an edge back up or along a row bows out to the side.

use std::fmt::Write;

use super::Picture;
use crate::system::Program;

const ROW: f64 = 90.0;
const HEIGHT: f64 = 28.0;
const GAP: f64 = 30.0;
const MARGIN: f64 = 40.0;
const TITLE: f64 = 30.0;
/// The width of a character of the 12-pixel monospace font, in pixels.
const CHARACTER: f64 = 7.3;

/// Where a state stands: the middle of its box, and the box's width.
#[derive(Clone, Copy, Default)]
struct Box {
    x: f64,
    y: f64,
    width: f64,
}

/// The picture as an SVG document.
pub fn svg<P: Program>(picture: &Picture<'_, P>) -> String {
    let boxes = layout(picture);
    let right = boxes.iter().map(|at| at.x + at.width / 2.0).fold(300.0, f64::max);
    let bottom = boxes.iter().map(|at| at.y).fold(0.0, f64::max) + HEIGHT;
    let (width, height) = (right + MARGIN * 2.0, bottom + MARGIN);
    let mut out = String::new();
    let mut line = |text: String| {
        writeln!(out, "{text}").expect("writing to a string does not fail");
    };
    line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"monospace\" font-size=\"12\">"
    ));
    line("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>".to_owned());
    line(format!(
        "<text x=\"{MARGIN}\" y=\"20\" font-weight=\"bold\">{}</text>",
        escaped(&picture.title)
    ));
    for thread in 0..picture.system().threads() {
        let colour = Picture::<P>::colour(thread);
        let x = MARGIN + 80.0 * thread as f64;
        line(format!("<text x=\"{x}\" y=\"38\" fill=\"{colour}\">thread {thread}</text>"));
    }
    // Edges that share both ends are drawn apart, by their rank among them.
    let edges: Vec<_> = picture.edges().collect();
    for (position, (state, thread, next)) in edges.iter().enumerate() {
        let twins = edges[..position].iter().filter(|(s, _, n)| s == state && n == next).count();
        let colour = Picture::<P>::colour(*thread);
        let stroke = if picture.in_cycle(*state, *thread) { 3.0 } else { 1.2 };
        line(edge(boxes[*state as usize], boxes[*next as usize], twins, *thread, colour, stroke));
    }
    for state in 0..picture.system().states() as u32 {
        let Box { x, y, width } = boxes[state as usize];
        let (fill, stroke) =
            if picture.fails(state) { ("#ffd6d6", "#c00000") } else { ("white", "#333333") };
        let (left, top) = (x - width / 2.0, y - HEIGHT / 2.0);
        let weight = if state == 0 { 2.5 } else { 1.0 };
        line(format!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" rx=\"7\" \
             fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{weight}\"/>"
        ));
        if picture.is_final(state) {
            line(format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{}\" rx=\"5\" fill=\"none\" \
                 stroke=\"{stroke}\"/>",
                left + 3.0,
                top + 3.0,
                width - 6.0,
                HEIGHT - 6.0
            ));
        }
        let text = escaped(&picture.label(state));
        line(format!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
            y + 4.0
        ));
    }
    line("</svg>".to_owned());
    out
}

fn layout<P: Program>(picture: &Picture<'_, P>) -> Vec<Box> {
    let system = picture.system();
    let states = system.states();
    let mut row = vec![usize::MAX; states];
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let mut frontier = vec![0u32];
    row[0] = 0;
    while !frontier.is_empty() {
        let depth = rows.len();
        let mut below = Vec::new();
        for state in &frontier {
            for thread in system.live(*state).iter() {
                let next = system.next(*state, thread) as usize;
                if row[next] == usize::MAX {
                    row[next] = depth + 1;
                    below.push(next as u32);
                }
            }
        }
        rows.push(frontier);
        frontier = below;
    }
    let width = |state: u32| picture.label(state).chars().count() as f64 * CHARACTER + 16.0;
    let row_width =
        |states: &[u32]| states.iter().map(|state| width(*state) + GAP).sum::<f64>() - GAP;
    let widest = rows.iter().map(|states| row_width(states)).fold(0.0, f64::max);
    let mut boxes = vec![Box::default(); states];
    for (depth, states) in rows.iter().enumerate() {
        let mut x = MARGIN + (widest - row_width(states)) / 2.0;
        for state in states {
            let width = width(*state);
            let y = MARGIN + TITLE + HEIGHT / 2.0 + depth as f64 * ROW;
            boxes[*state as usize] = Box { x: x + width / 2.0, y, width };
            x += width + GAP;
        }
    }
    boxes
}

/// An edge as a curve with an arrow head and the thread's number.
fn edge(from: Box, to: Box, twins: usize, thread: usize, colour: &str, stroke: f64) -> String {
    let shift = 14.0 * twins as f64;
    let half = HEIGHT / 2.0;
    let down = to.y > from.y;
    let loops = from.y == to.y && from.x == to.x;
    // Start, two control points, end.
    let points = if loops {
        let right = from.x + from.width / 2.0;
        let out = right + 28.0 + shift;
        [(right, from.y - 7.0), (out, from.y - 22.0), (out, from.y + 22.0), (right, from.y + 7.0)]
    } else if down {
        let offset = if to.x >= from.x { shift } else { -shift };
        let (top, bottom) = (from.y + half, to.y - half);
        let third = (bottom - top) / 3.0;
        [
            (from.x + offset, top),
            (from.x + offset, top + third),
            (to.x + offset, bottom - third),
            (to.x + offset, bottom),
        ]
    } else {
        // Bow away from the target, where the rows between are least likely to be crossed.
        let side = if from.x >= to.x { 1.0 } else { -1.0 };
        let start = from.x + side * from.width / 2.0;
        let end = to.x + side * to.width / 2.0;
        let reach = 40.0 + shift + (from.y - to.y) / 6.0;
        let out = if side > 0.0 { start.max(end) + reach } else { start.min(end) - reach };
        [(start, from.y), (out, from.y), (out, to.y), (end, to.y)]
    };
    let [a, b, c, d] = points;
    let middle = |p: f64, q: f64, r: f64, s: f64| (p + 3.0 * q + 3.0 * r + s) / 8.0;
    let (x, y) = (middle(a.0, b.0, c.0, d.0), middle(a.1, b.1, c.1, d.1));
    let (dx, dy) = (d.0 - c.0, d.1 - c.1);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length * 7.0, dy / length * 7.0);
    let (left, right) =
        ((d.0 - ux - uy / 2.0, d.1 - uy + ux / 2.0), (d.0 - ux + uy / 2.0, d.1 - uy - ux / 2.0));
    format!(
        "<path d=\"M{:.1} {:.1} C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}\" fill=\"none\" \
         stroke=\"{colour}\" stroke-width=\"{stroke}\"/>\
         <path d=\"M{:.1} {:.1} L{:.1} {:.1} L{:.1} {:.1} Z\" fill=\"{colour}\"/>\
         <text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{thread}</text>",
        a.0,
        a.1,
        b.0,
        b.1,
        c.0,
        c.1,
        d.0,
        d.1,
        d.0,
        d.1,
        left.0,
        left.1,
        right.0,
        right.1,
        x + 3.0
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
