//! Runs compiled code under the runtime.
//!
//! **Promises**: the code that runs was compiled here, against the runtime's own entry points, and
//! its arguments have the size that it reads; therefore this is safe to call. What the kernel does
//! with its pointers is the kernel's: with checks, an access outside of all memory ends its thread
//! before it is made.

#![allow(unsafe_code, reason = "native code is entered here and nowhere else")]

use heddle_runtime::stackless::{FrameBytes, Round};
use heddle_runtime::{BadLayout, Launch, Memory, Outcome, Program, Site, Stackless, Variable};

use super::{Code, Compiled};
use heddle_llvm::Native;

impl Compiled {
    /// Runs the kernel. `arguments` are packed as [`Compiled::parameters`] says; `sites` belong to
    /// [`Compiled::sites`].
    ///
    /// # Errors
    /// There is no memory for the launch, or it is too large; or the arguments are too short.
    pub fn run(
        &self,
        sites: Vec<Site>,
        launch: &Launch,
        memory: &mut Memory,
        arguments: &[u8],
    ) -> Result<Outcome, BadLayout> {
        if arguments.len() < self.argument_bytes {
            return Err(BadLayout(format!(
                "the kernel reads {} bytes of arguments",
                self.argument_bytes
            )));
        }
        for ((name, address, bytes, element), initial) in self.variables.iter().zip(&self.initial) {
            let len = initial.len().min(*bytes);
            // SAFETY: the variable is `native`'s, has so many bytes, and no kernel runs.
            let now = unsafe { std::slice::from_raw_parts(*address as *const u8, len) };
            // Constants that the host cannot set lie in pages that cannot be written, and never
            // differ.
            if now != &initial[..len] {
                // SAFETY: as above.
                unsafe { std::ptr::copy(initial.as_ptr(), *address as *mut u8, len) };
            }
            let variable =
                Variable { name: name.clone(), address: *address, len: *bytes, element: *element };
            memory.add_variable(variable)?;
        }
        let shared = self.shared.iter().map(|it| Variable {
            name: it.name.clone(),
            address: it.offset,
            len: it.bytes,
            element: it.element,
        });
        // The code is `native`'s.
        let Native { .. } = &self.native;
        // SAFETY: the addresses are those of functions of these types, and the code lives as long
        // as `self`.
        let code = unsafe {
            match self.code {
                Code::Fibers(entry) => heddle_runtime::Code::Fibers(std::mem::transmute::<
                    usize,
                    unsafe extern "C" fn(*const u8),
                >(entry)),
                Code::Stackless([frame, start, resume]) => {
                    heddle_runtime::Code::Stackless(Stackless {
                        frame_bytes: std::mem::transmute::<usize, FrameBytes>(frame),
                        start: std::mem::transmute::<usize, Round>(start),
                        resume: std::mem::transmute::<usize, Round>(resume),
                    })
                }
            }
        };
        let program = Program {
            code,
            sites,
            shared: shared.collect(),
            shared_bytes: self.shared_bytes,
            stack_bytes: self.stack_bytes,
            checked: !self.sites.is_empty(),
            communicates: self.communicates,
            functions: self.functions.clone(),
            cooperative: self.cooperative,
            partial: self.partial,
        };
        // SAFETY: the code calls the entry points that it was linked with, and reads as many bytes
        // as were checked.
        unsafe { heddle_runtime::run(&program, launch, memory, arguments) }
    }
}

/// What variables hold now.
pub(super) fn contents(variables: &[(String, usize, usize, usize)]) -> Vec<Vec<u8>> {
    let bytes = |&(_, address, len, _): &(String, usize, usize, usize)| {
        // SAFETY: a variable of code that was just linked, with so many bytes; nothing runs.
        unsafe { std::slice::from_raw_parts(address as *const u8, len) }.to_vec()
    };
    variables.iter().map(bytes).collect()
}

/// A table of so many addresses in code that was just linked.
pub(super) fn addresses(table: usize, count: usize) -> Vec<usize> {
    // SAFETY: the table was made with so many pointers, and nothing writes it.
    let mut all = unsafe { std::slice::from_raw_parts(table as *const usize, count) }.to_vec();
    all.sort_unstable();
    all
}
