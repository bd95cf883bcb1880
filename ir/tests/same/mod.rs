//! Whether two kernels are the same, for the tests of what is written and read.

use heddle_ir::Kernel;

/// Compares two kernels table by table.
pub(crate) fn assert_same(a: &Kernel, b: &Kernel, text: &str) {
    let Kernel {
        name,
        display_name,
        target,
        launch,
        fetches,
        callees_assumed,
        shared_aligned,
        returns_written,
        params,
        exprs,
        objects,
        ops,
        loops,
        vars,
        origins,
        files,
        names,
        body,
    } = a;
    assert_eq!(
        (name, display_name, target, launch, params),
        (&b.name, &b.display_name, &b.target, &b.launch, &b.params),
        "{text}"
    );
    assert_eq!((fetches, callees_assumed), (&b.fetches, &b.callees_assumed), "{text}");
    assert_eq!(
        (shared_aligned, returns_written),
        (&b.shared_aligned, &b.returns_written),
        "{text}"
    );
    assert_eq!((objects, files, body), (&b.objects, &b.files, &b.body), "{text}");
    assert_eq!((ops, loops, vars, origins), (&b.ops, &b.loops, &b.vars, &b.origins), "{text}");
    assert_eq!(names, &b.names, "{text}");
    let list = |kernel: &Kernel| format!("{:?}", kernel.exprs.iter().collect::<Vec<_>>());
    assert_eq!(exprs.len(), b.exprs.len(), "{text}");
    assert_eq!(list(a), list(b), "{text}");
}
