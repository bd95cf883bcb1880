//! The evaluator itself: kernels whose races and divergences are plain, the corpus by its names,
//! the printer by its own parser.

use std::collections::BTreeSet;

use crate::ask::Claim;
use crate::corpus::{corpus, read_case};
use crate::idioms::IDIOMS;
use crate::judge::seen_violations;
use crate::lower::lower;
use crate::parse::parse;
use crate::setups::Effort;
use crate::syntax::Language;

const EFFORT: Effort = Effort { runs: 8, steps: 200_000, threads: 1024, full: true };

/// What runs show of a text: the properties that some run violates.
fn shown(text: &str, language: Language) -> BTreeSet<Claim> {
    shown_under(text, language, "atomic counters start at zero")
}

/// What those runs show that keep an assumption.
fn shown_under(text: &str, language: Language, assumed: &str) -> BTreeSet<Claim> {
    let case = read_case(text, language, "known").expect(text);
    let code = lower(&case.program).expect(text);
    seen_violations(&case, &code, &[assumed.to_owned()], EFFORT, 7)
}

fn cuda(launch: &str, body: &str) -> BTreeSet<Claim> {
    shown(
        &format!(
            "// launch: {launch}\n__device__ int lock;\n\
             __global__ void k(int *out, int *in, unsigned *u) {{ __shared__ int s[64]; int t = threadIdx.x; {body} }}"
        ),
        Language::Cuda,
    )
}

/// Launch, body, what is violated.
const KNOWN: &[(&str, &str, &[Claim])] = &[
    ("grid=1 block=64", "out[t] = t;", &[]),
    ("grid=2 block=64", "out[t] = t + 100 * blockIdx.x;", &[Claim::Grid]),
    ("grid=2 block=64", "out[blockIdx.x * 64 + t] = t;", &[]),
    ("grid=1 block=64", "out[t / 2] = t;", &[Claim::Warp]),
    ("grid=1 block=64", "out[t & 31] = t;", &[Claim::Block]),
    ("grid=1 block=64", "out[0] = 5;", &[]),
    ("grid=1 block=64", "s[t] = t; out[t] = s[63 - t];", &[Claim::Block]),
    ("grid=1 block=64", "s[t] = t; __syncthreads(); out[t] = s[63 - t];", &[]),
    ("grid=1 block=64", "s[t] = t; __syncwarp(); out[t] = s[t ^ 1];", &[]),
    ("grid=1 block=64", "s[t] = t; out[t] = s[t ^ 1];", &[Claim::Warp]),
    ("grid=1 block=64", "s[t] = t; __syncwarp(); out[t] = s[t ^ 32];", &[Claim::Block]),
    (
        "grid=1 block=32",
        "s[t] = t; __syncwarp(t < 16 ? 0xffffu : 0xffff0000u); out[t] = s[t ^ 16];",
        &[Claim::Warp],
    ),
    (
        "grid=1 block=32",
        "s[t] = t; __syncwarp(t < 16 ? 0xffffu : 0xffff0000u); out[t] = s[t ^ 8];",
        &[],
    ),
    // Ordered through lane 16, which is in both masks.
    (
        "grid=1 block=32",
        "if (t == 0) s[0] = 1; if (t <= 16) __syncwarp(0x1ffff); if (t >= 16) __syncwarp(0xffff0000); if (t == 31) out[t] = s[0];",
        &[],
    ),
    ("grid=1 block=64", "int v = __shfl_xor_sync(0xffffffffu, t, 1); out[v] = t;", &[]),
    (
        "grid=1 block=64",
        "int v = __shfl_xor_sync(0xffffffffu, t, 1) & t; out[v] = t;",
        &[Claim::Warp],
    ),
    ("grid=2 block=32", "atomicAdd(out, 1);", &[]),
    ("grid=2 block=32", "atomicAdd_block(out, 1);", &[Claim::Grid]),
    ("grid=1 block=32", "atomicAdd(out, 1); if (t == 3) out[0] = 9;", &[Claim::Warp]),
    (
        "grid=1 block=32",
        "atomicAdd((unsigned long long *)u, 1ull); atomicAdd(u, 1u);",
        &[Claim::Warp],
    ),
    ("grid=1 block=64", "if (t < 32) __syncthreads(); out[t] = 1;", &[Claim::Divergence]),
    ("grid=1 block=64", "if (t < 32) return; __syncthreads(); out[t] = 1;", &[]),
    (
        "grid=1 block=64",
        "for (int i = 0; i < 3; i++) { if (t == i) return; __syncthreads(); } __syncthreads();",
        &[],
    ),
    (
        "grid=1 block=64",
        "for (int i = 0; i < t; i++) { __syncthreads(); } out[t] = 1;",
        &[Claim::Divergence],
    ),
    (
        "grid=1 block=64",
        "for (int i = 0; i < 2; i++) { if (t == i) continue; __syncthreads(); } out[t] = 1;",
        &[Claim::Divergence],
    ),
    // Eight halved three times is one; a negative number comes to minus one too.
    (
        "grid=1 block=64",
        "for (int i = -8; i < 0; i /= 2) if (i == -1) out[t >> 5] = t;",
        &[Claim::Warp],
    ),
    ("grid=1 block=64", "for (int i = 8; i > 1; i /= 2) if (i == 1) out[t >> 5] = t;", &[]),
    (
        "grid=1 block=64",
        "for (unsigned char i = 250; i != 2; i++) if (i == 1) out[0] = t;",
        &[Claim::Warp, Claim::Block],
    ),
    ("grid=1 block=64", "unsigned char i = t + 224; out[i] = t;", &[]),
    ("grid=1 block=64", "unsigned char i = t * 8; out[i] = t;", &[Claim::Block]),
    ("grid=1 block=64", "short x = t * 4096; out[x] = t;", &[Claim::Warp, Claim::Block]),
    ("grid=1 block=64", "out[t % 32 + (t >> 5) * 32] = t;", &[]),
    ("grid=1 block=64", "((unsigned char *)s)[t] = t; if (t == 63) s[2] = -1;", &[Claim::Block]),
    ("grid=1 block=64", "static const int tab[4] = {3, 1, 2, 0}; if (t < 4) out[tab[t]] = t;", &[]),
    (
        "grid=1 block=64",
        "static const int tab[4] = {3, 1, 1, 0}; if (t < 4) out[tab[t]] = t;",
        &[Claim::Warp],
    ),
    ("grid=1 block=64", "unsigned i = atomicAdd(u, 1u); out[i] = t;", &[]),
    (
        "grid=1 block=64",
        "unsigned i = atomicAdd(u, 1u); out[i / 2] = t;",
        &[Claim::Warp, Claim::Block],
    ),
    (
        "grid=2 block=2",
        "bool done = false; while (!done) { if (atomicCAS(&lock, 0, 1) == 0) { __threadfence(); *out += t; __threadfence(); atomicExch(&lock, 0); done = true; } }",
        &[],
    ),
    (
        "grid=2 block=2",
        "bool done = false; while (!done) { if (atomicCAS(&lock, 0, 1) == 0) { __threadfence(); *out += 1 + t; atomicExch(&lock, 0); done = true; } }",
        &[Claim::Warp, Claim::Grid],
    ),
    (
        "grid=1 block=64",
        "if (t < 32) { s[t] = t; asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\"); } else { asm volatile(\"bar.sync 1, 64;\" ::: \"memory\"); out[t] = s[t - 32]; }",
        &[],
    ),
    ("grid=1 block=64", "if (t < 32) { s[t] = t; } else { out[t] = s[t - 32]; }", &[Claim::Block]),
    (
        "grid=1 block=64",
        "if (t < 32) asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");",
        &[Claim::Named],
    ),
    (
        "grid=1 block=64",
        "switch (t & 3) { case 0: out[0] = 1; case 1: out[1] = t; break; default: out[4 + t] = 2; }",
        &[Claim::Warp, Claim::Block],
    ),
    // A lane that returned is not waited for, and what it did is done.
    (
        "grid=1 block=64",
        "if (t % 32 == 1) { s[t / 32] = 1; return; } __syncwarp(); if (t % 32 == 0) out[t] = s[t / 32];",
        &[],
    ),
    // The second addition observes the first.
    ("grid=2 block=1", "if (atomicAdd(&lock, 1) == 1) lock = 0;", &[]),
    ("grid=2 block=1", "if (atomicAdd(&lock, 1) == 0) lock = 0;", &[Claim::Grid]),
    (
        "grid=2 block=1",
        "out[5] = blockIdx.x; if (atomicAdd(&lock, 1) == 1) out[5] = 7;",
        &[Claim::Grid],
    ),
    // Components of a structure.
    (
        "grid=1 block=64",
        "int4 *v = (int4 *)out; if (t & 1) v[t / 2].x = 1; else v[t / 2].y = 2;",
        &[],
    ),
    ("grid=1 block=64", "if (t > 70 && out[t - 1] == 0) out[t] = 1;", &[]),
];

#[test]
fn plain_kernels_run_as_they_must() {
    let mut wrong = Vec::new();
    for (launch, body, expected) in KNOWN {
        let found = cuda(launch, body);
        // Runs of what is undefined say nothing, so something must be defined.
        if found != expected.iter().copied().collect() {
            wrong.push(format!("{body}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_component_of_an_opencl_vector_is_the_vector() {
    let kernel = |body: &str| {
        shown(
            &format!(
                "// launch: grid=1 block=64\n__kernel void k(__global int4 *v, __global int *out) {{ \
                 int t = get_local_id(0); {body} }}"
            ),
            Language::OpenCl,
        )
    };
    let block = BTreeSet::from([Claim::Block]);
    assert_eq!(kernel("if (t & 1) v[t / 2].x = 1; else v[t / 2].y = 2;"), block);
    assert_eq!(kernel("if (t & 1) v[t / 2].x = 1; else out[t] = v[t / 2].y;"), block);
    assert_eq!(kernel("v[t].x = 1; v[t].y = 2;"), BTreeSet::new());
    assert_eq!(kernel("out[t] = v[t / 2].x;"), BTreeSet::new());
}

#[test]
fn a_run_that_leaves_an_array_is_left_out_where_that_is_assumed() {
    let kernel = |body: &str, assumed: &str| {
        let text = format!(
            "// launch: grid=1 block=64\n__global__ void k(int *out) {{ __shared__ int s[64]; \
             __shared__ int next[64]; __shared__ int rows[64][2]; int t = threadIdx.x; {body} }}"
        );
        shown_under(&text, Language::Cuda, assumed)
    };
    let (objects, rows) = ("accesses stay in their objects", "indices stay in the arrays");
    let block = BTreeSet::from([Claim::Block]);
    let both = BTreeSet::from([Claim::Warp, Claim::Block]);
    for (body, assumed, expected) in [
        ("out[t] = s[t + 1]; next[t] = 1;", objects, BTreeSet::new()),
        ("out[t] = s[t + 1]; next[t] = 1;", "", block.clone()),
        ("out[t] = s[63 - t]; s[t] = 1;", objects, block),
        ("if (t < 63) rows[t][0] = rows[t][2];", objects, both),
        ("if (t < 63) rows[t][0] = rows[t][2];", rows, BTreeSet::new()),
    ] {
        assert_eq!(kernel(body, assumed), expected, "{body} where {assumed}");
    }
}

#[test]
fn opencl_barriers_order_what_their_flags_say() {
    let kernel = |flags: &str, body: &str| {
        shown(
            &format!(
                "// launch: grid=1 block=64\n__kernel void k(__global int *out) {{ __local int s[64]; \
                 int t = get_local_id(0); s[t] = t; out[t] = t; barrier({flags}); {body} }}"
            ),
            Language::OpenCl,
        )
    };
    let block = BTreeSet::from([Claim::Block]);
    let (local, global) = ("CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE");
    assert_eq!(kernel(local, "int v = s[63 - t];"), BTreeSet::new());
    assert_eq!(kernel(global, "int v = s[63 - t];"), block);
    assert_eq!(kernel(global, "int v = out[63 - t];"), BTreeSet::new());
    assert_eq!(kernel(local, "int v = out[63 - t];"), block);
    assert_eq!(
        kernel(&format!("{local} | {global}"), "int v = out[63 - t] + s[t ^ 1];"),
        BTreeSet::new()
    );
    // All must come, those too that have nothing more to do.
    let parted = shown(
        "// launch: grid=1 block=64\n__kernel void k(__global int *out) { if (get_local_id(0) == 3) return; barrier(CLK_LOCAL_MEM_FENCE); }",
        Language::OpenCl,
    );
    assert_eq!(parted, BTreeSet::from([Claim::Divergence]));
}

/// Kernels of the corpus whose proof names an assumption that some of the runs break; what the
/// answer says of it.
const ASSUMED: &[(&str, &str)] = &[
    // Index arithmetic does not wrap around, and `t * n` does.
    ("proved_product_wraps_to_zero.cu", "stays in the signed range of its width"),
    ("proved_columns_of_a_block.cu", "stays in the signed range of its width"),
    ("proved_unsigned_as_assumed.cu", "stays in the signed range of its width"),
    // What counters start with is the caller's, or an earlier launch's.
    ("proved_unsigned_coordinates.cu", "stays in the signed range of its width"),
    ("proved_last_block_all_threads.cu", "counters start at zero"),
    ("proved_last_block_exchanges.cu", "counters start at zero"),
    ("proved_last_block_of_rows.cu", "counters start at zero"),
    ("proved_goal_twice.cu", "counters start at zero"),
    ("proved_slots_before_other_data.cu", "counters start at zero"),
    ("proved_last_block_volatile.cu", "volatile accesses are relaxed"),
    ("proved_last_block_volatile_all_threads.cu", "volatile accesses are relaxed"),
    // Flags hold zero at the start, and volatile ones are atomics, which they are not here.
    ("proved_block.cu", "volatile accesses are relaxed"),
    ("proved_poll_a_number_of_times.cu", "volatile accesses are relaxed"),
    ("proved_block_fence_of_all_and_first.cu", "volatile accesses are relaxed"),
    ("proved_block_fences_of_all.cu", "volatile accesses are relaxed"),
    ("proved_chain.cu", "volatile accesses are relaxed"),
    ("proved_chain_by_atomics.cu", "waits for is zero at the start"),
    ("proved_rounds.cu", "waits for is zero at the start"),
    ("proved_chain_by_guard.cu", "volatile accesses are relaxed"),
    ("proved_chain_compares.cu", "waits for is zero at the start"),
    ("proved_chain_counts.cu", "waits for is zero at the start"),
    ("proved_chain_resets.cu", "volatile accesses are relaxed"),
    ("proved_chain_takes.cu", "waits for is zero at the start"),
    ("proved_look_back.cu", "volatile accesses are relaxed"),
    ("proved_look_back_two_values.cu", "volatile accesses are relaxed"),
    ("proved_reuse.cu", "volatile accesses are relaxed"),
    ("proved_shared.cu", "volatile accesses are relaxed"),
    ("proved_shared_of_warps.cu", "volatile accesses are relaxed"),
    ("proved_chain_in_one_object.cu", "waits for is zero at the start"),
    ("proved_stages_first.cu", "volatile accesses are relaxed"),
    ("proved_stages_last.cu", "volatile accesses are relaxed"),
    ("proved_thread.cu", "volatile accesses are relaxed"),
    ("proved_tiles.cu", "volatile accesses are relaxed"),
    ("proved_writers_one_of_two_values.cu", "volatile accesses are relaxed"),
    ("proved_writers_other_value.cu", "volatile accesses are relaxed"),
    ("proved_epoch.cu", "volatile accesses are relaxed"),
    ("proved_look_back_of_warp.cu", "volatile accesses are relaxed"),
    ("proved_look_back_status.cu", "volatile accesses are relaxed"),
    ("proved_queue_of_tickets.cu", "volatile accesses are relaxed"),
    ("proved_triangular_solve.cu", "volatile accesses are relaxed"),
    ("proved_wavefront.cu", "volatile accesses are relaxed"),
    ("proved_chain_flags_in_loop.cu", "volatile accesses are relaxed"),
    ("proved_chain_of_tickets.cu", "volatile accesses are relaxed"),
    ("proved_chain_strided.cu", "volatile accesses are relaxed"),
    ("proved_ring_shared.cu", "volatile accesses are relaxed"),
    ("proved_stream.cu", "volatile accesses are relaxed"),
    ("proved_stream_of_blocks.cu", "volatile accesses are relaxed"),
    ("proved_stream_strided.cu", "volatile accesses are relaxed"),
    ("proved_one_slot.cu", "volatile accesses are relaxed"),
    ("proved_ticket_lock_of_first.cu", "volatile accesses are relaxed"),
    ("proved_turns_alternate.cu", "volatile accesses are relaxed"),
    ("proved_ticket_lock.cu", "volatile accesses are relaxed"),
    ("proved_ticket_lock_adds.cu", "volatile accesses are relaxed"),
    ("proved_turns_last_writes_none.cu", "volatile accesses are relaxed"),
];

#[test]
fn runs_agree_with_the_names_of_the_corpus() {
    let mut wrong = Vec::new();
    let mut needed = BTreeSet::new();
    let (mut refuted, mut shown, mut missed) = (0, 0, Vec::new());
    for it in corpus() {
        let name = it.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(case) = it.case else { continue };
        let Ok(code) = lower(&case.program) else { continue };
        let effort = Effort { runs: 8, steps: 500_000, threads: 512, full: true };
        let found = seen_violations(&case, &code, &[], effort, 3);
        match it.verdict.as_str() {
            "proved" if !found.is_empty() => {
                let mut found = found;
                if let Some((excused, assumption)) = ASSUMED.iter().find(|(it, _)| *it == name) {
                    needed.insert(*excused);
                    let assumed = [(*assumption).to_owned()];
                    found = seen_violations(&case, &code, &assumed, effort, 3);
                }
                if found.is_empty() {
                    continue;
                }
                wrong.push(format!("{name}: {found:?}"));
            }
            "refuted" => {
                refuted += 1;
                shown += usize::from(!found.is_empty());
                if found.is_empty() {
                    missed.push(name);
                }
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "runs violate what is proved:\n{}", wrong.join("\n"));
    for (excused, assumption) in ASSUMED {
        assert!(needed.contains(excused), "{excused} does not need: {assumption}");
    }
    assert!(refuted > 100, "only {refuted} refuted kernels of the corpus parse");
    assert!(
        shown * 10 > refuted * 8,
        "of {refuted} refuted kernels, runs show only {shown}; not of {missed:?}"
    );
}

#[test]
fn what_is_printed_parses_to_the_same_kernel() {
    let idioms = IDIOMS.iter().map(|text| read_case(text, Language::Cuda, "idiom").expect(text));
    let of_corpus = corpus().into_iter().filter_map(|it| it.case.ok());
    let mut count = 0;
    for case in idioms.chain(of_corpus) {
        let text = case.text();
        let again = parse(&text, case.program.language).expect(&text);
        assert_eq!(crate::print::print(&again), text, "{}", case.origin);
        assert_eq!(lower(&again).is_ok(), lower(&case.program).is_ok(), "{text}");
        count += 1;
    }
    assert!(count > 300, "only {count} kernels parse");
}

#[test]
fn idioms_lower() {
    for text in IDIOMS {
        let case = read_case(text, Language::Cuda, "idiom").expect(text);
        lower(&case.program).expect(text);
    }
}

#[test]
fn a_seed_gives_the_same_kernel_again() {
    let stock = crate::hunt::Stock::new();
    for seed in 0..50 {
        assert_eq!(stock.case(seed).text(), stock.case(seed).text(), "seed {seed}");
    }
}
