//! Functions that are too large to be inlined, with all that they call.
//!
//! **What**: a file of twenty lines, each of which calls the one before twice, has a million calls
//! when all is inlined. Such functions stay calls, of which nothing is known.
//! **Method**: instructions of a function and of all that its calls would bring, over the graph of
//! calls.
//! **Promises**: what one call brings has at most [`MOST_INSTRUCTIONS`].
//! **Misses**: calls through pointers, which are counted where they are resolved.

use std::collections::HashSet;

use heddle_llvm::{Function, Inst, Module};
use rustc_hash::FxHashMap;

/// More instructions than this are not inlined for one call. Before registers are made of
/// local variables, the largest kernels of public libraries have a tenth of it.
pub(super) const MOST_INSTRUCTIONS: usize = 1 << 19;

/// The functions that bring more, by name.
pub(super) fn too_large(module: &Module) -> HashSet<String> {
    let mut sizes = FxHashMap::default();
    let defined = module.functions().filter(|it| !it.is_declaration());
    let large = defined.filter(|it| size(*it, &mut sizes) > MOST_INSTRUCTIONS);
    large.map(Function::name).collect()
}

/// The instructions of a function with all that it calls. One that calls itself is counted once:
/// it is not inlined into itself.
fn size<'m>(of: Function<'m>, known: &mut FxHashMap<Function<'m>, usize>) -> usize {
    // Callees first, without recursion: chains of calls are long.
    let mut work = vec![(of, false)];
    while let Some((at, has_callees)) = work.pop() {
        if !has_callees && known.contains_key(&at) {
            continue;
        }
        if has_callees {
            let own = at.instructions().count();
            let brought = callees(at).map(|it| known.get(&it).copied().unwrap_or(0));
            let sum = brought.fold(own, usize::saturating_add);
            known.insert(at, sum);
            continue;
        }
        // While its callees are looked at, it brings nothing to them.
        known.insert(at, 0);
        work.push((at, true));
        work.extend(callees(at).filter(|it| !known.contains_key(it)).map(|it| (it, false)));
    }
    known.get(&of).copied().unwrap_or(0)
}

fn callees<'m>(of: Function<'m>) -> impl Iterator<Item = Function<'m>> {
    let called = of.instructions().filter(|it| it.is_call()).filter_map(Inst::called_function);
    called.filter(|it| !it.is_declaration())
}
