//! Images and surfaces: memory that is reached by coordinates, through a handle that the host
//! makes.
//!
//! **What**: an access to a texel is one to `x + y * LINE + z * PLANE` of an object of its own;
//! reads of textures touch nothing, since a kernel cannot write what it reads through one.
//! **Sound because** [`LINE`] and [`PLANE`] are larger than any line and plane that a device has,
//! so that different texels have different numbers; an access beyond them is dropped by the
//! hardware, or ends the launch. An image of one line has no such bound.
//! **Misses**: handles that are no argument, and accesses that are moved to the border (`.clamp`),
//! are opaque.
//! **Assumes**: arguments name different images, as pointers do; no image is memory that a pointer
//! of the kernel reaches.

use heddle_ir::{
    AccessKind, BinOp, CastOp, ExprId, ExprKind, NoWrap, ObjectId, ParamKind, Space, Touches,
};
use smallvec::{SmallVec, smallvec};

use super::{Call, opencl};
use crate::Lifter;
use crate::arith::leaf_widths;
use crate::mangled::Mangled;
use crate::object::{LINE, PLANE};
use crate::pointer::{Place, Pointer};
use crate::predicate::both;
use crate::strength::Strength;
use crate::value::Val;
use heddle_llvm::{Inst, Type, Value};

/// Functions of a texture and coordinates, as `heddle/texture.h` declares them.
const FETCHES: &[&str] = &[
    "tex1Dfetch",
    "tex1D",
    "tex2D",
    "tex3D",
    "tex1DLayered",
    "tex2DLayered",
    "texCubemap",
    "tex2Dgather",
    "tex1DLod",
    "tex2DLod",
    "tex3DLod",
    "tex1DGrad",
    "tex2DGrad",
    "tex3DGrad",
    "tex1DLayeredLod",
    "tex2DLayeredLod",
    "texCubemapLod",
    "texCubemapLayered",
];

/// Functions of a surface: what stands before `read` and `write`, the coordinates, and whether a
/// layer follows them.
const SURFACES: &[(&str, usize, bool)] = &[
    ("surf1D", 1, false),
    ("surf2D", 2, false),
    ("surf3D", 3, false),
    ("surf1DLayered", 1, true),
    ("surf2DLayered", 2, true),
];

/// `cudaBoundaryModeClamp`
const CLAMP: u128 = 1;

/// Bytes that a texel of OpenCL counts for: the size of the largest.
const TEXEL: u64 = 16;

impl<'m> Lifter<'m> {
    /// The surface that a handle of 64 bits stands for, where it is an argument.
    pub(super) fn surface(&mut self, handle: ExprId) -> Option<ObjectId> {
        let ExprKind::Param(index) = self.out.kernel().exprs[handle].kind else { return None };
        let param = self.out.kernel().params.get(index as usize)?;
        let (of, offset) = match param.kind {
            ParamKind::Scalar { width: _ } => (index, 0),
            ParamKind::Field { of, offset, width: _ } => (of, offset),
            ParamKind::Pointer(_) => return None,
        };
        let name = param.name.clone();
        Some(self.texels(&name, of, offset))
    }

    /// One access to the texel at `x` (in bytes), `y` and `z`, all of 32 bits.
    pub(super) fn access_texel(
        &mut self,
        image: ObjectId,
        [x, y, z]: [ExprId; 3],
        bytes: u64,
        kind: &AccessKind,
        results: &[u8],
    ) -> Vec<ExprId> {
        let pool = self.out.exprs();
        // In a line that is the whole image, any number is a texel: buffers are longer than lines.
        let is_line = [y, z].iter().all(|it| pool.as_const(*it) == Some(0));
        let [x, y, z] = [x, y, z].map(|it| match pool.width(it) {
            64 => it,
            _ => pool.cast(CastOp::Zext, it, 64),
        });
        let (line, plane) =
            (pool.constant(u128::from(LINE), 64), pool.constant(u128::from(PLANE), 64));
        let lines = pool.constant(u128::from(PLANE / LINE), 64);
        let planes = pool.constant(1 << 15, 64);
        let mut exists = pool.truth();
        let bounds = [(x, line), (y, lines), (z, planes)];
        for (coordinate, most) in bounds.into_iter().filter(|_| !is_line) {
            let within = pool.ult(coordinate, most);
            exists = both(pool, exists, within);
        }
        let y = pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, y, line);
        let z = pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, z, plane);
        let at = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, x, y);
        let at = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, at, z);
        let size = pool.constant(u128::from(bytes), 64);
        let pointer = self.point(Place::Object(image), at);
        let all = self.pred;
        self.pred = both(self.out.exprs(), all, exists);
        let ops = self.access(&pointer, size, kind, results, Strength::default());
        self.pred = all;
        (0..results.len()).map(|n| self.joined_result(&ops, n as u32)).collect()
    }

    /// `tex2D` and `surf2Dwrite` of our own headers, by their source name.
    pub(super) fn texture_function(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        if FETCHES.contains(&name) {
            self.out.kernel_mut().fetches = true;
            let args: Vec<Val> = call.args.iter().map(|&a| self.value(a)).collect();
            let value = self.pure_value(&call.name, &args, call.inst.ty());
            return value.or_else(|| Some(self.unknown_number(call)));
        }
        let &(stem, dimensions, layered) =
            SURFACES.iter().find(|(stem, ..)| name.strip_prefix(stem).is_some_and(is_access))?;
        let write = name.strip_prefix(stem) == Some("write");
        let first = usize::from(write);
        let (handle, zero) = (self.arg(call, first)?, self.out.exprs().constant(0, 32));
        let mut place = [zero; 3];
        for (n, coordinate) in place.iter_mut().enumerate().take(dimensions) {
            *coordinate = self.arg(call, first + 1 + n)?;
        }
        if layered {
            place[2] = self.arg(call, first + 1 + dimensions)?;
        }
        let mode = self.constant_arg(call, call.args.len().checked_sub(1)?);
        let ty = match write {
            true => self.written_type(call)?,
            false => call.inst.ty(),
        };
        let bytes = ty.store_size(self.module)?;
        let object = self.surface(handle).filter(|_| mode.is_some_and(|it| it != CLAMP));
        let Some(object) = object else {
            let spaces = || [Space::Global].into_iter().collect();
            let touches = match write {
                true => Touches { writes_spaces: spaces(), ..Touches::default() },
                false => Touches { reads_spaces: spaces(), ..Touches::default() },
            };
            return Some(self.opaque_value(&call.name, &[], call.inst.ty(), touches, false));
        };
        if !write {
            self.access_texel(object, place, bytes, &AccessKind::Load, &[]);
            return Some(self.unknown_number(call));
        }
        let value = match self.value(call.args[0]) {
            Val::Scalar(e) if u64::from(self.out.exprs().width(e)) == 8 * bytes => smallvec![e],
            Val::Scalar(_) | Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => SmallVec::new(),
        };
        self.access_texel(object, place, bytes, &AccessKind::Store(value), &[]);
        Some(Val::Nothing)
    }

    /// The type of the first argument, which may be handed over as a pointer to a copy.
    fn written_type(&self, call: &Call<'m>) -> Option<Type<'m>> {
        let callee = call.inst.called_function()?;
        let parameter = *callee.arguments().first()?;
        Some(parameter.byval_type().unwrap_or_else(|| parameter.ty()))
    }

    /// `read_imagef`, `write_imageui` and their like: OpenCL's images.
    pub(super) fn opencl_image(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        if name.starts_with("get_image_") {
            return Some(self.image_query(call, name));
        }
        let write = name.starts_with("write_image");
        if !write && !name.starts_with("read_image") {
            return None;
        }
        let handle = *call.args.first()?;
        if !write && is_only_read(handle) {
            self.out.kernel_mut().fetches = true;
            return Some(self.unknown_number(call));
        }
        let image = self.image(handle);
        if let (Some(image), true) = (image, write)
            && let Some(coordinates) = self.coordinates(call, 1)
        {
            let value = self.value(*call.args.last()?);
            let kind = AccessKind::Store(self.texel_value(value));
            self.access_texel(image, coordinates, TEXEL, &kind, &[]);
            return Some(Val::Nothing);
        }
        // Without a sampler, a texel is read where it is written.
        if let (Some(image), false, 2) = (image, write, call.args.len())
            && let Some(coordinates) = self.coordinates(call, 1)
        {
            self.access_texel(image, coordinates, TEXEL, &AccessKind::Load, &[]);
            return Some(self.unknown_number(call));
        }
        // Else where it is read is not looked at: that matters where the kernel writes it too.
        let touched = match image {
            Some(image) => self.point_to(image),
            None => {
                let (anywhere, offset) = (Place::Absolute(Space::Global), self.undef(64));
                self.point(anywhere, offset)
            }
        };
        let touched: &[Pointer] = &[touched];
        let touches = match write {
            true => self.touches_at(&[], touched),
            false => self.touches_at(touched, &[]),
        };
        Some(self.opaque_value(&call.name, &[], call.inst.ty(), touches, false))
    }

    /// What a call gives that touches nothing, and of which nothing is known.
    pub(super) fn unknown_number(&mut self, call: &Call<'m>) -> Val {
        self.opaque_value(&call.name, &[], call.inst.ty(), Touches::nothing(), false)
    }

    /// What the host has made an image with: the same numbers in the whole launch, if the image is
    /// an argument.
    fn image_query(&mut self, call: &Call<'m>, name: &str) -> Val {
        let Some(argument) = call.args.first().and_then(|it| it.as_argument()) else {
            return self.unknown_number(call);
        };
        let mut widths = Vec::new();
        leaf_widths(call.inst.ty(), &mut widths);
        let numbers: Vec<ExprId> = (0..)
            .zip(widths)
            .map(|(part, width): (u32, u8)| {
                let name = format!("{name}.{}.{part}", argument.index());
                self.out.exprs().pure(&name, &[], width)
            })
            .collect();
        self.assemble(call.inst.ty(), &mut numbers.into_iter())
    }

    /// The object of an image that is an argument of the kernel.
    fn image(&mut self, value: Value<'m>) -> Option<ObjectId> {
        let argument = value.as_argument()?;
        let name = self.parameter_name(argument);
        Some(self.texels(&name, argument.index(), 0))
    }

    /// The integer coordinates of a texel, the first one in bytes.
    fn coordinates(&mut self, call: &Call<'m>, n: usize) -> Option<[ExprId; 3]> {
        let parts = match self.value(*call.args.get(n)?) {
            Val::Aggregate(parts) => parts,
            single @ Val::Scalar(_) => vec![single],
            Val::Pointer(_) | Val::Nothing => return None,
        };
        let zero = self.out.exprs().constant(0, 32);
        let mut all = [zero; 3];
        for (coordinate, part) in all.iter_mut().zip(parts) {
            let Val::Scalar(number) = part else { return None };
            if self.out.exprs().width(number) != 32 {
                return None;
            }
            *coordinate = number;
        }
        let pool = self.out.exprs();
        let texel = pool.constant(u128::from(TEXEL), 64);
        let x = pool.cast(CastOp::Zext, all[0], 64);
        all[0] = pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, x, texel);
        Some(all)
    }

    /// The numbers of a texel, where these fill it.
    fn texel_value(&mut self, value: Val) -> SmallVec<[ExprId; 2]> {
        let Val::Aggregate(parts) = value else { return SmallVec::new() };
        let mut numbers = SmallVec::new();
        for part in parts {
            match part {
                Val::Scalar(number) if self.out.exprs().width(number) == 32 => numbers.push(number),
                Val::Scalar(_) | Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => {
                    return SmallVec::new();
                }
            }
        }
        if numbers.len() == 4 { numbers } else { SmallVec::new() }
    }
}

/// Whether the kernel reads an image and does nothing else with it.
fn is_only_read(image: Value<'_>) -> bool {
    let reads = |user: Value<'_>| {
        let callee = user.as_inst().and_then(Inst::called_function);
        callee.is_some_and(|it| {
            Mangled::parse(&it.name()).is_some_and(|it| opencl::reads_image(&it.name))
        })
    };
    image.as_argument().is_some() && image.users().into_iter().all(reads)
}

fn is_access(rest: &str) -> bool {
    matches!(rest, "read" | "write")
}
