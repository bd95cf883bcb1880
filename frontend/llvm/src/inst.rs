//! Instructions, and what only some of them have.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMValueRef};

use super::{
    AtomicOp, Attribute, Block, DebugVariable, FloatPredicate, Function, IntPredicate, Location,
    Metadata, Module, Opcode, Ordering, SyncScope, Type, Value,
};

unsafe extern "C" {
    // llvm-sys declares this one without its result.
    #[link_name = "LLVMGetSyncScopeID"]
    fn sync_scope_id(
        context: LLVMContextRef,
        name: *const std::ffi::c_char,
        len: usize,
    ) -> std::ffi::c_uint;
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Inst<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m Module>,
}

/// The predicate of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// of `icmp`
    Int(IntPredicate),
    /// of `fcmp`
    Float(FloatPredicate),
}

/// One `case` of a `switch`: the bits of its value, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchCase<'m> {
    /// The constant it compares to.
    pub value: Value<'m>,
    /// Where it goes.
    pub target: Block<'m>,
}

impl<'m> Inst<'m> {
    /// # Safety
    /// `raw` is an instruction of a module that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMValueRef) -> Self {
        Inst { raw, module: PhantomData }
    }

    /// The instruction as the value it computes.
    pub fn as_value(self) -> Value<'m> {
        // SAFETY: an instruction is a value of the same module.
        unsafe { Value::new(self.raw) }
    }

    /// What it does.
    pub fn opcode(self) -> Opcode {
        // SAFETY: it is an instruction.
        Opcode::from_raw(unsafe { LLVMGetInstructionOpcode(self.raw) })
    }

    /// The type of its result, `void` when it has none.
    pub fn ty(self) -> Type<'m> {
        self.as_value().ty()
    }

    /// The name of its result, `""` for a numbered one.
    pub fn name(self) -> String {
        self.as_value().name()
    }

    /// The instruction as LLVM prints it.
    pub fn text(self) -> String {
        self.as_value().text().trim().to_owned()
    }

    /// Its block.
    pub fn block(self) -> Block<'m> {
        // SAFETY: an instruction reached through a module has a parent block.
        unsafe { Block::new(LLVMGetInstructionParent(self.raw)) }
    }

    /// All operands. For a call they are the arguments, then bundles, then the callee; a switch has
    /// only its value ([`Inst::switch_cases`] has the rest), a branch its condition first and its
    /// successors after it, in reverse.
    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        self.as_value().operands()
    }

    /// The n-th operand.
    pub fn operand(self, index: u32) -> Option<Value<'m>> {
        self.as_value().operand(index)
    }

    /// How many operands it has.
    pub fn operand_count(self) -> u32 {
        self.as_value().operand_count()
    }

    fn is(self, opcodes: &[Opcode]) -> bool {
        opcodes.contains(&self.opcode())
    }

    // Control flow.

    /// Whether it ends a block.
    pub fn is_terminator(self) -> bool {
        // SAFETY: it is an instruction.
        unsafe { !LLVMIsATerminatorInst(self.raw).is_null() }
    }

    /// The blocks a terminator names: for a conditional branch the one taken when true first, for a
    /// switch the default first.
    pub fn successors(self) -> Vec<Block<'m>> {
        if !self.is_terminator() {
            return Vec::new();
        }
        // SAFETY: a terminator, and the index is below the count.
        unsafe {
            (0..LLVMGetNumSuccessors(self.raw))
                .map(|i| Block::new(LLVMGetSuccessor(self.raw, i)))
                .collect()
        }
    }

    /// The condition of a conditional branch, or the value a switch looks at.
    pub fn condition(self) -> Option<Value<'m>> {
        match self.opcode() {
            // SAFETY: it is a branch.
            Opcode::Br if unsafe { LLVMIsConditional(self.raw) != 0 } => {
                // SAFETY: a conditional branch.
                Some(unsafe { Value::new(LLVMGetCondition(self.raw)) })
            }
            // LLVM's C API asks only branches; a switch has it as its first operand.
            Opcode::Switch => self.operand(0),
            _ => None,
        }
    }

    /// The cases of a `switch`; its default is the first of [`Inst::successors`].
    pub fn switch_cases(self) -> Vec<SwitchCase<'m>> {
        if self.opcode() != Opcode::Switch {
            return Vec::new();
        }
        // SAFETY: a switch; its cases are its successors from 1.
        unsafe {
            (1..LLVMGetNumSuccessors(self.raw))
                .map(|i| SwitchCase {
                    value: Value::new(LLVMGetSwitchCaseValue(self.raw, i)),
                    target: Block::new(LLVMGetSuccessor(self.raw, i)),
                })
                .collect()
        }
    }

    /// What a `phi` takes from which predecessor.
    pub fn incoming(self) -> Vec<(Value<'m>, Block<'m>)> {
        if self.opcode() != Opcode::Phi {
            return Vec::new();
        }
        // SAFETY: a phi, and the index is below the count.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .map(|i| {
                    (
                        Value::new(LLVMGetIncomingValue(self.raw, i)),
                        Block::new(LLVMGetIncomingBlock(self.raw, i)),
                    )
                })
                .collect()
        }
    }

    // Comparisons and arithmetic.

    /// The predicate of a comparison.
    pub fn predicate(self) -> Option<Predicate> {
        // SAFETY: asked of the instruction it is defined for.
        unsafe {
            match self.opcode() {
                Opcode::ICmp => {
                    Some(Predicate::Int(IntPredicate::from_raw(LLVMGetICmpPredicate(self.raw))))
                }
                Opcode::FCmp => {
                    Some(Predicate::Float(FloatPredicate::from_raw(LLVMGetFCmpPredicate(self.raw))))
                }
                _ => None,
            }
        }
    }

    /// `nsw`: signed overflow gives poison.
    pub fn no_signed_wrap(self) -> bool {
        // SAFETY: one of the overflowing operators.
        self.is(&[Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Shl])
            && unsafe { LLVMGetNSW(self.raw) != 0 }
    }

    /// `nuw`: unsigned overflow gives poison.
    pub fn no_unsigned_wrap(self) -> bool {
        // SAFETY: one of the overflowing operators.
        self.is(&[Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Shl])
            && unsafe { LLVMGetNUW(self.raw) != 0 }
    }

    /// `nneg` on `zext` or `uitofp`: a negative operand gives poison.
    pub fn non_negative(self) -> bool {
        // SAFETY: one of the instructions that have the flag.
        self.is(&[Opcode::ZExt, Opcode::UIToFP]) && unsafe { LLVMGetNNeg(self.raw) != 0 }
    }

    /// `disjoint` on `or`: no bit is set in both operands, else poison.
    pub fn is_disjoint(self) -> bool {
        // SAFETY: it is an `or`.
        self.opcode() == Opcode::Or && unsafe { LLVMGetIsDisjoint(self.raw) != 0 }
    }

    /// `exact` on a division or right shift: a remainder gives poison.
    pub fn is_exact(self) -> bool {
        // SAFETY: one of the instructions that have the flag.
        self.is(&[Opcode::UDiv, Opcode::SDiv, Opcode::LShr, Opcode::AShr])
            && unsafe { LLVMGetExact(self.raw) != 0 }
    }

    // Memory.

    /// The pointer that a load, store, `atomicrmw` or `cmpxchg` goes through.
    pub fn pointer_operand(self) -> Option<Value<'m>> {
        match self.opcode() {
            Opcode::Load | Opcode::AtomicRmw | Opcode::CmpXchg => self.operand(0),
            Opcode::Store => self.operand(1),
            _ => None,
        }
    }

    /// The type a load reads, a store writes, an atomic exchanges.
    pub fn accessed_type(self) -> Option<Type<'m>> {
        match self.opcode() {
            Opcode::Load => Some(self.ty()),
            Opcode::Store => self.operand(0).map(Value::ty),
            Opcode::AtomicRmw | Opcode::CmpXchg => self.operand(1).map(Value::ty),
            _ => None,
        }
    }

    /// Whether an access is `volatile`.
    pub fn is_volatile(self) -> bool {
        // SAFETY: one of the instructions that have the flag.
        self.is(&[Opcode::Load, Opcode::Store, Opcode::AtomicRmw, Opcode::CmpXchg])
            && unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    /// The alignment in bytes of an access or an `alloca`.
    pub fn alignment(self) -> Option<u32> {
        self.is(&[Opcode::Load, Opcode::Store, Opcode::AtomicRmw, Opcode::CmpXchg, Opcode::Alloca])
            // SAFETY: one of the instructions that have it.
            .then(|| unsafe { LLVMGetAlignment(self.raw) })
    }

    /// The ordering of an access or fence; of a `cmpxchg` the one on success.
    pub fn ordering(self) -> Ordering {
        // SAFETY: asked of the instruction it is defined for.
        unsafe {
            match self.opcode() {
                Opcode::Load | Opcode::Store | Opcode::Fence | Opcode::AtomicRmw => {
                    Ordering::from_raw(LLVMGetOrdering(self.raw))
                }
                Opcode::CmpXchg => Ordering::from_raw(LLVMGetCmpXchgSuccessOrdering(self.raw)),
                _ => Ordering::NotAtomic,
            }
        }
    }

    /// The ordering of a `cmpxchg` that fails.
    pub fn failure_ordering(self) -> Option<Ordering> {
        (self.opcode() == Opcode::CmpXchg)
            // SAFETY: it is a `cmpxchg`.
            .then(|| Ordering::from_raw(unsafe { LLVMGetCmpXchgFailureOrdering(self.raw) }))
    }

    /// Whether it is a `cmpxchg` that may fail with the expected value in memory.
    pub fn is_weak(self) -> bool {
        // SAFETY: asked of the instruction it is defined for.
        self.opcode() == Opcode::CmpXchg && unsafe { LLVMGetWeak(self.raw) != 0 }
    }

    /// The scope of an atomic access or fence; none for a plain one.
    pub fn sync_scope(self, module: &'m Module) -> Option<SyncScope> {
        if self.ordering() == Ordering::NotAtomic {
            return None;
        }
        const NAMED: [(&str, SyncScope); 10] = [
            ("", SyncScope::System),
            ("singlethread", SyncScope::SingleThread),
            ("block", SyncScope::Block),
            ("workgroup", SyncScope::Block),
            ("cluster", SyncScope::Cluster),
            ("device", SyncScope::Device),
            ("agent", SyncScope::Device),
            ("subgroup", SyncScope::Warp),
            ("wavefront", SyncScope::Warp),
            ("system", SyncScope::System),
        ];
        // SAFETY: it is atomic, for which the scope is defined.
        let id = unsafe { LLVMGetAtomicSyncScopeID(self.raw) };
        let named = NAMED.iter().find(|(name, _)| {
            // SAFETY: the name is given with its length.
            id == unsafe { sync_scope_id(module.context(), name.as_ptr().cast(), name.len()) }
        });
        Some(named.map_or(SyncScope::Other, |(_, scope)| *scope))
    }

    /// The operation of an `atomicrmw`.
    pub fn atomic_op(self) -> Option<AtomicOp> {
        (self.opcode() == Opcode::AtomicRmw)
            // SAFETY: it is an `atomicrmw`.
            .then(|| AtomicOp::from_raw(unsafe { LLVMGetAtomicRMWBinOp(self.raw) }))
    }

    /// What an `alloca` allocates; its operand 0 says how many.
    pub fn allocated_type(self) -> Option<Type<'m>> {
        // SAFETY: it is an `alloca`.
        (self.opcode() == Opcode::Alloca)
            .then(|| unsafe { Type::new(LLVMGetAllocatedType(self.raw)) })
    }

    /// The element type that the first index of a `getelementptr` steps over.
    pub fn gep_source_type(self) -> Option<Type<'m>> {
        self.as_value().gep_source_type()
    }

    /// `inbounds` on a `getelementptr`.
    pub fn is_inbounds(self) -> bool {
        // SAFETY: it is a `getelementptr`.
        self.opcode() == Opcode::GetElementPtr && unsafe { LLVMIsInBounds(self.raw) != 0 }
    }

    /// The indices of `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        if !self.is(&[Opcode::ExtractValue, Opcode::InsertValue]) {
            return Vec::new();
        }
        // SAFETY: one of the two; LLVM gives as many indices as it says.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), count).to_vec()
        }
    }

    /// The lanes of a `shufflevector`, of both inputs numbered through; `None` for a poison lane.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        if self.opcode() != Opcode::ShuffleVector {
            return Vec::new();
        }
        // SAFETY: it is a `shufflevector`, and the index is below the count.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw))
                .map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok())
                .collect()
        }
    }

    // Calls.

    /// Whether it is a `call`, `invoke` or `callbr`.
    pub fn is_call(self) -> bool {
        self.is(&[Opcode::Call, Opcode::Invoke, Opcode::CallBr])
    }

    /// What a call calls: a function, inline assembly, or a computed pointer.
    pub fn callee(self) -> Option<Value<'m>> {
        // SAFETY: it is a call.
        self.is_call().then(|| unsafe { Value::new(LLVMGetCalledValue(self.raw)) })
    }

    /// The function that a call names directly.
    pub fn called_function(self) -> Option<Function<'m>> {
        self.callee().and_then(Value::as_function)
    }

    /// The arguments of a call, without bundles and callee.
    pub fn arguments(self) -> Vec<Value<'m>> {
        if !self.is_call() {
            return Vec::new();
        }
        // SAFETY: it is a call.
        let count = unsafe { LLVMGetNumArgOperands(self.raw) };
        (0..count).filter_map(|i| self.operand(i)).collect()
    }

    /// An attribute of a call itself (`convergent`, `memory`).
    pub fn call_attribute(self, name: &str) -> Option<Attribute<'m>> {
        if !self.is_call() {
            return None;
        }
        Attribute::on_call(self.raw, llvm_sys::LLVMAttributeFunctionIndex, name)
    }

    /// An attribute of the n-th argument of a call (`byval`, `align`).
    pub fn argument_attribute(self, argument: u32, name: &str) -> Option<Attribute<'m>> {
        if !self.is_call() {
            return None;
        }
        Attribute::on_call(self.raw, argument + 1, name)
    }

    /// Whether the n-th argument of a call is `byval`: the callee gets a copy of what it points to.
    pub fn copies_argument(self, argument: u32) -> bool {
        self.argument_attribute(argument, "byval").is_some()
            || self
                .called_function()
                .is_some_and(|it| Attribute::on_function(it.raw, argument + 1, "byval").is_some())
    }

    // Metadata.

    /// Metadata of a kind such as `range` or `tbaa`.
    pub fn metadata(self, module: &'m Module, kind: &str) -> Option<Metadata<'m>> {
        // SAFETY: the kind is given with its length; the answer is null or metadata.
        unsafe {
            let id =
                LLVMGetMDKindIDInContext(module.context(), kind.as_ptr().cast(), kind.len() as u32);
            let raw = LLVMGetMetadata(self.raw, id);
            (!raw.is_null()).then(|| Metadata::from_value(module.context(), raw))
        }
    }

    /// Where it was written, with the calls it was inlined through.
    pub fn location(self, module: &'m Module) -> Option<Location> {
        Location::of_instruction(module, self)
    }

    /// Line and column in the function that it is in: where it was written, or the call it was
    /// inlined at.
    pub fn outermost_position(self, module: &'m Module) -> Option<(u32, u32)> {
        Location::outermost(module, self)
    }

    /// The source variables whose debug records stand right before it, each with the value that it
    /// holds there.
    pub fn debug_variables(self, module: &'m Module) -> Vec<(DebugVariable, Value<'m>)> {
        DebugVariable::recorded_before(module, self)
    }
}

impl std::fmt::Debug for Inst<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}
