//! The layouts that host and device share: clang reads the header, and compares with what Rust has.

use std::io::Write;
use std::mem::offset_of;
use std::process::{Command, Stdio};

use heddle_runtime::gpu::{
    Block, CELL_BYTES, Counters, Launch, MOST_BLOCKS, MOST_REGIONS, Pair, REPORTS_OF_A_PAIR,
    Region, Report, Stored, THREAD_BYTES, Wait, Word,
};

#[test]
fn the_header_and_the_host_agree() {
    let mut text = String::from("#include \"layout.h\"\n");
    let mut same = |c: &str, rust: usize| {
        text.push_str(&format!("_Static_assert({c} == {rust}, \"{c}\");\n"));
    };
    macro_rules! fields {
        ($($ty:ident { $($field:ident),* })*) => {
            $(
                same(concat!("sizeof(struct ", stringify!($ty), ")"), size_of::<$ty>());
                $(same(
                    concat!("__builtin_offsetof(struct ", stringify!($ty), ", ", stringify!($field), ")"),
                    offset_of!($ty, $field),
                );)*
            )*
        };
    }
    fields! {
        Region { base, bytes, shadow, shift }
        Launch { abi, flags, ring, ring_taken, counters, blocks, waits, pairs, shared_shadow, shared_stride, stores, ring_mask,
                 pair_mask, shared_bytes, shared_shift, slots, regions, region }
        Counters { next, dropped, accesses, blocks_unchecked, epochs_spent, stop, stopped }
        Block { slot, left, released, published, acquired, read }
        Wait { lanes, what }
        Stored { word, mix }
        Pair { key, count }
        Report { sequence, first, second, address }
    }
    same("MOST_REGIONS", MOST_REGIONS);
    same("REPORTS_OF_A_PAIR", REPORTS_OF_A_PAIR as usize);
    same("THREAD_BYTES", THREAD_BYTES as usize);
    same("CELL_WORDS * 8", CELL_BYTES as usize);
    same("1 << (64 - BLOCK_AT)", MOST_BLOCKS as usize);
    same("ABI_VERSION", heddle_runtime::abi::VERSION as usize);
    let word = Word(0x12345 << 44 | 0x2a5 << 34 | 1 << 33 | 0xabc << 19);
    assert_eq!(
        (word.block(), word.thread(), word.is_atomic(), word.site()),
        (0x12345, 0x2a5, true, 0xabc)
    );
    for (name, bit) in [("THREAD_AT", 34), ("BLOCK_AT", 44), ("ATOMIC_AT", 33), ("SITE_AT", 19)] {
        same(name, bit);
    }
    for (name, bit) in [
        ("SIZE_AT", 48),
        ("SAME_VALUE_AT", 56),
        ("FIRST_WRITES_AT", 57),
        ("SECOND_WRITES_AT", 58),
        ("KIND_AT", 59),
    ] {
        same(name, bit);
    }
    let mut clang = Command::new("clang-22")
        .args(["-fsyntax-only", "-Iruntime/device", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("clang 22 is installed");
    clang.stdin.take().expect("piped").write_all(text.as_bytes()).expect("clang reads");
    let output = clang.wait_with_output().expect("clang ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
