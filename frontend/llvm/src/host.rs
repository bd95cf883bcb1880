//! A module that belongs to the compiler this code runs in: read where it is, never freed, and
//! changed only by who borrows it for that ([`HostModuleMut`]).
//!
//! What has to be changed is worked on as a copy in a context of its own ([`Module::to_bitcode`],
//! then [`Module::parse`]): even metadata kinds that a copy in the same context would register show
//! in what the host writes.
//!
//! **Promises**: a [`HostModule`] gives no way to change the module or its context. **Does not**:
//! keep the module alive.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ops::Deref;

use llvm_sys::core::LLVMGetModuleContext;
use llvm_sys::prelude::LLVMModuleRef;

use super::{Function, Inst, Module};

/// A borrowed module.
pub struct HostModule {
    module: ManuallyDrop<Module>,
}

impl HostModule {
    /// Borrows a module.
    ///
    /// # Safety
    /// `raw` is an `LLVMModuleRef` that lives, and that nothing changes, as long as the result
    /// does.
    pub unsafe fn borrow(raw: *mut c_void) -> HostModule {
        let raw: LLVMModuleRef = raw.cast();
        // SAFETY: a living module by the caller's promise; `ManuallyDrop` leaves it and its context
        // to their owner.
        let module = unsafe { Module::from_raw(LLVMGetModuleContext(raw), raw) };
        HostModule { module: ManuallyDrop::new(module) }
    }
}

impl Deref for HostModule {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.module
    }
}

/// A module borrowed for changing it.
pub struct HostModuleMut {
    host: HostModule,
}

impl HostModuleMut {
    /// Borrows a module.
    ///
    /// # Safety
    /// `raw` is an `LLVMModuleRef` that lives, and that nobody else looks at, as long as the result
    /// does.
    pub unsafe fn borrow(raw: *mut c_void) -> HostModuleMut {
        // SAFETY: the caller promises more than is asked for here.
        HostModuleMut { host: unsafe { HostModule::borrow(raw) } }
    }
}

impl Deref for HostModuleMut {
    type Target = HostModule;

    fn deref(&self) -> &HostModule {
        &self.host
    }
}

impl HostModuleMut {
    /// The module, for changes.
    pub fn module(&mut self) -> &mut Module {
        &mut self.host.module
    }
}

impl Function<'_> {
    /// The `LLVMValueRef`, for code that speaks to the host in its own language.
    pub fn as_ptr(self) -> *mut c_void {
        self.raw.cast()
    }
}

impl Inst<'_> {
    /// The `LLVMValueRef`, for code that speaks to the host in its own language.
    pub fn as_ptr(self) -> *mut c_void {
        self.raw.cast()
    }
}
