//! Each kernel of `tests/kernels`, compiled to PTX and checked from there, has the verdicts of its
//! source.
//!
//! The PTX is what LLVM makes of the module that the source is checked as: optimised (`-O2`), and
//! nearly as written (`-O0`). By default one kernel in eight; `HEDDLE_PTX=all` takes all,
//! `HEDDLE_PTX=race` the paths with that text. `HEDDLE_PTX_KEEP=folder` leaves the PTX there.
//!
//! **Promises**: a property that one proves and the other refutes fails the test, unless it is
//! listed with its reason; so do a file that the door refuses, and a share of equal answers below
//! [`EQUAL`]. **Does not**: look at what a property that became unknown says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heddle_diagnostics::{Report, Verdict};
use heddle_driver::{CheckOptions, Progress, Source, check};
use heddle_frontend::Language;
use heddle_frontend::compile::{ClangProcess, without_contracts};

use crate::compiled::ptx_of;
use crate::cores::on_all_cores;
use crate::header::{WARP_SYNC, check_options, comment, launch_options};
use crate::nvidia::kernels_for_nvidia;

/// Of a hundred properties, those that must have the same answer.
const EQUAL: usize = 95;

/// Kernels of which LLVM makes no PTX: it stops at an intrinsic.
const NOT_COMPILED: &[&str] =
    &["warp/refuted_matrix_intrinsics.ll", "warp/proved_matrix_intrinsics.ll"];

/// Kernels of which PTX says something else: `.weak` is there what `nvcc` makes of templates.
const OF_OTHER_MEANING: &[&str] = &["calls/unknown_weak_function.cu"];

/// The store is to a variable that nothing reads: the optimiser drops it, and the race with it.
const DROPPED: &str = "the racing store is dropped";
/// A loop that never ends and does nothing that lasts has no meaning in C++: the optimiser drops
/// it, with the stores of its rounds.
const ENDLESS: &str = "the loop without end is dropped, with its racing stores";
/// Signed arithmetic that overflows has no value in C++; instructions wrap.
const WRAPS: &str = "what overflows in the source wraps in PTX";
/// A load is done by all threads where the source has it for some, and its value thrown away.
const SPECULATED: &str = "a load is moved out of its guard";
/// What the host may set by name is the same in PTX with `const` or `static` and without.
const SET: &str = "PTX does not say that the host leaves a variable alone";
/// PTX has no types of elements.
const BYTES: &str = "a size counts elements in the source, and bytes in PTX";

/// A thread that returns early jumps to the one `ret` of the kernel: it has not ended, as PTX has
/// it, while the others are at a barrier on their way there.
const JOINED: &str = "PTX has one `ret`, to which an early return jumps";

/// Who passes a barrier by and comes to the end has not returned; in PTX both end at the one `ret`.
const RETURNS: &str = "PTX does not tell which ways out are written as returns";

/// Files of which source and PTX contradict each other: the pipelines, and why both are right.
const EXPLAINED: &[(&str, &[&str], &str)] = &[
    ("atomics/refuted_ticket_wraps_in_a_loop.cu", &["O2"], DROPPED),
    ("barrier/proved_constant_table.cu", &["O0"], SET),
    ("barrier/proved_left_and_stored_then_returned.cu", &["O2"], RETURNS),
    ("barrier/proved_read_before_return.cu", &["O0"], JOINED),
    ("barrier/proved_returned_before_destructor.cu", &["O0"], RETURNS),
    ("barrier/proved_returned_from_scopes.cu", &["O0"], RETURNS),
    ("barrier/proved_returned_on_both_sides.cu", &["O0", "O2"], RETURNS),
    ("barrier/proved_returned_out_of_only_scope.cu", &["O2"], RETURNS),
    ("barrier/proved_returned_twice_out_of_scope.cu", &["O0"], RETURNS),
    ("barrier/proved_returned_with_work_in_endless_loop.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_left_and_stored_then_returned.cu", &["O2"], RETURNS),
    ("barrier/refuted_left_beside_return.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_left_to_last_return.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_left_to_return_at_end.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_left_with_destructor.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_read_before_return.cu", &["O0", "O2"], JOINED),
    ("barrier/refuted_skipped_beside_return.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_by_bypassed_mode.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_by_mode.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_by_one_warp.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_by_other_value.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_in_else.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_in_function.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_in_macro_with_return.cu", &["O0", "O2"], RETURNS),
    ("barrier/refuted_skipped_last.cu", &["O0", "O2"], RETURNS),
    ("benign/refuted_value_of_iteration.cu", &["O2"], DROPPED),
    ("bounds/proved_buffer_last_element.cu", &["O0", "O2"], BYTES),
    ("bounds/proved_grid_stride_next.cu", &["O0", "O2"], BYTES),
    ("bounds/proved_product_of_sizes.cu", &["O0", "O2"], BYTES),
    ("bounds/proved_rows_of_matrix.cu", &["O0", "O2"], BYTES),
    ("bounds/proved_stencil_left_neighbour.cu", &["O0", "O2"], BYTES),
    ("bounds/refuted_constant_written.cu", &["O2"], DROPPED),
    ("bounds/refuted_index_beyond_the_signed_range.cu", &["O2"], DROPPED),
    ("calls/refuted_two_results.cu", &["O2"], DROPPED),
    ("control/refuted_assumption_after_endless_loop.cu", &["O2"], ENDLESS),
    ("flags/proved_tiles.cu", &["O2"], WRAPS),
    ("invariants/refuted_claim_after_inner_loop.cu", &["O2"], ENDLESS),
    ("invariants/proved_binary_search.cu", &["O0", "O2"], BYTES),
    ("invariants/proved_compaction.cu", &["O0", "O2"], BYTES),
    ("index/refuted_rotation.cu", &["O2"], DROPPED),
    ("index/refuted_wraps_always.cu", &["O2"], DROPPED),
    ("index/refuted_xorshift.cu", &["O2"], DROPPED),
    ("launch/refuted_whole_clusters.cu", &["O2"], DROPPED),
    ("llvm/refuted_freeze_ends_promises.ll", &["O2"], DROPPED),
    ("loops/proved_chunks.cu", &["O2"], WRAPS),
    (
        "pointers/refuted_null_turned.cu",
        &["O2"],
        "LLVM takes what is done where the pointer is null for what nobody does",
    ),
    ("warp/proved_barrier_before.cu", &["O2"], SPECULATED),
    ("warp/proved_met_elsewhere.cu", &["O2"], SPECULATED),
    (
        "launch/refuted_table_of_zeros.cu",
        &["O0", "O2"],
        "LLVM takes a static table that the device does not write for zeros",
    ),
    (
        "layout/refuted_bit_fields.cu",
        &["O0"],
        "LLVM writes the byte of each field alone, and no word around it",
    ),
    ("layout/proved_constant_table.cu", &["O0", "O2"], SET),
    ("layout/proved_constant_table_host.cu", &["O0", "O2"], SET),
    ("layout/proved_constant_table_members.cu", &["O0", "O2"], SET),
    ("layout/proved_constant_table_narrow.cu", &["O0", "O2"], SET),
    ("layout/proved_constant_table_straddle.cu", &["O0", "O2"], SET),
    ("layout/proved_static_table.cu", &["O0", "O2"], SET),
    ("llvm/proved_initialiser.ll", &["O0", "O2"], SET),
    ("llvm/proved_assume.ll", &["O0", "O2"], "PTX has no assumptions"),
    (
        "llvm/refuted_atomicrmw.ll",
        &["O0", "O2"],
        "LLVM emits the addition at device scope, where the source asks for less",
    ),
    (
        "llvm/refuted_short_pointers.ll",
        &["O0", "O2"],
        "LLVM emits addresses of 64 bits, where the module says 32",
    ),
    (
        "loops/refuted_step_of_no_iteration.cu",
        &["O0", "O2"],
        "the square is computed before the loop, and taken not to overflow in any run",
    ),
    (
        "named/proved_number_zero_two_places.cu",
        &["O0", "O2"],
        "`bar.sync 0` is what `__syncthreads` becomes, and checked as that",
    ),
];

/// What LLVM runs before it makes PTX.
const PIPELINES: &[(&str, &str)] = &[("O2", "default<O2>"), ("O0", "default<O0>")];

fn kernels() -> Vec<PathBuf> {
    let mut found = kernels_for_nvidia("HEDDLE_PTX", 8);
    let left_out = || NOT_COMPILED.iter().chain(OF_OTHER_MEANING);
    found.retain(|path| !left_out().any(|it| path.ends_with(it)));
    // What a host launches is not in the PTX of its kernels.
    found.retain(|path| {
        std::fs::read_to_string(path).is_ok_and(|text| !text.contains(" as-launched"))
    });
    found
}

/// How the header of a kernel file says that it is checked.
fn options(path: &Path) -> Result<CheckOptions, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let line = text.lines().nth(1).and_then(comment);
    let line = line.and_then(|it| it.strip_prefix("launch:")).ok_or("no launch")?;
    let mut options = CheckOptions {
        launch: launch_options(line)?,
        warp_sync: line.split_whitespace().any(|token| token == WARP_SYNC),
        jobs: std::num::NonZeroUsize::new(1),
        ..CheckOptions::default()
    };
    check_options(line, &mut options)?;
    Ok(options)
}

type Answers = BTreeMap<(String, String), &'static str>;

fn answers(report: &Report) -> Answers {
    let mut all = Answers::new();
    for kernel in report.kernels() {
        for (property, verdict) in &kernel.verdicts {
            let word = match verdict {
                Verdict::Proved(_) => "proved",
                Verdict::Refuted(_) => "refuted",
                Verdict::Unknown(_) => "unknown",
            };
            all.insert((kernel.name.to_string(), property.to_string()), word);
        }
    }
    all
}

/// How a file answers from its source and from its PTX.
#[derive(Clone)]
struct Compared {
    file: String,
    options: CheckOptions,
    pipeline: &'static str,
    text: Result<String, String>,
    source: Answers,
    equal: usize,
    other: Vec<String>,
    contradicted: Vec<String>,
    failed: Option<String>,
    times: [Duration; 2],
}

/// PTX of all files: one after the other, since clang sets options of LLVM's code generator for
/// all threads.
fn compile(files: &[PathBuf]) -> Vec<Compared> {
    let mut all = Vec::new();
    for path in files {
        let options = options(path).expect("a kernel with its header");
        let file = path.strip_prefix("tests/kernels").unwrap_or(path).display().to_string();
        for (pipeline, passes) in PIPELINES {
            all.push(Compared {
                file: file.clone(),
                options: options.clone(),
                pipeline,
                text: ptx_of(path, &options.compile, passes),
                source: Answers::new(),
                equal: 0,
                other: Vec::new(),
                contradicted: Vec::new(),
                failed: None,
                times: [Duration::ZERO; 2],
            });
        }
    }
    all
}

fn compare(it: &Compared) -> Compared {
    let mut it = it.clone();
    let path = Path::new("tests/kernels").join(&it.file);
    let start = Instant::now();
    let source = [Source::File(path)];
    // PTX has no contracts.
    let compile = without_contracts(&it.options.compile);
    let options = CheckOptions { compile, ..it.options.clone() };
    let outcome = check(&source, &options, &heddle_clang::Embedded, &Progress::default())
        .expect("threads and a current folder");
    it.times[0] = start.elapsed();
    it.source = answers(&outcome.report);
    match it.text.clone() {
        Ok(text) => from_ptx(text, &mut it),
        Err(why) => it.failed = Some(why),
    }
    it
}

fn from_ptx(text: String, it: &mut Compared) {
    if let Some(folder) = std::env::var_os("HEDDLE_PTX_KEEP") {
        let name = format!("{}.{}.ptx", it.file.replace('/', "_"), it.pipeline);
        std::fs::write(Path::new(&folder).join(name), &text).expect("the folder is there");
    }
    let input = Source::Text {
        name: "k.ptx".to_owned(),
        bytes: text.into_bytes(),
        language: Some(Language::Ptx),
    };
    let start = Instant::now();
    let outcome = check(&[input], &it.options, &ClangProcess, &Progress::default())
        .expect("threads and a current folder");
    it.times[1] = start.elapsed();
    let ptx = answers(&outcome.report);
    if outcome.report.kernels().is_empty() {
        let findings = outcome.report.findings();
        let messages: Vec<String> = findings.map(|it| it.message.clone()).collect();
        it.failed = Some(messages.join("; "));
        return;
    }
    for (key, was) in &it.source {
        let is = ptx.get(key).copied().unwrap_or("missing");
        if is == *was {
            it.equal += 1;
            continue;
        }
        let line = format!("{} {}: {was} -> {is}", key.0, key.1);
        match (*was, is) {
            ("proved", "refuted") | ("refuted", "proved") => it.contradicted.push(line),
            _ => it.other.push(line),
        }
    }
}

#[test]
fn ptx_of_a_kernel_answers_as_its_source() {
    let files = kernels();
    let all = on_all_cores(&compile(&files), compare);
    let mut report = String::new();
    let mut wrong = Vec::new();
    for (pipeline, _) in PIPELINES {
        let of: Vec<&Compared> = all.iter().filter(|it| it.pipeline == *pipeline).collect();
        let equal: usize = of.iter().map(|it| it.equal).sum();
        let other: usize = of.iter().map(|it| it.other.len() + it.contradicted.len()).sum();
        let failed = of.iter().filter(|it| it.failed.is_some()).count();
        let time = |n: usize| of.iter().map(|it| it.times[n]).sum::<Duration>();
        let _written = writeln!(
            report,
            "{pipeline}: {} files, {equal} of {} properties equal, {failed} files refused; {:.1?} \
             from source, {:.1?} from PTX",
            of.len(),
            equal + other,
            time(0),
            time(1)
        );
        for it in &of {
            let lines = it.contradicted.iter().map(|line| ("CONTRADICTED", line));
            let lines = lines.chain(it.other.iter().map(|line| ("other", line)));
            let lines = lines.chain(it.failed.iter().map(|line| ("refused", line)));
            for (what, line) in lines {
                let _written = writeln!(report, "  {what} {} {pipeline} {line}", it.file);
            }
            let is_explained =
                EXPLAINED.iter().any(|(file, of, _)| it.file == *file && of.contains(&it.pipeline));
            match (it.contradicted.is_empty(), is_explained) {
                (false, false) => {
                    wrong.push(format!("{} {pipeline}: {}", it.file, it.contradicted.join("; ")));
                }
                (true, true) => wrong.push(format!("{} {pipeline}: is equal now", it.file)),
                (true, false) | (false, true) => {}
            }
            if let Some(why) = &it.failed {
                wrong.push(format!("{} {pipeline}: {why}", it.file));
            }
        }
        if equal * 100 < (equal + other) * EQUAL {
            wrong.push(format!("{pipeline}: only {equal} of {} are equal", equal + other));
        }
    }
    let _unheard = std::io::stderr().write_all(report.as_bytes());
    assert!(wrong.is_empty(), "{}\n{report}", wrong.join("\n"));
}
