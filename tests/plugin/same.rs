//! The command line, `heddle-opt` and the plugin say the same of the kernels in `tests/kernels`:
//! of every eighth, and of all of them with `HEDDLE_SAME=all`.
//!
//! All three get the same module, as bitcode: clang's options would otherwise be what is compared.
//! They are asked twice, with the budget of the command line and with that of a build; the second
//! may leave open what the first decides, and must not contradict it. A sample goes through clang
//! itself, with the options that the command line compiles with.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use heddle_frontend::compile::to_ir;
use heddle_frontend::{CompileOptions, Input};
use heddle_llvm::Module;

use crate::hosts::{Ran, clang, folder, plugin, run};
use crate::sample::is_sampled;
use crate::words::words;

/// Of this number of kernels one is asked about, unless all are: a sample has findings of each
/// kind, and hosts differ by the kind.
const SHARE: u64 = 8;

/// Of the CUDA kernels, one in so many goes through clang.
const SAMPLE: u64 = 12;

#[test]
fn all_three_say_the_same_of_each_kernel_asked_about() {
    // A compiler that is not told of a GPU takes such a module for host code, where the plugin is
    // silent.
    let has_triple = |path: &PathBuf| !path.to_string_lossy().contains("_no_triple.ll");
    // LLVM's tools do not read MLIR.
    let is_mlir = |path: &PathBuf| path.extension().is_some_and(|it| it == "mlir");
    let share = match std::env::var("HEDDLE_SAME").is_ok_and(|it| it == "all") {
        true => 1,
        false => SHARE,
    };
    let files: Vec<PathBuf> = kernels()
        .into_iter()
        .filter(|it| has_triple(it) && !is_mlir(it) && is_sampled(it, share))
        .collect();
    assert!(files.len() > 250, "the walk must find the kernels");
    let compared = AtomicUsize::new(0);
    let wrong = on_two_threads(&files, &|path| {
        let module = module_of(path)?;
        let launch = launch_of(path)?;
        let options: Vec<&str> = launch.iter().map(String::as_str).collect();
        let dashed: Vec<String> =
            launch.chunks(2).map(|it| format!("{}={}", it[0], it[1])).collect();
        let dashed: Vec<&str> = dashed.iter().map(String::as_str).collect();
        let ask = |budget: &str, of_host: &[&str]| -> Result<Option<i32>, String> {
            // Two jobs: from one store of fuel questions are asked one after the other all the
            // same.
            let check = ["check", "--quiet", "--format", "short", "--jobs", "2", &module];
            let check = [check.as_slice(), &options, &["--budget", budget]].concat();
            let cli = run(env!("CARGO_BIN_EXE_heddle"), &check);
            let budget = format!("-budget={budget}");
            let opt = ["-passes=heddle", "-disable-output", "-format=short", &budget, &module];
            let opt = run(env!("CARGO_BIN_EXE_heddle-opt"), &[opt.as_slice(), &dashed].concat());
            if (cli.code, &cli.out) != (opt.code, &opt.err) {
                return Err(format!("heddle-opt says\n{}\nand heddle\n{}", opt.err, cli.out));
            }
            let load = format!("-load-pass-plugin={}", plugin().display());
            let fixed = [load.as_str(), ALL_SHOWN, REMARKS, "-disable-output"];
            let launch: Vec<String> =
                dashed.iter().map(|it| it.replacen("--", "-heddle-", 1)).collect();
            let launch: Vec<&str> = launch.iter().map(String::as_str).collect();
            let host = run("opt-22", &[fixed.as_slice(), of_host, &launch, &[&module]].concat());
            compared.fetch_add(agree(&cli, &host)?, Ordering::Relaxed);
            Ok(cli.code)
        };
        let (full, build) = (ask("1", &["-heddle-budget=1"])?, ask("build", &[])?);
        if build != full && build != Some(3) {
            return Err(format!("ends with {full:?}, and with {build:?} under a build's budget"));
        }
        Ok(())
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    let compared = compared.into_inner();
    assert!(compared > files.len() * 2 / 3, "only {compared} findings were there to compare");
}

/// Nothing stops the host before it has said all.
const ALL_SHOWN: &str = "-passes=heddle<refuted=warning;unknown=warning>";
const REMARKS: &str = "-pass-remarks-analysis=heddle";

#[test]
fn clang_says_the_same_of_a_sample() {
    let cuda = |path: &PathBuf| path.extension().is_some_and(|it| it == "cu");
    let drawn = |path: &PathBuf| cuda(path) && is_sampled(path, SAMPLE);
    let files = kernels().into_iter().filter(drawn);
    let files: Vec<_> = files.filter(|it| !is_read_by_heddle_alone(it)).collect();
    assert!(files.len() > 15, "the sample must be one");
    let wrong = on_two_threads(&files, &|path| {
        let launch = launch_of(path)?;
        let options: Vec<&str> = launch.iter().map(String::as_str).collect();
        let path = path.display().to_string();
        let check = ["check", "--quiet", "--format", "short", "--jobs", "1", &path];
        let cli = run(env!("CARGO_BIN_EXE_heddle"), &[check.as_slice(), &options].concat());
        let load = format!("-fpass-plugin={}", plugin().display());
        let mut fixed = vec!["--cuda-device-only", "-S", "-o", "/dev/null", "-O2", "-g", &load];
        fixed.extend(["-Xclang", "-debug-info-kind=limited", "-fno-discard-value-names"]);
        fixed.extend(["-Rpass-analysis=heddle", "-Wpass-failed", "-fno-caret-diagnostics"]);
        fixed.extend(["-mllvm", "-heddle-refuted=warning", "-mllvm", "-heddle-unknown=warning"]);
        fixed.extend(["-mllvm", "-heddle-budget=1"]);
        let of_host: Vec<String> =
            launch.chunks(2).map(|it| format!("-heddle-{}={}", &it[0][2..], it[1])).collect();
        fixed.extend(of_host.iter().flat_map(|it| ["-mllvm", it.as_str()]));
        fixed.push(&path);
        agree(&cli, &clang(&fixed)).map(|_| ())
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

/// Files whose answers go by which returns are written.
const GOES_BY_RETURNS: &[&str] = &[
    "proved_returned_from_scopes.cu",
    "refuted_first_round_barrier.cu",
    "refuted_guarded_hand_over.cu",
    "refuted_left_to_return_at_end.cu",
    "refuted_parted_and_far.cu",
    "refuted_skipped_by_bypassed_mode.cu",
    "refuted_skipped_by_one_warp.cu",
    "refuted_skipped_in_function.cu",
    "refuted_skipped_in_macro_with_return.cu",
    "refuted_skipped_in_tree.cu",
];

/// Whether a source says more, or is spelt otherwise, to Heddle's own door than to a compiler: with
/// contracts, which a compiler does not see, in the host's part, and with what nvcc alone takes.
/// And whether its answer goes by which returns are written, of which IR says nothing.
fn is_read_by_heddle_alone(path: &Path) -> bool {
    let is_of = |folder: &str| path.parent().is_some_and(|it| it.ends_with(folder));
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let what = name.split_once('_').map_or(name, |(_, rest)| rest);
    if is_of("host") || GOES_BY_RETURNS.contains(&name) {
        return true;
    }
    let text = std::fs::read_to_string(path).expect("a kernel is text");
    let has_contract = [
        "heddle_requires",
        "heddle_assert",
        "heddle_invariant",
        "heddle_injective",
        "heddle_range",
        "heddle_sorted",
        "heddle_ascending",
    ];
    let spelt_for_nvcc = [
        "spelt_for_nvcc.cu",
        "names_in_unused_template.cu",
        "sizes_in_braces.cu",
        "own_integers.cu",
        "typename_left_out.cu",
        "exchange_without_header.cu",
        "defined_for_both_sides.cu",
        "restrict_after_type.cu",
        "member_of_base_unqualified.cu",
        "specialised_for_device.cu",
        "counts_of_microsoft.cu",
        "return_missing.cu",
        "return_missing_in_branch.cu",
        "return_missing_before_barrier.cu",
        "reference_missing.cu",
        "reference_missing_before_barrier.cu",
        "object_missing.cu",
        "dynamic_shared_struct.cu",
        "dynamic_shared_struct_and_array.cu",
        "dynamic_shared_struct_twice.cu",
    ];
    has_contract.iter().any(|it| text.contains(it)) || spelt_for_nvcc.contains(&what)
}

/// Each finding of the command line (`place: error[HD0101]: message`) is one diagnostic of the host
/// (`warning: place: HD0101: message; …` or `place: warning: HD0101: …`), at the same line, and
/// there are no others. Their number.
fn agree(cli: &Ran, host: &Ran) -> Result<usize, String> {
    if host.code != Some(0) {
        return Err(format!("the host ended with {:?}: {}", host.code, host.err));
    }
    let told = host.err.lines().filter(|line| line.contains(": HD"));
    let mut said: Vec<String> = told.map(without_stop).collect();
    let mut findings: Vec<(&str, String)> = cli.out.lines().filter_map(finding).collect();
    let count = findings.len();
    // The longest first: one message may be the beginning of another.
    findings.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    for (place, text) in findings {
        let meant =
            |line: &String| line.contains(&text) && (place.is_empty() || line.contains(place));
        match said.iter().position(meant) {
            Some(at) => {
                said.remove(at);
            }
            None => return Err(format!("`{place}: {text}` is not in\n{}", host.err)),
        }
    }
    if said.is_empty() {
        Ok(count)
    } else {
        Err(format!("only the host says\n{}", said.join("\n")))
    }
}

/// A line without what a run stops at, which may be a return that a compiler's IR has and the
/// source does not. What that depends on stays.
fn without_stop(line: &str) -> String {
    let stop = line.split_once(" (whether ").and_then(|(before, rest)| {
        let (_, depends) = rest.split_once(" happens ")?;
        Some(format!("{before} (whether it happens {depends}"))
    });
    stop.unwrap_or_else(|| line.to_owned())
}

/// `file:line` (nothing where there is no line) and `HD0101: message` of a line of the short
/// format.
fn finding(line: &str) -> Option<(&str, String)> {
    let (before, rest) = line.split_once("[HD")?;
    let (number, message) = rest.split_once("]: ")?;
    // Values that are not followed have the names of their module, which may differ.
    let message = message.split_once(", through ").map_or(message, |(message, _)| message);
    let place = before.rsplit_once(": ")?.0;
    // `k.cu:8:11`, or ``k.bc: function `k`, instruction 7``.
    let at_line = match place.contains(", instruction ") {
        true => "",
        false => place.rsplit_once(':').map_or("", |(line, _)| line),
    };
    Some((at_line, format!("HD{number}: {}", without_stop(message))))
}

fn kernels() -> Vec<PathBuf> {
    let entries = |path: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(path).expect("tests/kernels is here");
        entries.flatten().map(|entry| entry.path()).collect()
    };
    let topics = entries(Path::new("tests/kernels")).into_iter().filter(|path| path.is_dir());
    let mut files: Vec<_> = topics.flat_map(|topic| entries(&topic)).collect();
    files.sort();
    files
}

/// The kernel's module as bitcode, in a file.
fn module_of(path: &Path) -> Result<String, String> {
    let compiled = to_ir(&Input::file(path), &CompileOptions::default(), &heddle_clang::Embedded)
        .map_err(|error| format!("{error}: {}", error.output))?;
    let module = Module::parse(&compiled.bytes, &path.display().to_string())?;
    let name = path.display().to_string().replace('/', "_");
    let file = folder("same").join(format!("{name}.bc"));
    std::fs::write(&file, module.to_bitcode()).map_err(|error| error.to_string())?;
    Ok(file.display().to_string())
}

/// The launch of the kernel's second line, as options of the command line: name, value, name,
/// value.
fn launch_of(path: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let words = words(&text)?;
    let has = |size: &str| words.iter().any(|(name, _)| name == size);
    // A compiler at work sees one side of a source.
    let open = ["grid", "block"].into_iter().filter(|size| !has(size));
    let mut options: Vec<_> =
        open.flat_map(|size| [format!("--{size}"), "any".to_owned()]).collect();
    for (name, value) in &words {
        // All passes run here: it is the doors that are compared.
        if let Some(value) = value.as_ref().filter(|_| name != "passes") {
            options.extend([format!("--{name}"), value.clone()]);
        }
    }
    Ok(options)
}

/// What went wrong, by file.
fn on_two_threads(
    files: &[PathBuf],
    work: &(dyn Fn(&Path) -> Result<(), String> + Sync),
) -> Vec<String> {
    let half = |part: usize| -> Vec<String> {
        let mine = files.iter().skip(part).step_by(2);
        mine.filter_map(|path| work(path).err().map(|why| format!("{}: {why}", path.display())))
            .collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut wrong = half(0);
        wrong.extend(other.join().expect("the other half panicked"));
        wrong
    })
}
