//! Textures and surfaces (PTX ISA 9.7.10, 9.7.11).

use super::super::class::{Class, Effect, Surface};
use super::super::pattern::{self, Modifiers};
use super::super::types::Type;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "tex|tld4{.ANY}*",
        operands: "dest dest_pred? rest*",
        class: |_| Some(Class::Opaque(Effect::ReadsTexture)),
    },
    Row {
        pattern: "txq|suq|istypep{.ANY}*",
        operands: "dest rest*",
        class: |_| Some(Class::Opaque(Effect::ReadsTexture)),
    },
    Row {
        pattern: "suld.b.1d|2d|3d|a1d|a2d{.CACHE}{.VEC}.TYPE.trap|clamp|zero",
        operands: "dest address",
        class: |m| surface(m, false),
    },
    Row {
        pattern: "sust.b.1d|2d|3d|a1d|a2d{.CACHE}{.VEC}.TYPE.trap|clamp|zero",
        operands: "address value",
        class: |m| surface(m, true),
    },
    Row {
        pattern: "sust|sured{.ANY}*",
        operands: "rest*",
        class: |_| Some(Class::Opaque(Effect::WritesSurface)),
    },
];

fn surface(m: &Modifiers<'_>, write: bool) -> Option<Class> {
    let (dimensions, layered) = m.first(|name| {
        Some(match name {
            "1d" => (1, false),
            "2d" => (2, false),
            "3d" => (3, false),
            "a1d" => (1, true),
            "a2d" => (2, true),
            _ => return None,
        })
    })?;
    let ty = m.at_most_one(Type::parse)??;
    ty.bytes()?;
    let elements = m.at_most_one(pattern::vector)?.unwrap_or(1);
    Some(Class::Surface(Surface {
        write,
        dimensions,
        layered,
        ty,
        elements,
        clamp: m.has("clamp"),
    }))
}
