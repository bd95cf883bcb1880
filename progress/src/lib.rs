//! Which forward-progress guarantee does a program need in order to terminate?
//!
//! A GPU does not promise that each block runs eventually: a block that waits for another one may
//! wait for ever. What is promised is a *model* ([`model`]): a set of threads whose execution is
//! guaranteed, as a function of who lives and who has started. This crate answers, exactly, whether
//! a program terminates under each model, writes down a schedule where it does not, and enumerates
//! the small programs that tell the models apart.
//!
//! One core, several front ends:
//!
//! | module | what |
//! |---|---|
//! | `system` | transition systems, and [`system::Program`], which a front end implements |
//! | `oracle` | verdicts and lassos for a system under a model |
//! | `requirement` | the weakest models a system needs |
//! | `axb` | litmus tests of exchange-and-branch instructions: text form and meaning |
//! | `blocks` | what is left of a kernel once only its polling matters |
//! | `kernel` | a kernel of the predicated IR as a block program |
//! | `synth` | all tests of a size, their verdicts, their redundancy |
//! | `emit` | a test in LLVM IR, CUDA, OpenCL, C++, WGSL and GLSL |
//! | `draw`, [`svg`] | a system as dot or svg, with a failing component marked; SVG text |
//! | `report`, [`cli`] | the text a person reads, and the commands that print it |
//!
//! A program is finite-state and its threads are never disabled: one that waits, polls. What
//! cannot be followed, or is too large, is a [`system::Stop`] with a reason and never a verdict.
//! Not modelled: weak memory (steps are sequentially consistent), preemption bounds, priorities.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]

pub mod axb;
pub mod blocks;
pub mod cli;
mod draw;
pub mod emit;
pub mod kernel;
pub mod model;
pub mod oracle;
pub mod report;
pub mod requirement;
pub mod rules;
pub mod svg;
pub mod synth;
pub mod system;
pub mod threads;
