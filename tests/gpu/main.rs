//! Race checks on a GPU, without one: PTX of the corpus, the library's logic on this machine, the
//! host side and `make gpu` against a stub, records of devices against what is held now.

mod assembled;
mod command;
mod corpus;
mod device;
#[path = "../litmus/families.rs"]
mod families;
mod happens_before;
#[path = "../harness/header.rs"]
mod header;
mod host;
mod kit;
mod layout;
mod logic;
mod meeting;
#[path = "../harness/nvidia.rs"]
mod nvidia;
#[path = "../harness/ptxas.rs"]
mod ptxas;
mod records;
#[path = "../harness/sample.rs"]
mod sample;
mod scripts;
#[path = "../vectors/data.rs"]
mod vectors;
