//! PTX files: what the compiler makes of the corpus answers as its source does, and no text of
//! PTX goes unanswered.

mod bad;
mod compiled;
#[path = "../harness/cores.rs"]
mod cores;
mod corpus;
#[path = "../harness/header.rs"]
mod header;
mod lines;
#[path = "../harness/nvidia.rs"]
mod nvidia;
mod run;
#[path = "../harness/sample.rs"]
mod sample;
