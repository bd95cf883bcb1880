//! Inline PTX under the executor: loops, exchanges, bulk copies, arithmetic; what is refused, by
//! name.

use heddle_diagnostics::Code;
use heddle_driver::dynamic::RunOptions;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran};

/// What the kernel leaves in `out`, four bytes each.
fn words(text: &str, block: u32) -> Vec<u32> {
    let out = vec![buffer("out=i32[64]")];
    let outcome = ran(text, &RunOptions { buffers: out, ..options(1, block) });
    assert_eq!(codes(&outcome), [], "{text}: {:?}", outcome.report);
    let bytes = outcome.buffer("out").expect("the buffer");
    bytes.chunks(4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect()
}

#[test]
fn loops_and_branches_run() {
    let text = "__global__ void k(int *out) { int n = threadIdx.x, sum;\n\
        asm(\"{ .reg .pred p; .reg .s32 i; mov.s32 i, %1; mov.s32 %0, 0;\\n\"\n\
            \"L: setp.eq.s32 p, i, 0; @p bra D; add.s32 %0, %0, i; sub.s32 i, i, 1; bra L; D: }\" : \"=r\"(sum) : \"r\"(n));\n\
        out[n] = sum; }";
    let out = words(text, 32);
    assert!((0..32).all(|n| out[n as usize] == n * (n + 1) / 2), "{out:?}");
}

#[test]
fn exchanges_of_lanes_run() {
    let text = "__global__ void k(int *out) { int t = threadIdx.x, a, b, c;\n\
        asm volatile(\"{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }\" : \"=r\"(a));\n\
        asm volatile(\"shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;\" : \"=r\"(b) : \"r\"(t));\n\
        asm volatile(\"{ .reg .pred p; setp.lt.s32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }\" : \"=r\"(c) : \"r\"(t));\n\
        out[t] = a * 1000000 + b * 1000 + c; }";
    let out = words(text, 32);
    assert!(
        (0..32).all(|n| out[n as usize] == u32::from(n == 0) * 1_000_000 + (n ^ 1) * 1000 + 31),
        "{out:?}"
    );
}

#[test]
fn arithmetic_runs() {
    let text = "__global__ void k(int *out) { float f; int hi, shift; unsigned long long wide; int back;\n\
        asm(\"fma.rn.f32 %0, %1, %2, %3;\" : \"=f\"(f) : \"f\"(1.5f), \"f\"(4.0f), \"f\"(0.25f));\n\
        asm(\"mul.hi.u32 %0, %1, %2;\" : \"=r\"(hi) : \"r\"(0x80000000), \"r\"(6));\n\
        asm(\"shl.b32 %0, %1, %2;\" : \"=r\"(shift) : \"r\"(1), \"r\"(40));\n\
        asm(\"mul.wide.u32 %0, %1, %2;\" : \"=l\"(wide) : \"r\"(0x10000), \"r\"(0x30000));\n\
        asm(\"cvt.rzi.s32.f32 %0, %1;\" : \"=r\"(back) : \"f\"(-2.75f));\n\
        out[0] = __float_as_int(f); out[1] = hi; out[2] = shift; out[3] = wide >> 32; out[4] = back; }";
    let out = words(text, 1);
    assert_eq!(out[..5], [6.25f32.to_bits(), 3, 0, 3, -2i32 as u32]);
}

const BULK: &str = "#define at(p) ((unsigned)__cvta_generic_to_shared(p))\n\
    __global__ void k(int *out, const int *in) {\n\
    __shared__ __align__(16) int s[64]; __shared__ long long b; int t = threadIdx.x;\n\
    if (t == 0) asm volatile(\"mbarrier.init.shared.b64 [%0], 1;\" ::\"r\"(at(&b)) : \"memory\");\n\
    __syncthreads();\n\
    if (t == 0) {\n\
    asm volatile(\"mbarrier.arrive.expect_tx.shared.b64 _, [%0], BYTES;\" ::\"r\"(at(&b)) : \"memory\");\n\
    asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];\"\n\
      ::\"r\"(at(s)), \"l\"(in), \"r\"(at(&b)) : \"memory\"); }\n\
    WAIT\n\
    out[t] = s[63 - t]; }";

#[test]
fn bulk_copies_are_done_when_their_phase_is() {
    let wait = "asm volatile(\"{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }\" ::\"r\"(at(&b)) : \"memory\");";
    let cases = [
        ("256", wait, None),
        ("256", "__syncthreads();", Some(Code::IntraBlockRace)),
        ("512", wait, Some(Code::NamedBarrierDeadlock)),
    ];
    for (bytes, wait, wrong) in cases {
        let text = BULK.replace("BYTES", bytes).replace("WAIT", wait);
        for schedule in Schedule::ALL {
            let buffers = vec![buffer("out=i32[64]"), buffer("in=i32[64]:range")];
            let outcome = ran(&text, &RunOptions { buffers, schedule, ..options(1, 64) });
            let found = codes(&outcome);
            match wrong {
                None => assert_eq!(found, [], "{schedule}: {:?}", outcome.report),
                Some(code) => assert!(found.contains(&code), "{schedule}: {found:?}"),
            }
            if wrong.is_none() {
                let out = outcome.buffer("out").expect("the buffer");
                assert!((0..64).all(|n| usize::from(out[n * 4]) == 63 - n), "{schedule}");
            }
        }
    }
}

#[test]
fn a_source_of_a_bulk_copy_is_not_written_before_it_was_read() {
    let text = |wait: &str| {
        format!(
            "__global__ void k(int *out) {{ __shared__ __align__(16) int s[64];\n\
             for (int i = 0; i < 64; i++) s[i] = i;\n\
             asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\" ::\"l\"(out), \"r\"((unsigned)__cvta_generic_to_shared(s)) : \"memory\");\n\
             asm volatile(\"cp.async.bulk.commit_group;\" ::: \"memory\");\n\
             {wait}\n s[5] = 1; asm volatile(\"cp.async.bulk.wait_group 0;\" ::: \"memory\"); }}"
        )
    };
    let run = |wait: &str| {
        ran(&text(wait), &RunOptions { buffers: vec![buffer("out=i32[64]")], ..options(1, 1) })
    };
    let good = run("asm volatile(\"cp.async.bulk.wait_group.read 0;\" ::: \"memory\");");
    assert_eq!(codes(&good), [], "{:?}", good.report);
    assert_eq!(good.buffer("out").map(|it| it[5 * 4]), Some(5));
    let bad = run("");
    let told: Vec<_> = bad.report.findings().map(|it| it.message.clone()).collect();
    assert!(told.iter().any(|it| it.contains("asynchronous copy")), "{told:?}");
}

#[test]
fn what_is_not_run_is_refused_by_name() {
    for (asm, name) in [
        ("add.rz.f32 %0, %0, %0;", "add.rz.f32"),
        ("cp.async.bulk.prefetch.tensor.1d.L2.global [%1, {%2}];", "tensor"),
        ("tanh.approx.f16x2 %2, %2;", "tanh.approx.f16x2"),
    ] {
        let text = format!(
            "__global__ void k(float *out) {{ float f = out[0]; int n = 1;\n\
             asm volatile(\"{asm}\" : \"+f\"(f) : \"l\"(out), \"r\"(n)); out[1] = f; }}"
        );
        let outcome =
            ran(&text, &RunOptions { buffers: vec![buffer("out=f32[4]")], ..options(1, 1) });
        let told: Vec<_> = outcome.report.findings().map(|it| it.message.clone()).collect();
        let refused = outcome.exit_code() == 2 && told.iter().any(|it| it.contains(name));
        assert!(refused || name == "tensor", "{asm}: {told:?}");
    }
}

#[test]
fn special_registers_are_those_of_the_thread() {
    let text = "__global__ void k(int *out) { int t = threadIdx.x, lt, ge, sm, size;\n\
        asm volatile(\"mov.u32 %0, %%lanemask_lt; mov.u32 %1, %%lanemask_ge; mov.u32 %2, %%nsmid; mov.u32 %3, WARP_SZ;\"\n\
          : \"=r\"(lt), \"=r\"(ge), \"=r\"(sm), \"=r\"(size));\n\
        unsigned long long before, after; asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(before));\n\
        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(after));\n\
        out[t] = __popc(lt) + 100 * __popc(ge) + 10000 * sm + 100000 * size + (after < before); }";
    let out = words(text, 32);
    assert!((0..32).all(|t| out[t as usize] == t + 100 * (32 - t) + 10000 + 3_200_000), "{out:?}");
}

#[test]
fn a_carry_goes_from_one_instruction_to_the_next() {
    let text = "__global__ void k(unsigned *out) { unsigned lo, hi, dl, dh, ml, mh, a = 0xfffffff0u, b = 0x20u;\n\
        asm(\"add.cc.u32 %0, %2, %3; addc.u32 %1, %4, %5;\" : \"=&r\"(lo), \"=r\"(hi) : \"r\"(a), \"r\"(b), \"r\"(5), \"r\"(7));\n\
        asm(\"sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, %5;\" : \"=&r\"(dl), \"=r\"(dh) : \"r\"(b), \"r\"(a), \"r\"(9), \"r\"(3));\n\
        asm(\"mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;\" : \"=&r\"(ml), \"=r\"(mh) : \"r\"(a), \"r\"(b), \"r\"(0xffffffffu));\n\
        out[0] = lo; out[1] = hi; out[2] = dl; out[3] = dh; out[4] = ml; out[5] = mh; }";
    let sum = 0x5_ffff_fff0_u64 + 0x7_0000_0020;
    let difference = 0x9_0000_0020_u64 - 0x3_ffff_fff0;
    let product = 0xffff_fff0_u64 * 0x20 + 0xffff_ffff;
    let expected = [sum, difference, product].map(|it| [it as u32, (it >> 32) as u32]);
    assert_eq!(words(text, 1)[..6], expected.concat());
}

#[test]
fn a_warp_that_lacks_lanes_counts_as_a_whole_one() {
    let text = "__global__ void k(int *out) { __shared__ int s[48]; int t = threadIdx.x; s[t] = t;\n\
        asm volatile(\"barrier.sync 1, 64;\" ::: \"memory\"); out[t] = s[47 - t]; }";
    let out = words(text, 48);
    assert!((0..48).all(|n| out[n as usize] == 47 - n), "{out:?}");
}

#[test]
fn arrivals_that_count_differently_are_found() {
    let text = "__global__ void k(int *out) { int t = threadIdx.x;\n\
        if (t < 32) asm volatile(\"barrier.sync 1, 64;\" ::: \"memory\");\n\
        else asm volatile(\"barrier.sync 1, 96;\" ::: \"memory\"); out[t] = t; }";
    let out = vec![buffer("out=i32[64]")];
    let outcome = ran(text, &RunOptions { buffers: out, ..options(1, 64) });
    assert_eq!(codes(&outcome), [Code::BarrierArrivals], "{:?}", outcome.report);
}

#[test]
fn a_barrier_that_nobody_waits_at_ends_with_its_last_arrival() {
    let text = "__global__ void k(int *out) { __shared__ int s[64]; int t = threadIdx.x;\n\
        asm volatile(\"barrier.arrive 1, 64;\" ::: \"memory\"); s[t] = t; __syncthreads();\n\
        asm volatile(\"barrier.sync 1, 64;\" ::: \"memory\"); out[t] = s[63 - t]; }";
    let out = words(text, 64);
    assert!((0..64).all(|n| out[n as usize] == 63 - n), "{out:?}");
}

#[test]
fn a_fence_of_a_proxy_orders_no_threads() {
    let hand_over = |fence: &str| {
        format!(
            "__global__ void k(int *out) {{ int t = threadIdx.x;\n\
            if (t == 0) {{ out[1] = 7; asm volatile(\"{fence}\" ::: \"memory\"); atomicExch(out, 1); }}\n\
            if (t == 32) {{ while (atomicAdd(out, 0) == 0); asm volatile(\"{fence}\" ::: \"memory\"); out[2] = out[1]; }} }}"
        )
    };
    let found = |fence: &str| {
        let out = vec![buffer("out=i32[64]:zeros")];
        codes(&ran(&hand_over(fence), &RunOptions { buffers: out, ..options(1, 64) }))
    };
    assert_eq!(found("fence.acq_rel.cta;"), []);
    assert_eq!(found("fence.proxy.async;"), [Code::IntraBlockRace]);
}
