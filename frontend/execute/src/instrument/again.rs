//! A module that has the checks in it already: `heddle instrument` made it, and it is run as it is.
//!
//! What the calls are for is read back from the calls: each stands before its instruction, with
//! that one's debug location, and gives its number. **Promises**: numbers that no call gives have a
//! site that says so; a module made for another version of the ABI is told from one that has no
//! checks. **Does not**: change the module.

use heddle_runtime::abi;

use super::{Site, no_site, site_of};
use heddle_llvm::{Inst, Module, Opcode};

/// What a module says of checks in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instrumented {
    /// There are none.
    No,
    /// They are of the version that this is built for, for these sites.
    Yes(Vec<Site>),
    /// They are of another version.
    OtherVersion(String),
}

/// Whether a module has been instrumented.
pub fn instrumented(module: &Module) -> Instrumented {
    match module.stated_number(abi::VERSION_FLAG) {
        None => return Instrumented::No,
        Some(version) if version != u64::from(abi::VERSION) => {
            return Instrumented::OtherVersion(version.to_string());
        }
        Some(_) => {}
    }
    let mut sites = vec![no_site()];
    for function in module.functions() {
        for block in function.blocks() {
            let all: Vec<Inst<'_>> = block.instructions().collect();
            for (n, call) in all.iter().enumerate() {
                let Some(number) = site_number(*call) else { continue };
                // Checks follow each other where one instruction has several.
                let of = all[n + 1..].iter().find(|it| !is_check(**it)).unwrap_or(call);
                let number = number as usize;
                if number == 0 || number > MOST {
                    continue;
                }
                if sites.len() <= number {
                    sites.resize(number + 1, no_site());
                }
                sites[number] = Site {
                    location: call.location(module).filter(|it| it.line > 0),
                    ..site_of(module, *of, what(*of))
                };
            }
        }
    }
    Instrumented::Yes(sites)
}

/// Numbers above this are no sites.
const MOST: usize = 1 << 20;

fn callee(inst: Inst<'_>) -> Option<String> {
    (inst.opcode() == Opcode::Call).then(|| inst.called_function().map(|it| it.name())).flatten()
}

fn is_check(inst: Inst<'_>) -> bool {
    callee(inst).is_some_and(|it| it.starts_with("__heddle_"))
}

/// The site that a call of a check names.
fn site_number(inst: Inst<'_>) -> Option<i64> {
    let at = match callee(inst)?.as_str() {
        "__heddle_access" | "__heddle_range" => 2,
        "__heddle_site" => 0,
        _ => return None,
    };
    inst.arguments().get(at)?.const_int().and_then(|it| i64::try_from(it).ok())
}

fn what(inst: Inst<'_>) -> &'static str {
    match inst.opcode() {
        Opcode::Load => "load",
        Opcode::Store => "store",
        Opcode::AtomicRmw | Opcode::CmpXchg => "atomic",
        Opcode::Call if callee(inst).is_some_and(|it| it.starts_with("llvm.mem")) => "copy",
        _ => "synchronization",
    }
}
