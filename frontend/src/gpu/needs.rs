//! What an architecture has, and what kernels ask for: LLVM's code generator ends the process where
//! the two do not meet.

use std::collections::BTreeSet;

use crate::jit::Unsupported;
use crate::llvm::{Function, Module};

/// Functions that the CUDA driver defines for each module.
const SYSTEM: &[&str] = &[
    "vprintf",
    "malloc",
    "free",
    "__assertfail",
    "__cudaCGGetIntrinsicHandle",
    "__cudaCGSynchronize",
];

/// Intrinsics of NVPTX by what their names contain, with the first architecture that has them; the
/// first that fits counts.
const SINCE: &[(&str, u32)] = &[
    ("nvvm.tcgen05.", 100),
    // These exist on sm_90 too, in versions of PTX beyond the one that is written for it.
    (".relaxed.scope.c", 100),
    ("sync_restrict", 100),
    ("tensormap_generic", 100),
    ("clusterlaunchcontrol", 100),
    ("gather4", 100),
    ("scatter4", 100),
    ("im2col.w", 100),
    (".g2s.cta.", 100),
    ("bulk.global.to.shared.cta", 100),
    ("to.global.bytemask", 100),
    ("nvvm.redux.sync.f", 100),
    ("nvvm.wgmma.", 90),
    ("nvvm.cp.async.bulk", 90),
    ("nvvm.cp.reduce.async.bulk", 90),
    ("nvvm.barrier.cluster", 90),
    ("nvvm.fence.proxy", 90),
    ("nvvm.fence.mbarrier", 90),
    ("cluster", 90),
    ("nvvm.mapa", 90),
    ("nvvm.getctarank", 90),
    ("nvvm.elect", 90),
    ("nvvm.griddepcontrol", 90),
    ("nvvm.setmaxnreg", 90),
    // Barrier objects by scope: `.scope.cta`, `.scope.cluster`; and arrivals that announce bytes.
    (".scope.c", 90),
    ("expect.tx", 90),
    ("nvvm.stmatrix", 90),
    // Tiles of `wmma` by their types (PTX ISA 9.7.14.4).
    ("nvvm.wmma.m8n8k4", 80),
    ("tf32", 80),
    ("nvvm.wmma.m8n8k128", 75),
    ("nvvm.wmma.m8n8k32", 75),
    ("nvvm.cp.async", 80),
    ("nvvm.mbarrier", 80),
    ("nvvm.redux", 80),
    ("nvvm.ldmatrix", 75),
    ("bf16", 80),
    (".s8", 72),
    (".u8", 72),
    ("nvvm.wmma.", 70),
];

/// The number in `sm_80`.
fn number(arch: &str) -> Option<u32> {
    arch.strip_prefix("sm_")?.trim_end_matches(['a', 'f']).parse().ok()
}

/// The version of PTX for an architecture, in LLVM's words: the oldest that has all of it, which
/// most drivers read.
///
/// # Errors
/// Threads of a warp do not advance by themselves before `sm_70`, and the library relies on it.
pub(super) fn features(arch: &str) -> Result<&'static str, Unsupported> {
    match number(arch) {
        Some(70..=90) => Ok("+ptx80"),
        Some(91..=129) => Ok("+ptx88"),
        Some(_) | None => Err(Unsupported::new(format!(
            "checks on a GPU need sm_70 or later, and `{arch}` is not: choose another with `--arch`"
        ))),
    }
}

/// Refuses functions that nothing defines.
pub(super) fn refuse_unknown(module: &Module) -> Result<(), Unsupported> {
    let unknown: BTreeSet<String> = module
        .functions()
        .filter(|it| it.is_declaration() && !it.users().is_empty())
        .map(Function::name)
        .filter(|name| !name.starts_with("llvm.") && !SYSTEM.contains(&name.as_str()))
        .map(|name| format!("`{}`", crate::prepare::kernels::demangled(&name)))
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = unknown.into_iter().collect();
    Err(Unsupported::new(format!(
        "it calls {}, which nothing defines for a GPU; a mathematical function needs a CUDA toolkit's libdevice \
         (`--cuda-path`)",
        names.join(", ")
    )))
}

/// Refuses intrinsics that the architecture has not, or that LLVM selects only with `libdevice`'s
/// help.
pub(super) fn refuse_newer(module: &Module, arch: &str) -> Result<(), Unsupported> {
    let have = number(arch).unwrap_or(0);
    for function in module.functions().filter(|it| it.is_declaration() && !it.users().is_empty()) {
        let name = function.name();
        let Some(rest) = name.strip_prefix("llvm.") else { continue };
        if let Some((_, since)) =
            SINCE.iter().find(|(part, since)| rest.contains(part) && *since > have)
        {
            return Err(Unsupported::new(format!(
                "it uses `{name}`, which needs sm_{since}: choose it with `--arch`"
            )));
        }
        let base = rest.split('.').next().unwrap_or_default();
        if super::math::is_not_selected(base) {
            return Err(Unsupported::new(format!(
                "it uses `{name}`, which needs a CUDA toolkit's libdevice (`--cuda-path`)"
            )));
        }
    }
    Ok(())
}
