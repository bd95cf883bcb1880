//! A drawing that any browser shows, laid out here so that nothing else has to be installed.
//!
//! States stand in rows by their distance from the start, each row ordered by where its states
//! come from. An edge down is a curve; an edge back up or along a row bows out to the side.

use super::Picture;
use crate::svg::{Document, Element};
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

impl Box {
    /// The rectangle around it, of the given height and with round corners.
    fn outline(self, height: f64, radius: usize) -> Element {
        let Self { x, y, width } = self;
        at("rect", x - width / 2.0, y - height / 2.0)
            .with("width", format_args!("{width:.1}"))
            .with("height", height)
            .with("rx", radius)
    }
}

/// An element at a point, to a tenth of a pixel.
fn at(name: &'static str, x: f64, y: f64) -> Element {
    Element::new(name).with("x", format_args!("{x:.1}")).with("y", format_args!("{y:.1}"))
}

/// The picture as an SVG document.
pub(crate) fn svg<P: Program>(picture: &Picture<'_, P>) -> String {
    let boxes = layout(picture);
    let right = boxes.iter().map(|at| at.x + at.width / 2.0).fold(300.0, f64::max);
    let bottom = boxes.iter().map(|at| at.y).fold(0.0, f64::max) + HEIGHT;
    let (width, height) = (right + MARGIN * 2.0, bottom + MARGIN);
    let mut document = Document::new(|root| {
        root.with("viewBox", format_args!("0 0 {width:.0} {height:.0}"))
            .with("width", format_args!("{width:.0}"))
            .with("height", format_args!("{height:.0}"))
            .with("font-family", "monospace")
            .with("font-size", 12)
    });
    let ground = Element::new("rect").with("width", "100%").with("height", "100%");
    document.add(ground.with("fill", "white"));
    let title = Element::new("text").with("x", MARGIN).with("y", 20).with("font-weight", "bold");
    document.add(title.around(&picture.title));
    for thread in 0..picture.system().threads() {
        let name = Element::new("text").with("x", MARGIN + 80.0 * thread as f64).with("y", 38);
        let name = name.with("fill", Picture::<P>::colour(thread));
        document.add(name.around(&format!("thread {thread}")));
    }
    // Edges that share both ends are drawn apart, by their rank among them.
    let edges: Vec<_> = picture.edges().collect();
    for (position, (state, thread, next)) in edges.iter().enumerate() {
        let twins = edges[..position].iter().filter(|(s, _, n)| s == state && n == next).count();
        let colour = Picture::<P>::colour(*thread);
        let stroke = if picture.in_cycle(*state, *thread) { 3.0 } else { 1.2 };
        let (from, to) = (boxes[*state as usize], boxes[*next as usize]);
        document.add_line(edge(from, to, twins, *thread, colour, stroke));
    }
    for state in 0..picture.system().states() as u32 {
        let Box { x, y, width } = boxes[state as usize];
        let (fill, stroke) =
            if picture.fails(state) { ("#ffd6d6", "#c00000") } else { ("white", "#333333") };
        let outer = Box { x, y, width }.outline(HEIGHT, 7).with("fill", fill);
        let weight = if state == 0 { 2.5 } else { 1.0 };
        document.add(outer.with("stroke", stroke).with("stroke-width", weight));
        if picture.is_final(state) {
            let inner = Box { x, y, width: width - 6.0 }.outline(HEIGHT - 6.0, 5);
            document.add(inner.with("fill", "none").with("stroke", stroke));
        }
        let label = at("text", x, y + 4.0).with("text-anchor", "middle");
        document.add(label.around(&picture.label(state)));
    }
    document.finish()
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
fn edge(
    from: Box,
    to: Box,
    twins: usize,
    thread: usize,
    colour: &str,
    stroke: f64,
) -> [Element; 3] {
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
    let curve = Element::new("path")
        .with("d", format_args!("M{} C{} {} {}", point(a), point(b), point(c), point(d)))
        .with("fill", "none")
        .with("stroke", colour)
        .with("stroke-width", stroke);
    let head = format!("M{} L{} L{} Z", point(d), point(left), point(right));
    let head = Element::new("path").with("d", head).with("fill", colour);
    let number = at("text", x + 3.0, y).with("fill", colour).around(&thread.to_string());
    [curve, head, number]
}

fn point((x, y): (f64, f64)) -> String {
    format!("{x:.1} {y:.1}")
}
