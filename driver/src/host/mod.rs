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
use heddle_passes::launch::{HostFacts, HostPointers, SharedMemory, SourceSizes};

pub(super) use merge::{beside, decide, is_open, merged, open};
pub(super) use shared::joined;

/// Launches that a kernel is checked under one by one; a kernel with more is checked as if the host
/// were not read, but for memory that launches give twice.
const MOST: usize = 6;

/// What the host says of each launch, those that say the same together. Nothing where a launch can
/// be any.
pub(super) fn facts(kernel: &mut Kernel, launches: &[HostLaunch]) -> Vec<HostFacts> {
    let mut all: Vec<HostFacts> = Vec::new();
    for launch in launches {
        let Some(found) = translate::facts(kernel, launch) else { continue };
        let says = |it: &HostFacts| {
            let sizes = (it.sizes.clone(), it.is_cooperative);
            (sizes, it.args.clone(), it.conditions.clone(), it.pointers.clone())
        };
        match all.iter_mut().find(|it| says(it) == says(&found)) {
            Some(same) if same.at.contains(&found.at) => {}
            Some(same) => same.at = format!("{} and {}", same.at, found.at),
            None => all.push(found),
        }
    }
    if all.len() > MOST { few(all) } else { all }
}

/// Launches that are too many to be checked one by one, as one that says of them what they have in
/// common; and some of those that give two pointers the same memory, which that one says they may.
/// None where no launch does.
fn few(all: Vec<HostFacts>) -> Vec<HostFacts> {
    let count = all.len();
    let mut shared: Vec<SharedMemory> = Vec::new();
    for SharedMemory { one, other, by: _ } in all.iter().flat_map(|it| &it.pointers.shared) {
        let pair = SharedMemory { one: *one, other: *other, by: None };
        if !shared.contains(&pair) {
            shared.push(pair);
        }
    }
    let Some(first) = all.first().filter(|_| !shared.is_empty()) else { return Vec::new() };
    let same = |of: fn(&SourceSizes) -> [Option<u32>; 3]| {
        let own = of(&first.sizes);
        [0, 1, 2].map(|n| own[n].filter(|_| all.iter().all(|it| of(&it.sizes)[n] == own[n])))
    };
    let common = HostFacts {
        at: format!("{} and {} other launches", first.at, count - 1),
        is_cooperative: all.iter().all(|it| it.is_cooperative),
        sizes: SourceSizes { grid: same(|it| it.grid), block: same(|it| it.block) },
        args: Vec::new(),
        facts: Vec::new(),
        conditions: Vec::new(),
        pointers: HostPointers { shared, ..HostPointers::default() },
        open: Vec::new(),
    };
    let gives_twice = all.into_iter().filter(|it| !it.pointers.shared.is_empty());
    std::iter::once(common).chain(gives_twice.take(MOST - 1)).collect()
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
    let HostFacts { at: _, is_cooperative, sizes, args, facts: _, conditions, pointers, open: _ } =
        facts;
    let shown = seen.iter().any(|it| (it.grid, it.block) == (sizes.grid, sizes.block));
    !shown
        || *is_cooperative
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
