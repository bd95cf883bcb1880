//! The launches that the host's part of a source has, as what a kernel is checked under.
//!
//! **What**: each launch gives sizes, values of parameters and conditions over the kernel's own
//! parameters and sizes ([`HostFacts`]).
//! **Method**: an unknown of the host that a parameter or a size is equal to is that parameter or
//! size. What then has no unknowns left is a fact; of the rest a weaker condition is kept
//! ([`translate`]).
//! **Sound because** each step is an equality of the host, or follows from one.
//! **Misses**: relations over unknowns that no parameter shows.
//! **Assumes**: what [`heddle_frontend::host`] does.
//!
//! **Does not**: decide whether launches are looked at; `rules` does.

mod floats;
mod merge;
mod shared;
mod translate;
mod words;

use std::path::Path;

use heddle_frontend::compile::headers::SHOWN_AT;
use heddle_frontend::host::HostLaunch;
use heddle_ir::{BinOp, ExprId, ExprKind, Kernel, SeenLaunch};
use heddle_passes::launch::{HostFacts, HostPointers, SharedMemory};

pub(super) use merge::{beside, decide, is_open, lacking, merged, open};
pub(super) use shared::joined;

/// Launches that a kernel is checked under one by one; a kernel with more is checked as if the host
/// were not read, but for memory that launches give twice.
const MOST: usize = 6;

/// What the host says of the launches of a kernel.
#[derive(Default)]
pub(super) struct Found {
    /// Each launch, those that say the same together. None where a launch can be any, where not all
    /// are known, and where they are more than [`MOST`].
    pub(super) each: Vec<HostFacts>,
    /// In the last two cases: launches that give two pointers the same memory, at most [`MOST`].
    pub(super) sharing: Vec<HostFacts>,
    /// What the others that do give twice, said of one of them.
    pub(super) given_twice: Option<HostFacts>,
}

/// What the host says of each launch.
pub(super) fn facts(kernel: &mut Kernel, launches: &[HostLaunch]) -> Found {
    let mut all: Vec<HostFacts> = Vec::new();
    for launch in launches {
        let Some(found) = translate::facts(kernel, launch) else { continue };
        let says = |it: &HostFacts| {
            let sizes = (it.sizes.clone(), it.is_cooperative, it.dynamic_shared);
            (sizes, it.args.clone(), it.conditions.clone(), it.pointers.clone())
        };
        match all.iter_mut().find(|it| says(it) == says(&found)) {
            Some(same) if same.at.contains(&found.at) => {}
            Some(same) => same.at = format!("{} and {}", same.at, found.at),
            None => all.push(found),
        }
    }
    let are_all = !launches.iter().any(|it| it.is_one_of_many);
    if are_all && all.len() <= MOST {
        return Found { each: all, ..Found::default() };
    }
    all.retain(|it| !it.pointers.shared.is_empty());
    let rest = all.split_off(all.len().min(MOST));
    let pairs = |it: &HostFacts| it.pointers.shared.clone();
    let shared = rest.iter().flat_map(pairs).map(|it| SharedMemory { by: None, ..it }).collect();
    let given_twice = rest.into_iter().next().map(|first| HostFacts {
        pointers: HostPointers { shared, ..HostPointers::default() },
        ..first
    });
    Found { each: Vec::new(), sharing: all, given_twice }
}

/// The same without what costs a solver most: divisions, and products of two unknown factors.
/// `None` where there is none of that.
///
/// What is left holds as well, so a proof under it is one; a refutation is none.
pub(super) fn lighter(kernel: &Kernel, facts: &HostFacts) -> Option<HostFacts> {
    let is_light = |(condition, _): &&(ExprId, String)| !is_heavy(kernel, *condition);
    let conditions: Vec<_> = facts.conditions.iter().filter(is_light).cloned().collect();
    let is_same = conditions.len() == facts.conditions.len();
    (!is_same).then(|| HostFacts { conditions, ..facts.clone() })
}

fn is_heavy(kernel: &Kernel, expr: ExprId) -> bool {
    let pool = &kernel.exprs;
    let mut found = false;
    pool.for_each_below(expr, |it| {
        if let ExprKind::Binary(op, _, _, b) = pool[it].kind {
            let divides = matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem);
            found |= divides || (op == BinOp::Mul && pool.as_const(b).is_none());
        }
    });
    found
}

/// Whether a launch says more than the sizes that the text shows as constants, or others.
pub(super) fn says_more(facts: &HostFacts, seen: &[SeenLaunch]) -> bool {
    let HostFacts {
        at: _,
        is_cooperative,
        sizes,
        dynamic_shared,
        args,
        facts: _,
        conditions,
        pointers,
        open: _,
    } = facts;
    let shown = seen.iter().any(|it| (it.grid, it.block) == (sizes.grid, sizes.block));
    !shown
        || *is_cooperative
        || dynamic_shared.is_some()
        || !args.is_empty()
        || !conditions.is_empty()
        || pointers.apart
        || !pointers.shared.is_empty()
}

/// `reduce.cu:212`, with the call that leads there. What our own headers do for the runtime is done
/// where that is called.
fn place(launch: &HostLaunch) -> String {
    let name = |file: &str| {
        let name = Path::new(file).file_name().map(|it| it.to_string_lossy().into_owned());
        name.unwrap_or_else(|| file.to_owned())
    };
    let own = (launch.file.as_str(), launch.line);
    let chain: Vec<(&str, u32)> =
        std::iter::once(own).chain(launch.calls.iter().map(|it| (it.0.as_str(), it.1))).collect();
    let of_user = chain.iter().position(|it| !it.0.starts_with(SHOWN_AT)).unwrap_or(0);
    let (file, line) = chain[of_user];
    let mut text = format!("{}:{line}", name(file));
    if let Some((file, line)) = chain[of_user + 1..].last() {
        text += &format!(" (called at {}:{line})", name(file));
    }
    text
}
