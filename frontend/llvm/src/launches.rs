//! The few changes to a host module before its launches are read: which functions are inlined, what
//! calls of the runtime do to pointers, a call less.
//!
//! **Promises**: each change keeps what the program does, where the functions that it is told about
//! do what their names say. **Does not**: know those names; `host` does.

use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};

use super::{Function, Global, Inst, Module, Spot, Type, TypeKind, borrowed_text};

/// LLVM's `memory(inaccessiblemem: readwrite)`: two bits for each place, that of inaccessible
/// memory second (`llvm/Support/ModRef.h`).
const INACCESSIBLE: u64 = 0b11 << 2;

impl Module {
    /// Asks the inliner to inline those defined functions that `which` names wherever they are
    /// called, and takes back what forbids it, of functions and calls.
    pub fn inline_those(&mut self, which: &dyn Fn(&str) -> bool) {
        let functions: Vec<LLVMValueRef> = self
            .functions()
            .filter(|it| !it.is_declaration() && which(&it.name()))
            .map(|it| it.raw)
            .collect();
        let calls: Vec<LLVMValueRef> = self
            .functions()
            .flat_map(Function::instructions)
            .filter(|it| it.is_call())
            .map(|it: Inst<'_>| it.raw)
            .collect();
        let index = LLVMAttributeFunctionIndex;
        // SAFETY: functions and calls of this module, which is borrowed mutably; removing an absent
        // attribute is allowed.
        unsafe {
            for call in calls {
                LLVMRemoveCallSiteEnumAttribute(call, index, kind("noinline"));
            }
            for function in functions {
                for forbidding in ["noinline", "optnone"] {
                    LLVMRemoveEnumAttributeAtIndex(function, index, kind(forbidding));
                }
                let attribute = LLVMCreateEnumAttribute(self.context(), kind("alwaysinline"), 0);
                LLVMAddAttributeAtIndex(function, index, attribute);
            }
        }
    }

    /// Makes those defined functions ones that other modules may call that `which` names.
    pub fn make_external(&mut self, which: &dyn Fn(&str) -> bool) {
        self.link_as(LLVMLinkage::LLVMExternalLinkage, which);
    }

    /// Makes the variables of the module ones that other modules may set.
    pub fn make_variables_external(&mut self) {
        let variables: Vec<LLVMValueRef> = self.globals().map(|it| it.raw).collect();
        for variable in variables {
            // SAFETY: a variable of this module, which is borrowed mutably. A declaration, one that
            // other modules have as well, and one of LLVM's own stay what they are.
            unsafe {
                let is_local = matches!(
                    LLVMGetLinkage(variable),
                    LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
                );
                if is_local && LLVMIsGlobalConstant(variable) == 0 {
                    LLVMSetLinkage(variable, LLVMLinkage::LLVMExternalLinkage);
                }
            }
        }
    }

    /// Makes those variables local to the module that it defines, alone, that hold no pointer, and
    /// that `which` names.
    pub fn make_variables_local(&mut self, which: &dyn Fn(&str) -> bool) {
        let is_wanted = |it: &Global<'_>| {
            // SAFETY: a variable of this module.
            let is_external = unsafe {
                LLVMGetLinkage(it.raw) == LLVMLinkage::LLVMExternalLinkage
                    && LLVMIsDeclaration(it.raw) == 0
            };
            is_external && holds_no_pointer(it.value_type()) && which(&it.name())
        };
        let variables: Vec<LLVMValueRef> =
            self.globals().filter(is_wanted).map(|it| it.raw).collect();
        for variable in variables {
            // SAFETY: a variable of this module, which is borrowed mutably. Local ones have the
            // default visibility.
            unsafe {
                LLVMSetVisibility(variable, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
                LLVMSetLinkage(variable, LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }

    /// Calls what the constructors of the module, all of which `which` names, do where `main`
    /// begins, and no more before it. Both come after the static values of variables, and before
    /// all else that `main` does. Whether none is left before it.
    pub fn construct_in_main(&mut self, which: &dyn Fn(&str) -> bool) -> bool {
        const LIST: &str = "llvm.global_ctors";
        let Some(list) = self.globals().find(|it| it.name() == LIST) else { return true };
        // A `main` that is called begins more than once.
        let main = self.function("main").filter(|it| !it.is_declaration());
        let main = main.filter(|it| it.users().is_empty());
        let Some((main, first)) = main.and_then(|it| Some((it, it.instructions().next()?.raw)))
        else {
            return false;
        };
        // SAFETY: the list is an array of structures of a priority, a function and what it is for;
        // a constant that is no function has no name that is wanted. All values are of this module,
        // which is borrowed mutably, and the builder is freed.
        unsafe {
            let initial = LLVMGetInitializer(list.raw);
            if initial.is_null() || LLVMIsAConstantArray(initial).is_null() {
                return false;
            }
            let count = LLVMGetNumOperands(initial) as u32;
            let entries: Vec<LLVMValueRef> =
                (0..count).map(|at| LLVMGetOperand(initial, at)).collect();
            let function = |entry: LLVMValueRef| {
                let it = (LLVMGetNumOperands(entry) == 3).then(|| LLVMGetOperand(entry, 1))?;
                (!LLVMIsAFunction(it).is_null()).then_some(it)
            };
            let named = |it: LLVMValueRef| {
                let mut length = 0;
                which(&borrowed_text(LLVMGetValueName2(it, &mut length), length))
            };
            // What others set beside them has no place in the order of the source.
            if !entries.iter().all(|it| function(*it).is_some_and(named)) {
                return false;
            }
            let place = main.instructions().map(|it| LLVMInstructionGetDebugLoc(it.raw));
            let place = place.into_iter().find(|it| !it.is_null());
            let builder = LLVMCreateBuilderInContext(self.context());
            LLVMPositionBuilderBefore(builder, first);
            for callee in entries.into_iter().filter_map(function) {
                let ty = LLVMGlobalGetValueType(callee);
                let name = c"".as_ptr();
                let call = LLVMBuildCall2(builder, ty, callee, std::ptr::null_mut(), 0, name);
                if let Some(place) = place {
                    LLVMInstructionSetDebugLoc(call, place);
                }
            }
            LLVMDisposeBuilder(builder);
            LLVMDeleteGlobal(list.raw);
        }
        true
    }

    /// Makes those defined functions local to the module that `which` names.
    pub fn make_local(&mut self, which: &dyn Fn(&str) -> bool) {
        self.link_as(LLVMLinkage::LLVMInternalLinkage, which);
    }

    fn link_as(&mut self, linkage: LLVMLinkage, which: &dyn Fn(&str) -> bool) {
        let functions: Vec<LLVMValueRef> = self
            .functions()
            .filter(|it| !it.is_declaration() && which(&it.name()))
            .map(|it| it.raw)
            .collect();
        for function in functions {
            // SAFETY: a function of this module, which is borrowed mutably. Local ones have the
            // default visibility.
            unsafe {
                LLVMSetVisibility(function, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
                LLVMSetLinkage(function, linkage);
            }
        }
    }

    /// Says of declared functions that they touch no memory that the module can name, throw nothing
    /// and return.
    pub fn mark_unseen(&mut self, which: &dyn Fn(&str) -> bool) {
        self.mark(which, &[("memory", INACCESSIBLE), ("nounwind", 0), ("willreturn", 0)]);
    }

    /// Says of declared functions that they throw nothing.
    pub fn mark_not_throwing(&mut self, which: &dyn Fn(&str) -> bool) {
        self.mark(which, &[("nounwind", 0)]);
    }

    /// Says of functions with a body that they throw nothing, whatever LLVM sees of it.
    pub fn mark_defined_not_throwing(&mut self, which: &dyn Fn(&str) -> bool) {
        let them = self.functions().filter(|it| !it.is_declaration() && which(&it.name()));
        let them = them.map(|it| it.raw).collect();
        self.add_attributes(them, &[("nounwind", 0)]);
    }

    fn mark(&mut self, which: &dyn Fn(&str) -> bool, attributes: &[(&str, u64)]) {
        self.add_attributes(self.declared(which), attributes);
    }

    fn add_attributes(&mut self, them: Vec<LLVMValueRef>, attributes: &[(&str, u64)]) {
        for function in them {
            for (name, value) in attributes {
                // SAFETY: a function of this module, which is borrowed mutably.
                unsafe {
                    let attribute = LLVMCreateEnumAttribute(self.context(), kind(name), *value);
                    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                }
            }
        }
    }

    /// Says of declared functions that they keep no pointer that they are given.
    pub fn mark_not_keeping(&mut self, which: &dyn Fn(&str) -> bool) {
        for function in self.declared(which) {
            // SAFETY: a function of this module, which is borrowed mutably; indices are below the
            // count. The value 0 of `captures` is "none".
            unsafe {
                for index in 0..LLVMCountParams(function) {
                    let ty = Type::new(LLVMTypeOf(LLVMGetParam(function, index)));
                    if matches!(ty.kind(), TypeKind::Pointer(_)) {
                        let attribute =
                            LLVMCreateEnumAttribute(self.context(), kind("captures"), 0);
                        LLVMAddAttributeAtIndex(function, index + 1, attribute);
                    }
                }
            }
        }
    }

    fn declared(&self, which: &dyn Fn(&str) -> bool) -> Vec<LLVMValueRef> {
        let them = self.functions().filter(|it| it.is_declaration() && !it.is_intrinsic());
        them.filter(|it| which(&it.name())).map(|it| it.raw).collect()
    }

    /// Gives a call a null pointer as its n-th argument.
    pub fn forget_argument(&mut self, call: Spot, index: u32) {
        // SAFETY: the spot is a call of this module with more arguments than that.
        unsafe {
            let argument = LLVMGetOperand(call.raw(), index);
            LLVMSetOperand(call.raw(), index, LLVMConstNull(LLVMTypeOf(argument)));
        }
    }
}

impl Module {
    /// # Safety
    /// The builder stands in this module, where the pointer is defined.
    pub(super) unsafe fn build_beyond(
        &self,
        builder: LLVMBuilderRef,
        pointer: LLVMValueRef,
        beyond: u64,
    ) -> LLVMValueRef {
        // SAFETY: the caller's promise.
        unsafe {
            let byte = LLVMInt8TypeInContext(self.context());
            let mut index = LLVMConstInt(LLVMInt64TypeInContext(self.context()), beyond, 0);
            LLVMBuildGEP2(builder, byte, pointer, &mut index, 1, c"".as_ptr())
        }
    }

    /// # Safety
    /// As [`Module::build_beyond`].
    pub(super) unsafe fn build_load(
        &self,
        builder: LLVMBuilderRef,
        pointer: LLVMValueRef,
        beyond: u64,
        bits: u32,
    ) -> LLVMValueRef {
        // SAFETY: the caller's promise.
        unsafe {
            let at = self.build_beyond(builder, pointer, beyond);
            let ty = LLVMIntTypeInContext(self.context(), bits.max(8));
            let value = LLVMBuildLoad2(builder, ty, at, c"".as_ptr());
            LLVMSetAlignment(value, 1);
            let i64 = LLVMInt64TypeInContext(self.context());
            LLVMBuildIntCast2(builder, value, i64, 0, c"".as_ptr())
        }
    }
}

/// Whether what lies in memory as this type is numbers alone.
fn holds_no_pointer(ty: Type<'_>) -> bool {
    match ty.kind() {
        TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::BFloat => true,
        TypeKind::Array(_, of) | TypeKind::Vector(_, of) => holds_no_pointer(of),
        TypeKind::Struct { opaque } => !opaque && ty.fields().into_iter().all(holds_no_pointer),
        TypeKind::Void
        | TypeKind::Pointer(_)
        | TypeKind::Function
        | TypeKind::Event
        | TypeKind::Other => false,
    }
}

fn kind(name: &str) -> u32 {
    // SAFETY: the name is given with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

impl Function<'_> {
    /// Whether another definition of the same name may be the one that runs, with another body
    /// (LLVM's `isInterposable`).
    pub fn is_interposable(self) -> bool {
        // SAFETY: it is a function.
        let linkage = unsafe { LLVMGetLinkage(self.raw) };
        matches!(
            linkage,
            LLVMLinkage::LLVMLinkOnceAnyLinkage
                | LLVMLinkage::LLVMWeakAnyLinkage
                | LLVMLinkage::LLVMExternalWeakLinkage
                | LLVMLinkage::LLVMCommonLinkage
        )
    }

    /// Whether other modules may rely on this one to have it, though each may have a copy
    /// (`weak_odr`).
    pub fn is_kept_when_unused(self) -> bool {
        // SAFETY: it is a function.
        let linkage = unsafe { LLVMGetLinkage(self.raw) };
        matches!(linkage, LLVMLinkage::LLVMWeakODRLinkage)
    }
}
