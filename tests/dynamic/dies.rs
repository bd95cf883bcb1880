//! Runs whose native code dies, and what a device defines where a CPU would end the process.

use std::time::Duration;

use heddle_clang::Embedded;
use heddle_diagnostics::Code;
use heddle_driver::dynamic::{Checks, RunOptions};

use crate::{buffer, codes, header, options, ran, source, words};

/// A run of one block of four threads with a buffer of 64 numbers.
fn small(text: &str, args: &[(&str, &str)], checks: Checks) -> heddle_driver::dynamic::RunOutcome {
    let args = args.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let buffers = vec![buffer("out=i32[64]")];
    let timeout = Duration::from_secs(1);
    ran(text, &RunOptions { args, buffers, checks, timeout, ..options(1, 4) })
}

#[test]
fn a_crash_of_native_code_is_a_finding_with_thread_and_line() {
    let wild =
        "__global__ void k(int *out, long long at) {\nout[threadIdx.x] = 1;\n*(int *)at = 1; }";
    let unchecked = small(wild, &[("at", "16")], Checks::Off);
    let found: Vec<_> = unchecked.report.findings().collect();
    assert_eq!((codes(&unchecked), unchecked.exit_code()), (vec![Code::OutOfBounds], 1));
    assert!(found[0].message.contains("SIGSEGV"), "{found:?}");
    // Output of a string that is none: the executor's own code touches it.
    let text = "extern \"C\" __device__ int printf(const char *, ...);\n\
        __global__ void k(int *out, long long at) {\nout[threadIdx.x] = 1;\n\
        if (threadIdx.x == 2) printf(\"%s\", (char *)at); }";
    let outcome = small(text, &[("at", "16")], Checks::All);
    let found: Vec<_> = outcome.report.findings().collect();
    assert_eq!((codes(&outcome), outcome.exit_code()), (vec![Code::OutOfBounds], 1), "{found:?}");
    assert!(found[0].message.contains("SIGSEGV"), "{found:?}");
    assert_eq!(found[0].labels.first().and_then(|it| it.place.line()), Some(4), "{found:?}");
    assert!(found[0].labels[0].text.contains("thread (2,0,0)"), "{found:?}");
}

#[test]
fn native_code_that_never_comes_back_is_ended_from_outside() {
    let text = "__global__ void k(int *out, int n) { if (n == 0) for (;;) {} out[0] = 1; }";
    let outcome = small(text, &[("n", "0")], Checks::Off);
    let found: Vec<_> = outcome.report.findings().collect();
    assert_eq!((codes(&outcome), outcome.exit_code()), (vec![Code::BudgetSpent], 3), "{found:?}");
    assert!(found[0].notes.iter().any(|it| it.contains("without coming back")), "{found:?}");
}

#[test]
fn a_loop_in_huge_steps_ends() {
    let text = "__global__ void k(int *out) {\n\
        for (int i = 2000000000; i > -1500000000; i -= 1000000000) atomicAdd(out, i); }";
    let outcome = small(text, &[], Checks::All);
    assert_eq!(codes(&outcome), []);
    assert_eq!(words(&outcome, "out")[0], 8_000_000_000_i64 as i32);
}

#[test]
fn a_check_that_replays_lives_through_a_crash() {
    // The race is real; before it, the run of its witness reads a string that is none.
    let text = "extern \"C\" __device__ int printf(const char *, ...);\n\
        __global__ void k(int *out) {\nprintf(\"%s\", (const char *)16);\nout[0] = threadIdx.x; }";
    let launch = header::launch_options("grid=1 block=64").expect("a launch");
    let options = heddle_driver::CheckOptions {
        replay: heddle_driver::Replay::Jit,
        launch,
        ..Default::default()
    };
    let outcome = heddle_driver::check(&[source(text)], &options, &Embedded, &Default::default())
        .expect("threads and a current folder");
    let notes: Vec<_> = outcome.report.findings().flat_map(|it| it.notes.clone()).collect();
    let told = notes.iter().find(|it| it.starts_with("run as native code")).expect("it was run");
    assert!(told.contains("SIGSEGV") && told.contains("near line 3"), "{told}");
    let verdicts = outcome.report.kernels().iter().flat_map(|it| it.verdicts.values());
    assert!(verdicts.clone().any(|it| matches!(it, heddle_diagnostics::Verdict::Refuted(_))));
}

#[test]
fn divisions_that_a_cpu_refuses_end_no_process() {
    let text = "__global__ void k(int *out, int a, int b, long long c, long long d) {\n\
        if (threadIdx.x) return;\n\
        out[0] = a / b; out[1] = a % b; out[2] = (int)((c / d) >> 32); out[3] = (int)(c % d);\n\
        out[4] = (short)a / (short)b; out[5] = (char)(a >> 24) / (char)b; }";
    let least = [("a", "-2147483648"), ("b", "-1"), ("c", "-9223372036854775808"), ("d", "-1")];
    let outcome = small(text, &least, Checks::All);
    assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
    assert_eq!(words(&outcome, "out")[..6], [i32::MIN, 0, i32::MIN, 0, 0, 128]);
    let zero = [("a", "7"), ("b", "0"), ("c", "7"), ("d", "0")];
    let outcome = small(text, &zero, Checks::All);
    assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
    let vectors =
        "__kernel void k(__global int4 *out, int b) { out[0] = (int4)(-2147483647 - 1) / b; }";
    let source = heddle_driver::Source::Text {
        name: "<kernel>".to_owned(),
        bytes: vectors.as_bytes().to_vec(),
        language: Some(heddle_frontend::Language::OpenCl),
    };
    for by in ["-1", "0"] {
        let run = RunOptions {
            args: vec![("b".to_owned(), by.to_owned())],
            buffers: vec![buffer("out=i32[64]")],
            ..options(1, 1)
        };
        let outcome =
            heddle_driver::dynamic::run(&source, &run, &Embedded).expect("a current folder");
        assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
        assert_eq!(words(&outcome, "out")[..4], [i32::MIN; 4]);
    }
}

#[test]
fn conversions_to_integers_saturate() {
    let text = "__global__ void k(int *out, float x, double y) {\n\
        if (threadIdx.x) return;\n\
        out[0] = (int)x; out[1] = (int)(unsigned)x; out[2] = (short)x; out[3] = (int)y;\n\
        out[4] = __float2int_rz(x); out[5] = (int)(__float2ll_rz(x) >> 32); out[6] = (unsigned char)x; }";
    let cases: [(&str, [i32; 7]); 4] = [
        ("1e30", [i32::MAX, -1, 32767, i32::MAX, i32::MAX, i32::MAX, 255]),
        ("-1e30", [i32::MIN, 0, -32768, i32::MIN, i32::MIN, i32::MIN, 0]),
        // A double, or 64 bits: the highest bit alone.
        ("NaN", [0, 0, 0, i32::MIN, 0, i32::MIN, 0]),
        ("-3.75", [-3, 0, -3, -3, -3, -1, 0]),
    ];
    for (value, expected) in cases {
        let outcome = small(text, &[("x", value), ("y", value)], Checks::All);
        assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
        assert_eq!(words(&outcome, "out")[..7], expected, "{value}");
    }
}

#[test]
fn an_index_beyond_an_array_of_the_threads_own_is_reported_and_nothing_is_touched() {
    let text = "__global__ void k(int *out, const int *in, int at) {\nint own[16];\n\
        for (int i = 0; i < 16; i++) own[i] = in[i];\nown[at] = 77;\n\
        int sum = 0; for (int i = 0; i < 16; i++) sum += own[i];\nout[threadIdx.x] = sum; }";
    let with = |at: &str, checks| {
        let buffers = vec![buffer("out=i32[64]"), buffer("in=i32[64]:range")];
        let args = vec![("at".to_owned(), at.to_owned())];
        ran(text, &RunOptions { buffers, args, checks, ..options(1, 4) })
    };
    for checks in [Checks::All, Checks::Unproved] {
        for at in ["16", "40", "-1", "1000000"] {
            let outcome = with(at, checks);
            let found: Vec<_> = outcome.report.findings().collect();
            assert_eq!(codes(&outcome), [Code::OutOfBounds], "{at}: {found:?}");
            assert_eq!(
                found[0].labels.first().and_then(|it| it.place.line()),
                Some(4),
                "{found:?}"
            );
            assert_eq!(words(&outcome, "out")[..4], [0; 4], "the threads were ended");
        }
        let outcome = with("3", checks);
        assert_eq!(codes(&outcome), []);
        assert_eq!(words(&outcome, "out")[..4], [120 - 3 + 77; 4]);
    }
    let reads = "__constant__ int table[4] = {1, 2, 3, 4};\n\
        __global__ void k(int *out, int at) {\nout[threadIdx.x] = table[at]; }";
    let outcome = small(reads, &[("at", "5")], Checks::All);
    assert_eq!(codes(&outcome), [Code::OutOfBounds], "{:?}", outcome.report);
}

#[test]
fn copies_and_fills_beyond_an_array_of_the_threads_own_are_reported() {
    let own = "int own[4] = {1, 2, 3, 4}; int more[16] = {};";
    let end = "out[threadIdx.x] = own[n & 3] + more[n & 15];";
    for access in ["__builtin_memcpy(own, more, n);", "__builtin_memset(own, 0, n);"] {
        let text = format!("__global__ void k(int *out, int n) {{ {own}\n{access}\n{end} }}");
        for (bytes, found) in
            [("16", &[][..]), ("17", &[Code::OutOfBounds]), ("64", &[Code::OutOfBounds])]
        {
            let outcome = small(&text, &[("n", bytes)], Checks::All);
            assert_eq!(codes(&outcome), found, "{access} {bytes}: {:?}", outcome.report);
        }
    }
    // A read beyond its end.
    let text = format!(
        "__global__ void k(int *out, int n) {{ {own}\n__builtin_memcpy(more, own, n);\n{end} }}"
    );
    assert_eq!(codes(&small(&text, &[("n", "20")], Checks::All)), [Code::OutOfBounds]);
    // An array whose size the kernel chooses.
    let text = "__global__ void k(int *out, int n) {\n\
        int *own = (int *)__builtin_alloca(4 * n);\nown[0] = own[n - 1] = 5;\n\
        own[n / 2 * 2] = 7;\nout[threadIdx.x] = own[0] + own[n - 1]; }";
    assert_eq!(codes(&small(text, &[("n", "5")], Checks::All)), []);
    assert_eq!(codes(&small(text, &[("n", "6")], Checks::All)), [Code::OutOfBounds]);
}

#[test]
fn misaligned_accesses_to_an_array_of_the_threads_own_are_reported() {
    let text = |access: &str| {
        format!(
            "__global__ void k(int *out, int at) {{\nalignas(16) char own[64] = {{1, 2, 3}};\nchar *p = own + at;\n\
             {access};\nout[threadIdx.x] = own[at + 3]; }}"
        )
    };
    for (access, aligned) in [
        ("*(int *)p = 7", 4),
        ("*(int4 *)p = make_int4(1, 2, 3, 4)", 16),
        ("own[0] = *(short *)p", 2),
        ("own[0] = (char)*(double *)p", 8),
    ] {
        for at in [0, 1, 2, 4, 8, 16] {
            let outcome = small(&text(access), &[("at", &at.to_string())], Checks::All);
            let found: Vec<_> = outcome.report.findings().collect();
            let is_told = found.first().is_some_and(|it| it.message.contains("misaligned"));
            assert_eq!(is_told, at & (aligned - 1) != 0, "{access} {at}: {found:?}");
            assert_eq!(codes(&outcome).len(), usize::from(is_told), "{access} {at}: {found:?}");
        }
    }
    // Where an array is that asks for no alignment, the kernel itself may look.
    let looks = "__global__ void k(int *out, int at) {\nchar own[80] = {1, 2, 3};\n\
        char *p = own + (-(unsigned long long)own & 15) + 16 * at;\n*(int4 *)p = make_int4(1, 2, 3, 4);\n\
        out[threadIdx.x] = *p + own[at]; }";
    assert_eq!(codes(&small(looks, &[("at", "3")], Checks::All)), []);
}

#[test]
fn misaligned_accesses_are_reported() {
    let text = |access: &str| {
        format!("__global__ void k(int *out, int at) {{ char *p = (char *)out + at; {access}; }}")
    };
    let accesses = [
        ("*(int4 *)p = make_int4(1, 2, 3, 4)", 16),
        ("*(float4 *)p = *(float4 *)(out + 32)", 16),
        ("*(float4 *)(out + 32) = *(float4 *)p", 16),
        ("*(double2 *)p = *(double2 *)(out + 32)", 16),
        ("*(float2 *)p = *(float2 *)(out + 32)", 8),
        ("*(double *)p = 1", 8),
        ("atomicAdd((int *)p, 3)", 4),
        ("*(short *)p = 1", 2),
        ("asm volatile(\"st.global.v2.u32 [%0], {%1, %1};\" :: \"l\"(p), \"r\"(at))", 8),
    ];
    for (access, size) in accesses {
        let with = |at: i32| {
            let args = vec![("at".to_owned(), at.to_string())];
            let buffers = vec![buffer("out=i32[64]")];
            ran(&text(access), &RunOptions { args, buffers, ..options(1, 1) })
        };
        assert_eq!(codes(&with(size)), [], "{access}");
        let outcome = with(size / 2);
        let found: Vec<_> = outcome.report.findings().collect();
        assert_eq!(codes(&outcome), [Code::OutOfBounds], "{access}: {found:?}");
        assert!(found[0].message.contains("misaligned"), "{found:?}");
    }
}

#[test]
fn a_lock_or_a_flag_without_its_fence_is_a_race() {
    let lock = |fence: &str| {
        format!(
            "__device__ int lock; __global__ void k(int *out) {{\n\
            while (atomicCAS(&lock, 0, 1) != 0) {{}}\n{fence} out[0] += 1; __threadfence();\n\
            atomicExch(&lock, 0); }}"
        )
    };
    let poll = |fence: &str| {
        format!(
            "__global__ void k(int *out) {{ if (blockIdx.x == 0) {{ out[0] = 1; {fence} atomicCAS(out + 1, 0, 1); }}\n\
            else {{ while (atomicCAS(out + 1, 1, 1) == 0) {{}} __threadfence(); out[2] = out[0]; }} }}"
        )
    };
    for (text, races) in [
        (lock(""), true),
        (lock("__threadfence();"), false),
        (poll(""), true),
        (poll("__threadfence();"), false),
    ] {
        let outcome =
            ran(&text, &RunOptions { buffers: vec![buffer("out=i32[64]")], ..options(2, 1) });
        let expected = if races { vec![Code::InterBlockRace] } else { vec![] };
        assert_eq!(codes(&outcome), expected, "{text}: {:?}", outcome.report);
    }
}

#[test]
fn sequentially_consistent_fences_of_any_thread_order_across_barriers() {
    let grid = |before: &str, first: &str, after: &str| {
        format!(
            "__global__ void k(int *out, int *count) {{ int i = blockIdx.x * 64 + threadIdx.x;\n\
            out[i] = i; {before} __syncthreads();\n\
            if (threadIdx.x == 0) {{ {first} atomicAdd(count, 1); while (atomicAdd(count, 0) < gridDim.x) {{}} }}\n\
            __syncthreads(); {after} count[64 + i] = out[gridDim.x * 64 - 1 - i]; }}"
        )
    };
    let sc = "__threadfence();";
    let weak = "asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\");";
    for (before, first, after, races) in [
        (sc, "", sc, false),
        ("", sc, sc, false),
        ("", "", sc, true),
        (sc, "", "", true),
        ("", sc, "", true),
        (weak, "", sc, true),
        (sc, "", weak, true),
        ("", weak, sc, true),
    ] {
        let text = grid(before, first, after);
        let buffers = vec![buffer("out=i32[128]"), buffer("count=i32[256]")];
        let outcome = ran(&text, &RunOptions { buffers, ..options(2, 64) });
        let expected = if races { vec![Code::InterBlockRace] } else { vec![] };
        assert_eq!(codes(&outcome), expected, "{text}: {:?}", outcome.report);
    }
}

#[test]
fn an_atomic_comes_after_those_that_it_has_read() {
    let text = |body: &str| {
        format!("__global__ void k(int *out, int *count) {{ int b = blockIdx.x; {body} }}")
    };
    for (body, races) in [
        ("if (atomicAdd(count, 1) == 2) *count = 0;", false),
        ("if (b < 2) atomicAdd(count, 1); else out[0] = *count;", true),
        ("if (b < 2) atomicAdd(count, 1); else { atomicExch(count + 1, 1); *count = 0; }", true),
        // The first two read what the other left; the last has read nothing.
        ("atomicAdd(count, b < 2); if (b == 1) *count = 0;", true),
    ] {
        let text = text(body);
        let buffers = vec![buffer("out=i32[64]"), buffer("count=i32[64]")];
        let outcome = ran(
            &text,
            &RunOptions { buffers, resident: Some(1), threads: Some(1), ..options(3, 1) },
        );
        let expected = if races { vec![Code::InterBlockRace] } else { vec![] };
        assert_eq!(codes(&outcome), expected, "{text}: {:?}", outcome.report);
    }
}

#[test]
fn volatile_accesses_that_a_counter_hands_over_are_strong_in_one_size() {
    for (read, races) in
        [("((volatile int *)out)[0]", false), ("((volatile char *)out)[0]", true), ("out[0]", true)]
    {
        let text = format!(
            "__global__ void k(int *out, int *count) {{\n\
            if (blockIdx.x == 0) {{ *(volatile int *)out = 5; __threadfence(); atomicAdd(count, 1); }}\n\
            else {{ while (atomicAdd(count, 0) == 0) {{}} out[1] = {read}; }} }}"
        );
        let buffers = vec![buffer("out=i32[64]"), buffer("count=i32[64]")];
        let outcome = ran(&text, &RunOptions { buffers, ..options(2, 1) });
        let expected = if races { vec![Code::InterBlockRace] } else { vec![] };
        assert_eq!(codes(&outcome), expected, "{text}: {:?}", outcome.report);
    }
}

#[test]
fn a_fence_that_goes_one_way_orders_one_way() {
    let text = |release: &str, acquire: &str| {
        let fence = |of: &str| format!("asm volatile(\"fence.{of}.gpu;\" ::: \"memory\");");
        format!(
            "__global__ void k(int *out, int *flag) {{\n\
            if (blockIdx.x == 0) {{ out[0] = 5; {} atomicExch(flag, 1); }}\n\
            else {{ while (atomicAdd(flag, 0) != 1) {{}} {} out[1] = out[0]; }} }}",
            fence(release),
            fence(acquire)
        )
    };
    for (release, acquire, races) in [
        ("acq_rel", "acq_rel", false),
        ("release", "acquire", false),
        ("acquire", "acq_rel", true),
        ("acq_rel", "release", true),
    ] {
        let text = text(release, acquire);
        let buffers = vec![buffer("out=i32[64]"), buffer("flag=i32[64]")];
        let mut options = RunOptions { buffers, ..options(2, 1) };
        options.compile.arch = "sm_90".to_owned();
        let outcome = ran(&text, &options);
        let expected = if races { vec![Code::InterBlockRace] } else { vec![] };
        assert_eq!(codes(&outcome), expected, "{text}: {:?}", outcome.report);
    }
}

#[test]
fn a_store_ends_what_others_released_at_its_place() {
    let relay = |second: &str| {
        format!(
            "__global__ void k(int *out, int *flag) {{\n\
            if (blockIdx.x == 0) {{ out[0] = 5; __threadfence(); atomicExch(flag, 1); }}\n\
            if (blockIdx.x == 1) {{ while (atomicAdd(flag, 0) != 1) {{}} {second} }}\n\
            if (blockIdx.x == 2) {{ while (atomicAdd(flag, 0) != 2) {{}} __threadfence(); out[1] = out[0]; }} }}"
        )
    };
    let store = "asm volatile(\"st.relaxed.gpu.u32 [%0], 2;\" :: \"l\"(flag) : \"memory\");";
    for (second, races) in [
        ("atomicExch(flag, 2);".to_owned(), false),
        (store.to_owned(), true),
        (format!("__threadfence(); {store}"), false),
    ] {
        let text = relay(&second);
        let buffers = vec![buffer("out=i32[64]"), buffer("flag=i32[64]")];
        // One block after the other: the last one never sees what the first stored.
        let outcome = ran(&text, &RunOptions { buffers, resident: Some(1), ..options(3, 1) });
        let expected = if races { vec![Code::InterBlockRace] } else { vec![] };
        assert_eq!(codes(&outcome), expected, "{text}: {:?}", outcome.report);
    }
}
