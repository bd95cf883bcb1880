//! Which volatile words a run takes for flags: those of which every access is understood.

use heddle_driver::dynamic::RunOptions;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran};

/// What two blocks of one thread find with these bodies, in ten orders. Before each, `f` is zero.
fn is_found(parameter: &str, first: &str, second: &str) -> bool {
    let text = format!(
        "__global__ void k({parameter}, int *out) {{ if (blockIdx.x == 0) {{ {first} }} else {{ {second} }} }}"
    );
    let buffers = vec![buffer("f=i32[4]:zeros"), buffer("out=i32[4]:zeros")];
    let with = RunOptions { buffers, schedule: Schedule::Random, runs: 10, ..options(2, 1) };
    !codes(&ran(&text, &with)).is_empty()
}

const WORDS: &str = "volatile int *f";

/// What the first block passes on by setting a flag.
fn signals(set: &str) -> String {
    format!("out[0] = 5; __threadfence(); {set};")
}

/// What the second block does after it has waited.
fn waits(until_not: &str) -> String {
    format!("while ({until_not}) {{ }} __threadfence(); out[0] = 7;")
}

#[test]
fn a_word_whose_value_goes_anywhere_is_data() {
    let stores = "f[0] = 5; if (f[1] == 7) out[1] = 1;";
    let leaks = [
        "out[0] = __atomic_load_n((int *)f, __ATOMIC_RELAXED);",
        "out[0] = __atomic_load_n((int *)(out[3] ? f + 1 : f), __ATOMIC_RELAXED);",
        "int v = f[0]; atomicExch((int *)f + 1, v); out[0] = ((int *)f)[1];",
        "int v = f[0]; f[1] = v + 1; out[0] = ((int *)f)[1];",
        "int v = f[0]; f[1] = v + 1; out[0] = f[1];",
        "int v = f[0]; ((int *)f)[1] = v + 1;",
        "int v = f[0]; asm volatile(\"st.global.s32 [%1], %0; red.global.add.s32 [%2], 0;\" \
         :: \"r\"(v), \"l\"(f + 2), \"l\"(f + 1) : \"memory\"); out[0] = f[2] == 5;",
        "int v = f[0]; asm volatile(\"st.global.s32 [%1], %2;\" \
         :: \"l\"(f + 2), \"l\"(out), \"r\"(v) : \"memory\");",
        "int v = f[0]; asm volatile(\"atom.global.exch.b32 %0, [%1], %2;\" \
         : \"=r\"(v) : \"l\"(f + 2), \"r\"(v) : \"memory\"); out[0] = v;",
    ];
    let missed: Vec<_> = leaks.iter().filter(|it| !is_found(WORDS, stores, it)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(!is_found(WORDS, stores, "if (f[0] == 5) f[2] = 1;"), "it is only compared");
}

#[test]
fn accesses_of_different_sizes_are_no_flag() {
    let narrow = ("f[0] = 5;", "if (*(volatile char *)f == 5) out[0] = 1;");
    let wide = ("*(volatile long long *)f = 5;", "if (f[1] == 5) out[0] = 1;");
    let order = (&*signals("f[0] = 0x01010101"), &*waits("*(volatile char *)f != 1"));
    for (first, second) in [narrow, wide, order] {
        assert!(is_found(WORDS, first, second), "{first} {second}");
    }
}

#[test]
fn a_flag_is_one_however_it_is_compared_and_reached() {
    let wide = "volatile unsigned long long *f";
    let real = "volatile float *f";
    let inline = "asm volatile(\"st.release.gpu.global.s32 [%0], 1;\" :: \"l\"(f) : \"memory\")";
    let flags = [
        (WORDS, "*(out[3] ? f + 1 : f) = 1", "f[0] == 0"),
        (WORDS, "f[0] = 3", "__popc(f[0]) == 0"),
        (WORDS, "f[0] = 3", "f[0] * 2 < 6"),
        (WORDS, "f[0] = 3", "f[0] / 3 == 0"),
        (WORDS, "f[0] = 3", "f[0] % 4 == 0"),
        (WORDS, "f[0] = f[0] + 1", "f[0] == 0"),
        (wide, "f[0] = 1ull << 40", "(f[0] >> 40) == 0"),
        (real, "f[0] = 1", "f[0] == 0.0f"),
        (WORDS, inline, "f[0] == 0"),
    ];
    for (parameter, set, until_not) in flags {
        let found = is_found(parameter, &signals(set), &waits(until_not));
        assert!(!found, "{set}, {until_not}");
    }
    let late = format!("f[0] = 3; {}", signals("f[1] = 1"));
    assert!(is_found(WORDS, &late, &waits("__popc(f[0]) == 0")), "the fence comes too late");
}
