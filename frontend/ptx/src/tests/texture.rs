//! Textures, which the kernel cannot write, and surfaces, which are memory by coordinate.

use super::super::class::{Class, Effect, Surface};
use super::super::types::Type;
use super::check;

fn surface(write: bool, dimensions: u8, layered: bool, ty: &str, elements: u8) -> Class {
    let ty = Type::parse(ty).expect("a type");
    Class::Surface(Surface { write, dimensions, layered, ty, elements, clamp: false })
}

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let opaque = Class::Opaque;
    vec![
        ("tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [$3, {f0, f1}];", opaque(Effect::ReadsTexture)),
        (
            "tex.a2d.v4.s32.f32 {r0, r1, r2, r3}|p, [$3, {r0, f0, f1, f1}];",
            opaque(Effect::ReadsTexture),
        ),
        ("tld4.r.2d.v4.f32.f32 {f0, f1, f2, f3}, [$3, {f0, f1}];", opaque(Effect::ReadsTexture)),
        ("txq.width.b32 $0, [$3];", opaque(Effect::ReadsTexture)),
        ("suld.b.2d.v2.b32.zero {r0, r1}, [$3, {r2, r3}];", surface(false, 2, false, "b32", 2)),
        ("suld.b.a1d.b16.trap h0, [$3, {r2, r3}];", surface(false, 1, true, "b16", 1)),
        ("sust.b.3d.b64.trap [$3, {r0, r1, r2, r2}], d0;", surface(true, 3, false, "b64", 1)),
        (
            "sust.b.a2d.v4.b32.zero [$3, {r0, r1, r2, r2}], {r0, r1, r2, r3};",
            surface(true, 2, true, "b32", 4),
        ),
        ("sust.p.1d.v4.b32.trap [$3, {r0}], {r0, r1, r2, r3};", opaque(Effect::WritesSurface)),
        ("sured.b.add.2d.u32.trap [$3, {r0, r1}], r2;", opaque(Effect::WritesSurface)),
    ]
}

#[test]
fn textures_and_surfaces() {
    check(&examples());
}
