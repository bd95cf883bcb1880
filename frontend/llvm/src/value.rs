//! Values: what an operand can be, and the constants among them.

use std::marker::PhantomData;

use llvm_sys::LLVMValueKind;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{
    Argument, Block, Function, Global, Inst, Metadata, Module, Opcode, Type, borrowed_text,
    owned_text,
};

/// Any value: an instruction, an argument, a constant, a global, a block, inline assembly,
/// metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m Module>,
}

/// What a [`Value`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// [`Value::as_inst`]
    Instruction,
    /// [`Value::as_argument`]
    Argument,
    /// [`Value::as_global`]
    Global,
    /// [`Value::as_function`]
    Function,
    /// An alias; [`Value::operand`] 0 is what it names.
    Alias,
    /// [`Value::as_block`]
    Block,
    /// [`Value::const_int`]
    ConstInt,
    /// [`Value::const_float`]
    ConstFloat,
    /// `null`, the zero pointer of its address space; or the zero of a target's own type.
    Null,
    /// `zeroinitializer`
    ZeroAggregate,
    /// An array, struct or vector of constants; [`Value::element`].
    ConstAggregate,
    /// `undef`
    Undef,
    /// `poison`
    Poison,
    /// [`Value::const_opcode`] and [`Value::operand`]
    ConstExpr,
    /// [`Value::as_inline_asm`]
    InlineAsm,
    /// [`Value::as_metadata`]
    Metadata,
    /// A block address, an ifunc, a token: nothing that kernels have.
    Other,
}

/// The text of an inline assembly call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineAsm {
    /// The template, with `$0`, `$1` for operands and `$$` for a dollar.
    pub text: String,
    /// The constraints, outputs first: `=r,r,l,n,~{memory}`.
    pub constraints: String,
    /// `sideeffect` (`volatile` in the source).
    pub side_effects: bool,
}

impl<'m> Value<'m> {
    /// # Safety
    /// `raw` is a value of a module that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMValueRef) -> Self {
        Value { raw, module: PhantomData }
    }

    /// What the value is.
    pub fn kind(self) -> ValueKind {
        use LLVMValueKind as K;
        // SAFETY: defined for all values.
        match unsafe { LLVMGetValueKind(self.raw) } {
            K::LLVMInstructionValueKind => ValueKind::Instruction,
            K::LLVMArgumentValueKind => ValueKind::Argument,
            K::LLVMGlobalVariableValueKind => ValueKind::Global,
            K::LLVMFunctionValueKind => ValueKind::Function,
            K::LLVMGlobalAliasValueKind => ValueKind::Alias,
            K::LLVMBasicBlockValueKind => ValueKind::Block,
            K::LLVMConstantIntValueKind => ValueKind::ConstInt,
            K::LLVMConstantFPValueKind => ValueKind::ConstFloat,
            K::LLVMConstantPointerNullValueKind | K::LLVMConstantTargetNoneValueKind => {
                ValueKind::Null
            }
            K::LLVMConstantAggregateZeroValueKind => ValueKind::ZeroAggregate,
            K::LLVMConstantArrayValueKind
            | K::LLVMConstantStructValueKind
            | K::LLVMConstantVectorValueKind
            | K::LLVMConstantDataArrayValueKind
            | K::LLVMConstantDataVectorValueKind => ValueKind::ConstAggregate,
            K::LLVMUndefValueValueKind => ValueKind::Undef,
            K::LLVMPoisonValueKind => ValueKind::Poison,
            K::LLVMConstantExprValueKind => ValueKind::ConstExpr,
            K::LLVMInlineAsmValueKind => ValueKind::InlineAsm,
            K::LLVMMetadataAsValueValueKind => ValueKind::Metadata,
            K::LLVMMemoryUseValueKind
            | K::LLVMMemoryDefValueKind
            | K::LLVMMemoryPhiValueKind
            | K::LLVMGlobalIFuncValueKind
            | K::LLVMBlockAddressValueKind
            | K::LLVMConstantTokenNoneValueKind
            | K::LLVMConstantPtrAuthValueKind => ValueKind::Other,
        }
    }

    /// Its name without `%` or `@`, `""` for a numbered one.
    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: defined for all values; LLVM keeps the bytes.
        unsafe { borrowed_text(LLVMGetValueName2(self.raw, &mut len), len) }
    }

    /// Its type.
    pub fn ty(self) -> Type<'m> {
        // SAFETY: each value has a type.
        unsafe { Type::new(LLVMTypeOf(self.raw)) }
    }

    /// The value as LLVM prints it, with its type.
    pub fn text(self) -> String {
        // SAFETY: the message is ours to free.
        unsafe { owned_text(LLVMPrintValueToString(self.raw)) }
    }

    /// The instruction, when it is one.
    pub fn as_inst(self) -> Option<Inst<'m>> {
        // SAFETY: its kind says so.
        (self.kind() == ValueKind::Instruction).then(|| unsafe { Inst::new(self.raw) })
    }

    /// The parameter, when it is one.
    pub fn as_argument(self) -> Option<Argument<'m>> {
        if self.kind() != ValueKind::Argument {
            return None;
        }
        // SAFETY: its kind says so; the parent is the function whose parameter it is.
        let function = unsafe { Function::new(LLVMGetParamParent(self.raw)) };
        function.arguments().into_iter().find(|a| a.as_value() == self)
    }

    /// The global variable, when it is one.
    pub fn as_global(self) -> Option<Global<'m>> {
        // SAFETY: its kind says so.
        (self.kind() == ValueKind::Global).then(|| unsafe { Global::new(self.raw) })
    }

    /// The block, when it is one.
    pub fn as_block(self) -> Option<Block<'m>> {
        // SAFETY: its kind says so.
        (self.kind() == ValueKind::Block)
            .then(|| unsafe { Block::new(LLVMValueAsBasicBlock(self.raw)) })
    }

    /// The metadata behind a metadata operand.
    pub fn as_metadata(self, module: &'m Module) -> Option<Metadata<'m>> {
        // SAFETY: its kind says so.
        (self.kind() == ValueKind::Metadata)
            .then(|| unsafe { Metadata::from_value(module.context(), self.raw) })
    }

    /// The inline assembly, when the called value is that.
    pub fn as_inline_asm(self) -> Option<InlineAsm> {
        if self.kind() != ValueKind::InlineAsm {
            return None;
        }
        let (mut text_len, mut constraints_len) = (0, 0);
        // SAFETY: its kind says so; LLVM keeps the bytes.
        unsafe {
            Some(InlineAsm {
                text: borrowed_text(LLVMGetInlineAsmAsmString(self.raw, &mut text_len), text_len),
                constraints: borrowed_text(
                    LLVMGetInlineAsmConstraintString(self.raw, &mut constraints_len),
                    constraints_len,
                ),
                side_effects: LLVMGetInlineAsmHasSideEffects(self.raw) != 0,
            })
        }
    }

    /// The bits of an integer constant of at most 128 bits, zero-extended.
    pub fn const_int(self) -> Option<u128> {
        if self.kind() != ValueKind::ConstInt {
            return None;
        }
        // SAFETY: an integer constant has an integer type.
        let width = unsafe { LLVMGetIntTypeWidth(LLVMTypeOf(self.raw)) };
        match width {
            // SAFETY: an integer constant of at most 64 bits.
            0..=64 => Some(u128::from(unsafe { LLVMConstIntGetZExtValue(self.raw) })),
            // The C API gives 64 bits only; LLVM prints `i128 -5` in full, signed.
            65..=128 => {
                let text = self.text();
                let digits = text.rsplit(' ').next()?;
                let signed: i128 = digits.parse().ok()?;
                let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
                Some(signed as u128 & mask)
            }
            _ => None,
        }
    }

    /// The value of a floating-point constant that a `double` holds exactly (`half`, `bfloat`,
    /// `float`, `double`).
    pub fn const_float(self) -> Option<f64> {
        if self.kind() != ValueKind::ConstFloat {
            return None;
        }
        let mut loses = 0;
        // SAFETY: a floating-point constant.
        let value = unsafe { LLVMConstRealGetDouble(self.raw, &mut loses) };
        (loses == 0).then_some(value)
    }

    /// The bytes of a constant array of characters, up to the first NUL, as text.
    pub fn const_string(self) -> Option<String> {
        if self.kind() != ValueKind::ConstAggregate {
            return None;
        }
        // SAFETY: a constant; the bytes are only asked for where it is a string, and live as long
        // as the module.
        let text = unsafe {
            if LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let mut len = 0;
            borrowed_text(LLVMGetAsString(self.raw, &mut len), len)
        };
        Some(text.split('\0').next().unwrap_or_default().to_owned())
    }

    /// The n-th element of a constant aggregate, of `zeroinitializer`, of `undef` or of `poison`.
    pub fn element(self, index: u32) -> Option<Value<'m>> {
        match self.kind() {
            ValueKind::ConstAggregate
            | ValueKind::ZeroAggregate
            | ValueKind::Undef
            | ValueKind::Poison => {
                // SAFETY: a constant; out of range gives null.
                unsafe {
                    let raw = LLVMGetAggregateElement(self.raw, index);
                    (!raw.is_null()).then(|| Value::new(raw))
                }
            }
            ValueKind::Instruction
            | ValueKind::Argument
            | ValueKind::Global
            | ValueKind::Function
            | ValueKind::Alias
            | ValueKind::Block
            | ValueKind::ConstInt
            | ValueKind::ConstFloat
            | ValueKind::Null
            | ValueKind::ConstExpr
            | ValueKind::InlineAsm
            | ValueKind::Metadata
            | ValueKind::Other => None,
        }
    }

    /// The opcode of a constant expression.
    pub fn const_opcode(self) -> Option<Opcode> {
        // SAFETY: its kind says that it is a constant expression.
        (self.kind() == ValueKind::ConstExpr)
            .then(|| Opcode::from_raw(unsafe { LLVMGetConstOpcode(self.raw) }))
    }

    /// The element type that the first index of a `getelementptr`, instruction or constant, steps
    /// over.
    pub fn gep_source_type(self) -> Option<Type<'m>> {
        let opcode = self.const_opcode().or_else(|| self.as_inst().map(Inst::opcode))?;
        // SAFETY: it is a `getelementptr`.
        (opcode == Opcode::GetElementPtr)
            .then(|| unsafe { Type::new(LLVMGetGEPSourceElementType(self.raw)) })
    }

    /// How many operands an instruction or a constant has.
    pub fn operand_count(self) -> u32 {
        match self.kind() {
            ValueKind::Instruction
            | ValueKind::ConstExpr
            | ValueKind::ConstAggregate
            | ValueKind::Alias => {
                // SAFETY: all of these are users.
                unsafe { LLVMGetNumOperands(self.raw).max(0) as u32 }
            }
            ValueKind::Global => {
                u32::from(self.as_global().and_then(Global::initializer).is_some())
            }
            ValueKind::Argument
            | ValueKind::Function
            | ValueKind::Block
            | ValueKind::ConstInt
            | ValueKind::ConstFloat
            | ValueKind::Null
            | ValueKind::ZeroAggregate
            | ValueKind::Undef
            | ValueKind::Poison
            | ValueKind::InlineAsm
            | ValueKind::Metadata
            | ValueKind::Other => 0,
        }
    }

    /// The n-th operand.
    pub fn operand(self, index: u32) -> Option<Value<'m>> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: a user, and the index is below its count; null stands for an absent one.
        unsafe {
            let raw = LLVMGetOperand(self.raw, index);
            (!raw.is_null()).then(|| Value::new(raw))
        }
    }

    /// All operands, absent ones left out.
    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).filter_map(move |i| self.operand(i))
    }

    /// What uses this value, one entry per use.
    pub fn users(self) -> Vec<Value<'m>> {
        let mut users = Vec::new();
        // SAFETY: the use list of a live value, which ends with null.
        unsafe {
            let mut next = LLVMGetFirstUse(self.raw);
            while !next.is_null() {
                users.push(Value::new(LLVMGetUser(next)));
                next = LLVMGetNextUse(next);
            }
        }
        users
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text().trim())
    }
}
