//! The lift of a kernel against the interpreter: what the block program does under a random
//! schedule, the kernel does too.
//!
//! A schedule is a random walk through the states of the lifted program. The interpreter runs each
//! block of it with all its threads, under the values that the walk says other blocks have written,
//! and must make the same accesses in the same order, write the same values, and end where the walk
//! says that it ends.

use std::path::PathBuf;

use heddle_diagnostics::{Confirmation, Unreplayed};
use heddle_driver::{CheckOptions, Progress, Source, lift};
use heddle_interp::{Launch, Rest};
use heddle_ir::{Param, ParamKind};
use heddle_passes::progress::replay::rerun;
use heddle_progress::blocks::{Blocks, Taken};
use heddle_progress::kernel::{KernelLaunch, LaunchShape, Polls};
use heddle_progress::system::Program;

/// Schedules of each kernel.
const SCHEDULES: u64 = 40;
/// Steps of a schedule at most: one that spins may go on for ever.
const STEPS: usize = 120;
/// Kernels that the interpreter does not run alone, as they have a barrier of a part of the block.
const NOT_RUN: [&str; 1] = ["/proved_named_barrier_beside_poll.cu"];

#[test]
fn random_schedules_of_the_lift_are_runs_of_the_kernel() {
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/kernels/progress")
        .expect("the kernels")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| !path.to_string_lossy().contains("unknown_"))
        .collect();
    files.sort();
    let (mut lifted_kernels, mut ended, mut steps_taken) = (0, 0, 0);
    for file in files {
        let name = file.display().to_string();
        let options = CheckOptions::default();
        let outcome =
            lift(&[Source::File(file)], &options, &heddle_clang::Embedded, &Progress::default())
                .expect("threads and a current folder");
        for kernel in &outcome.kernels {
            let polls = Polls::of(kernel);
            if polls.waiting().next().is_none() {
                continue;
            }
            let number = |param: &Param| match param.kind {
                ParamKind::Scalar { .. } | ParamKind::Field { .. } => Some(1),
                ParamKind::Pointer(_) => None,
            };
            let args = kernel.params.iter().map(number).collect();
            let followed = KernelLaunch {
                shape: LaunchShape::new([3, 1, 1], [32, 1, 1], Some(32)),
                global_offset: Some([0; 3]),
                args,
            };
            let lifted = heddle_progress::kernel::lift(kernel, &polls, &followed)
                .unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
            let blocks = Blocks::new(&lifted.program).expect("well-formed");
            let mut launch = Launch::new(kernel, followed.shape.grid, followed.shape.block);
            launch.args = followed.args.clone();
            launch.shape.warp_size = Some(32);
            launch.other_contents = Rest::Zero;
            lifted_kernels += 1;
            for seed in 1..=SCHEDULES {
                let (steps, finished) = walk(&blocks, seed);
                let taken: Vec<&Taken> = steps.iter().collect();
                let outcome = rerun(kernel, &followed, &launch, &lifted, &taken);
                if NOT_RUN.iter().any(|it| name.ends_with(it)) {
                    let is_not_run =
                        matches!(outcome, Confirmation::NotReplayed(Unreplayed::NotExecuted, _));
                    assert!(is_not_run, "{name}, schedule {seed}: {outcome:?}");
                    continue;
                }
                assert_eq!(outcome, Confirmation::Confirmed, "{name}, schedule {seed}: {steps:#?}");
                ended += usize::from(finished);
                steps_taken += steps.len();
            }
        }
    }
    assert!(lifted_kernels >= 15, "{lifted_kernels} kernels were lifted");
    assert!(ended > 200, "{ended} schedules came to the end");
    assert!(steps_taken > 5_000, "{steps_taken} steps were compared");
}

/// A random walk; whether all blocks have ended.
fn walk(blocks: &Blocks<'_>, seed: u64) -> (Vec<Taken>, bool) {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut state = blocks.initial().expect("the start can be followed");
    let mut steps = Vec::new();
    while steps.len() < STEPS {
        let live: Vec<usize> = blocks.live(&state).iter().collect();
        if live.is_empty() {
            return (steps, true);
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let block = live[(random % live.len() as u64) as usize];
        let next = blocks.step(&state, block).expect("each step can be followed");
        steps.push(Taken::of(blocks, &state, block, &next));
        state = next;
    }
    (steps, false)
}
