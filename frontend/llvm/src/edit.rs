//! The few changes to a module that no LLVM pass makes: marks for the inliner and for the lifter,
//! what a host needs.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};

use super::{Function, Global, Inst, Module, Opcode, Spot, Type, TypeKind, Value, ValueKind};

impl Module {
    /// Names the arguments of a function, if there are as many.
    pub fn name_arguments(&mut self, function: &str, names: &[&str]) {
        let Some(function) = self.function(function) else { return };
        let arguments = function.arguments();
        if arguments.len() != names.len() {
            return;
        }
        for (argument, name) in arguments.into_iter().zip(names) {
            // SAFETY: an argument of this module; LLVM copies the name.
            unsafe {
                LLVMSetValueName2(argument.as_value().raw, name.as_ptr().cast(), name.len());
            }
        }
    }

    /// Gives a function another name, its definition included.
    pub fn name_function(&mut self, from: &str, to: &str) {
        let Some(function) = self.function(from) else { return };
        // SAFETY: a function of this module; LLVM copies the name.
        unsafe { LLVMSetValueName2(function.raw, to.as_ptr().cast(), to.len()) };
    }

    /// Asks the inliner to inline each defined function wherever it is called, takes back what
    /// forbids that (`noinline` and `optnone`, on functions and calls), and makes those that are
    /// not named in `keep` local to the module. Functions that are not `wanted`
    /// stay as they are, and are not inlined.
    ///
    /// Semantics do not change: a kernel's entry points are the kept names, and nothing outside
    /// sees the others.
    pub fn mark_for_inlining(
        &mut self,
        keep: &dyn Fn(&str) -> bool,
        wanted: &dyn Fn(Function<'_>) -> bool,
    ) {
        let always_inline = kind("alwaysinline");
        let forbidding = [kind("noinline"), kind("optnone")];
        let (functions, others): (Vec<Function<'_>>, Vec<Function<'_>>) =
            self.functions().partition(|it| wanted(*it));
        let [functions, others] =
            [functions, others].map(|all| all.into_iter().map(|f| f.raw).collect::<Vec<_>>());
        let calls: Vec<LLVMValueRef> = self
            .functions()
            .flat_map(Function::instructions)
            .filter(|i| i.is_call())
            .map(|i: Inst<'_>| i.raw)
            .collect();
        // SAFETY: functions and calls of this module, which is borrowed mutably; removing an absent
        // attribute is allowed.
        unsafe {
            for call in calls {
                LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, forbidding[0]);
            }
            for function in others {
                LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, always_inline);
            }
            for function in functions {
                if LLVMIsDeclaration(function) != 0 {
                    continue;
                }
                for attribute in forbidding {
                    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                }
                let attribute = LLVMCreateEnumAttribute(self.context(), always_inline, 0);
                LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                if !keep(&super::Value::new(function).name()) {
                    LLVMSetVisibility(function, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
                    LLVMSetDLLStorageClass(
                        function,
                        llvm_sys::LLVMDLLStorageClass::LLVMDefaultStorageClass,
                    );
                    LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage);
                }
            }
        }
    }
}

impl Module {
    /// Marks variables `constant`.
    pub fn make_constant(&mut self, which: &dyn Fn(Global<'_>) -> bool) {
        self.mark_constant(which, true);
    }

    /// Takes the mark `constant` from variables, so that they lie where they can be written.
    pub fn make_writable(&mut self, which: &dyn Fn(Global<'_>) -> bool) {
        self.mark_constant(which, false);
    }

    fn mark_constant(&mut self, which: &dyn Fn(Global<'_>) -> bool, constant: bool) {
        let chosen: Vec<LLVMValueRef> =
            self.globals().filter(|global| which(*global)).map(|it| it.raw).collect();
        for global in chosen {
            // SAFETY: a global variable of this module, which is borrowed mutably.
            unsafe { LLVMSetGlobalConstant(global, i32::from(constant)) };
        }
    }
}

impl Module {
    /// Removes what the source's annotations say: they have been read, and no linker takes the
    /// section they lie in.
    pub fn forget_annotations(&mut self) {
        // SAFETY: a variable of this module that nothing uses: LLVM itself reads it by its name.
        unsafe {
            let all = LLVMGetNamedGlobal(self.raw(), c"llvm.global.annotations".as_ptr());
            if !all.is_null() {
                LLVMDeleteGlobal(all);
            }
        }
    }

    /// Adds a constant array of the addresses of functions, visible to others.
    pub fn tabulate_functions(&mut self, table: &str, functions: &[String]) {
        let name = std::ffi::CString::new(table).unwrap_or_default();
        let mut addresses: Vec<LLVMValueRef> =
            functions.iter().filter_map(|it| Some(self.function(it)?.raw)).collect();
        // SAFETY: functions of this module; pointers to functions are of one type.
        unsafe {
            let pointer = LLVMPointerTypeInContext(self.context(), 0);
            let count = addresses.len() as u64;
            let array = LLVMConstArray2(pointer, addresses.as_mut_ptr(), count);
            let global = LLVMAddGlobal(self.raw(), LLVMTypeOf(array), name.as_ptr());
            LLVMSetInitializer(global, array);
            LLVMSetGlobalConstant(global, 1);
        }
    }

    /// Says of the declared functions that `is_pure` names, and that take and give no pointer, that
    /// they touch no memory.
    pub fn mark_pure(&mut self, is_pure: &dyn Fn(&str) -> bool) {
        let pointer = |ty: Type<'_>| matches!(ty.kind(), TypeKind::Pointer(_));
        let pure: Vec<LLVMValueRef> = self
            .functions()
            .filter(|f| f.is_declaration() && is_pure(&f.name()))
            .filter(|f| !pointer(f.return_type()) && !f.arguments().iter().any(|a| pointer(a.ty())))
            .map(|f| f.raw)
            .collect();
        for function in pure {
            for name in ["memory", "nounwind", "willreturn"] {
                // SAFETY: a function of this module, which is borrowed mutably. The value 0 of
                // `memory` is "none".
                unsafe {
                    let attribute = LLVMCreateEnumAttribute(self.context(), kind(name), 0);
                    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                }
            }
        }
    }
}

impl<'m> Inst<'m> {
    /// Hands over the operands that instructions compute or that are parameters.
    pub fn for_each_value(self, take: &mut dyn FnMut(Value<'m>)) {
        // SAFETY: an instruction of a living module; indices are below the count, and null stands
        // for an absent operand.
        unsafe {
            for index in 0..LLVMGetNumOperands(self.raw).max(0) as u32 {
                let raw = LLVMGetOperand(self.raw, index);
                if !raw.is_null() {
                    let value = Value::new(raw);
                    if matches!(value.kind(), ValueKind::Instruction | ValueKind::Argument) {
                        take(value);
                    }
                }
            }
        }
    }
}

impl Module {
    /// Deletes instructions. What still uses one of them gets `poison` instead; nobody may ask what
    /// that is.
    pub fn delete_computations(&mut self, spots: &[Spot]) {
        for spot in spots {
            // SAFETY: instructions of this module, which is borrowed mutably, each named once; none
            // has a use when it goes.
            unsafe {
                if !LLVMGetFirstUse(spot.raw()).is_null() {
                    LLVMReplaceAllUsesWith(spot.raw(), LLVMGetPoison(LLVMTypeOf(spot.raw())));
                }
                LLVMInstructionEraseFromParent(spot.raw());
            }
        }
    }
}

/// The metadata under which [`Module::number_instructions`] leaves `!{!"number function"}`: a text
/// is cheaper than a number, of which LLVM keeps track.
const ORDINAL: &str = "heddle.ordinal";

/// Gives an instruction the number of another one.
///
/// # Safety
/// Both are instructions of the module.
pub(super) unsafe fn keep_ordinal(module: &Module, of: LLVMValueRef, to: LLVMValueRef) {
    // SAFETY: the caller's promise; the name is given with its length.
    unsafe {
        let (name, length) = (ORDINAL.as_ptr().cast(), ORDINAL.len() as u32);
        let kind = LLVMGetMDKindIDInContext(module.context(), name, length);
        let node = LLVMGetMetadata(of, kind);
        if !node.is_null() {
            LLVMSetMetadata(to, kind, node);
        }
    }
}

impl<'m> Inst<'m> {
    /// The number that [`Module::number_instructions`] gave it, and the function it stood in then.
    pub fn ordinal(self, module: &'m Module) -> Option<(u32, String)> {
        let node = self.metadata(module, ORDINAL)?;
        let text = node.operand(0)?.string()?;
        let (number, function) = text.split_once(' ')?;
        Some((number.parse().ok()?, function.to_owned()))
    }
}

impl Module {
    /// Gives instructions their number among those of their function, from zero, as metadata
    /// ([`Inst::ordinal`]) that follows them when they are inlined elsewhere. To be called before
    /// anything moves. Those of which nobody asks where they stood get none: what computes a value
    /// from values, and what goes straight to a variable of the thread. The first always does.
    pub fn number_instructions(&mut self) {
        let context = self.context();
        let kind_of = |name: &str| {
            // SAFETY: the name is given with its length.
            unsafe { LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32) }
        };
        let kind = kind_of(ORDINAL);
        for function in self.functions() {
            let name = function.name();
            let numbered = function.instructions().enumerate();
            for (number, inst) in numbered.filter(|(at, inst)| *at == 0 || !only_computes(*inst)) {
                let text = format!("{number} {name}");
                // SAFETY: strings and nodes of the module's context, given with their length,
                // attached to an instruction of the module, which is borrowed mutably; the operands
                // outlive the call that copies them.
                unsafe {
                    let mut operands =
                        [LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len())];
                    let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
                    LLVMSetMetadata(inst.raw, kind, LLVMMetadataAsValue(context, node));
                }
            }
        }
    }
}

/// Whether an instruction has no effect that anyone else sees.
fn only_computes(inst: Inst<'_>) -> bool {
    match inst.opcode() {
        Opcode::GetElementPtr | Opcode::Phi | Opcode::Select | Opcode::ICmp | Opcode::FCmp => true,
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor => true,
        Opcode::FNeg | Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv => true,
        Opcode::Shl | Opcode::LShr | Opcode::AShr => true,
        Opcode::Trunc | Opcode::ZExt | Opcode::SExt | Opcode::FPTrunc | Opcode::FPExt => true,
        Opcode::ExtractElement | Opcode::InsertElement | Opcode::ShuffleVector => true,
        Opcode::Load | Opcode::Store => inst
            .pointer_operand()
            .and_then(super::Value::as_inst)
            .is_some_and(|pointer| pointer.opcode() == Opcode::Alloca),
        _ => false,
    }
}

fn kind(name: &str) -> u32 {
    // SAFETY: the name is given with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
