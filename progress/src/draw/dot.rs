//! Graphviz text.

use std::fmt::Write;

use super::Picture;
use crate::system::Program;

/// The picture in the dot language.
pub(crate) fn dot<P: Program>(picture: &Picture<'_, P>) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        writeln!(out, "{text}").expect("writing to a string does not fail");
    };
    line("digraph progress {".to_owned());
    line(format!("  label={};", quoted(&picture.title)));
    line("  labelloc=t; rankdir=TB; fontname=monospace;".to_owned());
    line(
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=monospace];"
            .to_owned(),
    );
    line("  edge [fontname=monospace];".to_owned());
    for state in 0..picture.system().states() as u32 {
        let shape = if picture.is_final(state) { ", peripheries=2" } else { "" };
        let fill =
            if picture.fails(state) { ", fillcolor=\"#ffd6d6\", color=\"#c00000\"" } else { "" };
        let start = if state == 0 { ", penwidth=2" } else { "" };
        line(format!("  s{state} [label={}{shape}{fill}{start}];", quoted(&picture.label(state))));
    }
    for (state, thread, next) in picture.edges() {
        let colour = Picture::<P>::colour(thread);
        let bold = if picture.in_cycle(state, thread) { ", penwidth=3" } else { "" };
        line(format!(
            "  s{state} -> s{next} [label=\"{thread}\", color=\"{colour}\", fontcolor=\"{colour}\"{bold}];"
        ));
    }
    line("}".to_owned());
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
