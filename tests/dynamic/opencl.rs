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
