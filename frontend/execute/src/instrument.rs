//! Puts calls of the checks into a module: before accesses, at synchronization, in loops.
//!
//! All accesses of the kernels are checked but those that the plan leaves out, and those to memory
//! that is the thread's own or never written. What each call means is in `docs/dynamic.md`; the
//! numbers are `heddle_runtime::abi`'s.
//!
//! **Promises**: the module stays valid and computes what it did; each call has the debug location
//! of what it is for; the n-th [`Site`] is what calls name as n. **Does not**: decide what needs no
//! check (`passes` does), or run anything.

mod accesses;
mod again;
mod flags;

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use heddle_runtime::abi;

use flags::Flags;
use heddle_lift::Target;
use heddle_lift::prepare::Kernel;
use heddle_llvm::{Arg, Block, Function, Inst, Location, Module, NewCall, Opcode, Side};

pub use again::{Instrumented, instrumented};

/// What a call of a check is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where the source has it.
    pub location: Option<Location>,
    /// The function that it was written in.
    pub function: String,
    /// The instruction's number in the function that it was written in.
    pub ordinal: Option<u32>,
    /// The instruction, on one line.
    pub text: String,
    /// `load`, `store`, `atomic`, `copy`, `synchronization`.
    pub what: &'static str,
}

/// What is not checked: per kernel (its symbol) the numbers of instructions.
pub type Skips = BTreeMap<String, BTreeSet<u32>>;

/// Puts the checks into kernels. The sites by number; number 0 is none.
pub fn instrument(
    module: &mut Module,
    target: Target,
    kernels: &[Kernel],
    skips: &Skips,
) -> Vec<Site> {
    let names: Vec<&str> = kernels.iter().map(|it| it.name.as_str()).collect();
    instrument_functions(module, target, &names, skips, false)
}

/// Puts the checks into these functions; `bounds` are those of the threads' own arrays, for the
/// executor alone. The sites by number; number 0 is none.
pub(crate) fn instrument_functions(
    module: &mut Module,
    target: Target,
    functions: &[&str],
    skips: &Skips,
    bounds: bool,
) -> Vec<Site> {
    let of = functions.iter().filter_map(|it| module.function(it));
    let flags = Flags::of(module, target, of);
    let (sites, calls) = (vec![no_site()], Vec::new());
    let mut plan = Calls { sites, calls, partial: false, bounds, flags };
    let none = BTreeSet::new();
    for name in functions {
        if let Some(function) = module.function(name) {
            plan.function(module, target, function, skips.get(*name).unwrap_or(&none));
        }
    }
    let Calls { sites, calls, partial, bounds: _, flags: _ } = plan;
    module.insert_calls(&calls);
    if partial && module.stated_number(abi::PARTIAL_FLAG).is_none() {
        module.state_number(abi::PARTIAL_FLAG, 1);
    }
    if module.stated_number(abi::VERSION_FLAG).is_none() {
        module.state_number(abi::VERSION_FLAG, abi::VERSION);
    }
    sites
}

/// The number that `read` gave an instruction in the function that it was written in.
pub fn ordinal_of(module: &Module, inst: Inst<'_>) -> Option<u32> {
    inst.ordinal(module).map(|(number, _)| number)
}

pub(crate) fn site_of(module: &Module, inst: Inst<'_>, what: &'static str) -> Site {
    let (ordinal, written_in) = inst.ordinal(module).unzip();
    Site {
        location: inst.location(module).filter(|it| it.line > 0),
        function: written_in.unwrap_or_else(|| inst.block().function().name()),
        ordinal,
        text: inst.text(),
        what,
    }
}

fn no_site() -> Site {
    Site {
        location: None,
        function: String::new(),
        ordinal: None,
        text: String::new(),
        what: "none",
    }
}

struct Calls {
    sites: Vec<Site>,
    calls: Vec<NewCall>,
    /// An access is left out that others see.
    partial: bool,
    /// Arrays of the threads' own are checked for their bounds.
    bounds: bool,
    /// Volatile accesses to words that are only compared.
    flags: Flags,
}

impl Calls {
    fn function(
        &mut self,
        module: &Module,
        target: Target,
        function: Function<'_>,
        skips: &BTreeSet<u32>,
    ) {
        let blocks: Vec<Block<'_>> = function.blocks().collect();
        let position: BTreeMap<_, _> = blocks
            .iter()
            .enumerate()
            .filter_map(|(n, b)| Some((b.instructions().next()?.spot(), n)))
            .collect();
        let place = |block: &Block<'_>| {
            block.instructions().next().and_then(|it| position.get(&it.spot()).copied())
        };
        // Each cycle has an edge that goes back, in whatever order its blocks stand.
        let headers: BTreeSet<usize> = blocks
            .iter()
            .enumerate()
            .flat_map(|(n, block)| block.successors().into_iter().map(move |to| (n, to)))
            .filter_map(|(from, to)| place(&to).filter(|to| *to <= from))
            .collect();
        for (n, block) in blocks.iter().enumerate() {
            let mut poll = headers.contains(&n);
            for inst in block.instructions() {
                if poll && inst.opcode() != Opcode::Phi {
                    poll = false;
                    self.call(inst, Side::Before, "__heddle_poll", vec![Arg::I32(abi::NO_SITE)]);
                }
                let skipped = ordinal_of(module, inst).is_some_and(|it| skips.contains(&it));
                self.instruction(module, target, inst, skipped);
            }
        }
    }

    fn site(&mut self, module: &Module, inst: Inst<'_>, what: &'static str) -> u32 {
        self.sites.push(site_of(module, inst, what));
        self.sites.len() as u32 - 1
    }

    fn call(&mut self, inst: Inst<'_>, side: Side, callee: &'static str, args: Vec<Arg>) {
        self.calls.push(NewCall { at: inst.spot(), side, callee, args });
    }
}
