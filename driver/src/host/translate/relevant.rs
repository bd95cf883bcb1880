//! The facts of a launch that say something of a kernel's parameters and sizes.
//!
//! **What**: facts that have an unknown of the host in common with these, or with one another.
//! **Method**: from what the parameters and sizes are made of, through facts, as far as that leads.
//! An equation that gives an unknown its value, and is all that is said of the unknown, is left
//! out: for each value of the others there is one of this.
//! **Sound because** facts are left out, and none is added. What is left out holds for some value
//! of an unknown that nothing else mentions.
//! **Misses**: nothing else.
//! **Assumes**: nothing.

use std::collections::{HashMap, HashSet};

use heddle_frontend::host::HostLaunch;
use heddle_ir::{CmpOp, ExprId, ExprKind, ExprPool};

/// Adds the unknowns of an expression.
pub(super) fn unknowns(pool: &ExprPool, expr: ExprId, found: &mut HashSet<u32>) {
    pool.for_each_below(expr, |it| {
        if let ExprKind::Param(unknown) = pool[it].kind {
            found.insert(unknown);
        }
    });
}

/// The facts that have an unknown in common with these, or with one of such facts.
pub(super) fn relevant(launch: &HostLaunch, shared: &mut HashSet<u32>) -> Vec<ExprId> {
    let pool = &launch.pool;
    let mut left = without_names(launch, shared);
    let mut kept = Vec::new();
    loop {
        let before = kept.len();
        left.retain(|fact| {
            let mut own = HashSet::new();
            unknowns(pool, *fact, &mut own);
            let is_shared = own.is_empty() || own.iter().any(|it| shared.contains(it));
            if is_shared {
                shared.extend(own);
                kept.push(*fact);
            }
            !is_shared
        });
        if kept.len() == before {
            return kept;
        }
    }
}

/// The facts without those that only name a value once more.
fn without_names(launch: &HostLaunch, shared: &HashSet<u32>) -> Vec<ExprId> {
    let pool = &launch.pool;
    let mut uses: HashMap<u32, usize> = HashMap::new();
    let sizes = launch.unknowns.iter().filter_map(|it| it.bytes);
    for expr in launch.facts.iter().copied().chain(sizes) {
        let mut own = HashSet::new();
        unknowns(pool, expr, &mut own);
        own.into_iter().for_each(|it| *uses.entry(it).or_default() += 1);
    }
    let is_name = |name: ExprId, value: ExprId| {
        let ExprKind::Param(unknown) = pool[name].kind else { return false };
        let mut of_value = HashSet::new();
        unknowns(pool, value, &mut of_value);
        let is_alone = uses.get(&unknown) == Some(&1) && !of_value.contains(&unknown);
        is_alone && !shared.contains(&unknown)
    };
    let says_nothing = |fact: &ExprId| match pool[*fact].kind {
        ExprKind::Cmp(CmpOp::Eq, a, b) => is_name(a, b) || is_name(b, a),
        _ => false,
    };
    launch.facts.iter().copied().filter(|it| !says_nothing(it)).collect()
}
