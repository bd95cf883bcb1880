//! PTX files: what the compiler makes of the corpus answers as its source does, and no text of
//! PTX goes unanswered.

mod bad;
mod corpus;
#[path = "../harness/cores.rs"]
mod cores;
#[path = "../harness/header.rs"]
mod header;
#[path = "../harness/sample.rs"]
mod sample;
