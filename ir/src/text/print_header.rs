//! Prints what stands before the tree: the kernel, its target and launch, parameters and objects.

use std::fmt::Write;

use super::{quoted, quoted_unless_word};
use crate::initial::{Data, Fill, Initial};
use crate::kernel::{Kernel, LaunchBounds, Param, ParamKind, SeenLaunch, Target};
use crate::object::{Object, ObjectKind, Shape};

pub(super) fn header(kernel: &Kernel, out: &mut String) {
    _ = write!(out, "kernel {}", quoted_unless_word(&kernel.name));
    if kernel.display_name != kernel.name {
        _ = write!(out, " as {}", quoted_unless_word(&kernel.display_name));
    }
    let Target { family, sm, warp_size, opencl, flushes } = &kernel.target;
    let language = if *opencl { " opencl" } else { "" };
    let ftz = if *flushes { " ftz" } else { "" };
    _ = writeln!(out, "\ntarget {family} sm {sm} warp {warp_size}{language}{ftz}");
    launch(&kernel.launch, out);
    if kernel.fetches {
        out.push_str("fetches\n");
    }
    if kernel.callees_assumed {
        out.push_str("callees_assumed\n");
    }
    if kernel.shared_aligned {
        out.push_str("shared_aligned\n");
    }
    if kernel.returns_written {
        out.push_str("returns_written\n");
    }
    for (index, Param { name, kind, sign }) in kernel.params.iter().enumerate() {
        _ = write!(out, "param {}: ", quoted_unless_word(name));
        _ = match kind {
            ParamKind::Scalar { width } => write!(out, "i{width}"),
            ParamKind::Pointer(object) => match kernel.objects.get(*object) {
                Some(object) => write!(out, "pointer {}", quoted_unless_word(&object.name)),
                None => write!(out, "pointer ?{object}"),
            },
            ParamKind::Field { of, offset, width } => write!(out, "field {of} {offset} i{width}"),
        };
        if let Some(sign) = sign {
            _ = write!(out, " {}", sign.name());
        }
        _ = writeln!(out, " ; {index}");
    }
    for Object { name, space, kind, size, shape, read_only, initial } in kernel.objects.values() {
        _ = write!(out, "object {}: {space} ", quoted_unless_word(name));
        _ = match kind {
            ObjectKind::Param(index) => write!(out, "param {index}"),
            ObjectKind::ParamField(index, offset) => write!(out, "param_field {index} {offset}"),
            ObjectKind::Pointee(table) => write!(out, "pointee {}", table.as_u32()),
            ObjectKind::Variable => write!(out, "variable"),
            ObjectKind::DynamicShared => write!(out, "dynamic_shared"),
            ObjectKind::Alloca => write!(out, "alloca"),
            ObjectKind::Unknown => write!(out, "unknown"),
        };
        if let Some(bytes) = size {
            _ = write!(out, " size {bytes}");
        }
        if *read_only {
            out.push_str(" read_only");
        }
        if *shape != Shape::Bytes {
            out.push_str(" shape ");
            layout(shape, out);
        }
        start(initial, out);
        out.push('\n');
    }
}

/// What an object holds at first.
pub(crate) fn initial_text(initial: &Initial) -> String {
    let mut out = String::new();
    start(initial, &mut out);
    out.trim_start().to_owned()
}

/// The layout of an object.
pub(crate) fn shape_text(shape: &Shape) -> String {
    let mut out = String::new();
    layout(shape, &mut out);
    out
}

fn start(initial: &Initial, out: &mut String) {
    match initial {
        Initial::Any => {}
        Initial::Fixed(bytes) => {
            out.push_str(" fixed ");
            data(bytes, out);
        }
        Initial::First(bytes) => {
            out.push_str(" first ");
            data(bytes, out);
        }
        Initial::Host(bytes) => {
            out.push_str(" host ");
            data(bytes, out);
        }
        Initial::Argument(position) => _ = write!(out, " argument {position}"),
    }
}

fn data(Data { pieces }: &Data, out: &mut String) {
    out.push('{');
    for (index, piece) in pieces.iter().enumerate() {
        out.push_str(if index == 0 { " " } else { ", " });
        _ = write!(out, "{}: ", piece.offset);
        match &piece.fill {
            Fill::Zeros(count) => _ = write!(out, "zeros {count}"),
            Fill::Bytes(bytes) => {
                out.push('"');
                bytes.iter().for_each(|byte| _ = write!(out, "{byte:02x}"));
                out.push('"');
            }
        }
    }
    out.push_str(" }");
}

fn launch(bounds: &LaunchBounds, out: &mut String) {
    let LaunchBounds {
        required_block,
        max_threads,
        cluster,
        stated_grid,
        stated_block,
        launches,
        uneven_blocks,
        assumptions,
    } = bounds;
    if *bounds == LaunchBounds::default() {
        return;
    }
    out.push_str("launch");
    if let Some([x, y, z]) = required_block {
        _ = write!(out, " block {x} {y} {z}");
    }
    if let Some(threads) = max_threads {
        _ = write!(out, " max_threads {threads}");
    }
    if let Some([x, y, z]) = cluster {
        _ = write!(out, " cluster {x} {y} {z}");
    }
    if let Some([x, y, z]) = stated_grid {
        _ = write!(out, " stated_grid {x} {y} {z}");
    }
    if let Some([x, y, z]) = stated_block {
        _ = write!(out, " stated_block {x} {y} {z}");
    }
    for SeenLaunch { grid, block } in launches {
        let sizes = |sizes: &[Option<u32>; 3]| {
            sizes.map(|it| it.map_or_else(|| "any".to_owned(), |it| it.to_string())).join(" ")
        };
        _ = write!(out, " launched grid {} block {}", sizes(grid), sizes(block));
    }
    if *uneven_blocks {
        out.push_str(" uneven_blocks");
    }
    for text in assumptions {
        _ = write!(out, " assume {}", quoted(text));
    }
    out.push('\n');
}

fn layout(shape: &Shape, out: &mut String) {
    match shape {
        Shape::Bytes => out.push_str("bytes"),
        Shape::Scalar { bytes } => _ = write!(out, "scalar {bytes}"),
        Shape::Array { stride, length, element } => {
            _ = match length {
                Some(length) => write!(out, "[{length}, stride {stride}] "),
                None => write!(out, "[?, stride {stride}] "),
            };
            layout(element, out);
        }
        Shape::Struct { members } => {
            out.push('{');
            for (index, (offset, name, shape)) in members.iter().enumerate() {
                out.push_str(if index == 0 { " " } else { ", " });
                _ = write!(out, "{offset} {}: ", quoted_unless_word(name));
                layout(shape, out);
            }
            out.push_str(" }");
        }
    }
}
