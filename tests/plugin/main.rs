//! The plugin in the real `opt-22`, `clang-22`, `llc-22` and `rustc`.
//!
//! Cargo builds `libheddle.so` before this test, since the plugin's package is a dependency of it.
//! Each test starts compilers as a build would, and looks at what they print, what they write and
//! how they end.

mod decisions;
#[path = "../harness/header.rs"]
mod header;
mod hosts;
mod instrumented;
mod levels;
mod parameters;
mod robust;
mod rustc;
mod same;
#[path = "../harness/sample.rs"]
mod sample;
mod untouched;
#[path = "../harness/words.rs"]
mod words;
