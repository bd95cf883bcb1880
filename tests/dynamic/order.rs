//! What a run takes for ordered, and what for atomic, as the memory model of PTX has it: blocks of
//! one thread, each with a body, in ten orders.

use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, RunOptions, run};
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran};

/// Whether blocks with these bodies are found to race. Before each run, `f` and `d` are zero.
fn races(bodies: &[&str]) -> bool {
    let body = |(n, it): (usize, &&str)| format!("if (blockIdx.x == {n}) {{ {it} }}\n");
    let text = format!(
        "#include <cuda/atomic>\n\
         using of_device = cuda::atomic_ref<int, cuda::thread_scope_device>;\n\
         using of_block = cuda::atomic_ref<int, cuda::thread_scope_block>;\n\
         __global__ void k(int *f, int *d, int *out) {{\n of_device r(*f);\n{} }}",
        bodies.iter().enumerate().map(body).collect::<String>()
    );
    let buffers =
        vec![buffer("f=i32[8]:zeros"), buffer("d=i32[8]:zeros"), buffer("out=i32[8]:zeros")];
    let grid = u32::try_from(bodies.len()).expect("a few");
    let with = RunOptions { buffers, schedule: Schedule::Random, runs: 10, ..options(grid, 1) };
    let outcome = ran(&text, &with);
    assert!(outcome.memory.is_some(), "{bodies:?}: {:?}", outcome.report);
    !codes(&outcome).is_empty()
}

/// Fails with the bodies that race, or do not.
fn all(race: bool, of: &[&[&str]]) {
    let wrong: Vec<_> = of.iter().filter(|it| races(it) != race).collect();
    assert!(wrong.is_empty(), "race is not {race}: {wrong:#?}");
}

/// Whether what the first block writes before a fence and an exchange races with what the second
/// reads after a wait and a fence.
fn fenced(release: &str, acquire: &str) -> bool {
    let fence = |it: &str| if it.is_empty() { String::new() } else { format!("fence {it}") };
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
         define ptx_kernel void @k(ptr %f, ptr %d, ptr %out) {{\n\
         %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
         %is.first = icmp eq i32 %b, 0\n br i1 %is.first, label %first, label %wait\n\
         first:\n store i32 7, ptr %d\n {}\n\
         %was = atomicrmw xchg ptr %f, i32 1 syncscope(\"device\") monotonic\n ret void\n\
         wait:\n %is = atomicrmw add ptr %f, i32 0 syncscope(\"device\") monotonic\n\
         %set = icmp eq i32 %is, 1\n br i1 %set, label %read, label %wait\n\
         read:\n {}\n %v = load i32, ptr %d\n store i32 %v, ptr %out\n ret void\n}}\n",
        fence(release),
        fence(acquire),
    );
    let bytes = text.into_bytes();
    let language = Some(heddle_frontend::Language::Ir);
    let source = Source::Text { name: "<kernel>".to_owned(), bytes, language };
    let fill = Some(Buffer::unnamed("i32[8]:zeros").expect("documented"));
    let with = RunOptions { fill, schedule: Schedule::Random, runs: 10, ..options(2, 1) };
    let outcome = run(&source, &with, &Embedded).expect("a current folder");
    assert!(outcome.memory.is_some(), "{:?}", outcome.report);
    !codes(&outcome).is_empty()
}

#[test]
fn a_fence_of_llvm_orders_as_its_order_and_scope_say() {
    for (release, acquire) in [
        ("seq_cst", "seq_cst"),
        ("release", "acquire"),
        ("syncscope(\"device\") acq_rel", "seq_cst"),
        ("syncscope(\"cluster\") release", "syncscope(\"device\") acquire"),
    ] {
        assert!(!fenced(release, acquire), "{release}; {acquire}");
    }
    for (release, acquire) in [
        ("", "seq_cst"),
        ("seq_cst", ""),
        ("acquire", "acquire"),
        ("release", "release"),
        ("syncscope(\"block\") seq_cst", "seq_cst"),
        ("seq_cst", "syncscope(\"block\") seq_cst"),
        ("syncscope(\"singlethread\") seq_cst", "seq_cst"),
    ] {
        assert!(fenced(release, acquire), "{release}; {acquire}");
    }
}

const RELAXED: &str = "cuda::memory_order_relaxed";

#[test]
fn what_a_load_has_observed_is_before_what_its_thread_does_next() {
    let sets = "atomicExch(f, 1);";
    let stores = format!("r.store(1, {RELAXED});");
    let polls = format!("while (r.load({RELAXED}) != 1);");
    let inline = "int v; asm volatile(\"ld.relaxed.gpu.global.s32 %0, [%1];\" : \"=r\"(v) : \"l\"(f) : \"memory\");";
    let resets = |wait: &str| format!("{wait} *f = 0;");
    all(
        false,
        &[
            &[sets, &resets(&polls)],
            &[&stores, &resets(&polls)],
            &[sets, &resets("while (*(volatile int *)f != 1);")],
            &[sets, &format!("{inline} if (v == 1) *f = 0;")],
            // An update of what another has stored, which the load gives.
            &[
                sets,
                "while (atomicCAS(f, 1, 2) != 1);",
                &format!("while (r.load({RELAXED}) != 2); *f = 0;"),
            ],
            // Each of three blocks waits for the flag, then reads it by a plain load.
            &[
                sets,
                &format!("{polls} out[1] = *f;"),
                &format!("{polls} out[2] = *f;"),
                &format!("{polls} out[3] = *f;"),
            ],
            // What is known of a load is known of what it observed.
            &[
                sets,
                &format!("{polls} r.store(2, cuda::memory_order_release);"),
                "while (r.load(cuda::memory_order_acquire) != 2); *f = 0;",
            ],
        ],
    );
    all(
        true,
        &[
            // It may have read what was there before.
            &[sets, &format!("out[0] = r.load({RELAXED}); *f = 0;")],
            // Another word.
            &[&format!("f[1] = 1; {sets}"), &format!("{polls} f[1] = 0;")],
            // A load of the block's scope.
            &[sets, "while (of_block(*f).load(cuda::memory_order_relaxed) != 1); *f = 0;"],
            // What came before the write is not observed.
            &[&format!("d[0] = 1; {sets}"), &format!("{polls} d[0] = 2;")],
            // One who has observed does not speak for another.
            &[sets, &format!("{polls} out[0] = 1;"), "*f = 0;"],
            // A store is observed, and what it has overwritten is not.
            &[
                sets,
                &format!("while (r.load({RELAXED}) != 1); r.store(2, {RELAXED});"),
                &format!("while (r.load({RELAXED}) != 2); *f = 0;"),
            ],
        ],
    );
}

#[test]
fn a_store_between_updates_hides_none_of_them() {
    let adds = format!("r.fetch_add(1, {RELAXED});");
    let stores = format!("while (!r.load({RELAXED})); r.store(5, {RELAXED});");
    let takes = format!("if (r.fetch_add(1, {RELAXED}) >= 5) *f = 0;");
    let updates = format!("r.fetch_add(5, {RELAXED});");
    all(true, &[&[&adds, &stores, &takes]]);
    all(false, &[&[&adds, &updates, &takes.replace(">= 5", ">= 6")]]);
}

#[test]
fn atomics_of_two_sizes_are_not_atomic_for_each_other() {
    let wide = "atomicAdd((unsigned long long *)f, 1ull);";
    all(
        true,
        &[
            &[wide, "atomicAdd(f, 1);"],
            &[wide, "atomicAdd(f + 1, 1);"],
            &["atomicExch((unsigned long long *)f, 1ull);", "if (atomicExch(f + 1, 1)) *f = 0;"],
            &[
                "atomicAdd(f, 1);",
                "atomicCAS((unsigned short *)f, (unsigned short)0, (unsigned short)1);",
            ],
            &[wide, &format!("out[0] = r.load({RELAXED});")],
        ],
    );
    all(
        false,
        &[
            &[wide, wide],
            &[wide, "atomicAdd(f + 2, 1);"],
            &["atomicAdd(f, 1);", "atomicAdd(f, 1);"],
        ],
    );
}

/// What a block stores, and hands over to the last one by a counter; what that reads without a
/// fence.
fn handed_over(stores: &str, reads: &str) -> bool {
    races(&[
        &format!("{stores} __threadfence(); atomicAdd(f, 1);"),
        &format!("if (atomicAdd(f, 1) == 1) {{ {reads} }}"),
    ])
}

#[test]
fn volatile_accesses_are_strong_element_by_element() {
    let pair = "asm volatile(\"st.volatile.global.v2.u32 [%0], {%1, %1};\" :: \"l\"(d), \"r\"(1) : \"memory\");";
    let reads_pair = "int a, b; asm volatile(\"ld.volatile.global.v2.u32 {%0, %1}, [%2];\" : \"=r\"(a), \"=r\"(b) : \"l\"(d) : \"memory\"); out[0] = a + b;";
    let (wide, word) = ("*(volatile long long *)d = 1;", "*(volatile int *)d = 1;");
    let (reads_wide, reads_word) =
        ("out[0] = *(volatile long long *)d;", "out[0] = ((volatile int *)d)[1];");
    for (stores, reads) in [(pair, reads_pair), (pair, reads_word), (wide, reads_wide)] {
        assert!(!handed_over(stores, reads), "{stores} {reads}");
    }
    for (stores, reads) in [(wide, reads_pair), (pair, reads_wide), (wide, reads_word)] {
        assert!(handed_over(stores, reads), "{stores} {reads}");
    }
    assert!(!handed_over(word, "out[0] = *(volatile int *)d;"));
}

#[test]
fn a_volatile_access_does_not_stand_for_others_of_its_thread() {
    let (store, load) = ("*(volatile int *)d = 1;", "out[0] = *(volatile int *)d;");
    assert!(!handed_over(&format!("{store} {store}"), &format!("{load} {load}")));
    assert!(handed_over(&format!("*d = 2; {store}"), load), "a plain store before");
    assert!(handed_over(store, &format!("{store} out[0] = *d;")), "a plain load after its own");
    // What the volatile load has observed is before what its thread does next.
    assert!(!handed_over(store, &format!("{load} out[0] = *d;")));
    let fences = "__threadfence(); out[0] = *d;";
    assert!(!handed_over(&format!("*d = 2; {store}"), &format!("__threadfence(); {load}")));
    assert!(!handed_over(store, &format!("{store} {fences}")));
}

#[test]
fn what_a_thread_has_released_at_a_word_it_carries_on_there() {
    let released = "r.store(1, cuda::memory_order_release);";
    let takes = |value: i32| {
        format!("while (r.load(cuda::memory_order_acquire) != {value}); out[0] = d[0];")
    };
    let later = |by: &str| format!("d[0] = 7; {released} while (!atomicAdd(f + 4, 0)); {by}");
    let store = format!("r.store(9, {RELAXED});");
    let other = |order: &str| {
        format!("while (r.load({RELAXED}) != 1); r.store(5, {order}); atomicExch(f + 4, 1);")
    };
    all(
        false,
        &[
            &[&format!("d[0] = 7; {released} {store}"), &takes(9)],
            &[&later(&store), &other(RELAXED), &takes(9)],
            &[
                &later(&format!("r.fetch_add(4, {RELAXED});")),
                &other("cuda::memory_order_release"),
                &takes(9),
            ],
        ],
    );
    all(
        true,
        &[
            // What another thread has stored since carries nothing of it.
            &[&format!("d[0] = 7; {released}"), &other(RELAXED), &takes(5)],
            // A release for the block alone, and a later store for the device.
            &[
                &format!("d[0] = 7; of_block(*f).store(1, cuda::memory_order_release); {store}"),
                &takes(9),
            ],
            // Another word.
            &[
                &format!("d[0] = 7; of_device(f[1]).store(1, cuda::memory_order_release); {store}"),
                &takes(9),
            ],
        ],
    );
}
