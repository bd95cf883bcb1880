//! Whether a bench runs in full or in short.
//!
//! `cargo bench` passes `--bench`: the bench measures. `cargo test` does not: the bench goes
//! through the same code with a handful of kernels, once each, so that it does not stop working
//! unseen; its figures mean nothing then.

/// Whether this run is to show only that the bench works.
pub(crate) fn is_short() -> bool {
    !std::env::args().any(|it| it == "--bench")
}

/// Whether a run of tests asks for this bench: by no name at all, or by a part of its own.
pub(crate) fn is_asked_for(name: &str) -> bool {
    let mut arguments = std::env::args().skip(1);
    let names: Vec<String> = arguments.by_ref().filter(|it| !it.starts_with('-')).collect();
    let lists = std::env::args().any(|it| it == "--list");
    !lists && (!is_short() || names.is_empty() || names.iter().any(|it| name.contains(it.as_str())))
}
