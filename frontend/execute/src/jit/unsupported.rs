//! What the host cannot do: named, with the line that asks for it, and the way out.
//!
//! **Promises**: where a call or an instruction of the kernel is to blame and the module has debug
//! information, its place is told. **Does not**: decide what is refused, or read what an intrinsic
//! means; the files around it and `heddle_ptx` do. A way out goes by the family of its name.

use std::collections::BTreeMap;
use std::fmt;

use crate::instrument::{Site, site_of};
use heddle_llvm::{Function, Module};
use heddle_ptx::matrix::unit;

/// A kernel that cannot be run, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it does that is not supported, as the rest of a sentence about it.
    pub why: String,
    /// The call or the instruction that asks for it.
    pub at: Option<Box<Site>>,
    /// What can be done instead.
    pub way_out: Option<String>,
}

impl Unsupported {
    /// Without a place.
    pub(crate) fn new(why: String) -> Unsupported {
        Unsupported { why, at: None, way_out: None }
    }

    /// With the place that asks for it.
    pub(crate) fn at(self, site: Option<Site>) -> Unsupported {
        Unsupported { at: site.map(Box::new), ..self }
    }

    /// With what can be done instead.
    pub(crate) fn instead(self, way_out: &str) -> Unsupported {
        Unsupported { way_out: Some(way_out.to_owned()), ..self }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Unsupported {}

/// The first use of each function that the module only declares, by its name.
pub(super) fn first_uses(module: &Module) -> BTreeMap<String, Site> {
    let mut uses = BTreeMap::new();
    for call in module.functions().flat_map(Function::instructions) {
        let called = call.is_call().then(|| call.called_function()).flatten();
        let operands = call.operands().filter_map(|it| it.as_function());
        for function in called.into_iter().chain(operands).filter(|it| it.is_declaration()) {
            let name = function.name();
            uses.entry(name).or_insert_with(|| site_of(module, call, "call"));
        }
    }
    uses
}

/// What can be done about a function that nobody here has.
pub(super) fn way_out(name: &str) -> &'static str {
    let intrinsic = name.strip_prefix("llvm.nvvm.");
    match intrinsic {
        Some(rest) if unit(rest).is_some() => {
            "`heddle check` says what it touches; to run the kernel, compute the product with plain arithmetic"
        }
        Some(rest) if ["tex", "suld", "sust", "tld4"].iter().any(|it| rest.starts_with(it)) => {
            "read from a buffer where the texture or surface is read; `heddle check` takes the kernel as it is"
        }
        Some(rest) if rest.contains("tensor") => TENSOR,
        Some(_) => "`heddle check` takes the kernel as it is; to run it, leave the instruction out",
        None if name.starts_with("cuda") => {
            "functions of the CUDA runtime are not there on the device: let the host do it, and run each kernel by itself"
        }
        None => {
            "define it in the same file, or link the module that does with `llvm-link`, and run that"
        }
    }
}

/// What can be done about tensor copies.
pub(super) const TENSOR: &str = "the host makes the map of a tensor, and no host runs here: copy with `cp.async.bulk`, row by row; `heddle check` takes \
                                 the kernel as it is";
