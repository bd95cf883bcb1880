//! Whether threads that meet at one store write one value there, which the trace does not know.
//!
//! **What**: an operation that stores a value computed from what the thread has just loaded, where
//! two threads that store to one place have loaded from one place.
//! **Method**: two threads in any iterations, whose stores overlap and differ in a value or in a
//! place, are asked for; what a load gave is a function of its place.
//! **Sound because**: a load counts only if it stands before the store in the same iteration, with
//! nothing in between that orders. If another thread's write came between the two loads in the
//! order of the run, the first thread would have ordered its load before that write, and so its
//! store before the second thread's load: the two stores would be no race. A write that no order
//! keeps from the loads is a race of its own. Private memory is another one for each thread, and
//! counts for none. What decides where and whether the threads store rests on no load, so that no
//! fact is stated of what loads give.
//! **Misses**: values that were loaded before a barrier or in another iteration.
//! **Assumes**: nothing that the answer does not carry.

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Access, AccessKind, BinOp, ExprId, ExprKind, Item, Kernel, LoopId, ObjectKind, OpId, Space,
    ValueFrom,
};
use heddle_solver::Budget;
use rustc_hash::FxHashSet;

use crate::engine::instance::{FrameId, Instance, Placement, WrapAround};
use crate::facts::analysis::Analysis;
use crate::facts::thread::Thread;

/// Whether all threads of a placement that meet at a store write one value; what that takes for
/// granted.
pub(super) fn is_one_value(
    analysis: &Analysis<'_>,
    store: OpId,
    placement: Placement,
    budget: &Budget,
) -> Option<Vec<Assumption>> {
    let kernel = analysis.kernel;
    let Access { address, size, kind: AccessKind::Store(values), .. } = kernel.access(store)?
    else {
        return None;
    };
    let around =
        analysis.order.chain(store).iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
    let decides = around.chain([kernel[store].pred, address.offset, *size]);
    if rests_on_loads(kernel, decides.collect()) {
        return None;
    }
    let loads = loads_before(analysis, store, values)?;
    let mut instance = Instance::new(analysis, placement, WrapAround::Happens);
    instance.state_placement();
    let sides = [Thread::One, Thread::Two].map(|thread| {
        let chain: &[LoopId] = analysis.order.chain(store);
        let frame = chain.iter().fold(instance.root(thread), |at, of| {
            let k = instance.iteration_symbol(*of, Some(thread));
            instance.enter(at, *of, k)
        });
        instance.state_executed(store, frame);
        for (result, load, index) in &loads {
            instance.take_for_function_of_place(frame, *result, (*load, *index));
        }
        (instance.at(frame, address.offset), instance.at(frame, *size), frame)
    });
    let [(one, of_one, first), (two, of_two, second)] = sides;
    for (start, other, size) in [(one, two, of_two), (two, one, of_one)] {
        let end = instance.pool.add(other, size);
        let before_end = instance.pool.ult(start, end);
        instance.state(before_end);
    }
    let mut differs = instance.pool.ne(one, two);
    for value in values {
        let [a, b] = [first, second].map(|frame| without_flags(&mut instance, frame, *value));
        let apart = instance.pool.ne(a, b);
        differs = instance.pool.binary(BinOp::Or, differs, apart);
    }
    let held = instance.ask(&[differs], budget).held()?;
    Some(held.relies().iter().cloned().collect())
}

/// A value that may be stored though it overflows: only what looks at it is undefined.
fn without_flags(instance: &mut Instance<'_>, frame: FrameId, value: ExprId) -> ExprId {
    let value = instance.at(frame, value);
    instance.pool.without_flags(value)
}

/// What the values are computed from that was loaded on the way to the store, addresses of loads
/// first; `None` where a load is not such a one.
fn loads_before(
    analysis: &Analysis<'_>,
    store: OpId,
    values: &[ExprId],
) -> Option<Vec<(ExprId, OpId, u32)>> {
    let kernel = analysis.kernel;
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work: Vec<(ExprId, bool)> = values.iter().map(|it| (*it, false)).collect();
    while let Some((id, is_done)) = work.pop() {
        if let ExprKind::Result(op, index) = kernel[id].kind {
            if is_done {
                found.push((id, op, index));
                continue;
            }
            let access = kernel.access(op)?;
            if !seen.insert(id) {
                continue;
            }
            if !is_on_the_way(analysis, op, access, store) {
                return None;
            }
            work.push((id, true));
            work.push((access.address.offset, false));
        } else if seen.insert(id) {
            let of_rounds = matches!(kernel[id].kind, ExprKind::Var(_) | ExprKind::Exit(..));
            if of_rounds && rests_on_loads(kernel, vec![id]) {
                return None;
            }
            kernel.exprs.for_each_operand(id, |it| work.push((it, false)));
        }
    }
    Some(found)
}

/// Whether some of these are computed from what a load gave, in any iteration.
fn rests_on_loads(kernel: &Kernel, expressions: Vec<ExprId>) -> bool {
    let (mut seen, mut work) = (FxHashSet::default(), expressions);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind.value_from() {
            ValueFrom::Result(op, _) => {
                let is_load = kernel.access(op).is_some_and(|it| it.kind == AccessKind::Load);
                if is_load {
                    return true;
                }
            }
            ValueFrom::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
            ValueFrom::Exit(_, value) => work.push(value),
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => kernel.exprs.for_each_operand(id, |it| work.push(it)),
        }
    }
    false
}

fn is_on_the_way(analysis: &Analysis<'_>, load: OpId, access: &Access, store: OpId) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let object = &kernel[access.address.object];
    let is_common = match object.space {
        Space::Shared | Space::Global | Space::Constant => object.kind != ObjectKind::Unknown,
        Space::Local | Space::Generic => false,
    };
    let is_plain = is_common
        && access.kind == AccessKind::Load
        && !access.volatile
        && access.order.is_none()
        && !access.by_warp;
    let chain = order.chain(store);
    if !is_plain || order.chain(load) != chain {
        return false;
    }
    let items = match chain.last() {
        Some(of) => &kernel[*of].body.items,
        None => &kernel.body.items,
    };
    let (from, to) = (order.index(load, chain.len()), order.index(store, chain.len()));
    from < to
        && items[from..to].iter().all(|item| match *item {
            Item::Op(op) => kernel[op].kind.effects().orders.is_none(),
            Item::Loop(_) => false,
        })
}
