//! Functions that CUDA device code may call without a body in the module.

use heddle_ir::{
    ArrayContract, ArrayRule, Barrier, Claim, ClaimKind, Element, Ending, OpKind, Space, Touches,
    sign_extend,
};

use super::Call;
use crate::Lifter;
use crate::contract::{ARRAY, OPENS, TAKES, text, text_at};
use crate::pointer::{Alternative, Place};
use crate::prepare::dispatch::ASSUMED;
use crate::value::Val;
use heddle_llvm::{Opcode, TypeKind, Value};

/// Functions of `math.h`, which have a form for `float` with an `f` behind.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "cospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "rsqrt",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sinpi",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
];

impl<'m> Lifter<'m> {
    /// A function by its name.
    pub(super) fn known_function(&mut self, call: &Call<'m>) -> Option<Val> {
        match call.name.as_str() {
            name if ends_the_launch(name) => {
                let truth = self.out.exprs().truth();
                self.leave(truth, Ending::Trap);
                Some(self.undef_of(call.inst.ty()))
            }
            OPENS => Some(Val::Nothing),
            ASSUMED => {
                self.out.kernel_mut().callees_assumed = true;
                Some(Val::Nothing)
            }
            ARRAY => Some(match self.array_contract(call) {
                Some(contract) => Val::Scalar(contract.bit(self.out.exprs())),
                None => {
                    let name = "something that is no array of integers at a place that all know";
                    self.opaque_value(name, &[], call.inst.ty(), Touches::nothing(), false)
                }
            }),
            TAKES => {
                let kind = match self.constant_arg(call, 0)? {
                    0 => ClaimKind::Required,
                    1 => ClaimKind::Asserted,
                    2 => ClaimKind::Invariant,
                    _ => return None,
                };
                let condition = self.arg(call, 1)?;
                let zero = self.out.exprs().constant(0, 1);
                let condition = match self.out.exprs().width(condition) {
                    1 => condition,
                    width => {
                        let none = self.out.exprs().constant(0, width);
                        let is_none = self.out.exprs().eq(condition, none);
                        self.out.exprs().eq(is_none, zero)
                    }
                };
                let text = text(call.inst);
                self.emit(OpKind::Claim(Claim { kind, condition, text }), &[]);
                Some(Val::Nothing)
            }
            // What `grid_group::sync` of our own header calls.
            "cudaCGSynchronizeGrid" => {
                self.emit(OpKind::Barrier(Barrier::Grid), &[]);
                Some(Val::Scalar(self.out.exprs().constant(0, 32)))
            }
            "__translate_sampler_initializer" => {
                Some(self.opaque_value(&call.name, &[], call.inst.ty(), Touches::nothing(), false))
            }
            // Output goes to a buffer of its own. A text for `%s` may be anywhere.
            "vprintf" | "printf" | "_Z6printfPU3AS2Kcz" => {
                let format = call.args.first().and_then(|format| text_at(*format));
                let mut touches = Touches::nothing();
                let texts_are_known = call.args.get(1).is_some_and(|it| holds_constant_texts(*it));
                if !texts_are_known && format.is_none_or(|format| prints_text(&format)) {
                    touches.reads_spaces.push(Space::Generic);
                }
                Some(self.opaque_value(&call.name, &[], call.inst.ty(), touches, false))
            }
            // And `operator new`, which gives null on a device where nothing is left.
            "malloc" | "_Znwm" | "_Znam" => {
                // Another address for each thread and each time, or null for some.
                let size = self.arg(call, 0)?;
                let address = self.opaque(&call.name, &[size], &[64], Touches::nothing(), false);
                let place = Place::Absolute(Space::Global);
                Some(Val::Pointer(self.point(place, *address.first()?)))
            }
            "free" | "_ZdlPv" | "_ZdlPvm" | "_ZdaPv" | "_ZdaPvm" => {
                let pointer = self.pointer(*call.args.first()?);
                let touches = self.touches_at(&[], &[pointer]);
                self.opaque(&call.name, &[], &[], touches, false);
                Some(Val::Nothing)
            }
            "__nvvm_reflect" => self.reflect(call),
            name if name.starts_with("__nv_") => {
                self.libdevice(call, name.strip_prefix("__nv_").unwrap_or(name))
            }
            // The C library's names for functions of libdevice.
            name if is_math(name) => {
                let args: Vec<Val> = call.args.iter().map(|&a| self.value(a)).collect();
                self.pure_value(name, &args, call.inst.ty())
            }
            _ => None,
        }
    }

    /// What an array is said to keep, where it is one of integers, at one place.
    fn array_contract(&mut self, call: &Call<'m>) -> Option<ArrayContract> {
        let rule = *ArrayRule::ALL.get(self.constant_arg(call, 0)? as usize)?;
        let size = sign_extend(self.constant_arg(call, 5)?, 32);
        let element = Element::new(size.unsigned_abs() as u64, size < 0)?;
        let at = self.arg(call, 1)?;
        let pointer = self.pointer_from_value(at, *call.args.get(1)?, 0);
        let &[Alternative { guard, place: Place::Object(object), offset: start }] =
            pointer.alternatives.as_slice()
        else {
            return None;
        };
        let everywhere = self.out.exprs().as_const(guard) == Some(1);
        let (count, low, high) = (self.arg(call, 2)?, self.arg(call, 3)?, self.arg(call, 4)?);
        let bounds = [low, high];
        everywhere.then_some(ArrayContract { rule, element, object, start, count, bounds })
    }

    /// `__nvvm_reflect("__CUDA_ARCH")`: what the compiler decides about the code. The architecture
    /// is known; the rest is one number for all threads.
    pub(super) fn reflect(&mut self, call: &Call<'m>) -> Option<Val> {
        let asked = text_at(*call.args.first()?);
        let sm = u128::from(self.out.kernel().target.sm);
        let value = match asked.as_deref() {
            Some("__CUDA_ARCH") if sm > 0 => self.out.exprs().constant(sm * 10, 32),
            Some(other) => {
                let name = format!("__nvvm_reflect.{other}");
                self.out.exprs().pure(&name, &[], 32)
            }
            None => return None,
        };
        Some(Val::Scalar(value))
    }
}

/// Whether a format has `%s`, with flags, width and precision.
fn prints_text(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        let flags = |c: char| c.is_ascii_digit() || "-+ #.*hlLqjztv".contains(c);
        let conversion = conversion.trim_start_matches(flags);
        if conversion.starts_with('s') {
            return true;
        }
        let mut after = conversion.chars();
        after.next();
        rest = after.as_str();
    }
    false
}

/// Whether each pointer that is put into a buffer of arguments is one to a constant text.
fn holds_constant_texts(buffer: Value<'_>) -> bool {
    buffer.users().into_iter().all(|user| match user.as_inst() {
        Some(inst) if inst.opcode() == Opcode::GetElementPtr => holds_constant_texts(user),
        Some(inst) if inst.opcode() == Opcode::Store => {
            let [stored, into] = [0, 1].map(|n| user.operand(n));
            let is_pointer = |it: &Value<'_>| matches!(it.ty().kind(), TypeKind::Pointer(_));
            into == Some(buffer)
                && stored.is_some_and(|it| !is_pointer(&it) || text_at(it).is_some())
        }
        // Anything else that gets the buffer may fill it.
        Some(inst) => inst.called_function().is_some_and(|it| {
            let name = it.name();
            name == "vprintf" || name.starts_with("llvm.lifetime.")
        }),
        None => false,
    })
}

/// Functions that stop the whole launch.
pub(super) fn ends_the_launch(name: &str) -> bool {
    ["__assertfail", "__assert_fail", "abort", "__trap"].contains(&name)
}

/// Whether a function makes a value of its arguments and nothing else.
pub(super) fn computes(name: &str) -> bool {
    is_math(name) || name == "__translate_sampler_initializer"
}

fn is_math(name: &str) -> bool {
    MATH.contains(&name) || name.strip_suffix('f').is_some_and(|double| MATH.contains(&double))
}

#[cfg(test)]
mod tests {
    use super::is_math;

    #[test]
    fn what_the_header_declares_is_known() {
        let header = include_str!("../../../include/heddle/math.h");
        let listed = header.lines().filter_map(|it| {
            let (_, name) = it.strip_prefix("HEDDLE_MATH_")?.split_once('(')?;
            name.strip_suffix(')')
        });
        let declared = header.lines().filter_map(|it| {
            let (before, _) = it.strip_prefix("HEDDLE_PURE ")?.split_once('(')?;
            before.rsplit(' ').next()
        });
        let names: Vec<&str> = listed.chain(declared).collect();
        assert!(names.len() > 60, "{names:?}");
        let unknown: Vec<&&str> = names.iter().filter(|it| !is_math(it)).collect();
        assert!(unknown.is_empty(), "a kernel that calls these is undecided: {unknown:?}");
    }
}
