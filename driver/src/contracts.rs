//! What kernels require of their launches by `heddle_requires`.
//!
//! **What**: conditions on parameters and sizes, which hold for each launch as those of `--assume`
//! do, and are named by proofs in the same way.
//! **Promises**: a requirement that says anything of one thread, of memory, or of some threads only
//! is refused, not left out. **Does not**: look whether any launch satisfies it; the passes do.

use std::collections::BTreeSet;

use heddle_diagnostics::{Code, Finding};
use heddle_ir::{
    ArrayContract, Claim, ClaimKind, ExprId, ExprKind, Initial, Kernel, OpId, OpKind, Space,
    Special, ValueFrom,
};
use heddle_passes::launch::LaunchRequest;

/// The requirements of a kernel.
///
/// # Errors
/// A requirement that is no condition on launches.
pub(super) fn required(kernel: &Kernel) -> Result<Vec<(ExprId, String)>, Box<Finding>> {
    let mut all = Vec::new();
    let mut wrong = None;
    kernel.for_each_op(|op, loops| {
        let OpKind::Claim(claim) = &kernel[op].kind else { return };
        if claim.kind != ClaimKind::Required {
            return;
        }
        let for_all = loops.is_empty() && kernel.exprs.as_const(kernel[op].pred) == Some(1);
        let why = match (for_all, of_thread(kernel, claim.condition)) {
            (_, Some(what)) => format!("it speaks of {what}"),
            (false, None) => "not every thread comes to it".to_owned(),
            (true, None) => return all.push((claim.condition, said(kernel, claim))),
        };
        wrong.get_or_insert_with(|| refused(kernel, op, &claim.text, &why));
    });
    match wrong {
        Some(finding) => Err(finding),
        None => Ok(all),
    }
}

/// A requirement as an answer says it. What an array keeps is computed in 64 signed bits, which an
/// unsigned number of 64 bits does not fit in.
fn said(kernel: &Kernel, claim: &Claim) -> String {
    let is_parameter = |id: ExprId| matches!(kernel.exprs[id].kind, ExprKind::Param(_));
    let array = ArrayContract::of(&kernel.exprs, claim.condition);
    match array.map(|it| [it.count, it.bounds[0], it.bounds[1]]) {
        Some(numbers) if numbers.into_iter().any(is_parameter) => {
            format!("{} (of signed numbers)", claim.text)
        }
        Some(_) | None => claim.text.clone(),
    }
}

/// A request without what the kernel itself requires.
pub(super) fn without(kernel: &Kernel, request: &LaunchRequest) -> LaunchRequest {
    let is_required = |id: ExprId| {
        kernel.ops.values().any(|op| match &op.kind {
            OpKind::Claim(it) => it.kind == ClaimKind::Required && it.condition == id,
            _ => false,
        })
    };
    let mut request = request.clone();
    request.assumptions.retain(|(id, _)| !is_required(*id));
    request
}

fn refused(kernel: &Kernel, op: OpId, text: &str, why: &str) -> Box<Finding> {
    let line = kernel[kernel[op].origin].span.map(|it| it.line);
    let line = line.map(|it| format!(" at line {it}")).unwrap_or_default();
    let message = format!(
        "`heddle_requires({text})`{line} of the kernel `{}` is no condition on its launches: {why}",
        kernel.display_name
    );
    Box::new(Finding::new(Code::BadInput, message).help(
        "put it at the head of the kernel, over parameters, `blockDim` and `gridDim`; what one thread keeps is said by `heddle_assert`",
    ))
}

/// What a condition speaks of beside parameters and sizes.
fn of_thread(kernel: &Kernel, condition: ExprId) -> Option<&'static str> {
    let mut seen = BTreeSet::new();
    let mut bases = BTreeSet::new();
    let mut work = vec![condition];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        // That two pointers do not overlap is what proofs take for granted.
        if let ExprKind::Base(object) = kernel.exprs[id].kind
            && bases.insert(object)
            && bases.len() > 1
        {
            return Some("how two pointers lie to each other");
        }
        if let Some(contract) = ArrayContract::of(&kernel.exprs, id) {
            let ArrayContract { rule: _, element: _, object, start, count, bounds } = contract;
            work.extend([start, count, bounds[0], bounds[1]]);
            match kernel[object].initial {
                Initial::Any | Initial::Host(_) if kernel[object].space != Space::Shared => {}
                _ => return Some("what the program itself gives its values"),
            }
            continue;
        }
        if matches!(kernel.exprs[id].kind, ExprKind::Pure(..)) {
            return Some("floats, or of what else is not followed");
        }
        match kernel.exprs[id].kind.value_from() {
            ValueFrom::Launch => {
                if let ExprKind::Special(special) = kernel.exprs[id].kind
                    && !matches!(special, Special::Ntid(_) | Special::Nctaid(_))
                {
                    return Some("one thread or block");
                }
            }
            ValueFrom::Operands => {
                kernel.exprs.for_each_operand(id, |operand| work.push(operand));
            }
            ValueFrom::Result(op, _) => {
                return Some(match kernel[op].kind.effects().not_modelled {
                    Some(name) if name.starts_with("something that") => "no array of integers",
                    _ => "memory, or of what a thread computes",
                });
            }
            ValueFrom::Var(_) | ValueFrom::Exit(..) => return Some("a loop"),
            ValueFrom::Nothing | ValueFrom::Analysis(_) => {
                return Some("a value that is not known");
            }
        }
    }
    None
}
