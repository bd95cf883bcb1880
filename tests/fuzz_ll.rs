//! Mutated IR and PTX get an answer or an explanation: never a panic, a crash of LLVM, or a hang.
//!
//! The `.ll` files of the corpus, with odd seeds its `.ptx` files, are mutated with a seeded
//! generator (words of one file in another, lines dropped, doubled and exchanged, numbers changed,
//! bytes flipped, the rest cut off) and checked in worker processes: this same binary, run again
//! for [`worker`] with a range of seeds. A worker says which seed it is at, so that the seed of a
//! crash or a hang is known, and another worker goes on after it.
//!
//! Without variables a fixed set of seeds runs, in some twenty seconds. `HEDDLE_FUZZ_SECONDS=1800`
//! (`make fuzz`) runs on from a seed that the clock gives, or `HEDDLE_FUZZ_SEED`. What fails is
//! left in the folder for test files, by seed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime};

use heddle_diagnostics::Code;
use heddle_driver::{CheckOptions, LaunchOptions, Progress, Source, check};
use heddle_frontend::Language;
use heddle_frontend::compile::ClangProcess;

/// Seeds of a plain test run.
const SEEDS: u64 = 2400;
/// Seeds that one worker takes.
const BATCH: u64 = 200;
/// One check may take this long, on a loaded machine and unoptimised.
const PATIENCE: Duration = Duration::from_secs(60);
/// Tells the binary that it is a worker, and for which seeds: `from..to`.
const WORKER: &str = "HEDDLE_FUZZ_WORKER";

#[test]
fn mutated_ir_is_answered_or_explained() {
    if std::env::var_os(WORKER).is_some() {
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let seconds = number("HEDDLE_FUZZ_SECONDS");
    let clock = || {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |it| it.as_secs() << 20)
    };
    let first =
        number("HEDDLE_FUZZ_SEED").unwrap_or_else(|| if seconds.is_some() { clock() } else { 0 });
    let end = seconds.map(|it| Instant::now() + Duration::from_secs(it));
    let mut failures = Vec::new();
    let mut answered = 0;
    let mut seed = first;
    while end.map_or(seed < first + SEEDS, |end| Instant::now() < end) {
        let to = seed + BATCH;
        while seed < to {
            match run_worker(seed, to) {
                Ok(count) => {
                    answered += count;
                    seed = to;
                }
                Err((at, what)) => {
                    failures
                        .push(format!("seed {at}: {what}; the text is in {}", keep(at).display()));
                    seed = at + 1;
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} seeds failed:\n{}",
        failures.len(),
        seed - first,
        failures.join("\n")
    );
    // Else the mutants are so wild that LLVM's parser is all that is tested.
    assert!(
        answered * 10 > seed - first,
        "only {answered} of {} mutants were kernels",
        seed - first
    );
}

/// The worker's side: checks the mutants of its seeds, if it is one.
#[test]
fn worker() {
    let Ok(range) = std::env::var(WORKER) else { return };
    let (from, to) = range.split_once("..").expect("from..to");
    let corpora = [corpus(Language::Ir), corpus(Language::Ptx)];
    let mut out = std::io::stdout().lock();
    let mut answered = 0;
    for seed in from.parse::<u64>().expect("a seed")..to.parse().expect("a seed") {
        writeln!(out, "\nat {seed}").and_then(|()| out.flush()).expect("the parent reads");
        let language = language(seed);
        let corpus = &corpora[usize::from(language == Language::Ptx)];
        match answer(&mutant(corpus, seed), language) {
            Ok(is_kernel) => answered += u64::from(is_kernel),
            Err(fault) => writeln!(out, "\nfault {fault}").expect("the parent reads"),
        }
    }
    writeln!(out, "\ndone {answered}").expect("the parent reads");
}

/// Whether the text has kernels that were checked; or the finding that blames Heddle.
fn answer(text: &str, language: Language) -> Result<bool, String> {
    let launch = LaunchOptions {
        block: "64".parse().ok(),
        grid: "2".parse().ok(),
        ..LaunchOptions::default()
    };
    let options =
        CheckOptions { launch, jobs: std::num::NonZeroUsize::new(1), ..CheckOptions::default() };
    let source = Source::Text {
        name: "<mutant>".to_owned(),
        bytes: text.as_bytes().to_vec(),
        language: Some(language),
    };
    let outcome = check(&[source], &options, &ClangProcess, &Progress::default())
        .expect("threads and a current folder");
    let fault = outcome.report.findings().find(|it| it.code == Code::InternalError);
    match fault {
        Some(it) => Err(format!("{}: {}", it.message, it.notes.join("; ")).replace('\n', " ")),
        None => Ok(!outcome.report.kernels().is_empty()),
    }
}

/// Runs a worker: how many mutants were kernels; of a failure the seed and what happened.
fn run_worker(from: u64, to: u64) -> Result<u64, (u64, String)> {
    let mut child = Command::new(std::env::current_exe().expect("this binary"))
        .args(["worker", "--exact", "--nocapture", "--test-threads=1"])
        .env(WORKER, format!("{from}..{to}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this binary starts again");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (send, receive) = mpsc::channel();
    let reader =
        std::thread::spawn(move || lines.map_while(Result::ok).all(|line| send.send(line).is_ok()));
    let mut at = from;
    let ended = loop {
        match receive.recv_timeout(PATIENCE) {
            Ok(line) => {
                if let Some(seed) = line.strip_prefix("at ").and_then(|it| it.parse().ok()) {
                    at = seed;
                } else if let Some(fault) = line.strip_prefix("fault ") {
                    break Err((at, fault.to_owned()));
                } else if let Some(count) =
                    line.strip_prefix("done ").and_then(|it| it.parse().ok())
                {
                    break Ok(count);
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                break Err((at, format!("no answer in {PATIENCE:?}")));
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                break Err((at, "the process died".to_owned()));
            }
        }
    };
    // It may be over by itself; then there is nothing to stop.
    let _over = child.kill();
    let _status = child.wait();
    drop(receive);
    let _all_read = reader.join();
    ended
}

/// Leaves the text of a seed in a file.
fn keep(seed: u64) -> PathBuf {
    let language = language(seed);
    let ending = ending(language);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz_{seed}.{ending}"));
    std::fs::write(&path, mutant(&corpus(language), seed))
        .expect("the folder for tests is writable");
    path
}

/// What a seed's text is written in.
fn language(seed: u64) -> Language {
    if seed.is_multiple_of(2) { Language::Ir } else { Language::Ptx }
}

fn ending(language: Language) -> &'static str {
    if language == Language::Ptx { "ptx" } else { "ll" }
}

/// The texts to start from, in a fixed order.
fn corpus(language: Language) -> Vec<String> {
    let topic = if language == Language::Ptx { "ptx" } else { "llvm" };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(topic);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a topic of the kernels")
        .flatten()
        .map(|it| it.path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == ending(language)));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a kernel")).collect()
}

/// Words that matter to a verifier of kernels, thrown in now and then.
const WORDS: [&str; 40] = [
    "0",
    "-1",
    "1",
    "64",
    "4294967296",
    "18446744073709551615",
    "i1",
    "i8",
    "i64",
    "i128",
    "i7",
    "ptr",
    "ptr addrspace(3)",
    "undef",
    "poison",
    "null",
    "zeroinitializer",
    "volatile",
    "unreachable",
    "ret void",
    "<4 x i32>",
    "float",
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
    "br label %entry",
    "%r1",
    "%rd1",
    "%p1",
    "@!%p1",
    "{",
    "};",
    "[%rd1+4],",
    "bar.sync 0;",
    ".shared .align 4 .b8 s[4];",
    ".reg .b32 %r<99999999>;",
    "call (%r1), k, (%r1);",
    "ret;",
    ".loc 1 1 1, function_name $L, inlined_at 1 1 1",
    "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1], %r1;",
    "0f3F800000",
    "\"",
];

/// The text of a seed.
fn mutant(corpus: &[String], seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
    let mut lines: Vec<String> = random.pick(corpus).lines().map(str::to_owned).collect();
    // Most changes of PTX are seen by its reader: with few, more comes through.
    let most = if seed.is_multiple_of(2) { 4 } else { 2 };
    for _ in 0..=random.below(most) {
        let at = random.below(lines.len());
        match random.below(if seed.is_multiple_of(2) { 8 } else { 9 }) {
            8 => {
                // The rest is missing, in the middle of a line.
                let keep = random.below(lines[at].len() + 1);
                lines[at] = String::from_utf8_lossy(&lines[at].as_bytes()[..keep]).into_owned();
                lines.truncate(at + 1);
            }
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            3 => {
                let foreign: Vec<_> = random.pick(corpus).lines().collect();
                lines.insert(at, (*random.pick(&foreign)).to_owned());
            }
            4 => lines[at] = flipped(&lines[at], &mut random),
            _ => lines[at] = reworded(&lines[at], &lines.clone(), &mut random),
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n") + "\n"
}

/// One word replaced: by another of the file, by one that matters, or by a nearby number.
fn reworded(line: &str, lines: &[String], random: &mut Random) -> String {
    let line = line.replace('\t', " ");
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let at = random.below(words.len());
    words[at] = match (random.below(3), words[at].trim_end_matches(',').parse::<i64>()) {
        (0, _) => (*random.pick(&WORDS)).to_owned(),
        (1, Ok(number)) => (number ^ (1 << random.below(34))).to_string(),
        _ => {
            let other: Vec<_> = random.pick(lines).split(' ').collect();
            (*random.pick(&other)).to_owned()
        }
    };
    words.join(" ")
}

/// One character changed, in the range of printable ones.
fn flipped(line: &str, random: &mut Random) -> String {
    let mut bytes = line.as_bytes().to_vec();
    if !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = 0x20 + random.below(0x5f) as u8;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A small deterministic generator (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
