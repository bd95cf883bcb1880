//! A CUDA kernel as OpenCL C, where it uses what both have.

use crate::builtin::ATOMICS;
use crate::case::{Case, Size};
use crate::lower::lower;
use crate::syntax::{BinOp, Expr, Language, Storage, Ty, visit_decls};

/// The same kernel in OpenCL; `None` if it uses what OpenCL has not.
pub(crate) fn to_opencl(case: &Case) -> Option<Case> {
    let mut case = case.clone();
    let program = &mut case.program;
    let cuda_only = |name: &str| {
        name.starts_with("__") && name != "__syncthreads"
            || name.ends_with("_block")
            || name.ends_with("_system")
            || ["atomicInc", "atomicDec"].contains(&name)
    };
    let by_value = program.kernel.params.iter().any(|it| matches!(it.ty, Ty::Aggregate(_)));
    if program.calls(cuda_only) || !program.globals.is_empty() || by_value {
        return None;
    }
    let mut odd = !program.functions.is_empty();
    visit_decls(&mut program.kernel.body, &mut |it| {
        odd |= matches!(it.storage, Storage::Table | Storage::OpenShared);
    });
    if odd {
        return None;
    }
    program.language = Language::OpenCl;
    program.visit_exprs(&mut |it| {
        let Expr::Call(name, args) = it else { return };
        if name == "__syncthreads" {
            *name = "barrier".to_owned();
            let flag = |name: &str| Expr::Name(name.to_owned());
            let flags = [flag("CLK_LOCAL_MEM_FENCE"), flag("CLK_GLOBAL_MEM_FENCE")];
            let [local, global] = flags;
            args.push(Expr::binary(BinOp::Or, local, global));
        } else if let Some((_, other, _)) = ATOMICS.iter().find(|it| it.0 == name) {
            *name = (*other).to_owned();
        }
    });
    // A last group that is smaller is another kernel's matter.
    if case.grid == Size::Any || case.block == Size::Any {
        case.grid = Size::Known([2, 1, 1]);
        case.block = Size::Known([64, 1, 1]);
    }
    case.origin += ", in OpenCL";
    lower(&case.program).is_ok().then_some(case)
}
