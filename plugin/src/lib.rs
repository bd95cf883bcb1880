//! Heddle inside the compiler: `libheddle.so`, for `opt -load-pass-plugin=`, `clang -fpass-plugin=`
//! and `llc -load-pass-plugin=`.
//!
//! ```text
//! host's module ── copy (bitcode, a context of its own) ──► driver: read, prepare, lift, check ──► findings
//!       └───────── place of each finding ◄──────────────────────────────────────────────────────────┘
//!                       └──► the host's own diagnostics: errors, warnings, remarks
//! ```
//!
//! **Promises**: the module is left as it is unless instrumentation is asked for; modules for CPUs
//! and other targets, and modules without kernels, are not looked at and nothing is printed; a
//! fault of ours is a warning HD0999 and the compilation goes on. **Does not**: link LLVM (the host
//! has it), compile, write files, or decide anything: that is `heddle_driver`'s, the same as for
//! the command line. `docs/integration/plugin.md` is for users.
//!
//! Two copies in one process (two `-fpass-plugin=` of different files): the second one loaded stays
//! silent.

mod check;
mod ffi;
mod instrument;
mod level;
mod message;
mod options;
mod tell;

pub use ffi::llvmGetPassPluginInfo;
