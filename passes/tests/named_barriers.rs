//! Named barriers on kernels in the IR's own text.

use heddle_diagnostics::{Property, SourceMap};
use heddle_passes::launch::LaunchRequest;
use heddle_passes::{Options, Places, check};

const HEADER: &str = "kernel k
target nvptx sm 80 warp 32
param n: i32 ; 0
object s: shared variable size 128 shape [32, stride 4] scalar 4
{
%first = ult(tid.x, 32:i32)
%second = ule(32:i32, tid.x)
%mine = mul(zext.i64(lane), 4)
%other = mul(zext.i64(xor(lane, 1:i32)), 4)
";

fn verdicts(body: &str, args: Vec<(u32, u128)>, warp_sync: bool) -> [&'static str; 3] {
    let text = format!("{HEADER}{body}\n}}\nat0 in k ordinal 0\n");
    let kernel = heddle_ir::parse_kernel(&text).expect("the kernel parses");
    let sources = SourceMap::new(".");
    let places = Places::new(&sources, &kernel, None);
    let request = LaunchRequest {
        grid: Some([1; 3]),
        block: Some([64, 1, 1]),
        args,
        ..LaunchRequest::default()
    };
    let options = Options { request, warp_sync, ..Options::default() };
    let report = check(&kernel, &options, &places);
    [Property::NamedBarriers, Property::IntraWarpRace, Property::IntraBlockRace]
        .map(|property| report.verdicts[&property].name())
}

const HANDOVER: &str = "[%first] store s[%mine +: 4] (lane) @at0
[%first] barrier.named.arrive.aligned(1, 64) @at0
[%second] barrier.named.sync.aligned(1, 64) @at0
[%second] %v: i32 = load s[%other +: 4] @at0";

#[test]
fn a_handover_is_ordered_by_its_barrier() {
    assert_eq!(verdicts(HANDOVER, vec![], false), ["proved"; 3]);
    let open = HANDOVER.replace("sync.aligned(1, 64)", "arrive.aligned(1, 64)");
    assert_eq!(verdicts(&open, vec![], false), ["proved", "proved", "refuted"]);
}

#[test]
fn a_count_that_nobody_completes_is_a_deadlock() {
    let lonely = HANDOVER.replace("[%first] barrier.named.arrive.aligned(1, 64) @at0\n", "");
    assert_eq!(verdicts(&lonely, vec![], false), ["refuted", "unknown", "unknown"]);
}

#[test]
fn an_argument_that_decides_who_waits_is_tried_or_given() {
    let guarded = HANDOVER.replace("[%first] barrier", "[and(%first, eq(param(n), 3))] barrier");
    // Small values are tried: nobody waits where it is 0.
    assert_eq!(verdicts(&guarded, vec![], false)[0], "refuted");
    assert_eq!(verdicts(&guarded, vec![(0, 3)], false), ["proved"; 3]);
    assert_eq!(verdicts(&guarded, vec![(0, 4)], false)[0], "refuted");
}

#[test]
fn lanes_run_in_step_only_when_asked_for() {
    let exchange = format!("[%first] store s[%other +: 4] (lane) @at0\n{HANDOVER}");
    assert_eq!(verdicts(&exchange, vec![], false), ["proved", "refuted", "proved"]);
    assert_eq!(verdicts(&exchange, vec![], true), ["proved"; 3]);
}
