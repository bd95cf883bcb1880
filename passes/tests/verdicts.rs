//! The engine on kernels in the IR's own text: no front end, no files.

use heddle_diagnostics::{Property, SourceMap};
use heddle_passes::launch::LaunchRequest;
use heddle_passes::{Options, Places, check};

fn verdicts(text: &str, grid: Option<[u32; 3]>, block: Option<[u32; 3]>) -> Vec<&'static str> {
    let kernel = heddle_ir::parse_kernel(text).expect("the kernel parses");
    let sources = SourceMap::new(".");
    let places = Places::new(&sources, &kernel, None);
    let request = LaunchRequest { grid, block, ..LaunchRequest::default() };
    let options = Options { request, ..Options::default() };
    let report = check(&kernel, &options, &places);
    Property::ALL
        .iter()
        .filter(|property| report.verdicts.contains_key(property))
        .map(|property| report.verdicts[property].name())
        .collect()
}

const HEADER: &str = "kernel k
target nvptx sm 80 warp 32
param out: pointer out ; 0
param n: i32 ; 1
object out: global param 0 shape [?, stride 4] scalar 4
object s: shared variable size 4096 shape [1024, stride 4] scalar 4
{
";

fn kernel(body: &str) -> String {
    format!("{HEADER}{body}\n}}\nat0 in k ordinal 0\n")
}

#[test]
fn each_thread_its_own_element() {
    let text = kernel("store out[mul.nsw(zext.i64(tid.x), 4) +: 4] (ctaid.x) @at0");
    assert_eq!(verdicts(&text, Some([1, 1, 1]), Some([64, 1, 1])), ["proved"; 4]);
    assert_eq!(
        verdicts(&text, None, Some([64, 1, 1])),
        ["proved", "proved", "proved", "refuted"],
        "blocks write the same elements"
    );
}

#[test]
fn the_linear_index_is_injective_for_every_launch() {
    let text = kernel(
        "%g = add(mul(ctaid.x, ntid.x), tid.x)
         store out[mul.nsw(zext.i64(%g), 4) +: 4] (1:i32) @at0",
    );
    assert_eq!(verdicts(&text, None, None), ["proved"; 4]);
}

#[test]
fn a_neighbour_is_read_behind_the_barrier_or_races() {
    let text = |barrier: &str| {
        kernel(&format!(
            "store s[mul.nsw(zext.i64(tid.x), 4) +: 4] (tid.x) @at0
             {barrier}
             %7 = ult(tid.x, 63)
             [%7] %8: i32 = load s[add.nsw.nuw(mul.nsw(zext.i64(tid.x), 4), 4) +: 4] @at0"
        ))
    };
    let launch = (Some([1, 1, 1]), Some([64, 1, 1]));
    assert_eq!(verdicts(&text("barrier.block.aligned(3) @at0"), launch.0, launch.1), ["proved"; 4]);
    assert_eq!(verdicts(&text(""), launch.0, launch.1), ["proved", "refuted", "refuted", "proved"]);
}

#[test]
fn a_barrier_under_a_thread_condition_diverges() {
    let text = kernel("[ult(tid.x, 7)] barrier.block.aligned(3) @at0");
    assert_eq!(verdicts(&text, Some([1, 1, 1]), Some([64, 1, 1]))[0], "refuted");
    let text = kernel("[ult(param(n), 7)] barrier.block.aligned(3) @at0");
    assert_eq!(verdicts(&text, Some([1, 1, 1]), Some([64, 1, 1]))[0], "proved");
}
