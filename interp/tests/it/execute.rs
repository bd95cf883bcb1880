//! What kernels compute.

use crate::common::{kernel, known, launch, output, run, with_input};
use heddle_interp::{Ignore, Session, Stop, Unknown, UnknownAddress, Use};
use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprKind, Family, KernelBuilder, NoWrap, Target, UnOp, fold_binary,
    fold_cast, fold_cmp, fold_unary, is_undefined_division,
};

#[test]
fn loops_run_as_often_as_each_thread_asks() {
    // Thread t adds 0 + 1 + ... + t, and the loop is entered by odd threads only.
    let kernel = kernel(
        "%odd = trunc.i1(tid.x)
         loop @l if %odd {
           var %i: i32 = 0
           var %sum: i32 = 0
           %next = add(%sum, %i)
           next %i = add(%i, 1)
           next %sum = %next
           while ult(%i, tid.x)
         }
         store out[mul(zext.i64(tid.x), 4) +: 4] (select(%odd, exit(@l, %next), 99))",
    );
    let expected = (0..10).map(|t| if t % 2 == 1 { t * (t + 1) / 2 } else { 99 });
    assert_eq!(output(&kernel, &launch(&kernel, 10, 0), 10), known(expected));
}

#[test]
fn nested_loops_remember_the_last_iteration_of_each() {
    let kernel = kernel(
        "loop @l0 {
           var %i: i32 = 0
           var %total: i32 = 0
           loop @l1 if ult(%i, tid.x) {
             var %j: i32 = %i
             %k = add(%j, 10)
             next %j = add(%j, 1)
             while ult(%j, 3)
           }
           %sum = add(%total, select(ult(%i, tid.x), exit(@l1, %k), 1))
           next %i = add(%i, 1)
           next %total = %sum
           while ult(%i, 4)
         }
         store out[mul(zext.i64(tid.x), 4) +: 4] (exit(@l0, %sum))",
    );
    let expected = (0..7u32).map(|t| {
        let mut total = 0;
        for i in 0..=4u32 {
            total += if i < t { i.max(3) + 10 } else { 1 };
        }
        total
    });
    assert_eq!(output(&kernel, &launch(&kernel, 7, 0), 7), known(expected));
}

#[test]
fn a_tree_reduction_in_shared_memory_sums() {
    let kernel = kernel(
        "%at = mul(zext.i64(tid.x), 4)
         %v: i32 = load in[%at +: 4]
         store s[%at +: 4] (%v)
         barrier.block.aligned(3)
         loop @l {
           var %half: i32 = lshr(ntid.x, 1)
           %p = ult(tid.x, %half)
           [%p] %a: i32 = load s[%at +: 4]
           [%p] %b: i32 = load s[add(%at, mul(zext.i64(%half), 4)) +: 4]
           [%p] store s[%at +: 4] (add(%a, %b))
           barrier.block.aligned(3)
           next %half = lshr(%half, 1)
           while ult(1:i32, %half)
         }
         [eq(tid.x, 0)] %r: i32 = load s[0 +: 4]
         [eq(tid.x, 0)] store out[0 +: 4] (%r)",
    );
    let launch = with_input(launch(&kernel, 256, 0), &kernel, (0..256).map(|it| it * 3));
    assert_eq!(output(&kernel, &launch, 1), known([255 * 256 / 2 * 3]));
}

#[test]
fn local_memory_is_per_thread_and_vectors_are_consecutive() {
    let kernel = kernel(
        "store t[8 +: 8] (tid.x, mul(tid.x, 2))
         %pair: i64 = load t[8 +: 8]
         %b: i8, %c: i8 = load t[12 +: 2]
         store out[mul(zext.i64(tid.x), 4) +: 4] (add(trunc.i32(lshr(%pair, 32)), zext.i32(%b)))",
    );
    assert_eq!(output(&kernel, &launch(&kernel, 4, 0), 4), known([0, 4, 8, 12]));
}

#[test]
fn three_dimensions_count_x_first() {
    let kernel = kernel(
        "%n = add(add(tid.x, mul(tid.y, ntid.x)), mul(tid.z, mul(ntid.x, ntid.y)))
         %b = add(ctaid.x, mul(ctaid.y, 100))
         store out[mul(zext.i64(add(%n, mul(ctaid.x, 12))), 4) +: 4] (add(mul(%b, 1000), %n))",
    );
    let mut launch = launch(&kernel, 1, 0);
    launch.shape.block = [3, 2, 2];
    launch.shape.grid = [2, 1, 1];
    let expected = (0..12).chain(1000..1012);
    assert_eq!(output(&kernel, &launch, 24), known(expected));
    assert_eq!(launch.shape.thread_index(7), [1, 0, 1]);
    assert_eq!(launch.shape.thread_number([1, 0, 1]), 7);
}

#[test]
fn atomics_happen_in_thread_order_and_return_what_was() {
    let kernel = kernel(
        "%ticket: i32 = atomic.add.relaxed.device out[0 +: 4] (1:i32)
         store out[add(mul(zext.i64(tid.x), 4), 16) +: 4] (%ticket)
         atomic.umax.relaxed.device out[4 +: 4] (mul(tid.x, 3))
         %won: i32 = atomic.cas.relaxed.device out[8 +: 4] (0:i32, add(tid.x, 7))
         atomic.inc.relaxed.device out[12 +: 4] (2:i32)",
    );
    let mut launch = launch(&kernel, 5, 0);
    launch.other_contents = heddle_interp::Rest::Zero;
    assert_eq!(output(&kernel, &launch, 9), known([5, 12, 7, 2, 0, 1, 2, 3, 4]));
}

#[test]
fn a_float_atomic_adds_floats() {
    let kernel = kernel("atomic.fadd.relaxed.device out[0 +: 4] (sitofp:i32(tid.x))");
    let mut launch = launch(&kernel, 5, 0);
    launch.other_contents = heddle_interp::Rest::Zero;
    assert_eq!(output(&kernel, &launch, 1), known([10f32.to_bits()]));
}

#[test]
fn threads_that_returned_do_no_more() {
    let kernel = kernel(
        "[ult(tid.x, 2)] exit.return
         store out[mul(zext.i64(tid.x), 4) +: 4] (1:i32)
         loop @l {
           var %i: i32 = 0
           [eq(%i, tid.x)] exit.return
           store out[mul(zext.i64(tid.x), 4) +: 4] (%i)
           next %i = add(%i, 1)
           while ult(%i, 9)
         }
         store out[mul(zext.i64(tid.x), 4) +: 4] (77:i32)",
    );
    let mut expected = known([0, 0, 1, 2, 3]);
    expected[0] = None;
    expected[1] = None;
    assert_eq!(output(&kernel, &launch(&kernel, 5, 0), 5), expected);
    // Thread 12 stays to the end.
    assert_eq!(output(&kernel, &launch(&kernel, 13, 0), 13)[12], Some(77));
}

#[test]
fn asynchronous_copies_arrive_at_the_wait() {
    let kernel = kernel(
        "%at = mul(zext.i64(tid.x), 4)
         copy.cp_async s[%at +: 4] from in[%at]
         commit.cp_async
         copy.cp_async s[add(%at, 64) +: 4] from in[add(%at, 16)]
         commit.cp_async
         wait.cp_async 1
         %first: i32 = load s[%at +: 4]
         %early: i32 = load s[add(%at, 64) +: 4]
         wait.cp_async 0
         %late: i32 = load s[add(%at, 64) +: 4]
         store out[%at +: 4] (%first)
         store out[add(%at, 16) +: 4] (%early)
         store out[add(%at, 32) +: 4] (%late)",
    );
    let launch = with_input(launch(&kernel, 4, 0), &kernel, 10..18);
    let mut expected = known(10..14);
    expected.extend([None; 4]);
    expected.extend(known(14..18));
    assert_eq!(output(&kernel, &launch, 12), expected);
}

#[test]
fn what_is_unknown_flows_until_it_matters() {
    let kernel = kernel(
        "%v: i32 = load in[0 +: 4]
         %at = mul(zext.i64(tid.x), 4)
         store out[%at +: 4] (%v)
         %zero = and(%v, 0)
         store out[%at +: 4] (add(%zero, tid.x))
         [and(eq(tid.x, 9), ult(%v, 3))] store out[0 +: 4] (5:i32)
         [ult(tid.x, %v)] store out[0 +: 4] (5:i32)",
    );
    let launch = launch(&kernel, 4, 0);
    let stop = run(&kernel, &launch, &mut Ignore).unwrap_err();
    let input = crate::common::object(&kernel, "in");
    assert_eq!(
        stop,
        Stop::Unknown {
            used_by: Use::Predicate(crate::common::op(&kernel, 4)),
            thread: 0,
            origin: Unknown::Contents(input),
            flag: None
        }
    );
    assert_eq!(
        stop.describe(&kernel),
        "whether the store to `out` happens depends on what `in` holds at the start (thread 0)"
    );
    assert_eq!(output(&kernel, &with_input(launch, &kernel, [2]), 4), known([5, 1, 2, 3]));
}

#[test]
fn an_unknown_argument_names_its_flag() {
    let kernel = kernel(
        "loop @l {
           var %i: i32 = 0
           next %i = add(%i, 1)
           while ult(%i, param(n))
         }",
    );
    let mut launch = launch(&kernel, 4, 0);
    launch.args.clear();
    let stop = run(&kernel, &launch, &mut Ignore).unwrap_err();
    assert_eq!(
        stop.describe(&kernel),
        "who stays in the loop depends on the value of parameter `n` (thread 0); give `--arg n=…`"
    );
}

#[test]
fn an_unknown_address_stops_in_shared_memory_and_may_be_skipped_in_global() {
    let body = |name: &str| {
        format!(
            "store out[0 +: 4] (1:i32)
             %v: i64 = load in[0 +: 8]
             store {name}[%v +: 4] (1:i32)
             %w: i32 = load out[0 +: 4]
             store out[4 +: 4] (%w)"
        )
    };
    let shared = kernel(&body("s"));
    let stop = run(&shared, &launch(&shared, 1, 0), &mut Ignore).unwrap_err();
    assert!(matches!(stop, Stop::Unknown { used_by: Use::Address(_), .. }), "{stop}");
    // A write through `out` or through a pointer that may be anything: what `out` held is not known
    // any more.
    for (name, expected) in [("out", None), ("wild", None), ("in", Some(1))] {
        let global = kernel(&body(name));
        assert_eq!(output(&global, &launch(&global, 1, 0), 2)[1], expected, "{name}");
        let mut strict = launch(&global, 1, 0);
        strict.unknown_address = UnknownAddress::Stop;
        let stop = run(&global, &strict, &mut Ignore).unwrap_err();
        assert!(matches!(stop, Stop::Unknown { used_by: Use::Address(_), .. }), "{stop}");
    }
}

#[test]
fn shared_memory_starts_anew_in_each_block_and_global_memory_does_not() {
    let kernel = kernel(
        "%old: i32 = load out[0 +: 4]
         store out[0 +: 4] (add(%old, 1))
         [eq(ctaid.x, 0)] store s[0 +: 4] (5:i32)
         %s: i32 = load s[0 +: 4]
         store out[add(mul(zext.i64(ctaid.x), 4), 4) +: 4] (%s)",
    );
    let mut launch = launch(&kernel, 1, 0);
    launch.shape.grid = [2, 1, 1];
    launch.other_contents = heddle_interp::Rest::Zero;
    assert_eq!(output(&kernel, &launch, 3), [Some(2), Some(5), None]);
}

#[test]
fn results_of_operations_that_were_not_executed_are_unknown() {
    let kernel = kernel(
        "[ult(tid.x, 2)] %v: i32 = load in[0 +: 4]
         store out[mul(zext.i64(tid.x), 4) +: 4] (%v)",
    );
    let launch = with_input(launch(&kernel, 3, 0), &kernel, [6]);
    assert_eq!(output(&kernel, &launch, 3), [Some(6), Some(6), None]);
}

#[test]
fn a_budget_ends_an_endless_loop() {
    let kernel = kernel("loop @l { while 1 }");
    let launch = launch(&kernel, 4, 0);
    let mut session = Session::new(&kernel, &launch).unwrap();
    let mut budget = 1000;
    assert_eq!(session.run_block([0; 3], &mut Ignore, &mut budget), Err(Stop::Budget));
    assert_eq!(budget, 0);
}

#[test]
fn values_that_are_computed_for_threads_elsewhere_are_charged() {
    let steps = |others: &str| {
        let kernel = kernel(&format!(
            "loop @l if {others} {{
               var %i: i32 = 0
               next %i = add(%i, select(ult(tid.x, 2000), 1, tid.x))
               while ult(%i, 100)
             }}"
        ));
        let launch = launch(&kernel, 1024, 0);
        let mut budget = 1_000_000;
        let mut session = Session::new(&kernel, &launch).unwrap();
        session.run_block([0; 3], &mut Ignore, &mut budget).unwrap();
        1_000_000 - budget
    };
    // One thread takes its own steps; two that are far apart span all of the block.
    let (alone, apart) = (steps("ult(tid.x, 1)"), steps("eq(urem(tid.x, 1023), 0)"));
    assert!((100..2_000).contains(&alone), "{alone}");
    assert!(apart > 100 * 1024 / 16, "{apart}");
}

#[test]
fn what_is_not_executed_is_said() {
    let cases = [
        ("barrier.named.arrive(1, 64)", "a named barrier of a part of the block"),
        ("mbarrier.init s[0] 1", "barrier objects have no model here yet"),
        (
            "copy.bulk_mbarrier s[0 +: 16] from in[0] signals s[0]",
            "copies that arrive at barrier objects are not executed",
        ),
        ("copy.cp_async any[0 +: 16] from in[0]", "what it writes to could not be told"),
        ("opaque \"mystery\"() synchronizes", "`mystery` may wait for other threads"),
        ("barrier.cluster.arrive.relaxed", "the halves of a cluster's barrier stand apart"),
    ];
    for (body, expected) in cases {
        let kernel = kernel(body);
        match run(&kernel, &launch(&kernel, 4, 0), &mut Ignore) {
            Err(Stop::Unsupported { why, .. }) => assert_eq!(why, expected),
            other => panic!("{body}: {:?}", other.map(|_| ())),
        }
    }
}

#[test]
fn traps_and_broken_assumptions_end_the_launch() {
    let cases = [
        (
            "assume ult(tid.x, 2)",
            Stop::AssumptionFailed { op: heddle_ir::OpId::from_u32(0), thread: 2 },
        ),
        (
            "assert ult(tid.x, 3) \"small\"",
            Stop::Trapped { op: heddle_ir::OpId::from_u32(0), thread: 3 },
        ),
        ("[eq(tid.x, 1)] exit.trap", Stop::Trapped { op: heddle_ir::OpId::from_u32(0), thread: 1 }),
    ];
    for (body, expected) in cases {
        let kernel = kernel(body);
        assert_eq!(run(&kernel, &launch(&kernel, 4, 0), &mut Ignore).unwrap_err(), expected);
    }
}

/// Every operator, at several widths, for operands that differ per thread or are the same for all:
/// as `fold` says.
#[test]
fn operators_mean_what_fold_says() {
    let samples: [u128; 8] = [
        0,
        1,
        2,
        7,
        0x80,
        u128::MAX,
        0x8000_0000_0000_0000,
        0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978,
    ];
    for width in [1u8, 7, 8, 32, 33, 64, 65, 128] {
        let target =
            Target { family: Family::Nvptx, sm: 80, warp_size: 32, opencl: false, flushes: false };
        let mut builder = KernelBuilder::new("k", target);
        let exprs = builder.exprs();
        // Thread t looks at sample t / 8 and sample t % 8.
        let tid = exprs.special(heddle_ir::Special::Tid(0));
        let eight = exprs.constant(8, 32);
        let table = |exprs: &mut heddle_ir::ExprPool, index| {
            let mut value = exprs.constant(0, width);
            for (n, sample) in samples.iter().enumerate() {
                let (n, sample) = (exprs.constant(n as u128, 32), exprs.constant(*sample, width));
                let here = exprs.eq(index, n);
                value = exprs.select(here, sample, value);
            }
            value
        };
        let high = exprs.binary(BinOp::UDiv, tid, eight);
        let low = exprs.binary(BinOp::URem, tid, eight);
        let (a, b) = (table(exprs, high), table(exprs, low));
        let fixed = exprs.constant(samples[5] >> 3, width);
        let mut made = Vec::new();
        type Check = Box<dyn Fn(u128, u128) -> Option<u128>>;
        let mut add = |id, check: Check| made.push((id, check));
        for &op in UnOp::ALL {
            let id = exprs.intern(ExprKind::Unary(op, a), width);
            add(id, Box::new(move |a, _| Some(fold_unary(op, a, width))));
        }
        for &op in BinOp::ALL {
            let id = exprs.intern(ExprKind::Binary(op, NoWrap::NONE, a, b), width);
            let value = move |a, b| {
                (!is_undefined_division(op, a, b, width)).then(|| fold_binary(op, a, b, width))
            };
            add(id, Box::new(value));
            let id = exprs.intern(ExprKind::Binary(op, NoWrap::NONE, a, fixed), width);
            let right = heddle_ir::mask(samples[5] >> 3, width);
            add(id, Box::new(move |a, _| value(a, right)));
        }
        for &op in CmpOp::ALL {
            let id = exprs.intern(ExprKind::Cmp(op, a, b), 1);
            add(id, Box::new(move |a, b| Some(u128::from(fold_cmp(op, a, b, width)))));
        }
        for to in [3u8, 40, 64, 100] {
            let ops: &[CastOp] = match to.cmp(&width) {
                std::cmp::Ordering::Less => &[CastOp::Trunc],
                std::cmp::Ordering::Greater => &[CastOp::Zext, CastOp::Sext],
                std::cmp::Ordering::Equal => &[],
            };
            for &op in ops {
                let id = exprs.intern(ExprKind::Cast(op, a), to);
                add(id, Box::new(move |a, _| Some(fold_cast(op, a, width, to))));
            }
        }
        // Each value is written to a place of its own, in whole 16-byte slots.
        let out = builder.object(heddle_ir::Object {
            name: "out".into(),
            space: heddle_ir::Space::Global,
            kind: heddle_ir::ObjectKind::Variable,
            size: None,
            shape: heddle_ir::Shape::Bytes,
            read_only: false,
            initial: heddle_ir::Initial::Any,
        });
        let origin = builder.origin(heddle_ir::Origin {
            function: "k".into(),
            source_function: None,
            ordinal: None,
            span: None,
            inlined_at: None,
        });
        for (slot, (id, _)) in made.iter().enumerate() {
            let exprs = builder.exprs();
            let value = exprs.resize(*id, 128);
            let wide = exprs.resize(tid, 64);
            let sixteen = exprs.constant(16, 64);
            let row = exprs.constant(slot as u128 * 1024, 64);
            let offset = exprs.mul(wide, sixteen);
            let offset = exprs.add(offset, row);
            let pred = exprs.truth();
            let access = heddle_ir::Access {
                address: heddle_ir::Address { object: out, offset },
                size: sixteen,
                kind: heddle_ir::AccessKind::Store([value].into_iter().collect()),
                order: None,
                volatile: false,
                align: 1,
                by_warp: false,
            };
            builder.op(pred, heddle_ir::OpKind::Access(access), &[], origin);
        }
        let kernel = builder.finish();
        assert_eq!(heddle_ir::verify(&kernel), Ok(()));
        let launch = heddle_interp::Launch::new(&kernel, [1; 3], [64, 1, 1]);
        let mut session = run(&kernel, &launch, &mut Ignore).unwrap();
        for (slot, (id, check)) in (0u64..).zip(&made) {
            for thread in 0..64u64 {
                let a = heddle_ir::mask(samples[thread as usize / 8], width);
                let b = heddle_ir::mask(samples[thread as usize % 8], width);
                let found = session.global(out, slot * 1024 + thread * 16, 16);
                let term = heddle_ir::show_expr(&kernel, *id);
                assert_eq!(found, check(a, b), "i{width} {term} of {a:#x}, {b:#x}");
            }
        }
    }
}
