//! PTX that we make, assembled by NVIDIA's `ptxas` for each generation of devices: instrumented
//! kernels of `tests/kernels`, emitted progress and litmus tests, vectors of instructions.
//!
//! By default one kernel in sixteen, each for one of the generations; `HEDDLE_PTXAS=all` takes all
//! kernels for all generations, `sample` one in sixteen for all, `race` those whose paths have that
//! text. Registers and spills of instrumented kernels stand in `registers.txt`, and more of them
//! than there fail; `HEDDLE_PTXAS=sample HEDDLE_REGISTERS=accept cargo test --test gpu assembled`
//! writes down what it takes and keeps the rest. Without `ptxas` the tests say that they were not
//! run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{Checks, ptx};
use heddle_execute::gpu::{DeviceCode, GpuOptions, compile};
use heddle_execute::instrument::Skips;
use heddle_frontend::{CompileOptions, Input, Language, load_with};
use heddle_litmus::emit::{KERNEL, Program, Refused, emit};
use heddle_progress::axb;
use heddle_progress::emit::{Layout, Target, llvm_module};
use heddle_runtime::gpu::kit::Writer;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::corpus::refused_by_name;
use crate::kit::{Prepared, vectors};
use crate::nvidia::kernels_for_nvidia;
use crate::ptxas::{Ptxas, Usage, toolkit};

/// The generations: Volta, Ampere, Hopper, data centre and consumer Blackwell.
const ARCHS: [&str; 5] = ["sm_70", "sm_80", "sm_90", "sm_100", "sm_120"];

/// Kernels whose PTX no assembler takes, each with the reason.
const NOT_ASSEMBLED: &[(&str, &str)] =
    &[("calls/unknown_inline_assembly.cu", "its template is no PTX")];

/// Where registers and spills are recorded.
const RECORD: &str = "tests/gpu/registers.txt";

const HEAD: &str = "\
# Registers of a thread of each instrumented kernel on sm_70, sm_80, sm_90, sm_100 and sm_120, by ptxas 12.9.86.
# `+n`: n bytes of registers are spilled. `-`: the architecture lacks what the kernel needs, or it was not recorded.
";

/// Registers that a kernel may take beyond those that are recorded.
const SLACK: u32 = 8;

fn say(text: &str) {
    let _unheard = writeln!(std::io::stderr(), "{text}");
}

/// The assembler, or it is said that the test is not run.
fn ptxas(test: &str) -> Option<Ptxas> {
    Ptxas::find().map_err(|why| say(&format!("not run: {test}: {why}"))).ok()
}

fn takes_all() -> bool {
    std::env::var_os("HEDDLE_PTXAS").is_some_and(|it| !it.is_empty())
}

/// The generations that a file is assembled for: all, or one that its name draws.
fn archs_for(path: &Path) -> Vec<usize> {
    let drawn =
        path.to_string_lossy().bytes().fold(7usize, |sum, it| sum * 31 % 8191 + it as usize);
    if takes_all() { (0..ARCHS.len()).collect() } else { vec![drawn % ARCHS.len()] }
}

/// What became of a file for one generation.
enum Made {
    /// Each entry.
    Code(Vec<Usage>),
    /// The architecture, or the library of functions, lacks what it needs.
    Lacking,
    /// The assembler refuses what we made.
    Wrong(String),
}

fn made(ptxas: &Ptxas, source: &Source, arch: &str, checks: Checks) -> Made {
    // What only the features of one architecture have (`sm_90a`), a second try may have.
    let mut why = String::new();
    for arch in [arch.to_owned(), format!("{arch}a")] {
        let options = CompileOptions { arch: arch.clone(), ..CompileOptions::default() };
        let code =
            ptx(source, &options, &Embedded, checks).expect("threads").map_err(|it| it.message);
        let code = match (code, source) {
            (Err(message), Source::File(path)) if refused_by_name(&message) => {
                linked(path, &options, checks, message)
            }
            (done, _) => done,
        };
        why = match code {
            Ok(code) => match ptxas.assemble(&arch, &code.ptx) {
                Ok(usages) => return Made::Code(usages),
                Err(why) => why,
            },
            Err(message) if refused_by_name(&message) => return Made::Lacking,
            Err(message) => message,
        };
        let has_features = ["90", "100", "120"].iter().any(|it| arch.ends_with(it));
        if !has_features || !is_lack(&why) {
            break;
        }
    }
    if is_lack(&why) { Made::Lacking } else { Made::Wrong(why) }
}

/// The same with NVIDIA's mathematics linked, where they are at hand; else `why` it is not made.
fn linked(
    path: &Path,
    options: &CompileOptions,
    checks: Checks,
    why: String,
) -> Result<DeviceCode, String> {
    let Some(toolkit) = toolkit() else { return Err(why) };
    let prepared =
        load_with(&Input::file(path), options, &Embedded).map_err(|error| error.to_string())?;
    let skips = (checks != Checks::Off).then(Skips::new);
    let arch = options.arch.clone();
    let options = GpuOptions { arch, toolkit: Some(toolkit), kernel: None };
    compile(&prepared, skips.as_ref(), &options).map_err(|error| error.to_string())
}

/// Whether all that is refused is what another architecture has.
fn is_lack(why: &str) -> bool {
    let lacks =
        ["needs sm_", "requires .target", "not supported on .target", "cannot be compiled for"];
    let errors = why.lines().filter(|it| it.contains("error") || !why.starts_with("ptxas: "));
    let mut errors = errors.filter(|it| !it.contains("aborted due to errors")).peekable();
    errors.peek().is_some() && errors.all(|line| lacks.iter().any(|it| line.contains(it)))
}

/// Of each entry of a file, by name: what it takes on each generation; none where that lacks
/// something.
type Row = BTreeMap<String, [Option<Usage>; ARCHS.len()]>;

#[test]
fn instrumented_kernels_are_assembled_for_each_generation_of_devices() {
    let Some(ptxas) = ptxas("instrumented kernels by ptxas") else { return };
    let files = kernels_for_nvidia("HEDDLE_PTXAS", 16);
    let done: Vec<(PathBuf, Result<Row, String>)> =
        files.par_iter().map(|path| (path.clone(), row(&ptxas, path))).collect();
    let mut wrong: Vec<String> = Vec::new();
    let accepts = std::env::var("HEDDLE_REGISTERS").is_ok_and(|it| it == "accept");
    let recorded = std::fs::read_to_string(RECORD).unwrap_or_default();
    let lines = recorded.lines().filter(|it| !it.starts_with('#'));
    let mut record: BTreeMap<String, String> = lines.map(|it| (key(it), it.to_owned())).collect();
    for (path, row) in done {
        let name = path.strip_prefix("tests/kernels").unwrap_or(&path).display().to_string();
        match row {
            Err(why) => wrong.push(format!("{name}: {why}")),
            Ok(row) => {
                for (entry, usages) in row {
                    let line = line(&name, &entry, &usages);
                    let before = record.get(&key(&line)).cloned().unwrap_or_default();
                    wrong.extend(grown(&before, &line).filter(|_| ptxas.pinned && !accepts));
                    record.insert(key(&line), merged(&before, &line));
                }
            }
        }
    }
    assert!(!files.is_empty(), "no kernel was looked at");
    if accepts {
        assert!(ptxas.pinned, "what is recorded is of {}", crate::ptxas::RELEASE);
        let text: String = record.values().map(|it| format!("{it}\n")).collect();
        std::fs::write(RECORD, format!("{HEAD}{text}")).expect("the repository can be written");
    }
    if !ptxas.pinned {
        say(&format!("registers are not compared: {} is another release", ptxas.path.display()));
    }
    let count = format!("{} of {} files", wrong.len(), files.len());
    assert!(wrong.is_empty(), "{count} wrong:\n{}", wrong.join("\n"));
}

fn row(ptxas: &Ptxas, path: &Path) -> Result<Row, String> {
    let source = Source::File(path.to_owned());
    let excused = NOT_ASSEMBLED.iter().any(|(file, _)| path.ends_with(file));
    let mut row = Row::new();
    for n in archs_for(path) {
        match made(ptxas, &source, ARCHS[n], Checks::All) {
            Made::Code(_) if excused => {
                return Err("it is assembled: take it from the list".to_owned());
            }
            Made::Wrong(_) if excused => {}
            Made::Code(usages) => {
                for usage in usages {
                    let all = row.entry(usage.entry.clone()).or_default();
                    all[n] = Some(usage);
                }
            }
            Made::Lacking => {}
            Made::Wrong(why) => return Err(format!("{}: {why}", ARCHS[n])),
        }
    }
    Ok(row)
}

fn line(name: &str, entry: &str, usages: &[Option<Usage>; ARCHS.len()]) -> String {
    let mut line = format!("{name} {entry}");
    for usage in usages {
        match usage {
            None => line.push_str(" -"),
            Some(Usage { entry: _, registers, stack: [_, stores, _] }) => {
                let spills = if *stores > 0 { format!("+{stores}") } else { String::new() };
                write!(line, " {registers}{spills}").expect("a string grows");
            }
        }
    }
    line
}

/// File and entry of a line.
fn key(line: &str) -> String {
    line.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The line of now, with what only the one before has.
fn merged(before: &str, now: &str) -> String {
    let mut before = before.split(' ').chain(std::iter::repeat("-"));
    let word = |now| match (now, before.next().unwrap_or("-")) {
        ("-", before) => before.to_owned(),
        (now, _) => now.to_owned(),
    };
    now.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// What takes more registers than before, or spills more.
fn grown(before: &str, now: &str) -> Option<String> {
    let numbers = |line: &str| -> Vec<Option<(u32, u32)>> {
        let number = |word: &str| {
            let (registers, spills) = word.split_once('+').unwrap_or((word, "0"));
            Some((registers.parse().ok()?, spills.parse().ok()?))
        };
        line.split(' ').skip(2).map(number).collect()
    };
    let pairs = numbers(before).into_iter().zip(numbers(now));
    let more = |pair| match pair {
        (Some((registers, spills)), Some((now, spilled))) => {
            now > registers + SLACK || spilled > spills + 4 * SLACK
        }
        (Some(_), None) | (None, _) => false,
    };
    pairs
        .into_iter()
        .any(more)
        .then(|| format!("takes more registers:\n  was {before}\n  now {now}"))
}

#[test]
fn a_kernel_that_takes_more_registers_than_recorded_is_seen() {
    let before = "race/k.cu k 40 40 - 38 38+16";
    assert_eq!(grown(before, "race/k.cu k 48 - 90 38 38+48"), None);
    assert!(grown(before, "race/k.cu k 49 40 - 38 38").is_some());
    assert!(grown(before, "race/k.cu k 40 40 - 38 38+52").is_some());
    assert_eq!(merged(before, "race/k.cu k - 50 36 - -"), "race/k.cu k 40 50 36 38 38+16");
    assert_eq!(merged("", "race/k.cu k - 50 36 - -"), "race/k.cu k - 50 36 - -");
}

#[test]
fn every_record_of_registers_is_of_a_kernel_that_exists() {
    let recorded = std::fs::read_to_string(RECORD).expect("the record is in the repository");
    let names =
        recorded.lines().filter(|it| !it.starts_with('#')).filter_map(|it| it.split(' ').next());
    let gone: Vec<&str> =
        names.filter(|it| !Path::new("tests/kernels").join(it).is_file()).collect();
    assert_eq!(gone, [""; 0], "take their lines from {RECORD}");
}

#[test]
fn emitted_progress_tests_are_assembled_for_each_generation_of_devices() {
    let Some(ptxas) = ptxas("progress tests by ptxas") else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/progress")
        .expect("the tests")
        .filter_map(|it| Some(it.ok()?.path()))
        .filter(|it| it.extension().is_some_and(|it| it == "axb"))
        .collect();
    files.sort();
    let tests: Vec<axb::Test> = files
        .iter()
        .map(|it| axb::parse(&std::fs::read_to_string(it).expect("a file")).expect("a test"))
        .collect();
    assert!(tests.len() > 10, "{} tests", tests.len());
    let tests: Vec<&axb::Test> = tests.iter().collect();
    let layouts =
        [Layout::Plain, Layout::RoundRobin { instances: 64 }, Layout::Chunked { instances: 64 }];
    for layout in layouts.into_iter().take(if takes_all() { 3 } else { 1 }) {
        let text = llvm_module(&tests, Target::Nvptx, layout);
        let name = "<progress tests>".to_owned();
        let source = Source::Text { name, bytes: text.into_bytes(), language: Some(Language::Ir) };
        for (arch, checks) in
            ARCHS.into_iter().flat_map(|it| [(it, Checks::Off), (it, Checks::All)])
        {
            match made(&ptxas, &source, arch, checks) {
                Made::Code(usages) => {
                    assert_eq!(usages.len(), tests.len(), "{arch} {layout:?}");
                    let spills = usages.iter().filter(|it| it.stack[1] > 0).count();
                    assert_eq!(spills, 0, "{arch} {layout:?}");
                }
                Made::Lacking => panic!("{arch} has all that they need"),
                Made::Wrong(why) => panic!("{arch} {layout:?}: {why}"),
            }
        }
    }
}

#[test]
fn emitted_litmus_tests_are_assembled_for_each_generation_of_devices() {
    let Some(ptxas) = ptxas("litmus tests by ptxas") else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/litmus")
        .expect("the tests")
        .filter_map(|it| Some(it.ok()?.path()))
        .filter(|it| it.extension().is_some_and(|it| it == "litmus"))
        .collect();
    files.sort();
    let emitted: Vec<(&PathBuf, Result<Program, Refused>)> = files
        .iter()
        .map(|it| {
            let text = std::fs::read_to_string(it).expect("a file");
            (it, emit(&heddle_litmus::parse(&text).expect("a test")))
        })
        .collect();
    let refused: Vec<_> =
        emitted.iter().filter_map(|(it, made)| Some((it, made.as_ref().err()?))).collect();
    assert!(refused.iter().all(|(_, why)| **why == Refused::Devices), "{refused:?}");
    assert!(emitted.len() > 80 && refused.len() < 5, "{} of {}", refused.len(), emitted.len());
    let wrong: Vec<String> = emitted
        .par_iter()
        .filter_map(|(path, made)| Some((path, made.as_ref().ok()?)))
        .flat_map_iter(|(path, program)| {
            let archs = ARCHS.into_iter().filter(|it| number(it) >= program.needs);
            archs.filter_map(|arch| {
                let usages = match ptxas.assemble(arch, &program.ptx) {
                    Ok(usages) => usages,
                    Err(why) => return Some(format!("{}: {arch}: {why}", path.display())),
                };
                let is_one =
                    usages.len() == 1 && usages[0].entry == KERNEL && usages[0].stack == [0; 3];
                (!is_one).then(|| format!("{}: {arch}: {usages:?}", path.display()))
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn vectors_of_instructions_are_assembled_for_each_generation_of_devices() {
    let Some(ptxas) = ptxas("vectors of instructions by ptxas") else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("assembled_vectors_{}", std::process::id()));
    let kit = Writer::new(&folder).expect("the folder is cargo's for tests");
    let few = if takes_all() { usize::MAX } else { 1 };
    let vectors = vectors::tasks(&kit, few, &|_| true);
    let at_hand = toolkit().is_some();
    let linked = vectors.tasks.iter().filter(|it| it.task.name.contains("libdevice")).count();
    let left_out = vectors.left_out.iter().filter(|it| !it.contains("libdevice has none"));
    assert_eq!((linked > 0, left_out.count() == 0), (at_hand, at_hand));
    let text = |it: &Prepared| {
        std::fs::read_to_string(folder.join("blobs").join(&it.task.ptx)).expect("PTX is text")
    };
    let wrong: Vec<String> = vectors
        .tasks
        .par_iter()
        .flat_map_iter(|it| {
            let text = text(it);
            let assembled = ARCHS.map(|arch| (arch, ptxas.assemble(arch, &text)));
            assembled.into_iter().filter_map(|(arch, made)| {
                let has_entry = |it: &Vec<Usage>| it.len() == 1 && it[0].entry == "vectors";
                let why = match made {
                    Ok(usages) if has_entry(&usages) => return None,
                    Ok(usages) => format!("{usages:?}"),
                    Err(why) => why,
                };
                Some(format!("{}: {arch}: {why}", it.task.name))
            })
        })
        .collect();
    assert!(vectors.tasks.len() > linked, "no vectors were assembled");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}

fn number(arch: &str) -> u32 {
    arch.trim_start_matches("sm_").parse().expect("a number")
}
