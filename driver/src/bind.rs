//! Fits the options of a run to one kernel: names become parameters, conditions become expressions.
//!
//! A run has one set of options and may have many kernels. A name given with `--arg` or used by
//! `--assume` must be a parameter of at least one of them; a kernel without it is checked without
//! that fact, which can only make the check harder to pass. Everything else that does not fit is an
//! error of the input, and nothing is checked.

use std::collections::BTreeSet;

use heddle_diagnostics::Finding;
use heddle_ir::{Kernel, ParamKind, mask};
use heddle_passes::condition::{condition_text, parse_condition};
use heddle_passes::launch::LaunchRequest;

use super::options::{Argument, LaunchOptions, Size};
use super::trouble::{Trouble, refused};
use super::{limits, sizes};

/// The options of a run, fitted to its kernels.
#[derive(Debug)]
pub(super) struct Bound {
    /// The launch of each kernel, in order.
    pub(super) requests: Vec<LaunchRequest>,
    /// The options by name that each kernel has a use for, in order.
    pub(super) met: Vec<Vec<String>>,
    /// Options that meet no kernel, where there are other parts whose kernels they may meet.
    pub(super) unmet: Vec<String>,
}

/// The launch of each kernel. In one part of several, a name that no kernel has is no error; nor is
/// one of `elsewhere`.
///
/// # Errors
/// Findings that say which option does not fit, each once.
pub(super) fn bind(
    kernels: &mut [&mut Kernel],
    options: &LaunchOptions,
    is_part: bool,
    elsewhere: &BTreeSet<String>,
) -> Result<Bound, Vec<Finding>> {
    let mut unmet = Vec::new();
    let mut trouble = Trouble::default();
    let mut requests: Vec<_> =
        kernels.iter_mut().map(|kernel| launch(kernel, options, &mut trouble)).collect();
    let mut met_by = vec![Vec::new(); kernels.len()];
    for argument in &options.args {
        let option = format!("--arg {}", argument.name);
        let mut met = elsewhere.contains(&option);
        for ((kernel, request), met_by) in kernels.iter().zip(&mut requests).zip(&mut met_by) {
            if bind_argument(kernel, argument, request, &mut trouble) {
                met = true;
                met_by.push(option.clone());
            }
        }
        if !met && is_part {
            unmet.push(option);
        } else if !met {
            trouble.add(unknown_argument(kernels, &argument.name));
        }
    }
    for text in &options.assumptions {
        let option = format!("--assume '{text}'");
        let optional = is_part || elsewhere.contains(&option);
        let having = bind_assumption(kernels, text, &mut requests, optional, &mut trouble);
        if having.is_empty() && !elsewhere.contains(&option) && is_part {
            unmet.push(option.clone());
        }
        having.into_iter().for_each(|index| met_by[index].push(option.clone()));
    }
    for size in &options.sizes {
        let option = format!("--size {}", size.name);
        let optional = is_part || elsewhere.contains(&option);
        let having = sizes::bind(kernels, size, &mut requests, optional, &mut trouble);
        if having.is_empty() && !elsewhere.contains(&option) && is_part {
            unmet.push(option.clone());
        }
        having.into_iter().for_each(|index| met_by[index].push(option.clone()));
    }
    trouble.none().map(|()| Bound { requests, met: met_by, unmet })
}

/// Threads in a block at most where neither the kernel nor its target ([`limits`]) says anything.
const MAX_THREADS: u64 = 1 << 31;

fn launch(kernel: &mut Kernel, options: &LaunchOptions, trouble: &mut Trouble) -> LaunchRequest {
    let known = |size: Option<Size>| match size {
        Some(Size::Known(sizes)) => Some(sizes),
        Some(Size::Any) | None => None,
    };
    let name = &kernel.display_name.clone();
    let block = known(options.block);
    for (message, help) in limits::exceeded(kernel, options) {
        trouble.add(refused(message, help));
    }
    if let Some(sizes) = block {
        let threads: u64 = sizes.into_iter().map(u64::from).fold(1, u64::saturating_mul);
        let limit = kernel.launch.max_threads.map_or(MAX_THREADS, u64::from);
        if threads > limit {
            let message = format!(
                "`--block {}` has {threads} threads, and `{name}` takes at most {limit} in a block",
                list(sizes)
            );
            trouble.add(refused(message, "give a smaller block, and more blocks with `--grid`"));
        }
        if let Some(required) = kernel.launch.required_block.filter(|required| *required != sizes) {
            let message = format!(
                "`--block {}` does not fit: `{name}` requires blocks of {}",
                list(sizes),
                list(required)
            );
            trouble
                .add(refused(message, "leave out `--block`; what the code requires is then used"));
        }
    }
    let mut cluster = None;
    if let Some(sizes) = known(options.cluster) {
        cluster = kernel.launch.cluster.is_none().then_some(sizes);
        let required = kernel.launch.cluster.replace(sizes).filter(|required| *required != sizes);
        if let Some(required) = required {
            let message = format!(
                "`--cluster {}` does not fit: `{name}` requires clusters of {}",
                list(sizes),
                list(required)
            );
            trouble.add(refused(
                message,
                "leave out `--cluster`; what the code requires is then used",
            ));
        }
    }
    LaunchRequest {
        grid: known(options.grid),
        block,
        cluster,
        global_offset: options.global_offset,
        dynamic_shared: options.dynamic_shared,
        barriers: options.barriers,
        warp_size: options.warp_size,
        source: None,
        hosts: Vec::new(),
        beside: Vec::new(),
        given_twice: None,
        args: Vec::new(),
        assumptions: Vec::new(),
        sizes: Vec::new(),
    }
}

fn list(sizes: [u32; 3]) -> String {
    heddle_diagnostics::Dim3::new(sizes[0], sizes[1], sizes[2]).size()
}

/// Whether the kernel has the parameter.
fn bind_argument(
    kernel: &Kernel,
    argument: &Argument,
    request: &mut LaunchRequest,
    trouble: &mut Trouble,
) -> bool {
    let Argument { name, value } = argument;
    let Some(index) = kernel.params.iter().position(|it| it.name == *name) else { return false };
    let width = match kernel.params[index].kind {
        ParamKind::Scalar { width } | ParamKind::Field { width, .. } => u32::from(width),
        ParamKind::Pointer(_) => {
            let message = format!(
                "`--arg {name}={value}`: `{name}` is a pointer, and has no value that can be given"
            );
            trouble.add(refused(message, "what pointers lead to is arbitrary; say sizes with `--arg` of the numbers beside it"));
            return true;
        }
    };
    // Both readings are allowed: `--arg c=255` and `--arg c=-1` of eight bits.
    let (low, high) = if width >= 127 {
        (i128::MIN, i128::MAX)
    } else {
        (-(1i128 << (width - 1)), (1i128 << width) - 1)
    };
    if *value < low || *value > high {
        let message = format!("`--arg {name}={value}` does not fit: `{name}` has {width} bits");
        trouble.add(refused(message, format!("give a number from {low} to {high}")));
        return true;
    }
    let given = mask(*value as u128, width.min(128) as u8);
    match request.args.iter().find(|(known, _)| *known == index as u32) {
        Some((_, other)) if *other == given => {}
        Some((_, other)) => {
            let message = format!("`--arg {name}={value}`: `{name}` is {other} already");
            trouble.add(refused(message, "give each parameter one value"));
        }
        None => request.args.push((index as u32, given)),
    }
    true
}

fn unknown_argument(kernels: &[&mut Kernel], name: &str) -> Finding {
    let lists: Vec<_> = kernels.iter().map(|kernel| parameters(kernel)).collect();
    let message = match kernels {
        [one] => format!(
            "`--arg {name}`: the kernel `{}` has no parameter of this name",
            one.display_name
        ),
        _ => format!("`--arg {name}`: no kernel has a parameter of this name"),
    };
    refused(message, lists.join("; "))
}

fn parameters(kernel: &Kernel) -> String {
    let names: Vec<_> = kernel.params.iter().map(|it| format!("`{}`", it.name)).collect();
    match names.as_slice() {
        [] => format!("`{}` has no parameters", kernel.display_name),
        names => format!("the parameters of `{}` are {}", kernel.display_name, names.join(", ")),
    }
}

/// The kernels that have the names of the condition, by index.
fn bind_assumption(
    kernels: &mut [&mut Kernel],
    text: &str,
    requests: &mut [LaunchRequest],
    optional: bool,
    trouble: &mut Trouble,
) -> Vec<usize> {
    let lacks_kernels = kernels.is_empty();
    let mut having = Vec::new();
    let mut errors = Vec::new();
    for (index, (kernel, request)) in kernels.iter_mut().zip(requests).enumerate() {
        match parse_condition(kernel, text) {
            Ok(condition) => {
                having.push(index);
                let text = condition_text(kernel, condition, text);
                request.assumptions.push((condition, text));
            }
            Err(error) => errors.push(error),
        }
    }
    let lacks_name_only = lacks_kernels || optional || !having.is_empty();
    let first = errors.into_iter().find(|error| !lacks_name_only || error.unknown_name.is_none());
    if let Some(error) = first {
        let message = format!("`--assume '{text}'`, column {}: {}", error.column, error.message);
        let caret = " ".repeat(error.column.saturating_sub(1));
        let help = "a condition is a C expression over parameters, `blockDim`, `gridDim` and integers, as in `n % 16 == 0`";
        trouble.add(refused(message, help).note(format!("{text}\n{caret}^ here")));
    }
    having
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_ir::{Family, KernelBuilder, Object, ObjectKind, Param, Shape, Space, Target};

    fn kernel(name: &str, numbers: &[(&str, u8)]) -> Kernel {
        let target =
            Target { family: Family::Nvptx, sm: 80, warp_size: 32, opencl: false, flushes: false };
        let mut builder = KernelBuilder::new(name, target);
        for (name, width) in numbers {
            builder.param(Param::new(*name, ParamKind::Scalar { width: *width }));
        }
        let out = builder.object(Object {
            name: "out".to_owned(),
            space: Space::Global,
            kind: ObjectKind::Param(numbers.len() as u32),
            size: None,
            shape: Shape::Bytes,
            read_only: false,
            initial: heddle_ir::Initial::Any,
        });
        builder.param(Param::new("out", ParamKind::Pointer(out)));
        builder.finish()
    }

    fn bound(
        kernels: &mut [Kernel],
        options: &LaunchOptions,
    ) -> Result<Vec<LaunchRequest>, Vec<String>> {
        let mut kernels: Vec<_> = kernels.iter_mut().collect();
        let bound =
            bind(&mut kernels, options, false, &BTreeSet::new()).map(|bound| bound.requests);
        bound.map_err(|list| list.into_iter().map(|it| it.message).collect())
    }

    #[test]
    fn what_meets_no_kernel_of_a_part_is_listed() {
        let mut kernels = [kernel("a", &[("n", 32)])];
        let options = LaunchOptions { assumptions: vec!["k > 0".to_owned()], ..arg("m=1") };
        let mut all: Vec<_> = kernels.iter_mut().collect();
        let unmet = bind(&mut all, &options, true, &BTreeSet::new()).expect("no error").unmet;
        assert_eq!(unmet, ["--arg m", "--assume 'k > 0'"]);
        assert_eq!(bind(&mut [], &options, true, &BTreeSet::new()).expect("no error").unmet, unmet);
        assert!(
            bind(&mut all, &arg("n=4294967296"), true, &BTreeSet::new()).is_err(),
            "a value that does not fit"
        );
    }

    fn arg(text: &str) -> LaunchOptions {
        LaunchOptions { args: vec![text.parse().expect("an argument")], ..LaunchOptions::default() }
    }

    #[test]
    fn an_argument_binds_where_its_name_is() {
        let mut kernels = [kernel("a", &[("n", 32)]), kernel("b", &[("m", 8), ("n", 64)])];
        let requests = bound(&mut kernels, &arg("n=-1")).expect("both have it");
        assert_eq!(requests[0].args, [(0, 0xffff_ffff)]);
        assert_eq!(requests[1].args, [(1, 0xffff_ffff_ffff_ffff)]);
        let requests = bound(&mut kernels, &arg("m=255")).expect("one has it");
        assert_eq!(
            (requests[0].args.as_slice(), requests[1].args.as_slice()),
            ([].as_slice(), [(0, 255)].as_slice())
        );
    }

    #[test]
    fn an_argument_that_fits_nowhere_is_refused() {
        let mut kernels = [kernel("a", &[("n", 8)])];
        for (text, part) in [
            ("k=1", "no parameter"),
            ("n=256", "has 8 bits"),
            ("n=-129", "has 8 bits"),
            ("out=1", "is a pointer"),
        ] {
            let messages = bound(&mut kernels, &arg(text)).expect_err(text);
            assert!(messages.len() == 1 && messages[0].contains(part), "{text}: {messages:?}");
        }
    }

    #[test]
    fn an_argument_has_one_value() {
        let mut kernels = [kernel("a", &[("n", 32)])];
        let two = |one: &str, other: &str| {
            let args = [one, other].map(|text| text.parse().expect("an argument")).to_vec();
            LaunchOptions { args, ..LaunchOptions::default() }
        };
        let messages = bound(&mut kernels, &two("n=6", "n=5")).expect_err("two values");
        assert!(messages.len() == 1 && messages[0].contains("`n` is 6 already"), "{messages:?}");
        let requests = bound(&mut kernels, &two("n=-1", "n=4294967295")).expect("one value");
        assert_eq!(requests[0].args, [(0, 0xffff_ffff)]);
    }

    #[test]
    fn an_assumption_binds_where_its_names_are() {
        let mut kernels = [kernel("a", &[("n", 32)]), kernel("b", &[])];
        let assume = |text: &str| LaunchOptions {
            assumptions: vec![text.to_owned()],
            ..LaunchOptions::default()
        };
        let requests = bound(&mut kernels, &assume("n > 0")).expect("one has it");
        assert_eq!((requests[0].assumptions.len(), requests[1].assumptions.len()), (1, 0));
        assert_eq!(bound(&mut kernels, &assume("k > 0")).expect_err("nobody has it").len(), 1);
        assert_eq!(bound(&mut kernels, &assume("n >")).expect_err("no condition").len(), 1);
        assert_eq!(bound(&mut kernels, &assume("n > 0 +")).expect_err("no condition").len(), 1);
    }

    #[test]
    fn a_block_must_fit_the_kernel() {
        let mut kernels = [kernel("a", &[])];
        let block =
            |sizes| LaunchOptions { block: Some(Size::Known(sizes)), ..LaunchOptions::default() };
        assert!(bound(&mut kernels, &block([32, 32, 1])).is_ok());
        assert!(bound(&mut kernels, &block([u32::MAX, 2, 1])).is_err());
        kernels[0].launch.max_threads = Some(1024);
        assert!(bound(&mut kernels, &block([32, 33, 1])).is_err());
        kernels[0].launch.required_block = Some([64, 1, 1]);
        assert!(bound(&mut kernels, &block([64, 1, 1])).is_ok());
        assert!(bound(&mut kernels, &block([32, 1, 1])).is_err());
        assert!(
            bound(
                &mut kernels,
                &LaunchOptions { block: Some(Size::Any), ..LaunchOptions::default() }
            )
            .is_ok()
        );
    }
}
