//! Bulk copies that combine, and those that go to several blocks of a cluster at once.

use heddle_diagnostics::Code;
use heddle_driver::dynamic::{RunOptions, RunOutcome};
use heddle_frontend::CompileOptions;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran, words};

const HEAD: &str = "__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }\n\
    __device__ void meet() { asm volatile(\"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\" ::: \"memory\"); }\n\
    __device__ unsigned rank() { unsigned r; asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(r)); return r; }\n";

fn with(kernel: &str, schedule: Schedule, cluster: u32) -> RunOutcome {
    let with = RunOptions {
        compile: CompileOptions { arch: "sm_90".to_owned(), ..CompileOptions::default() },
        buffers: vec![buffer("out=i32[256]:zeros"), buffer("in=i32[256]:range")],
        cluster: Some([cluster, 1, 1]),
        schedule,
        seed: 3,
        ..options(4, 32)
    };
    ran(&(HEAD.to_owned() + kernel), &with)
}

const REDUCE: &str = "__global__ void k(int *out, const int *in) { __shared__ __align__(128) int s[32]; int t = threadIdx.x;\n\
    s[t] = in[t] + blockIdx.x; asm volatile(\"fence.proxy.async;\" ::: \"memory\"); __syncthreads();\n\
    if (t == 0) { asm volatile(\"cp.reduce.async.bulk.global.shared::cta.bulk_group.OP [%0], [%1], 128;\" :: \"l\"(out), \"r\"(at(s)) : \"memory\");\n\
      asm volatile(\"cp.async.bulk.commit_group;\" ::: \"memory\"); WAIT }\n AFTER }";

#[test]
fn reductions_of_several_blocks_add_up_and_do_not_race() {
    for schedule in Schedule::ALL {
        let kernel = |op: &str, wait: &str, after: &str| {
            REDUCE.replace("OP", op).replace("WAIT", wait).replace("AFTER", after)
        };
        let wait = "asm volatile(\"cp.async.bulk.wait_group 0;\" ::: \"memory\");";
        let outcome = with(&kernel("add.s32", wait, ""), schedule, 1);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..32).map(|t| 4 * t + 6).collect();
        assert_eq!(words(&outcome, "out")[..32], expected, "{schedule}");
        let outcome = with(&kernel("max.u32", wait, ""), schedule, 1);
        let expected: Vec<i32> = (0..32).map(|t| t + 3).collect();
        assert_eq!(words(&outcome, "out")[..32], expected, "{schedule}");
        // A plain store of another block races with it, and so does a store to its source before it
        // is waited for.
        let races = with(&kernel("add.s32", wait, "out[31] = blockIdx.x;"), schedule, 1);
        assert!(codes(&races).contains(&Code::InterBlockRace), "{schedule}: {:?}", races.report);
        let early = with(&kernel("add.s32", "s[5] = 0;", ""), schedule, 1);
        assert!(!codes(&early).is_empty(), "{schedule}");
    }
}

const MULTICAST: &str = "__global__ void k(int *out, const int *in) { __shared__ __align__(128) int s[32]; __shared__ unsigned long long b;\n\
    int t = threadIdx.x;\n\
    if (t == 0) { asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" :: \"r\"(at(&b)) : \"memory\");\n\
      asm volatile(\"fence.mbarrier_init.release.cluster;\"); }\n meet();\n\
    if (t == 0) asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;\" :: \"r\"(at(&b)) : \"memory\");\n\
    if (t == 0 && rank() == 0) asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, [%2], %3;\"\n\
      :: \"r\"(at(s)), \"l\"(in + blockIdx.x * 32), \"r\"(at(&b)), \"h\"((short)3) : \"memory\");\n\
    WAIT\n out[blockIdx.x * 32 + t] = s[t]; meet(); }";

#[test]
fn a_multicast_reaches_each_block_and_completes_there() {
    let wait = "asm volatile(\"{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\\n\
        @!p bra again; }\" :: \"r\"(at(&b)) : \"memory\");";
    for schedule in Schedule::ALL {
        let outcome = with(&MULTICAST.replace("WAIT", wait), schedule, 2);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..128).map(|i| i / 64 * 64 + i % 32).collect();
        assert_eq!(words(&outcome, "out")[..128], expected, "{schedule}");
        let without = with(&MULTICAST.replace("WAIT", ""), schedule, 2);
        assert!(without.exit_code() == 1, "{schedule}: {:?}", without.report);
    }
}

#[test]
fn tensor_copies_are_refused_with_the_way_out() {
    let kernel = "__global__ void k(int *out, const int *in) { __shared__ __align__(128) int s[32]; __shared__ unsigned long long b;\n\
        asm volatile(\"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];\"\n\
        :: \"r\"(at(s)), \"l\"(in), \"r\"(0), \"r\"(at(&b)) : \"memory\"); out[0] = s[0]; }";
    let outcome = with(kernel, Schedule::RoundRobin, 1);
    let found: Vec<_> = outcome.report.findings().collect();
    assert!(
        outcome.exit_code() == 2 && found[0].message.contains("cp.async.bulk.tensor"),
        "{found:?}"
    );
    assert!(found[0].helps.iter().any(|it| it.contains("map of a tensor")), "{found:?}");
}
