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
//! Loops on the way that do nothing but load are followed by induction: if they start alike, and a
//! round that starts alike goes on or ends alike and leaves the same, they leave the same.
//! **Misses**: values that were loaded before a barrier or in another iteration, and loops in
//! loops.
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

/// Whether all threads of a placement that meet at a store, in any iterations or in the same ones,
/// write one value; what that takes for granted.
pub(super) fn is_one_value(
    analysis: &Analysis<'_>,
    store: OpId,
    (placement, in_any): (Placement, bool),
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
    let steps = steps_before(analysis, store, values)?;
    let mut instance = Instance::new(analysis, placement, WrapAround::Happens);
    instance.state_placement();
    let chain: &[LoopId] = analysis.order.chain(store);
    let common: Vec<ExprId> = chain.iter().map(|of| instance.iteration_symbol(*of, None)).collect();
    let sides = [Thread::One, Thread::Two].map(|thread| {
        let rounds = chain.iter().zip(&common);
        let frame = rounds.fold(instance.root(thread), |at, (of, common)| {
            let k = match in_any {
                true => instance.iteration_symbol(*of, Some(thread)),
                false => *common,
            };
            instance.enter(at, *of, k)
        });
        instance.state_executed(store, frame);
        (instance.at(frame, address.offset), instance.at(frame, *size), frame)
    });
    let [(one, of_one, first), (two, of_two, second)] = sides;
    for (start, other, size) in [(one, two, of_two), (two, one, of_one)] {
        let end = instance.pool.add(other, size);
        let before_end = instance.pool.ult(start, end);
        instance.state(before_end);
    }
    for step in &steps {
        follow(&mut instance, [first, second], *step, budget)?;
    }
    let mut differs = instance.pool.ne(one, two);
    for value in values {
        let [a, b] = [first, second].map(|frame| without_flags(&mut instance, frame, *value));
        let apart = instance.pool.ne(a, b);
        differs = instance.pool.binary(BinOp::Or, differs, apart);
    }
    let held = instance.ask(&[differs], budget).held()?;
    instance.rely_on_all(&held);
    Some(instance.relies().iter().cloned().collect())
}

/// A value that may be stored though it overflows: only what looks at it is undefined.
fn without_flags(instance: &mut Instance<'_>, frame: FrameId, value: ExprId) -> ExprId {
    let value = instance.at(frame, value);
    instance.pool.without_flags(value)
}

/// Something on the way to the store that a value comes from.
#[derive(Clone, Copy)]
enum Step {
    /// What a load gives, as a result of it.
    Load(ExprId, OpId, u32),
    /// What a loop leaves, as the value of an expression in its last round.
    Loop(ExprId, LoopId, ExprId),
}

/// Takes what a step gives for the same to both threads, where they came to it with the same.
fn follow(
    instance: &mut Instance<'_>,
    frames: [FrameId; 2],
    step: Step,
    budget: &Budget,
) -> Option<()> {
    match step {
        Step::Load(result, load, index) => {
            for frame in frames {
                instance.take_for_function_of_place(frame, result, (load, index));
            }
        }
        Step::Loop(left, of, value) => {
            let kernel = instance.analysis.kernel;
            let k = instance.iteration_symbol(of, None);
            let inside = frames.map(|frame| instance.enter(frame, of, k));
            let starts: Vec<ExprId> = kernel[of].vars.iter().map(|var| kernel[*var].init).collect();
            alike(instance, frames, &[&starts[..], &[kernel[of].pred]].concat(), budget)?;
            for (id, it) in kernel.exprs.iter() {
                if let ExprKind::Var(var) = it.kind
                    && kernel[var].of == of
                {
                    instance.take_for_one_value(inside, id);
                }
            }
            // In the order of the text, as what one gives may be where the next one looks.
            for (id, load) in loads_in(kernel, of) {
                let place = kernel.access(load)?.address.offset;
                alike(instance, inside, &[place], budget)?;
                instance.take_for_one_value(inside, id);
            }
            let next = kernel[of].vars.iter().map(|var| kernel[*var].next);
            let of_round: Vec<ExprId> = next.chain([kernel[of].cont, value]).collect();
            alike(instance, inside, &of_round, budget)?;
            instance.take_for_one_value(frames, left);
        }
    }
    Some(())
}

/// Whether expressions have one value for both threads; what that takes for granted is relied on.
fn alike(
    instance: &mut Instance<'_>,
    frames: [FrameId; 2],
    all: &[ExprId],
    budget: &Budget,
) -> Option<()> {
    let mut differ = instance.pool.falsity();
    for id in all {
        let [a, b] = frames.map(|frame| without_flags(instance, frame, *id));
        let apart = instance.pool.ne(a, b);
        differ = instance.pool.binary(BinOp::Or, differ, apart);
    }
    let held = instance.ask(&[differ], budget).held()?;
    instance.rely_on_all(&held);
    Some(())
}

/// The results of the loads in a loop.
fn loads_in(kernel: &Kernel, of: LoopId) -> Vec<(ExprId, OpId)> {
    let results_of = |op: OpId| {
        let all = kernel.exprs.iter();
        all.filter(move |(_, it)| matches!(it.kind, ExprKind::Result(of, _) if of == op))
            .map(move |(id, _)| (id, op))
    };
    ops_in(&kernel[of].body.items).flat_map(results_of).collect()
}

fn ops_in(items: &[Item]) -> impl Iterator<Item = OpId> {
    items.iter().filter_map(|item| match *item {
        Item::Op(op) => Some(op),
        Item::Loop(_) => None,
    })
}

/// What the values are computed from that was loaded on the way to the store, or left by a loop
/// there, what it comes from first; `None` where something else is read.
fn steps_before(analysis: &Analysis<'_>, store: OpId, values: &[ExprId]) -> Option<Vec<Step>> {
    let kernel = analysis.kernel;
    let mut found = Vec::new();
    let (mut seen, mut inside) = (FxHashSet::default(), FxHashSet::default());
    let mut work: Vec<(ExprId, bool)> = values.iter().map(|it| (*it, false)).collect();
    while let Some((id, is_done)) = work.pop() {
        match (kernel[id].kind.value_from(), is_done) {
            (ValueFrom::Result(op, index), true) => found.push(Step::Load(id, op, index)),
            (ValueFrom::Exit(of, value), true) => found.push(Step::Loop(id, of, value)),
            _ if !seen.insert(id) => {}
            (ValueFrom::Result(op, _), false) => {
                let access = kernel.access(op)?;
                if analysis.scopes.loop_of(op).is_none_or(|of| !inside.contains(&of)) {
                    is_on_the_way(analysis, op, store).then_some(())?;
                    work.push((id, true));
                }
                work.push((access.address.offset, false));
            }
            (ValueFrom::Exit(of, value), false) => {
                is_loop_on_the_way(analysis, of, store).then_some(())?;
                inside.insert(of);
                work.push((id, true));
                let vars = kernel[of].vars.iter();
                let of_vars = vars.flat_map(|var| [kernel[*var].init, kernel[*var].next]);
                let all = of_vars.chain([kernel[of].pred, kernel[of].cont, value]);
                work.extend(all.map(|it| (it, false)));
            }
            (ValueFrom::Var(var), false) if inside.contains(&kernel[var].of) => {}
            (ValueFrom::Var(_), false) if rests_on_loads(kernel, vec![id]) => return None,
            (
                ValueFrom::Var(_)
                | ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_),
                _,
            ) => kernel.exprs.for_each_operand(id, |it| work.push((it, false))),
        }
    }
    Some(found)
}

/// Whether a loop stands before the store, in the same iteration, loads and does nothing else.
fn is_loop_on_the_way(analysis: &Analysis<'_>, of: LoopId, store: OpId) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let items = &kernel[of].body.items;
    let Some(first) = ops_in(items).next() else { return false };
    let around = order.chain(store);
    let before = order.chain(first).strip_prefix(around).is_some_and(|it| it == [of])
        && order.before(first, store);
    before
        && between(analysis, order.index(first, around.len()), store)
        && items.iter().all(|item| match *item {
            Item::Op(op) => is_plain_load(kernel, op) || kernel[op].kind.is_subscript(),
            Item::Loop(_) => false,
        })
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

/// Whether a plain load stands before the store, in the same iteration, and nothing orders between.
fn is_on_the_way(analysis: &Analysis<'_>, load: OpId, store: OpId) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let chain = order.chain(store);
    is_plain_load(kernel, load)
        && order.chain(load) == chain
        && between(analysis, order.index(load, chain.len()), store)
}

/// Whether nothing orders from an item of the store's region to the store.
fn between(analysis: &Analysis<'_>, from: usize, store: OpId) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let chain = order.chain(store);
    let items = match chain.last() {
        Some(of) => &kernel[*of].body.items,
        None => &kernel.body.items,
    };
    let to = order.index(store, chain.len());
    let is_quiet = |op: OpId| kernel[op].kind.effects().orders.is_none();
    from < to
        && items[from..to].iter().all(|item| match *item {
            Item::Op(op) => is_quiet(op),
            Item::Loop(of) => kernel[of].body.items.iter().all(|item| match *item {
                Item::Op(op) => is_quiet(op),
                Item::Loop(_) => false,
            }),
        })
}

/// Whether an operation loads from memory that threads share, and this orders nothing.
fn is_plain_load(kernel: &Kernel, op: OpId) -> bool {
    let Some(access) = kernel.access(op) else { return false };
    let object = &kernel[access.address.object];
    let is_common = match object.space {
        Space::Shared | Space::Global | Space::Constant => object.kind != ObjectKind::Unknown,
        Space::Local | Space::Generic => false,
    };
    is_common
        && access.kind == AccessKind::Load
        && !access.volatile
        && access.order.is_none()
        && !access.by_warp
}
