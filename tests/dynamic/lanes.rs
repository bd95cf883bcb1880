//! Lanes that ask which others are with them: a branch of a warp is told of its own lanes.

use heddle_driver::dynamic::RunOptions;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran, words};

#[test]
fn each_branch_is_told_of_the_lanes_that_take_it() {
    for asks in ["__activemask()", "told()"] {
        let kernel = "__device__ unsigned told() { unsigned m; asm volatile(\"activemask.b32 %0;\" : \"=r\"(m)); return m; }\n\
            __global__ void k(unsigned *out) { unsigned m; int t = threadIdx.x;\n\
              if (t % 3 == 0) m = ASK; else if (t > 40) return; else m = ASK;\n\
              out[t] = m; }";
        for schedule in Schedule::ALL {
            let with = RunOptions {
                buffers: vec![buffer("out=i32[64]:zeros")],
                schedule,
                ..options(1, 64)
            };
            let outcome = ran(&kernel.replace("ASK", asks), &with);
            assert_eq!(codes(&outcome), [], "{asks} {schedule}: {:?}", outcome.report);
            let is_in = |t: u32, third: bool| t.is_multiple_of(3) == third && (third || t <= 40);
            let mask = |t: u32| {
                let first = t / 32 * 32;
                let lanes = (first..first + 32).filter(|it| is_in(*it, t.is_multiple_of(3)));
                lanes.fold(0u32, |all, it| all | 1 << (it - first))
            };
            let expected: Vec<i32> = (0..64)
                .map(|t| if is_in(t, t.is_multiple_of(3)) { mask(t) as i32 } else { 0 })
                .collect();
            assert_eq!(words(&outcome, "out"), expected, "{asks} {schedule}");
        }
    }
}

#[test]
fn lanes_that_come_together_append_with_one_addition() {
    let kernel = "#include <cooperative_groups.h>\n\
        __global__ void k(const int *in, int *out, int *tail, int n) {\n\
          for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n\
            if (in[i] % 2 == 1) {\n\
              auto g = cooperative_groups::coalesced_threads(); int first = 0;\n\
              if (g.thread_rank() == 0) first = atomicAdd(tail, g.size());\n\
              out[g.shfl(first, 0) + g.thread_rank()] = in[i]; } }";
    for schedule in Schedule::ALL {
        let with = RunOptions {
            buffers: ["in=i32[300]:range", "out=i32[300]:zeros", "tail=i32[1]:zeros"]
                .map(buffer)
                .to_vec(),
            args: vec![("n".to_owned(), "300".to_owned())],
            schedule,
            ..options(2, 64)
        };
        let outcome = ran(kernel, &with);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        assert_eq!(words(&outcome, "tail"), [150], "{schedule}");
        let mut all = words(&outcome, "out");
        all.truncate(150);
        all.sort_unstable();
        assert_eq!(all, (0..150).map(|it| 2 * it + 1).collect::<Vec<i32>>(), "{schedule}");
    }
}

#[test]
fn a_lane_that_spins_does_not_keep_the_others_from_their_answer() {
    let kernel = "__global__ void k(int *flag, unsigned *out) {\n\
          if (threadIdx.x == 1) { while (atomicAdd(flag, 0) == 0) {} }\n\
          else { out[threadIdx.x] = __activemask(); if (threadIdx.x == 0) atomicExch(flag, 1); } }";
    for schedule in Schedule::ALL {
        let with = RunOptions {
            buffers: vec![buffer("flag=i32[1]:zeros"), buffer("out=i32[32]:zeros")],
            schedule,
            ..options(1, 32)
        };
        let outcome = ran(kernel, &with);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..32).map(|t| if t == 1 { 0 } else { !2 }).collect();
        assert_eq!(words(&outcome, "out"), expected, "{schedule}");
    }
}
