//! Arithmetic that a device defines and LLVM leaves undefined, made defined before LLVM optimises.
//!
//! **Promises**: after these a division ends no process, and a conversion to an integer has the
//! value that PTX gives it. **Does not**: shifts, which clang's front end and PTX agree on.

use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use llvm_sys::LLVMRealPredicate::LLVMRealUNO;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

use super::{Function, Inst, Module, Opcode, Spot, Type, TypeKind};

impl Module {
    /// Makes integer divisions by zero ones by one, and so those of the least number by -1, whose
    /// quotient is then the least number and whose remainder is zero: a CPU would end the process.
    pub fn guard_divisions(&mut self) {
        let division = [Opcode::UDiv, Opcode::SDiv, Opcode::URem, Opcode::SRem];
        let found = self.instructions_of(&division);
        // SAFETY: divisions of this module, which have two operands of one type.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context());
            for (inst, opcode) in found {
                let (of, by) = (LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1));
                let Some(bits) = integer_bits(LLVMTypeOf(inst)) else { continue };
                LLVMPositionBuilderBefore(builder, inst);
                let is = |value, number| {
                    let number = constant(LLVMTypeOf(inst), number);
                    LLVMBuildICmp(builder, LLVMIntEQ, value, number, c"".as_ptr())
                };
                let mut bad = is(by, 0);
                let signed = opcode == Opcode::SDiv || opcode == Opcode::SRem;
                // Wider ones are functions of the host, which wrap around.
                if signed && bits <= 64 {
                    let least = is(of, 1 << (bits - 1));
                    let overflows = LLVMBuildAnd(builder, least, is(by, u64::MAX), c"".as_ptr());
                    bad = LLVMBuildOr(builder, bad, overflows, c"".as_ptr());
                }
                let one = constant(LLVMTypeOf(inst), 1);
                let by = LLVMBuildSelect(builder, bad, one, by, c"".as_ptr());
                LLVMSetOperand(inst, 1, by);
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// Makes conversions of floats to integers saturate (PTX ISA 9.7.9.21, `cvt`). NaN becomes
    /// zero; where it is a double or the integer has 64 bits, the integer with the highest bit
    /// alone. NVPTX has no registers of 8 bits: what goes there saturates in 16.
    pub fn saturate_conversions(&mut self) {
        let found = self.instructions_of(&[Opcode::FPToSI, Opcode::FPToUI]);
        // SAFETY: conversions of this module, each replaced in all its uses before it goes.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context());
            for (inst, opcode) in found {
                let (value, to) = (LLVMGetOperand(inst, 0), LLVMTypeOf(inst));
                let name: &[u8] = match opcode {
                    Opcode::FPToSI => b"llvm.fptosi.sat",
                    _ => b"llvm.fptoui.sat",
                };
                LLVMPositionBuilderBefore(builder, inst);
                let narrow = integer_bits(to).is_some_and(|bits| bits < 16);
                let made = if narrow { with_bits(to, 16) } else { to };
                let new = self.saturated(builder, name, value, made);
                let double = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMTypeKind::LLVMDoubleTypeKind;
                let new = match integer_bits(made).filter(|bits| *bits == 64 || double) {
                    Some(bits) if bits <= 64 => {
                        let nan = LLVMBuildFCmp(builder, LLVMRealUNO, value, value, c"".as_ptr());
                        let highest = constant(made, 1 << (bits - 1));
                        LLVMBuildSelect(builder, nan, highest, new, c"".as_ptr())
                    }
                    Some(_) | None => new,
                };
                let new = match narrow {
                    true => LLVMBuildTrunc(builder, new, to, c"".as_ptr()),
                    false => new,
                };
                LLVMReplaceAllUsesWith(inst, new);
                LLVMInstructionEraseFromParent(inst);
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// # Safety
    /// The builder stands in this module, where the value is defined.
    unsafe fn saturated(
        &self,
        builder: LLVMBuilderRef,
        name: &[u8],
        value: LLVMValueRef,
        to: LLVMTypeRef,
    ) -> LLVMValueRef {
        // SAFETY: the intrinsic is overloaded on its result and its argument.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let mut types = [to, LLVMTypeOf(value)];
            let function = LLVMGetIntrinsicDeclaration(self.raw(), id, types.as_mut_ptr(), 2);
            let ty = LLVMGlobalGetValueType(function);
            let mut arguments = [value];
            LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), 1, c"".as_ptr())
        }
    }

    /// Takes the promise not to overflow from sums with large constants. LLVM 22 counts the
    /// iterations of a loop wrong whose counter goes in such steps (`i -= 1000000000` from two
    /// billion down): it takes the loop for endless, and native code runs off its end.
    pub fn forget_large_steps(&mut self) {
        const LARGE: u64 = 1 << 20;
        for (inst, _) in self.instructions_of(&[Opcode::Add, Opcode::Sub]) {
            // SAFETY: sums of this module, which have two operands.
            unsafe {
                let by = LLVMIsAConstantInt(LLVMGetOperand(inst, 1));
                let fits = integer_bits(LLVMTypeOf(inst)).is_some_and(|it| it <= 64);
                if !by.is_null() && fits && LLVMConstIntGetSExtValue(by).unsigned_abs() >= LARGE {
                    LLVMSetNSW(inst, 0);
                    LLVMSetNUW(inst, 0);
                }
            }
        }
    }

    /// Takes the promises not to overflow, and the others about the bits of operands, from
    /// instructions.
    pub fn forget_overflow(&mut self, spots: &[Spot]) {
        for spot in spots {
            let raw = spot.raw();
            // SAFETY: instructions of this module, which is borrowed mutably; each promise is taken
            // from what can have it alone.
            unsafe {
                match Inst::new(raw).opcode() {
                    Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl | Opcode::Trunc => {
                        LLVMSetNSW(raw, 0);
                        LLVMSetNUW(raw, 0);
                    }
                    Opcode::UDiv | Opcode::SDiv | Opcode::LShr | Opcode::AShr => {
                        LLVMSetExact(raw, 0);
                    }
                    Opcode::ZExt | Opcode::UIToFP => LLVMSetNNeg(raw, 0),
                    Opcode::Or => LLVMSetIsDisjoint(raw, 0),
                    Opcode::ICmp => LLVMSetICmpSameSign(raw, 0),
                    _ => {}
                }
            }
        }
    }

    fn instructions_of(&self, opcodes: &[Opcode]) -> Vec<(LLVMValueRef, Opcode)> {
        let all = self.functions().flat_map(Function::instructions);
        let known = |it: &Inst<'_>| opcodes.contains(&it.opcode());
        all.filter(known).map(|it| (it.raw, it.opcode())).collect()
    }
}

/// The bits of an integer, or of each element of a vector of them.
///
/// # Safety
/// The type is of a module that lives.
unsafe fn integer_bits(ty: LLVMTypeRef) -> Option<u32> {
    // SAFETY: the caller's promise.
    let element = match unsafe { Type::new(ty) }.kind() {
        TypeKind::Vector(_, element) => element.kind(),
        kind => kind,
    };
    if let TypeKind::Int(bits) = element { Some(bits) } else { None }
}

/// A number of an integer type, or a vector of it.
///
/// # Safety
/// The type is one of those.
unsafe fn constant(ty: LLVMTypeRef, number: u64) -> LLVMValueRef {
    // SAFETY: the caller's promise.
    unsafe {
        match Type::new(ty).kind() {
            TypeKind::Vector(count, _) => {
                let one = LLVMConstInt(LLVMGetElementType(ty), number, 1);
                let mut all = vec![one; count as usize];
                LLVMConstVector(all.as_mut_ptr(), count)
            }
            _ => LLVMConstInt(ty, number, 1),
        }
    }
}

/// The integer type, or the vector, whose elements have the given number of bits.
///
/// # Safety
/// The type is one of integers.
unsafe fn with_bits(ty: LLVMTypeRef, bits: u32) -> LLVMTypeRef {
    // SAFETY: the caller's promise.
    unsafe {
        let element = LLVMIntTypeInContext(LLVMGetTypeContext(ty), bits);
        match Type::new(ty).kind() {
            TypeKind::Vector(count, _) => LLVMVectorType(element, count),
            _ => element,
        }
    }
}
