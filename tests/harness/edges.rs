//! The edges between the crates, which `tests/tidy.rs` holds, and the table of ARCHITECTURE.md
//! repeats.

/// Which crate may use which others of ours. A new edge is a decision: the commit says why.
pub(crate) const EDGES: &[(&str, &[&str])] = &[
    ("diagnostics", &[]),
    ("ir", &[]),
    ("solver", &["ir"]),
    ("interp", &["ir", "semantics"]),
    // What warps and barriers mean: whoever runs kernels, in whatever way, computes with it.
    ("interp/semantics", &["ir"]),
    // `progress` is a pass like the others; the crate of that name answers, the pass reports.
    ("passes", &["diagnostics", "interp", "ir", "progress", "semantics", "solver", "trace"]),
    // The view of LLVM and the tables know nothing of each other; what lifts and what makes code
    // that runs know nothing of where modules come from.
    ("frontend", &["diagnostics", "ir", "lift", "llvm", "ptx"]),
    ("frontend/llvm", &[]),
    ("frontend/ptx", &["ir", "runtime"]),
    ("frontend/lift", &["ir", "llvm", "ptx"]),
    ("frontend/execute", &["ir", "lift", "llvm", "ptx", "runtime"]),
    ("runtime", &["diagnostics", "ir", "semantics"]),
    ("frontend/clang", &["frontend"]),
    ("frontend/mlir", &[]),
    ("interp/trace", &["semantics"]),
    ("plugin", &["diagnostics", "driver", "execute", "frontend", "lift", "llvm"]),
    ("progress", &["ir", "semantics"]),
    ("driver", OF_DRIVER),
    // An oracle: what it judges must not be in it.
    ("progress/litmus", &[]),
    (".", OF_ROOT),
];

/// What makes reports.
const OF_DRIVER: &[&str] =
    &["diagnostics", "execute", "frontend", "ir", "lift", "llvm", "passes", "runtime", "solver"];

/// What the command lines use.
const OF_ROOT: &[&str] = &[
    "clang",
    "diagnostics",
    "driver",
    "execute",
    "frontend",
    "ir",
    "lift",
    "litmus",
    "llvm",
    "passes",
    "progress",
    "runtime",
    "solver",
];
