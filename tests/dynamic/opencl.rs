//! What a work-group does together in OpenCL C: votes, copies, sub-groups, linear ids.

use heddle_clang::Embedded;
use heddle_diagnostics::Code;
use heddle_driver::Source;
use heddle_driver::dynamic::{RunOptions, RunOutcome, run};
use heddle_frontend::Language;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, words};

fn ran(text: &str, schedule: Schedule) -> RunOutcome {
    let (name, bytes) = ("<kernel>".to_owned(), text.as_bytes().to_vec());
    let source = Source::Text { name, bytes, language: Some(Language::OpenCl) };
    let with = RunOptions {
        buffers: vec![buffer("out=i32[256]"), buffer("in=i32[256]:range")],
        grid: [2, 2, 1],
        block: [8, 4, 1],
        schedule,
        ..options(1, 1)
    };
    run(&source, &with, &Embedded).expect("a current folder")
}

const KERNEL: &str = "__kernel void k(__global int *out, const __global int *in) {\n";

#[test]
fn linear_ids_votes_and_sub_groups_run() {
    let body = "int i = get_global_linear_id(), t = get_local_linear_id();\n\
        int all = work_group_all(t < 32), some = work_group_any(t == 31), none = work_group_any(t > 31);\n\
        prefetch(in, 4);\n\
        out[i] = t + 100 * all + 200 * some + 400 * none; }";
    for schedule in Schedule::ALL {
        let outcome = ran(&(KERNEL.to_owned() + body), schedule);
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..128).map(|i| i / 16 % 4 * 8 + i % 8 + 300).collect();
        assert_eq!(words(&outcome, "out")[..128], expected, "{schedule}");
    }
}

#[test]
fn a_copy_of_the_work_group_is_waited_for() {
    let body = "__local int s[32]; int t = get_local_linear_id(), g = get_group_id(0) + 2 * get_group_id(1);\n\
        event_t e = async_work_group_copy(s, in + 32 * g, 32, 0);\n\
        WAIT\n out[32 * g + t] = s[31 - t]; }";
    for schedule in Schedule::ALL {
        let with = |wait: &str| ran(&(KERNEL.to_owned() + &body.replace("WAIT", wait)), schedule);
        let outcome = with("wait_group_events(1, &e);");
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let expected: Vec<i32> = (0..128).map(|i| i / 32 * 32 + 31 - i % 32).collect();
        assert_eq!(words(&outcome, "out")[..128], expected, "{schedule}");
        let races = with("barrier(CLK_LOCAL_MEM_FENCE);");
        assert!(codes(&races).contains(&Code::IntraBlockRace), "{schedule}: {:?}", races.report);
    }
}

#[test]
fn a_barrier_for_global_memory_hands_on_what_one_thread_acquired() {
    let body = "int g = get_group_id(0) + 2 * get_group_id(1), t = get_local_linear_id();\n\
        volatile __global atomic_int *f = (volatile __global atomic_int *)(out + 200);\n\
        if (g == 0) { out[t] = t; barrier(CLK_GLOBAL_MEM_FENCE);\n\
          if (t == 0) atomic_store_explicit(f, 1, memory_order_release, memory_scope_device); }\n\
        else { if (t == 0) while (!atomic_load_explicit(f, memory_order_acquire, memory_scope_device)) {}\n\
          barrier(FLAGS); out[32 * g + t] = out[31 - t]; } }";
    for (flags, races) in [("CLK_GLOBAL_MEM_FENCE", false), ("CLK_LOCAL_MEM_FENCE", true)] {
        let outcome = ran(&(KERNEL.to_owned() + &body.replace("FLAGS", flags)), Schedule::Random);
        let found = codes(&outcome).contains(&Code::InterBlockRace);
        assert_eq!(found, races, "{flags}: {:?}", outcome.report);
    }
}

#[test]
fn a_fence_of_a_work_item_goes_as_far_and_the_way_that_it_says() {
    let text = |flags: &str, order: &str| {
        format!(
            "{KERNEL}int g = get_group_id(0) + 2 * get_group_id(1), t = get_local_linear_id();\n\
             volatile __global atomic_int *f = (volatile __global atomic_int *)(out + 200);\n\
             if (g == 0 && t == 0) {{ out[0] = 5; atomic_work_item_fence({flags}, {order}, memory_scope_device);\n\
               atomic_store_explicit(f, 1, memory_order_relaxed, memory_scope_device); }}\n\
             if (g == 1 && t == 0) {{ while (!atomic_load_explicit(f, memory_order_acquire, memory_scope_device)) {{}}\n\
               out[1] = out[0]; }} }}"
        )
    };
    for (flags, order, races) in [
        ("CLK_GLOBAL_MEM_FENCE", "memory_order_release", false),
        ("CLK_GLOBAL_MEM_FENCE", "memory_order_acq_rel", false),
        ("CLK_GLOBAL_MEM_FENCE", "memory_order_acquire", true),
        ("CLK_LOCAL_MEM_FENCE", "memory_order_release", true),
    ] {
        let outcome = ran(&text(flags, order), Schedule::Random);
        let found = codes(&outcome).contains(&Code::InterBlockRace);
        assert_eq!(found, races, "{flags} {order}: {:?}", outcome.report);
    }
}
