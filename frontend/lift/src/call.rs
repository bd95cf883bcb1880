//! Calls, by what they call. Each table knows one family of names; what none knows is opaque with
//! what its attributes let it touch.

mod asm;
mod cluster;
mod image;
mod known;
mod launched;
mod libdevice;
mod llvm;

mod nvvm;
mod nvvm_copy;
mod nvvm_matrix;
mod opencl;
mod opencl_atomic;
mod opencl_copy;
mod opencl_math;
mod opencl_media;
mod shown;
mod spirv;

use heddle_ir::{ExprId, Space, Touches};

use super::Lifter;
use super::value::{Val, scalar_width};
use heddle_llvm::{Function, Inst, Type, TypeKind, Value};
use heddle_ptx::Class;
use heddle_ptx::matrix::{Unit, unit};

/// Functions whose result is their first argument, for a reader of addresses.
const HANDS_ON: &[&str] = &[
    "llvm.ptr.annotation",
    "llvm.launder.invariant.group",
    "llvm.strip.invariant.group",
    "llvm.threadlocal.address",
    "llvm.ssa.copy",
    "llvm.expect",
    "llvm.annotation",
    "llvm.arithmetic.fence",
    "llvm.preserve.static.offset",
    "llvm.nvvm.ptr.",
    "llvm.nvvm.internal.addrspace.wrap",
    "__builtin_assume_aligned",
    "_Z9to_globalPU3AS4v",
    "__to_global",
    "__to_local",
    "__to_private",
];

/// Intrinsics without any effect on what is checked here.
const NOTHING: &[&str] = &[
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.invariant.",
    "llvm.prefetch",
    "llvm.experimental.noalias.scope.decl",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.var.annotation",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.fake.use",
    "llvm.nvvm.prefetchu",
    "llvm.nvvm.pm.event.mask",
];

/// Whether a function is an intrinsic without any effect on what is checked here.
pub(crate) fn says_nothing(name: &str) -> bool {
    let meaning = || name.strip_prefix("llvm.nvvm.").and_then(heddle_ptx::intrinsic);
    NOTHING.iter().any(|n| name.starts_with(n))
        || meaning().is_some_and(|it| matches!(it.class, Class::Hint | Class::Sleep))
}

/// Whether an instruction is a call that neither computes nor touches anything.
pub(super) fn does_nothing(inst: Inst<'_>) -> bool {
    let Some(function) = inst.called_function() else { return false };
    says_nothing(&function.name())
        && !matches!(inst.ty().kind(), TypeKind::Int(_) | TypeKind::Float(_))
}

/// Whether a call of an intrinsic cannot wait for other threads: those that can are convergent.
pub(super) fn cannot_wait(inst: Inst<'_>) -> bool {
    let Some(function) = inst.called_function() else { return false };
    known::ends_the_launch(&function.name())
        || crate::contract::is_of_contract(&function.name())
        || function.name() == crate::prepare::dispatch::ASSUMED
        || (function.is_intrinsic() && !Effects::of(inst).convergent)
}

/// What lifting makes of a call of a declared function, as far as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A value of its arguments, and nothing else.
    Computes,
    /// Something that its name and its first argument say, whatever the others are.
    FirstOnly,
    /// It says something of the variable that its argument points to (`lifetime`).
    MarksVariable,
    /// Stores behind its first argument (`memset`); its fourth says whether that is volatile.
    Fills,
    /// Stores behind its first argument what is behind its second (`memcpy`); its fourth says
    /// whether that is volatile.
    Copies,
    /// More than that.
    Other,
}

/// The role of a declared function; `has_builtins` says whether OpenCL's names mean its functions.
pub(crate) fn role(name: &str, has_builtins: bool) -> Role {
    if let Some(rest) = name.strip_prefix("llvm.") {
        return match rest {
            _ if llvm::computes(rest) => Role::Computes,
            _ if rest.starts_with("lifetime.") => Role::MarksVariable,
            _ if rest.starts_with("memset.") => Role::Fills,
            _ if rest.starts_with("memcpy.") || rest.starts_with("memmove.") => Role::Copies,
            _ => Role::Other,
        };
    }
    match crate::mangled::Mangled::parse(name) {
        Some(_) if !has_builtins => Role::Other,
        Some(mangled) if opencl::reads_image(&mangled.name) => Role::FirstOnly,
        Some(mangled) if opencl::is_id(&mangled.name) => Role::Computes,
        Some(mangled) if opencl_math::computes(&mangled) => Role::Computes,
        Some(_) => Role::Other,
        None if known::computes(name) => Role::Computes,
        None => Role::Other,
    }
}

/// A call while it is lifted.
pub(super) struct Call<'m> {
    pub(super) inst: Inst<'m>,
    pub(super) name: String,
    pub(super) args: Vec<Value<'m>>,
}

impl<'m> Lifter<'m> {
    /// Lifts a call.
    pub(super) fn call(&mut self, inst: Inst<'m>) -> Option<Val> {
        // No thread gets to a call whose condition is known to be false: the other side of a test
        // whether an address is shared, for one.
        if does_nothing(inst) || self.out.exprs().as_const(self.pred) == Some(0) {
            return Some(self.undef_of(inst.ty()));
        }
        let args = inst.arguments();
        let name = match inst.called_function() {
            Some(function) => function.name(),
            None => "an indirect call".to_owned(),
        };
        let call = Call { inst, name, args };
        if hands_on(&call.name) {
            return Some(self.value(*call.args.first()?));
        }
        if let Some(asm) = inst.callee().and_then(Value::as_inline_asm) {
            return Some(self.inline_asm(&call, &asm.text, &asm.constraints));
        }
        let modelled = if let Some(rest) = call.name.strip_prefix("llvm.nvvm.") {
            self.nvvm(&call, rest)
        } else if let Some(rest) = call.name.strip_prefix("llvm.") {
            self.intrinsic(&call, rest)
        } else {
            let known = self.known_function(&call).or_else(|| self.listed_events(&call));
            known.or_else(|| self.opencl(&call))
        };
        Some(match modelled {
            Some(value) => value,
            None => self.left_over(&call),
        })
    }

    /// The argument that a call hands on as its result.
    pub(super) fn hands_pointer_on(&self, call: Value<'m>) -> Option<Value<'m>> {
        let inst = call.as_inst()?;
        let name = inst.called_function()?.name();
        hands_on(&name).then(|| inst.arguments().first().copied()).flatten()
    }

    /// The n-th argument as a number.
    pub(super) fn arg(&mut self, call: &Call<'m>, n: usize) -> Option<ExprId> {
        let value = *call.args.get(n)?;
        match self.value(value) {
            Val::Scalar(e) => Some(e),
            Val::Pointer(_) | Val::Aggregate(_) => Some(self.scalar(value)),
            Val::Nothing => None,
        }
    }

    /// The n-th argument where it is a constant.
    pub(super) fn constant_arg(&mut self, call: &Call<'m>, n: usize) -> Option<u128> {
        let e = self.arg(call, n)?;
        self.out.exprs().as_const(e)
    }

    /// A call that no table knows: recursion, an external function, an indirect call.
    pub(super) fn left_over(&mut self, call: &Call<'m>) -> Val {
        let effects = Effects::of(call.inst);
        if effects.nothing() && !effects.convergent && computes_alike(call) {
            let args: Vec<Val> = call.args.iter().map(|&a| self.value(a)).collect();
            if let Some(value) = self.pure_value(short(&call.name), &args, call.inst.ty()) {
                return value;
            }
        }
        let touches = self.touches_of(call, effects);
        let args: Vec<ExprId> = call.args.iter().filter_map(|&a| self.as_number(a)).collect();
        let name = launched::written(call.inst).unwrap_or_else(|| shown::shown(&call.name));
        self.opaque_value(&name, &args, call.inst.ty(), touches, effects.convergent)
    }

    /// An operand as a number, if it is one; metadata and functions are not.
    fn as_number(&mut self, value: Value<'m>) -> Option<ExprId> {
        self.bits_of(value.ty())?;
        Some(self.scalar(value))
    }

    fn touches_of(&mut self, call: &Call<'m>, effects: Effects) -> Touches {
        let mut pointers = Vec::new();
        let mut untold = false;
        for &arg in &call.args {
            let value = self.value(arg);
            // An array that is not taken apart.
            untold |= value == Val::Nothing && matches!(arg.ty().kind(), TypeKind::Array(..));
            let mut work = vec![value];
            while let Some(at) = work.pop() {
                match at {
                    Val::Pointer(p) => pointers.push(p),
                    Val::Aggregate(parts) => work.extend(parts.into_iter().rev()),
                    Val::Scalar(_) | Val::Nothing => {}
                }
            }
        }
        let none = Vec::new();
        let mut touches = self.touches_at(
            if effects.reads_arguments { &pointers } else { &none },
            if effects.writes_arguments { &pointers } else { &none },
        );
        if effects.reads_other || untold && effects.reads_arguments {
            touches.reads_spaces.push(Space::Generic);
        }
        if effects.writes_other || untold && effects.writes_arguments {
            touches.writes_spaces.push(Space::Generic);
        }
        touches
    }
}

/// Whether a function that touches nothing gives all threads the same for the same arguments: an
/// intrinsic of LLVM on numbers, other than those that read who the thread is. A function of the
/// program may ask that too, and what an unknown one does with a vector need not go lane by lane.
fn computes_alike(call: &Call<'_>) -> bool {
    let is_number = |ty: Type<'_>| scalar_width(ty).is_some();
    call.inst.called_function().is_some_and(|it| it.is_intrinsic())
        && !call.name.contains(".sreg.")
        && !call.name.starts_with("llvm.spv.")
        && is_number(call.inst.ty())
        && call.args.iter().all(|it| is_number(it.ty()))
}

fn hands_on(name: &str) -> bool {
    HANDS_ON.iter().any(|n| name.starts_with(n))
}

/// The name of a pure function: an intrinsic's without prefix and type.
fn short(name: &str) -> &str {
    let inner = name.strip_prefix("llvm.").unwrap_or(name);
    match inner.rsplit_once('.') {
        Some((stem, suffix)) if is_type_suffix(suffix) => stem,
        _ => inner,
    }
}

/// `f32`, `i64`, `v4f32`, `p0`, `bf16`.
pub(super) fn is_type_suffix(text: &str) -> bool {
    let text = match text.strip_prefix('v') {
        Some(vector) => vector.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => text,
    };
    let digits = ["bf", "f", "i", "p"].iter().find_map(|prefix| text.strip_prefix(prefix));
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

/// Matrix intrinsics are convergent because the lanes of a warp take part in them; nobody waits
/// there for another warp.
fn exchanges_registers(callee: Option<Function<'_>>) -> bool {
    let name = callee.map(|f| f.name()).unwrap_or_default();
    name.strip_prefix("llvm.nvvm.").and_then(unit) == Some(Unit::Warp)
}

/// What attributes let a call do (LLVM's `MemoryEffects`: two bits for each kind of memory, read 1
/// and write 2).
#[derive(Clone, Copy)]
struct Effects {
    reads_arguments: bool,
    writes_arguments: bool,
    reads_other: bool,
    writes_other: bool,
    convergent: bool,
}

/// `IRMemLocation::ArgMem` and `InaccessibleMem`, two bits each; the locations above are all memory
/// a program sees.
const ARGUMENTS: u64 = 0b11;
const INACCESSIBLE: u64 = 0b1100;

impl Effects {
    fn of(inst: Inst<'_>) -> Effects {
        let everything = u64::MAX;
        let on_call =
            inst.call_attribute("memory").and_then(|a| a.int_value()).unwrap_or(everything);
        let callee = inst.called_function();
        let on_function = callee
            .and_then(|f| f.attribute("memory"))
            .and_then(|a| a.int_value())
            .unwrap_or(everything);
        let bits = on_call & on_function;
        let other = bits & !ARGUMENTS & !INACCESSIBLE;
        let (read_bits, write_bits) = (0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa);
        let attribute = |name: &str| {
            inst.call_attribute(name).is_some()
                || callee.is_some_and(|f| f.attribute(name).is_some())
        };
        Effects {
            reads_arguments: bits & ARGUMENTS & read_bits != 0,
            writes_arguments: bits & ARGUMENTS & write_bits != 0,
            reads_other: other & read_bits != 0,
            writes_other: other & write_bits != 0,
            // Without a body only `nosync` says that a function does not wait; an intrinsic that is
            // not `convergent` does not either.
            convergent: attribute("convergent") && !exchanges_registers(callee)
                || !(attribute("nosync") || callee.is_some_and(|f| f.is_intrinsic())),
        }
    }

    fn nothing(self) -> bool {
        !(self.reads_arguments || self.writes_arguments || self.reads_other || self.writes_other)
    }
}
