//! Race checks on a GPU, without one: PTX of the corpus, the library's logic on this machine, the
//! host side against a stub.

mod assembled;
mod corpus;
mod device;
mod happens_before;
mod host;
mod layout;
mod logic;
#[path = "../harness/nvidia.rs"]
mod nvidia;
#[path = "../harness/ptxas.rs"]
mod ptxas;
#[path = "../harness/sample.rs"]
mod sample;
