//! Whether any run fits what is assumed: of what no run does, everything can be proved.
//!
//! Three questions are asked before any pass runs, and only where the user has said something. Do
//! the sizes, the values and the conditions hold together, within the limits of the target and the
//! kernel's launch bounds? Can what is said of an array hold where it has elements? And do they
//! hold together with what the program itself assumes outside of loops (`__builtin_assume`, code
//! marked unreachable)?
//!
//! **Promises**: a contradiction is one: it comes from an answer that excludes every launch.
//! **Misses**: contradictions that the solver cannot settle, and those with assumptions inside
//! loops.

use heddle_diagnostics::{Code, Finding};
use heddle_ir::{ArrayContract, OpKind};

use crate::engine::cx::Cx;
use crate::engine::instance::{Instance, Placement, WrapAround};
use crate::facts::launch::LaunchRequest;
use crate::facts::thread::Thread;

/// The finding that says so, if no run fits.
pub(crate) fn contradiction(cx: &Cx<'_>) -> Option<Finding> {
    let LaunchRequest {
        grid,
        block,
        cluster: _,
        global_offset: _,
        dynamic_shared: _,
        barriers: _,
        warp_size: _,
        source: _,
        hosts: _,
        beside: _,
        given_twice: _,
        args,
        assumptions,
        sizes: _,
    } = &cx.options.request;
    let name = &cx.kernel.display_name;
    let said: Vec<_> = cx.launch.assumptions(cx.kernel).iter().map(|it| it.to_string()).collect();
    let refused = |message: String| {
        let finding = Finding::new(Code::BadInput, message).kernel(name.as_str());
        finding
            .note(format!("assumed is: {}", said.join("; ")))
            .help("take back a condition, a size or a value; of what no run does, everything could be proved")
    };
    let of_kernel = |finding: Finding| match cx.places.kernel(cx.kernel) {
        Some(place) => finding.label(place, "this kernel"),
        None => finding,
    };
    if !assumptions.is_empty() && is_excluded(cx) {
        let message = format!("no launch of `{name}` satisfies what is assumed of it");
        let finding = refused(message);
        return Some(of_kernel(match cx.launch.is_known() {
            true => finding,
            false => finding.note(
                "launches of more than 2^31 threads in a dimension are looked at only where \
                 `--grid` and `--block` give both sizes",
            ),
        }));
    }
    if let Some(text) = holds_for_nothing(cx) {
        let message = format!("no array has an element and keeps `{text}` as well");
        return Some(of_kernel(refused(message)));
    }
    if args.is_empty() && assumptions.is_empty() && grid.is_none() && block.is_none() {
        return None;
    }
    let outside_loops = cx.kernel.ops.iter().filter_map(|(op, it)| {
        let OpKind::Assume(condition) = it.kind else { return None };
        let outside = cx.analysis.order.chain(op).is_empty();
        outside.then_some((op, it.pred, condition))
    });
    for (op, pred, condition) in outside_loops {
        // What the program rules out whatever is said is its own business: code that cannot be
        // reached.
        if cx.kernel.exprs.as_const(condition).is_some() {
            continue;
        }
        let mut instance = instance(cx);
        let frame = instance.root(Thread::One);
        let executed = instance.at(frame, pred);
        let holds = instance.at(frame, condition);
        let fact = instance.pool.implies(executed, holds);
        instance.state(fact);
        if excluded(&mut instance, cx) {
            let message =
                format!("no run of `{name}` under this launch satisfies what the program assumes");
            return Some(refused(message).label(cx.places.op(cx.kernel, op), "assumed here"));
        }
    }
    None
}

/// Whether what is said of the launch and its arguments excludes every one.
pub(crate) fn is_excluded(cx: &Cx<'_>) -> bool {
    cx.launch.conditions().next().is_some() && excluded(&mut instance(cx), cx)
}

/// A condition on an array that holds only where it has no elements, unless the launch says so.
fn holds_for_nothing<'a>(cx: &'a Cx<'_>) -> Option<&'a str> {
    let pool = &cx.kernel.exprs;
    // In the order in which an instance states them.
    let texts = cx.launch.assumptions.iter().flat_map(|(condition, text)| {
        ArrayContract::all_of(pool, *condition).into_iter().map(move |_| text.as_str())
    });
    texts.enumerate().find_map(|(index, text)| {
        let mut instance = instance(cx);
        let contract = *instance.arrays().get(index)?;
        if instance.pool.as_const(contract.count).is_some_and(|it| it == 0 || it >> 63 == 1) {
            return None;
        }
        instance.state_first_element(&contract);
        excluded(&mut instance, cx).then_some(text)
    })
}

fn instance<'a>(cx: &'a Cx<'_>) -> Instance<'a> {
    Instance::new(&cx.analysis, Placement::SameBlock, WrapAround::Happens)
}

fn excluded(instance: &mut Instance<'_>, cx: &Cx<'_>) -> bool {
    instance.ask(&[], &cx.options.budget).held().is_some()
}
