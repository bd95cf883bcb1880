//! OpenCL's atomic functions: those of OpenCL 1.x, which are relaxed, and those of OpenCL 2.0 with
//! order and scope (OpenCL C 3.0, section 6.15.12).

use heddle_ir::{Access, AccessKind, AtomicOp, ExprId, MemoryOrder, OpKind, Scope};

use smallvec::smallvec;

use super::Call;
use crate::Lifter;
use crate::mangled::{Kind, Mangled};
use crate::strength::Strength;
use crate::value::{Val, scalar_width};

impl<'m> Lifter<'m> {
    pub(super) fn opencl_atomic(&mut self, call: &Call<'m>, mangled: &Mangled) -> Option<Val> {
        let name = mangled.name.as_str();
        if let Some(op) = name.strip_prefix("atomic_fetch_") {
            let (op, explicit) = strip_explicit(op);
            return self.generic_atomic(call, operator(op, mangled.params.get(1)?.kind)?, explicit);
        }
        if let Some(rest) = name.strip_prefix("atomic_") {
            let (rest, explicit) = strip_explicit(rest);
            match rest {
                "exchange" => return self.generic_atomic(call, AtomicOp::Exchange, explicit),
                "load" => return self.atomic_load(call, explicit),
                "store" => return self.atomic_store(call, explicit),
                "init" => return self.atomic_store(call, None),
                "compare_exchange_strong" => {
                    return self.opencl_compare_exchange(call, explicit, false);
                }
                "compare_exchange_weak" => {
                    return self.opencl_compare_exchange(call, explicit, true);
                }
                "flag_test_and_set" => return self.test_and_set(call, explicit),
                "flag_clear" => return self.flag_clear(call, explicit),
                _ => {}
            }
        }
        let old = name.strip_prefix("atomic_").or_else(|| name.strip_prefix("atom_"))?;
        self.old_atomic(call, old, mangled.last_kind())
    }

    /// `atomic_add` and its like: relaxed, for the whole device.
    fn old_atomic(&mut self, call: &Call<'m>, name: &str, kind: Kind) -> Option<Val> {
        let width = scalar_width(call.inst.ty())?;
        let one = self.out.exprs().constant(1, width);
        let (op, operands): (AtomicOp, Vec<ExprId>) = match name {
            "inc" => (AtomicOp::Add, vec![one]),
            "dec" => (AtomicOp::Sub, vec![one]),
            "xchg" => (AtomicOp::Exchange, vec![self.arg(call, 1)?]),
            "cmpxchg" => (AtomicOp::CompareExchange, vec![self.arg(call, 1)?, self.arg(call, 2)?]),
            _ => (operator(name, kind)?, vec![self.arg(call, 1)?]),
        };
        let pointer = self.pointer(*call.args.first()?);
        let strength = Strength {
            order: Some((MemoryOrder::Relaxed, Scope::Device)),
            volatile: false,
            align: 1,
        };
        Some(Val::Scalar(self.atomic(&pointer, op, &operands, width, strength)))
    }

    /// Order and scope: stated from the n-th argument on, else the strongest order for the device.
    fn stated(
        &mut self,
        call: &Call<'m>,
        explicit: Option<()>,
        order_at: usize,
        scope_at: usize,
    ) -> Strength {
        let order = match explicit {
            Some(()) => (self.memory_order(call, order_at), self.memory_scope(call, scope_at)),
            None => (MemoryOrder::SeqCst, Scope::Device),
        };
        Strength { order: Some(order), volatile: false, align: 1 }
    }

    fn generic_atomic(
        &mut self,
        call: &Call<'m>,
        op: AtomicOp,
        explicit: Option<()>,
    ) -> Option<Val> {
        let width = scalar_width(call.inst.ty())?;
        let pointer = self.pointer(*call.args.first()?);
        let operand = self.arg(call, 1)?;
        let strength = self.stated(call, explicit, 2, 3);
        Some(Val::Scalar(self.atomic(&pointer, op, &[operand], width, strength)))
    }

    fn atomic_load(&mut self, call: &Call<'m>, explicit: Option<()>) -> Option<Val> {
        let source = *call.args.first()?;
        let pointer = self.pointer(source);
        let strength = self.stated(call, explicit, 1, 2);
        Some(self.load(&pointer, source, call.inst.ty(), strength))
    }

    fn atomic_store(&mut self, call: &Call<'m>, explicit: Option<()>) -> Option<Val> {
        let pointer = self.pointer(*call.args.first()?);
        let stored = *call.args.get(1)?;
        let value = self.value(stored);
        let strength = if call.name.contains("atomic_init") {
            Strength::default()
        } else {
            self.stated(call, explicit, 2, 3)
        };
        self.store(&pointer, value, stored.ty(), strength);
        Some(Val::Nothing)
    }

    /// The expected value is read through a pointer, and what was there is written back where it
    /// failed.
    fn opencl_compare_exchange(
        &mut self,
        call: &Call<'m>,
        explicit: Option<()>,
        weak: bool,
    ) -> Option<Val> {
        let pointer = self.pointer(*call.args.first()?);
        let (expected_at, desired) = (*call.args.get(1)?, *call.args.get(2)?);
        let expected_pointer = self.pointer(expected_at);
        let ty = desired.ty();
        let width = scalar_width(ty)?;
        let Val::Scalar(expected) =
            self.load(&expected_pointer, expected_at, ty, Strength::default())
        else {
            return None;
        };
        let desired = self.scalar(desired);
        let strength = self.stated(call, explicit, 3, 5);
        let (old, success) =
            self.compare_exchange(&pointer, [expected, desired], width, strength, weak);
        let failed = self.out.exprs().not(success);
        let size = self.out.exprs().constant(u128::from(width / 8), 64);
        for (guard, address) in self.targets(&expected_pointer) {
            let guard = self.out.exprs().and(guard, failed);
            let pred = self.out.exprs().and(self.pred, guard);
            let kind = AccessKind::Store([old].into_iter().collect());
            let access = Access {
                address,
                size,
                kind,
                order: None,
                volatile: false,
                align: 1,
                by_warp: false,
            };
            self.emit_under(pred, OpKind::Access(access), &[]);
        }
        let bits = scalar_width(call.inst.ty())?;
        Some(Val::Scalar(self.out.exprs().resize(success, bits)))
    }

    fn test_and_set(&mut self, call: &Call<'m>, explicit: Option<()>) -> Option<Val> {
        let pointer = self.pointer(*call.args.first()?);
        let one = self.out.exprs().constant(1, 32);
        let strength = self.stated(call, explicit, 1, 2);
        let old = self.atomic(&pointer, AtomicOp::Exchange, &[one], 32, strength);
        let zero = self.out.exprs().constant(0, 32);
        let was_set = self.out.exprs().ne(old, zero);
        let bits = scalar_width(call.inst.ty())?;
        Some(Val::Scalar(self.out.exprs().resize(was_set, bits)))
    }

    /// A flag is a number of 32 bits, as [`Lifter::test_and_set`] has it.
    fn flag_clear(&mut self, call: &Call<'m>, explicit: Option<()>) -> Option<Val> {
        let pointer = self.pointer(*call.args.first()?);
        let (zero, size) = (self.out.exprs().constant(0, 32), self.out.exprs().constant(4, 64));
        let strength = self.stated(call, explicit, 1, 2);
        self.access(&pointer, size, &AccessKind::Store(smallvec![zero]), &[], strength);
        Some(Val::Nothing)
    }

    /// A `memory_order` argument, numbered as clang does. One that is not constant promises
    /// nothing.
    pub(super) fn memory_order(&mut self, call: &Call<'m>, n: usize) -> MemoryOrder {
        if n >= call.args.len() {
            return MemoryOrder::SeqCst;
        }
        match self.constant_arg(call, n) {
            Some(1 | 2) => MemoryOrder::Acquire,
            Some(3) => MemoryOrder::Release,
            Some(4) => MemoryOrder::AcqRel,
            Some(5) => MemoryOrder::SeqCst,
            Some(_) | None => MemoryOrder::Relaxed,
        }
    }

    /// A `memory_scope` argument, numbered as clang does. One that is not constant promises
    /// nothing.
    pub(super) fn memory_scope(&mut self, call: &Call<'m>, n: usize) -> Scope {
        if n >= call.args.len() {
            return Scope::Device;
        }
        match self.constant_arg(call, n) {
            Some(1) => Scope::Block,
            Some(2) => Scope::Device,
            Some(3) => Scope::System,
            Some(4) => Scope::Warp,
            Some(_) | None => Scope::Thread,
        }
    }
}

fn strip_explicit(name: &str) -> (&str, Option<()>) {
    match name.strip_suffix("_explicit") {
        Some(stem) => (stem, Some(())),
        None => (name, None),
    }
}

fn operator(name: &str, kind: Kind) -> Option<AtomicOp> {
    Some(match (name, kind) {
        ("add", Kind::Float) => AtomicOp::FAdd,
        ("sub", Kind::Float) => AtomicOp::FSub,
        ("min", Kind::Float) => AtomicOp::FMin,
        ("max", Kind::Float) => AtomicOp::FMax,
        ("add", _) => AtomicOp::Add,
        ("sub", _) => AtomicOp::Sub,
        ("and", _) => AtomicOp::And,
        ("or", _) => AtomicOp::Or,
        ("xor", _) => AtomicOp::Xor,
        ("min", Kind::Unsigned) => AtomicOp::UMin,
        ("min", _) => AtomicOp::SMin,
        ("max", Kind::Unsigned) => AtomicOp::UMax,
        ("max", _) => AtomicOp::SMax,
        _ => return None,
    })
}
