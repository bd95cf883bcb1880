//! Kernels as text, launches, and what a run leaves behind.

use heddle_interp::{Contents, End, Launch, Session, Stop, Visitor};
use heddle_ir::{Kernel, ObjectId, OpId, parse_kernel, verify};

/// A kernel with parameters `out` and `in` (pointers) and `n` (32 bits), shared array `s`, and this
/// body.
pub(crate) fn kernel(body: &str) -> Kernel {
    let text = format!(
        "kernel k\ntarget nvptx sm 80 warp 32\nparam out: pointer out\nparam in: pointer in\nparam n: i32\n\
         object out: global param 0\nobject in: global param 1\nobject s: shared variable size 4096\n\
         object t: local alloca size 64\nobject wild: global unknown\nobject any: generic unknown\n{{\n{body}\n}}\n"
    );
    let kernel = parse_kernel(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = verify(&kernel) {
        panic!("{}\n{text}", errors[0]);
    }
    kernel
}

pub(crate) fn object(kernel: &Kernel, name: &str) -> ObjectId {
    kernel.objects.iter().find(|(_, it)| it.name == name).map(|(id, _)| id).unwrap()
}

pub(crate) fn op(kernel: &Kernel, number: usize) -> OpId {
    kernel.ops.keys().nth(number).unwrap()
}

/// One block of so many threads, `n` given.
pub(crate) fn launch(kernel: &Kernel, threads: u32, n: u32) -> Launch {
    let mut launch = Launch::new(kernel, [1; 3], [threads, 1, 1]);
    launch.args = vec![None, None, Some(u128::from(n))];
    launch
}

pub(crate) fn with_input(
    mut launch: Launch,
    kernel: &Kernel,
    words: impl IntoIterator<Item = u32>,
) -> Launch {
    launch.buffers.insert(object(kernel, "in"), Contents::of_words(words));
    launch
}

pub(crate) fn run<'k>(
    kernel: &'k Kernel,
    launch: &'k Launch,
    visitor: &mut dyn Visitor,
) -> Result<Session<'k>, Stop> {
    let mut session = Session::new(kernel, launch).map_err(Stop::Launch)?;
    let mut budget = 50_000_000;
    let [x, y, z] = launch.shape.grid;
    for block in (0..x * y * z).map(|n| [n % x, n / x % y, n / x / y]) {
        assert_eq!(session.run_block(block, visitor, &mut budget)?, End::Finished);
    }
    Ok(session)
}

/// The first words of `out` after the run.
pub(crate) fn output(kernel: &Kernel, launch: &Launch, words: u64) -> Vec<Option<u128>> {
    let mut session = run(kernel, launch, &mut heddle_interp::Ignore).unwrap();
    let out = object(kernel, "out");
    (0..words).map(|index| session.global(out, 4 * index, 4)).collect()
}

pub(crate) fn known(values: impl IntoIterator<Item = u32>) -> Vec<Option<u128>> {
    values.into_iter().map(|it| Some(u128::from(it))).collect()
}
