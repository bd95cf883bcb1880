//! Conflicts, divergence, and the replay of witnesses.

use std::ops::ControlFlow;

use crate::common::{kernel, launch, op, run};
use heddle_interp::{
    AccessClass, AccessEvent, BarrierModel, Confirmed, Conflict, ConflictFinder, Divergence,
    Launch, Moment, Pair, ReplayOutcome, Stop, Visitor, Want, replay,
};
use heddle_ir::Kernel;

fn conflicts(kernel: &Kernel, launch: &Launch) -> Vec<Conflict> {
    let mut finder = ConflictFinder::new(kernel, launch, Pair::default(), usize::MAX);
    run(kernel, launch, &mut finder).unwrap();
    finder.into_conflicts()
}

/// Operations and threads of each conflict, and the byte.
fn brief(kernel: &Kernel, launch: &Launch) -> Vec<(u32, u32, u32, u32, u64)> {
    let all = conflicts(kernel, launch);
    all.iter()
        .map(|it| {
            let [a, b] = &it.parties;
            (a.op.as_u32(), a.thread, b.op.as_u32(), b.thread, it.byte)
        })
        .collect()
}

const NEIGHBOUR: &str = "store s[mul(zext.i64(tid.x), 4) +: 4] (tid.x)
     BARRIER
     %v: i32 = load s[mul(zext.i64(xor(tid.x, 1)), 4) +: 4]
     store out[mul(zext.i64(tid.x), 4) +: 4] (%v)";

#[test]
fn a_barrier_between_write_and_read_orders_them() {
    let racy = kernel(&NEIGHBOUR.replace("BARRIER", ""));
    assert_eq!(brief(&racy, &launch(&racy, 64, 0)), [(0, 1, 1, 0, 4)]);
    for barrier in [
        "barrier.block.aligned(3)",
        "barrier.block(1)",
        "barrier.named.sync(5, 64)",
        "barrier.warp(-1)",
    ] {
        let proved = kernel(&NEIGHBOUR.replace("BARRIER", barrier));
        assert_eq!(brief(&proved, &launch(&proved, 64, 0)), [], "{barrier}");
    }
    // OpenCL's flag for the other memory does not help.
    let wrong_flag = kernel(&NEIGHBOUR.replace("BARRIER", "barrier.block(2)"));
    assert_eq!(brief(&wrong_flag, &launch(&wrong_flag, 64, 0)), [(0, 1, 2, 0, 4)]);
}

#[test]
fn a_warp_barrier_orders_its_lanes_only() {
    let across =
        NEIGHBOUR.replace("xor(tid.x, 1)", "xor(tid.x, 32)").replace("BARRIER", "barrier.warp(-1)");
    let across = kernel(&across);
    assert_eq!(brief(&across, &launch(&across, 64, 0)), [(0, 32, 2, 0, 128)]);
    // Only the lower half passes the barrier: its lanes are ordered, the upper ones are not.
    let half = kernel(&NEIGHBOUR.replace("BARRIER", "[ult(lane, 16)] barrier.warp(0xffff)"));
    assert_eq!(brief(&half, &launch(&half, 32, 0)), [(0, 17, 2, 16, 68)]);
    // Lane 0 meets lane 1, which meets lane 2: order goes through.
    let chain = "store s[mul(zext.i64(tid.x), 4) +: 4] (tid.x)
         [ult(lane, 2)] barrier.warp(3)
         [and(ult(lane, 3), ult(0:i32, lane))] barrier.warp(6)
         [eq(lane, 2)] %v: i32 = load s[0 +: 4]
         [eq(lane, 0)] %w: i32 = load s[8 +: 4]";
    let chain = kernel(chain);
    assert_eq!(brief(&chain, &launch(&chain, 32, 0)), [(0, 2, 4, 0, 8)]);
}

#[test]
fn overlapping_widths_and_equal_values() {
    let widths = kernel(
        "[eq(tid.x, 0)] store s[0 +: 8] (0:i64)
         [eq(tid.x, 1)] %v: i8 = load s[7 +: 1]
         [eq(tid.x, 2)] %w: i8 = load s[8 +: 1]
         [eq(tid.x, 3)] store s[14 +: 4] (7:i32)
         [eq(tid.x, 4)] store s[16 +: 2] (7:i16)",
    );
    assert_eq!(brief(&widths, &launch(&widths, 8, 0)), [(0, 0, 1, 1, 7), (3, 3, 4, 4, 16)]);
    for (value, same) in [("7:i32", true), ("tid.x", false)] {
        let kernel = kernel(&format!("store s[0 +: 4] ({value})"));
        let found = conflicts(&kernel, &launch(&kernel, 8, 0));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].same_value, same);
        assert_eq!((found[0].parties[0].thread, found[0].parties[1].thread), (0, 1));
    }
}

#[test]
fn atomics_of_an_including_scope_do_not_conflict() {
    let atomics = |a: &str, b: &str| {
        kernel(&format!(
            "[eq(tid.x, 0)] {a} out[0 +: 4] (1:i32)\n[eq(tid.x, 1)] {b} out[0 +: 4] (1:i32)"
        ))
    };
    let cases = [
        ("atomic.add.relaxed.device", "atomic.add.relaxed.device", [0, 0]),
        ("atomic.add.relaxed.device", "store.relaxed.device", [0, 0]),
        ("atomic.add.relaxed.device", "store", [1, 1]),
        ("atomic.add.relaxed.block", "atomic.add.relaxed.device", [0, 1]),
        ("atomic.add.relaxed.thread", "atomic.add.relaxed.device", [1, 1]),
    ];
    for (a, b, expected) in cases {
        let kernel = atomics(a, b);
        for (grid, expected) in [1, 2].into_iter().zip(expected) {
            let mut launch = launch(&kernel, 2, 0);
            launch.shape.grid = [grid, 1, 1];
            let pairs = conflicts(&kernel, &launch);
            let mixed = pairs.iter().filter(|it| it.parties[0].op != it.parties[1].op).count();
            assert_eq!(mixed, expected, "{a} and {b}, {grid} blocks");
        }
    }
}

#[test]
fn blocks_conflict_in_global_memory_only() {
    let kernel = kernel(
        "store s[0 +: 4] (ctaid.x)
         barrier.block.aligned(3)
         [eq(ctaid.x, 1)] store out[0 +: 4] (1:i32)
         barrier.block.aligned(3)
         [eq(ctaid.x, 0)] store out[0 +: 4] (1:i32)",
    );
    let mut launch = launch(&kernel, 1, 0);
    launch.shape.grid = [3, 1, 1];
    let found = conflicts(&kernel, &launch);
    assert_eq!(found.len(), 1);
    let [a, b] = &found[0].parties;
    assert_eq!((a.block, a.op, a.interval), ([0; 3], op(&kernel, 4), 2));
    assert_eq!((b.block, b.op, b.interval), ([1, 0, 0], op(&kernel, 2), 1));
    assert_eq!((a.class, b.size), (AccessClass::Write, 4));
    // A barrier of the grid orders them.
    let ordered = crate::common::kernel(
        "[eq(ctaid.x, 1)] store out[0 +: 4] (1:i32)
         barrier.grid
         [eq(ctaid.x, 0)] store out[0 +: 4] (1:i32)",
    );
    assert_eq!(conflicts(&ordered, &launch), []);
}

#[test]
fn iterations_say_where_in_the_loops() {
    // The read of iteration i meets the write of iteration i: one barrier per iteration is not
    // enough.
    let kernel = kernel(
        "loop @l {
           var %i: i32 = 0
           %at = mul(zext.i64(tid.x), 4)
           [ult(2:i32, %i)] store s[%at +: 4] (%i)
           %v: i32 = load s[xor(%at, 4) +: 4]
           barrier.block.aligned(3)
           next %i = add(%i, 1)
           while ult(%i, 6)
         }",
    );
    let found = conflicts(&kernel, &launch(&kernel, 2, 0));
    assert_eq!(found.len(), 1);
    let [a, b] = &found[0].parties;
    assert_eq!((&a.iterations, a.interval), (&vec![3], 3));
    assert_eq!((&b.iterations, b.interval), (&vec![3], 3));
}

#[test]
fn a_replay_confirms_the_pair_it_is_given_and_no_other() {
    let kernel = kernel(&NEIGHBOUR.replace("BARRIER", ""));
    let launch = launch(&kernel, 64, 0);
    let pair = |threads: Option<[u32; 2]>, ops: [usize; 2]| {
        Want::Conflict(Pair {
            ops: Some(ops.map(|it| op(&kernel, it))),
            threads: threads.map(|it| it.map(|thread| ([0; 3], thread))),
            placed: None,
            values_differ: false,
        })
    };
    let replayed = |want: &Want| replay(&kernel, &launch, &[[0; 3]], want, &mut (1 << 20));
    let ReplayOutcome::Confirmed(Confirmed::Conflict(hit)) = replayed(&pair(Some([7, 6]), [1, 0]))
    else {
        panic!("6 and 7 exchange")
    };
    assert_eq!((hit.parties[0].thread, hit.parties[1].thread, hit.byte), (7, 6, 28));
    assert_eq!(hit.parties[0].written, Some(vec![7]));
    let ReplayOutcome::Others(hit) = replayed(&pair(Some([7, 8]), [0, 1])) else {
        panic!("others than 7 and 8 exchange")
    };
    assert!(hit.parties[0].thread.abs_diff(hit.parties[1].thread) == 1, "{hit:?}");
    assert_eq!(replayed(&pair(Some([7, 8]), [0, 0])), ReplayOutcome::NotHit);
    assert_eq!(replayed(&pair(None, [0, 0])), ReplayOutcome::NotHit);
    assert!(matches!(replayed(&pair(None, [0, 1])), ReplayOutcome::Confirmed(_)));
    assert_eq!(
        replay(&kernel, &launch, &[[0; 3]], &pair(None, [0, 1]), &mut 3),
        ReplayOutcome::Stopped(Stop::Budget)
    );
    let elsewhere = replay(&kernel, &launch, &[[1, 0, 0]], &pair(None, [0, 1]), &mut (1 << 20));
    assert!(matches!(elsewhere, ReplayOutcome::Stopped(Stop::Launch(_))), "{elsewhere:?}");
}

#[derive(Default)]
struct Divergences(Vec<Divergence>, usize);

impl Visitor for Divergences {
    fn divergence(&mut self, divergence: &Divergence) -> ControlFlow<()> {
        self.0.push(divergence.clone());
        ControlFlow::Continue(())
    }

    fn access(&mut self, _: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        self.1 += event.threads.len();
        ControlFlow::Continue(())
    }
}

#[test]
fn a_conditional_barrier_diverges() {
    let kernel = kernel("[ult(tid.x, 3)] barrier.block.aligned(3)\nstore out[0 +: 4] (0:i32)");
    let mut seen = Divergences::default();
    run(&kernel, &launch(&kernel, 5, 0), &mut seen).unwrap();
    assert_eq!((seen.0.len(), seen.1), (1, 5), "the run goes on behind it");
    assert_eq!((&seen.0[0].arrived, &seen.0[0].missing), (&vec![0, 1, 2], &vec![3, 4]));
    let want = Want::Divergence(op(&kernel, 0));
    let outcome = replay(&kernel, &launch(&kernel, 5, 0), &[[0; 3]], &want, &mut (1 << 20));
    assert_eq!(outcome, ReplayOutcome::Confirmed(Confirmed::Divergence(seen.0[0].clone())));
    assert_eq!(
        replay(&kernel, &launch(&kernel, 3, 0), &[[0; 3]], &want, &mut (1 << 20)),
        ReplayOutcome::NotHit
    );
}

#[test]
fn threads_that_returned_are_waited_for_in_the_strict_model() {
    let kernel = kernel("[ult(tid.x, 2)] exit.return\nbarrier.block.aligned(3)");
    for (model, missing) in [(BarrierModel::ExitedOk, vec![]), (BarrierModel::Strict, vec![0, 1])] {
        let mut launch = launch(&kernel, 4, 0);
        launch.barriers = model;
        let mut seen = Divergences::default();
        run(&kernel, &launch, &mut seen).unwrap();
        let found: Vec<u32> = seen.0.into_iter().flat_map(|it| it.missing).collect();
        assert_eq!(found, missing, "{model:?}");
    }
}

/// Each thread meets the barrier four times, but in different iterations (Betts et al., TOPLAS
/// 2015).
#[test]
fn equal_counts_in_different_iterations_diverge() {
    let kernel = kernel(
        "%outer = select(eq(tid.x, 0), 4:i32, 1)
         %inner = select(eq(tid.x, 0), 1:i32, 4)
         loop @l0 {
           var %i: i32 = 0
           loop @l1 {
             var %j: i32 = 0
             barrier.block.aligned(3)
             %j1 = add(%j, 1)
             next %j = %j1
             while ult(%j1, %inner)
           }
           %i1 = add(%i, 1)
           next %i = %i1
           while ult(%i1, %outer)
         }",
    );
    let mut seen = Divergences::default();
    run(&kernel, &launch(&kernel, 2, 0), &mut seen).unwrap();
    let places: Vec<&Vec<u64>> = seen.0.iter().map(|it| &it.iterations).collect();
    assert_eq!(places, [&[0, 1], &[0, 2], &[0, 3], &[1, 0], &[2, 0], &[3, 0]]);
    assert_eq!(seen.0[0].missing, [0]);
    assert_eq!(seen.0[3].missing, [1]);
}

#[test]
fn reducing_barriers_reduce() {
    let kernel = kernel(
        "%n: i32 = barrier.block.aligned(3) popc ult(tid.x, 5)
         %all: i1 = barrier.block.aligned(3) and ult(tid.x, 5)
         %any: i1 = barrier.block.aligned(3) or ult(tid.x, 5)
         store out[0 +: 4] (add(%n, add(mul(zext.i32(%all), 100), mul(zext.i32(%any), 1000))))",
    );
    assert_eq!(
        crate::common::output(&kernel, &launch(&kernel, 8, 0), 1),
        crate::common::known([1005])
    );
}
