//! Exchanges among lanes, as PTX defines them.

use crate::common::{kernel, known, launch, output, with_input};

/// What each of 32 threads gets from one operation on `tid`, as 32 bits.
fn each(operation: &str, width: &str, threads: u32) -> Vec<Option<u128>> {
    let widen = if width == "i32" { "%r" } else { "zext.i32(%r)" };
    let kernel = kernel(&format!(
        "%r: {width} = {operation}\nstore out[mul(zext.i64(tid.x), 4) +: 4] ({widen})"
    ));
    let launch = launch(&kernel, threads, 0);
    output(&kernel, &launch, u64::from(threads))
}

#[test]
fn shuffles_move_within_segments() {
    let all = |f: &dyn Fn(u32) -> u32| known((0..32).map(f));
    // The whole warp: clamp 31, no segments (for `up`: clamp 0).
    assert_eq!(each("shfl.idx(tid.x, 5:i32, 31:i32) mask -1", "i32", 32), all(&|_| 5));
    assert_eq!(
        each("shfl.down(tid.x, 4:i32, 31:i32) mask -1", "i32", 32),
        all(&|t| if t < 28 { t + 4 } else { t })
    );
    assert_eq!(
        each("shfl.up(tid.x, 3:i32, 0:i32) mask -1", "i32", 32),
        all(&|t| if t >= 3 { t - 3 } else { t })
    );
    assert_eq!(each("shfl.bfly(tid.x, 16:i32, 31:i32) mask -1", "i32", 32), all(&|t| t ^ 16));
    // Segments of eight: segment mask 24 in bits 8 to 12.
    let c = 24 << 8;
    let down = format!("shfl.down(tid.x, 1:i32, {}:i32) mask -1", c | 31);
    assert_eq!(each(&down, "i32", 32), all(&|t| if t % 8 < 7 { t + 1 } else { t }));
    let up = format!("shfl.up(tid.x, 1:i32, {c}:i32) mask -1");
    assert_eq!(each(&up, "i32", 32), all(&|t| if t % 8 > 0 { t - 1 } else { t }));
    let idx = format!("shfl.idx(tid.x, 3:i32, {}:i32) mask -1", c | 31);
    assert_eq!(each(&idx, "i32", 32), all(&|t| t / 8 * 8 + 3));
    // The lane may differ per thread, and warps do not mix.
    let kernel = kernel(
        "%r: i32, %q: i1 = shfl.idx(mul(tid.x, 10), xor(lane, 1), 31:i32) mask -1
         store out[mul(zext.i64(tid.x), 4) +: 4] (add(%r, zext.i32(%q)))",
    );
    let launch = launch(&kernel, 64, 0);
    assert_eq!(output(&kernel, &launch, 64), known((0..64).map(|t| (t ^ 1) * 10 + 1)));
}

#[test]
fn votes_and_matches_and_reductions() {
    let all = |value: u32| known([value; 32]);
    assert_eq!(each("ballot(ult(tid.x, 5)) mask -1", "i32", 32), all(0x1f));
    assert_eq!(each("vote.all(ult(tid.x, 32)) mask -1", "i1", 32), all(1));
    assert_eq!(each("vote.all(ult(tid.x, 31)) mask -1", "i1", 32), all(0));
    assert_eq!(each("vote.any(eq(tid.x, 9)) mask -1", "i1", 32), all(1));
    assert_eq!(each("vote.uni(ult(tid.x, 9)) mask -1", "i1", 32), all(0));
    assert_eq!(each("vote.uni(ult(tid.x, 99)) mask -1", "i1", 32), all(1));
    assert_eq!(
        each("match.any(and(tid.x, 1)) mask -1", "i32", 32),
        known((0..32).map(|t| 0x5555_5555 << (t & 1)))
    );
    assert_eq!(each("match.all(and(tid.x, 1)) mask -1", "i32", 32), all(0));
    assert_eq!(each("match.all(ntid.x) mask -1", "i32", 32), all(u32::MAX));
    assert_eq!(each("reduce.add(tid.x) mask -1", "i32", 32), all(496));
    assert_eq!(each("reduce.umax(tid.x) mask -1", "i32", 32), all(31));
    assert_eq!(each("reduce.smin(sub(tid.x, 7)) mask -1", "i32", 32), all(7u32.wrapping_neg()));
    assert_eq!(each("reduce.xor(tid.x) mask -1", "i32", 32), all(0));
    assert_eq!(each("elect() mask -1", "i32", 32), all(0));
    // The last warp of a block may be short.
    assert_eq!(each("ballot(1:i1) mask -1", "i32", 40)[39], Some(0xff));
}

#[test]
fn a_lane_exchanges_with_those_of_its_mask() {
    // Two halves, each with its own mask; then a mask that names lanes that are elsewhere.
    let kernel = kernel(
        "%low = ult(lane, 16)
         %r: i32 = reduce.add(tid.x) mask select(%low, 0xffff, -65536)
         store out[mul(zext.i64(tid.x), 4) +: 4] (%r)
         [%low] %q: i32 = ballot(1:i1) mask -1
         [%low] store out[add(mul(zext.i64(tid.x), 4), 128) +: 4] (%q)
         [%low] %p: i32 = shfl.idx(tid.x, 20:i32, 31:i32) mask 0xffff
         [%low] store out[add(mul(zext.i64(tid.x), 4), 256) +: 4] (%p)",
    );
    let found = output(&kernel, &launch(&kernel, 32, 0), 80);
    let low = [120; 16];
    assert_eq!(found[..32], known(low.into_iter().chain([376; 16])));
    assert_eq!(found[32..48], [None; 16], "half of the mask is not there");
    assert_eq!(found[64..80], [None; 16], "lane 20 is not there");
}

#[test]
fn lanes_that_returned_are_not_missed() {
    let kernel = kernel(
        "[ult(lane, 4)] exit.return
         %r: i32 = ballot(1:i1) mask -1
         store out[mul(zext.i64(tid.x), 4) +: 4] (%r)",
    );
    assert_eq!(output(&kernel, &launch(&kernel, 32, 0), 32)[9], Some(0xffff_fff0));
}

#[test]
fn an_unknown_value_spoils_only_what_depends_on_it() {
    let kernel = kernel(
        "%v: i32 = load in[mul(zext.i64(tid.x), 4) +: 4]
         %b: i32 = shfl.bfly(%v, 1:i32, 31:i32) mask -1
         %any: i1 = vote.any(eq(%v, 3)) mask -1
         %all: i1 = vote.all(eq(%v, 3)) mask -1
         %sum: i32 = reduce.add(%v) mask -1
         store out[mul(zext.i64(tid.x), 4) +: 4] (%b)
         store out[128 +: 4] (zext.i32(%any))
         store out[132 +: 4] (zext.i32(%all))
         store out[136 +: 4] (%sum)",
    );
    let launch = with_input(launch(&kernel, 32, 0), &kernel, 0..31);
    let found = output(&kernel, &launch, 35);
    assert_eq!(found[..30], known((0..30).map(|t| t ^ 1)));
    assert_eq!(found[30..], [None, Some(30), Some(1), Some(0), None]);
}
