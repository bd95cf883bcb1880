//! Blocks that wait for each other: the barrier of the grid, clusters, and shared memory of other
//! blocks.

use heddle_diagnostics::Code;
use heddle_driver::dynamic::{RunOptions, RunOutcome};
use heddle_frontend::CompileOptions;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran, words};

const GRID: &str = "#include <cooperative_groups.h>\n\
    __global__ void k(int *data, int n) {\n\
      auto g = cooperative_groups::this_grid(); int i = g.thread_rank(), all = g.size();\n\
      for (int s = 0; s < n; ++s) { int v = data[(i + 1) % all]; BARRIER data[i] = v + 1; g.sync(); } }";

fn on_grid(barrier: &str, resident: Option<u32>, schedule: Schedule) -> RunOutcome {
    let with = RunOptions {
        buffers: vec![buffer("data=i32[512]:range")],
        args: vec![("n".to_owned(), "3".to_owned())],
        resident,
        schedule,
        ..options(8, 64)
    };
    ran(&GRID.replace("BARRIER", barrier), &with)
}

#[test]
fn the_barrier_of_the_grid_orders_all_blocks() {
    for schedule in Schedule::ALL {
        let outcome = on_grid("g.sync();", None, schedule);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..512).map(|i| (i + 3) % 512 + 3).collect();
        assert_eq!(words(&outcome, "data"), expected, "{schedule}");
        let without = on_grid("", None, schedule);
        assert!(
            codes(&without).contains(&Code::InterBlockRace),
            "{schedule}: {:?}",
            codes(&without)
        );
    }
}

#[test]
fn a_grid_that_is_not_all_there_waits_for_ever_and_it_is_said() {
    let outcome = on_grid("g.sync();", Some(4), Schedule::RoundRobin);
    let found = outcome.report.findings().find(|it| it.code == Code::Deadlock).expect("a deadlock");
    assert!(
        found.notes.iter().any(|it| it.contains("blocks from 4 on have not started")),
        "{found:?}"
    );
    let leaves = "#include <cooperative_groups.h>\n\
        __global__ void k(int *data) { if (blockIdx.x == 3) return; cooperative_groups::this_grid().sync(); }";
    let outcome =
        ran(leaves, &RunOptions { buffers: vec![buffer("data=i32[1]")], ..options(8, 32) });
    assert_eq!(codes(&outcome), [Code::Deadlock], "{:?}", outcome.report);
}

/// What kernels with clusters are written with.
const CLUSTER: &str = "__device__ unsigned rank() { unsigned r; asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(r)); return r; }\n\
    __device__ void arrive() { asm volatile(\"barrier.cluster.arrive.aligned;\" ::: \"memory\"); }\n\
    __device__ void wait() { asm volatile(\"barrier.cluster.wait.aligned;\" ::: \"memory\"); }\n\
    __device__ unsigned at(const void *p, unsigned of) { unsigned there;\n\
      asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(there) : \"r\"((unsigned)__cvta_generic_to_shared(p)), \"r\"(of)); return there; }\n\
    __device__ int load(unsigned p) { int v; asm volatile(\"ld.shared::cluster.u32 %0, [%1];\" : \"=r\"(v) : \"r\"(p) : \"memory\"); return v; }\n\
    __device__ void store(unsigned p, int v) { asm volatile(\"st.shared::cluster.u32 [%0], %1;\" :: \"r\"(p), \"r\"(v) : \"memory\"); }\n\
    __device__ void add(unsigned p, int v) { asm volatile(\"red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;\" :: \"r\"(p), \"r\"(v) : \"memory\"); }\n";

fn in_clusters(kernel: &str, schedule: Schedule) -> RunOutcome {
    let with = RunOptions {
        compile: CompileOptions { arch: "sm_90".to_owned(), ..CompileOptions::default() },
        buffers: vec![buffer("out=i32[512]")],
        schedule,
        cluster: Some([2, 1, 1]),
        ..options(6, 64)
    };
    ran(&(CLUSTER.to_owned() + kernel), &with)
}

const READ: &str = "__global__ void k(int *out) { __shared__ int s[64]; int i = blockIdx.x * 64 + threadIdx.x;\n\
    s[threadIdx.x] = i; FIRST\n\
    out[i] = load(at(&s[threadIdx.x], rank() ^ 1)); LAST }";

#[test]
fn blocks_of_a_cluster_read_each_other() {
    for schedule in Schedule::ALL {
        let with = |first: &str, last: &str| {
            in_clusters(&READ.replace("FIRST", first).replace("LAST", last), schedule)
        };
        let outcome = with("arrive(); wait();", "arrive(); wait();");
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..384).map(|i| i ^ 64).collect();
        assert_eq!(words(&outcome, "out")[..384], expected, "{schedule}");
        // A block may end while another reads it.
        let ends = with("arrive(); wait();", "");
        assert!(
            codes(&ends).iter().all(|it| *it == Code::OutOfBounds),
            "{schedule}: {:?}",
            ends.report
        );
        assert_eq!(ends.exit_code(), 1, "{schedule}");
        // Nothing orders the write and the read.
        let races = with("", "arrive(); wait();");
        assert!(codes(&races).contains(&Code::InterBlockRace), "{schedule}: {:?}", races.report);
        // A relaxed arrival publishes nothing.
        let relaxed = with(
            "asm volatile(\"barrier.cluster.arrive.relaxed.aligned;\"); wait();",
            "arrive(); wait();",
        );
        assert!(
            codes(&relaxed).contains(&Code::InterBlockRace),
            "{schedule}: {:?}",
            relaxed.report
        );
    }
}

#[test]
fn updates_and_arrivals_reach_into_other_blocks() {
    let tally = "__global__ void k(int *out) { __shared__ int n; if (threadIdx.x == 0) n = 0; arrive(); wait();\n\
        add(at(&n, rank() ^ 1), threadIdx.x); arrive(); wait(); if (threadIdx.x == 0) out[blockIdx.x] = n; }";
    let object = "__global__ void k(int *out) { __shared__ int s[64]; __shared__ unsigned long long b; int t = threadIdx.x;\n\
        unsigned own = (unsigned)__cvta_generic_to_shared(&b);\n\
        if (t == 0) asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 64;\" :: \"r\"(own) : \"memory\"); arrive(); wait();\n\
        store(at(&s[t], rank() ^ 1), 100 * blockIdx.x + t);\n\
        asm volatile(\"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];\" :: \"r\"(at(&b, rank() ^ 1)) : \"memory\");\n\
        WAIT\n\
        out[blockIdx.x * 64 + t] = s[63 - t]; arrive(); wait(); }";
    let wait = "asm volatile(\"{ .reg .pred p; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\\n\
        @!p bra again; }\" :: \"r\"(own) : \"memory\");";
    for schedule in Schedule::ALL {
        let outcome = in_clusters(tally, schedule);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        assert_eq!(words(&outcome, "out")[..6], [2016; 6], "{schedule}");
        let outcome = in_clusters(&object.replace("WAIT", wait), schedule);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..384).map(|i| 100 * ((i / 64) ^ 1) + 63 - i % 64).collect();
        assert_eq!(words(&outcome, "out")[..384], expected, "{schedule}");
        let outcome = in_clusters(&object.replace("WAIT", ""), schedule);
        assert!(
            codes(&outcome).contains(&Code::InterBlockRace),
            "{schedule}: {:?}",
            outcome.report
        );
    }
}

#[test]
fn cooperative_groups_know_clusters() {
    let text = "#include <cooperative_groups.h>\n\
        __global__ void k(int *out) { __shared__ int s[64]; auto c = cooperative_groups::this_cluster();\n\
        int t = threadIdx.x, i = blockIdx.x * 64 + t; s[t] = c.thread_rank(); c.sync();\n\
        int *there = c.map_shared_rank(s, c.block_rank() ^ 1); out[i] = there[63 - t] + 1000 * c.query_shared_rank(there);\n\
        ADD c.sync(); if (t == 0) out[384 + blockIdx.x] = s[0]; }";
    for schedule in Schedule::ALL {
        let outcome = in_clusters(&text.replace("ADD", "c.sync(); atomicAdd(there, 1);"), schedule);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected = (0..384).map(|i| {
            let other = (i / 64 % 2) ^ 1;
            1000 * other + 64 * other + 63 - i % 64
        });
        let words = words(&outcome, "out");
        assert_eq!(words[..384], expected.collect::<Vec<_>>(), "{schedule}");
        assert_eq!(words[384..390], [64, 128, 64, 128, 64, 128], "{schedule}");
        let races = in_clusters(&text.replace("ADD", "s[t] = 0;"), schedule);
        assert!(codes(&races).contains(&Code::InterBlockRace), "{schedule}: {:?}", races.report);
    }
}

#[test]
fn a_cluster_is_what_the_code_says_and_fits_the_grid() {
    let text = "__global__ void __cluster_dims__(2, 2, 1) k(unsigned *out) { unsigned r, n, x, c;\n\
        asm(\"mov.u32 %0, %%cluster_ctarank; mov.u32 %1, %%cluster_nctarank; mov.u32 %2, %%cluster_ctaid.x; mov.u32 %3, %%clusterid.y;\"\n\
        : \"=r\"(r), \"=r\"(n), \"=r\"(x), \"=r\"(c));\n\
        out[blockIdx.y * gridDim.x + blockIdx.x] = r + 10 * n + 100 * x + 1000 * c; }";
    let with = |grid: [u32; 3], cluster| RunOptions {
        compile: CompileOptions { arch: "sm_90".to_owned(), ..CompileOptions::default() },
        buffers: vec![buffer("out=i32[64]")],
        grid,
        cluster,
        ..options(1, 1)
    };
    let outcome = ran(text, &with([4, 4, 1], None));
    let expected: Vec<i32> = (0..16)
        .map(|i| {
            let (x, y) = (i % 4, i / 4);
            x % 2 + 2 * (y % 2) + 40 + 100 * (x % 2) + 1000 * (y / 2)
        })
        .collect();
    assert_eq!(words(&outcome, "out")[..16], expected, "{:?}", outcome.report);
    for (grid, cluster, why) in [
        ([3, 2, 1], None, "not made of clusters"),
        ([4, 4, 1], Some([4, 1, 1]), "requires clusters of 2,2,1"),
    ] {
        let outcome = ran(text, &with(grid, cluster));
        let message = outcome.report.findings().map(|it| it.message.clone()).collect::<String>();
        assert!(message.contains(why) && outcome.exit_code() == 2, "{message}");
    }
}
