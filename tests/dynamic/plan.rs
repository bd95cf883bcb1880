//! The plan of what is checked, as text; and that the checks change nothing: modules stay valid,
//! keep their lines, and compute what they did.

use std::path::{Path, PathBuf};

use heddle_clang::Embedded;
use heddle_diagnostics::Code;
use heddle_driver::Source;
use heddle_driver::dynamic::{Checks, RunOptions, run};
use heddle_execute::instrument::{Skips, instrument};
use heddle_frontend::CompileOptions;
use heddle_runtime::Schedule;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::corpus::{REFUSED, excused, kernels, options_of};
use crate::with_checks;

/// Kernels whose plans are kept as text: one of each kind of decision.
const SHOWN: &[&str] = &[
    "atomics/proved_ticket.cu",
    "barrier/refuted_thread_condition.cu",
    "buffering/proved_double.cu",
    "matmul/proved_tiled.cu",
    "reduction/refuted_two_level.cu",
    "stencil/proved_two_grids.cu",
    "stencil/refuted_in_place.cu",
];

#[test]
fn plans_say_what_is_checked_and_why_the_rest_is_not() {
    let mut text = String::new();
    for file in SHOWN {
        let source = Source::File(Path::new("tests/kernels").join(file));
        let made = with_checks(&source, Checks::Unproved);
        text.push_str(&format!("{file}\n"));
        made.plans.iter().for_each(|plan| text.push_str(&plan.to_string()));
    }
    insta::assert_snapshot!("plans", text);
    assert!(text.contains("skip: no race, proved") && text.contains(" check\n"), "{text}");
}

#[test]
fn the_skipped_accesses_of_a_plan_have_no_call() {
    let source = Source::File(Path::new("tests/kernels/stencil/proved_two_grids.cu").to_owned());
    let with = |checks| with_checks(&source, checks).text.matches("@__heddle_access(ptr %").count();
    assert!(with(Checks::All) > 0);
    assert_eq!(with(Checks::Unproved), 0);
}

/// All kernel files of the sample.
fn sample() -> Vec<PathBuf> {
    ["proved_", "refuted_", "unknown_"].iter().flat_map(|it| kernels(it)).collect()
}

#[test]
fn instrumented_modules_are_valid_and_each_check_has_a_line() {
    let files = sample();
    let wrong: Vec<String> = files
        .par_iter()
        .filter_map(|path| {
            let input = heddle_frontend::Input::file(path);
            let prepared =
                heddle_frontend::load_with(&input, &CompileOptions::default(), &Embedded);
            let mut prepared = prepared.expect("a kernel file");
            let lines = prepared.module.text().contains("DISubprogram");
            let target = prepared.target;
            let sites = instrument(&mut prepared.module, target, &prepared.kernels, &Skips::new());
            let why = match prepared.module.verify() {
                Err(why) => why,
                Ok(()) => {
                    let text = prepared.module.text();
                    let calls = text.lines().filter(|it| it.contains("call void @__heddle_"));
                    let mut bare = calls.filter(|it| lines && !it.contains("!dbg"));
                    let placeless = sites.iter().skip(1).any(|it| lines && it.location.is_none());
                    match bare.next() {
                        Some(call) => format!("no debug location: {call}"),
                        None if placeless => "a site has no line".to_owned(),
                        None => return None,
                    }
                }
            };
            Some(format!("{}: {why}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty() && !files.is_empty(), "{}", wrong.join("\n"));
}

/// Kernels that need not end without checks, or compute the same, each with the reason. A kernel
/// that leaves its buffers under the arguments that it is given is left out as well: without checks
/// it writes wherever it likes.
const LEFT_OUT: &[(&str, &str)] = &[
    ("fences/", SPINS),
    ("flags/", SPINS),
    ("interblock/", SPINS),
    ("locks/", SPINS),
    ("named/", SPINS),
    ("progress/", SPINS),
    ("llvm/proved_irreducible.ll", "its argument is one bit, and is given 64"),
    (
        "loops/proved_list.cu",
        "a list whose links are made up has no end; with checks it ends out of bounds",
    ),
];
const SPINS: &str = "threads wait for each other, and only checks make one give way";

#[test]
fn checks_change_nothing_that_a_kernel_computes() {
    let plain =
        |path: &&PathBuf| !LEFT_OUT.iter().any(|(part, _)| path.to_string_lossy().contains(part));
    let files = kernels("proved_");
    let files: Vec<_> =
        files.iter().filter(plain).filter(|it| excused(REFUSED, it).is_none()).collect();
    let compared: Vec<Result<usize, String>> = files
        .par_iter()
        .map(|path| {
            let input = heddle_frontend::Input::file(path);
            let prepared =
                heddle_frontend::load_with(&input, &CompileOptions::default(), &Embedded);
            let mut bytes = 0;
            for kernel in prepared.expect("a kernel file").kernels {
                for schedule in [Schedule::RoundRobin, Schedule::Reverse] {
                    let options = options_of(path, &kernel.name, schedule)?;
                    let with =
                        |checks| computed(path, RunOptions { checks, runs: 1, ..options.clone() });
                    let (on, stays) = with(Checks::All)?;
                    if !stays {
                        continue;
                    }
                    let (off, _) = with(Checks::Off)?;
                    if off != on {
                        return Err(format!(
                            "{}: `{}` with {schedule}",
                            path.display(),
                            kernel.name
                        ));
                    }
                    bytes += off.iter().map(Vec::len).sum::<usize>();
                }
            }
            Ok(bytes)
        })
        .collect();
    let wrong: Vec<_> = compared.iter().filter_map(|it| it.as_ref().err()).collect();
    assert!(wrong.is_empty(), "computes something else under checks: {wrong:#?}");
    let some = compared.iter().flatten().filter(|it| **it > 0).count();
    assert!(some > files.len() / 2, "{some} of {} kernels were compared", files.len());
}

/// What the buffers hold after a run, and whether each access that was checked stayed inside of
/// them.
fn computed(path: &Path, options: RunOptions) -> Result<(Vec<Vec<u8>>, bool), String> {
    let outcome = run(&Source::File(path.to_owned()), &options, &Embedded)
        .map_err(|error| error.to_string())?;
    let memory = outcome.memory.ok_or_else(|| format!("{}: refused", path.display()))?;
    let stays = outcome.report.findings().all(|it| it.code != Code::OutOfBounds);
    Ok(((0..memory.buffers().len()).map(|n| memory.bytes(n).to_vec()).collect(), stays))
}
