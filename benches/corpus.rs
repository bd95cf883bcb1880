//! `make bench`: what `heddle check` costs beside compiling the same file, as whole processes.
//!
//! For each kernel of the corpus, and for generated ones that grow in one direction (accesses per
//! barrier interval, loop depth, kernels of a file, branches of a chain, terms of a sum),
//! `heddle check` and `clang-22 -O2` run in turn, three times each. Printed are the ratios of the
//! shortest wall-clock times, and the peak memory of `heddle`. Both compile against the same
//! built-in headers.
//!
//! `HEDDLE_BENCH=exchange` limits it to paths with that text. In `cargo test` it takes one kernel
//! of each form of launch line, and the least of the generated ones. **Does not**: fail when
//! something is slow; the figures are for `docs/evaluation.md`, and other work on the machine
//! disturbs them.

mod form;
#[path = "../tests/harness/header.rs"]
mod header;
#[path = "../tests/harness/words.rs"]
mod words;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// Each measurement is the best of so many.
const RUNS: usize = 3;
/// A run that takes longer is measured once.
const LONG: Duration = Duration::from_secs(5);

/// What one process took.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    /// Bytes, its own and those of the processes it waited for.
    memory: u64,
}

/// One file, both ways.
struct Row {
    name: String,
    check: Cost,
    compile: Cost,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.check.wall.as_secs_f64() / self.compile.wall.as_secs_f64()
    }
}

fn main() -> std::io::Result<()> {
    if !form::is_asked_for("corpus") {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    let filter = std::env::var("HEDDLE_BENCH").unwrap_or_default();
    let mut rows = Vec::new();
    let mut forms = BTreeSet::new();
    for path in corpus().into_iter().filter(|it| it.to_string_lossy().contains(&filter)) {
        let launch = launch_options(&path)?;
        let form: Vec<String> = launch.iter().filter(|it| it.starts_with("--")).cloned().collect();
        if form::is_short() && !forms.insert(form) {
            continue;
        }
        rows.extend(measure(&path.display().to_string(), &path, &launch)?);
    }
    if rows.is_empty() {
        return writeln!(out, "no kernel has `{filter}` in its path");
    }
    report(&mut out, "corpus", &rows)?;
    rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    writeln!(out, "\nslowest beside their compilation:")?;
    for row in rows.iter().take(10) {
        line(&mut out, row)?;
    }
    for (title, kernels) in generated() {
        writeln!(out, "\n{title}:")?;
        let count = if form::is_short() { 1 } else { kernels.len() };
        for (name, text) in kernels.into_iter().take(count) {
            let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.cu"));
            std::fs::write(&path, text)?;
            let launch = ["--grid", "64", "--block", "64"].map(str::to_owned);
            if let Some(row) = measure(&name, &path, &launch)? {
                line(&mut out, &row)?;
            }
        }
    }
    Ok(())
}

fn report(out: &mut dyn Write, title: &str, rows: &[Row]) -> std::io::Result<()> {
    let mut ratios: Vec<_> = rows.iter().map(Row::ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let mut times: Vec<_> = rows.iter().map(|row| row.check.wall).collect();
    times.sort();
    let memory = rows.iter().map(|row| row.check.memory).max().unwrap_or(0);
    let at = |part: usize| (rows.len() * part / 100).min(rows.len() - 1);
    writeln!(out, "{title}: {} files", rows.len())?;
    writeln!(
        out,
        "  time of check / time of clang -O2: median {:.2}, 90th percentile {:.2}",
        ratios[at(50)],
        ratios[at(90)]
    )?;
    writeln!(
        out,
        "  time of check: median {:.1?}, 90th percentile {:.1?}",
        times[at(50)],
        times[at(90)]
    )?;
    writeln!(out, "  memory of check: at most {} MB", memory >> 20)
}

fn line(out: &mut dyn Write, row: &Row) -> std::io::Result<()> {
    let Row { name, check, compile } = row;
    writeln!(
        out,
        "  {:7.2}  {:>9.1?} / {:>9.1?}  {:4} MB  {name}",
        row.ratio(),
        check.wall,
        compile.wall,
        check.memory >> 20
    )
}

/// Both, in turn. `None` if clang does not compile the file down to machine code (an undefined
/// function, say).
fn measure(name: &str, path: &Path, launch: &[String]) -> std::io::Result<Option<Row>> {
    let mut best: Option<(Cost, Cost)> = None;
    for _ in 0..if form::is_short() { 1 } else { RUNS } {
        let mut check = Command::new(env!("CARGO_BIN_EXE_heddle"));
        check.arg("check").arg("--quiet").arg(path).args(launch);
        let (check, code) = run(&mut check)?;
        assert!(
            code.is_some_and(|code| code == 0 || code == 1 || code == 3),
            "{name}: heddle ended with {code:?}"
        );
        let (compile, code) = run(&mut clang(path))?;
        if code != Some(0) {
            return Ok(None);
        }
        let shorter =
            |a: Cost, b: Cost| Cost { wall: a.wall.min(b.wall), memory: a.memory.max(b.memory) };
        best =
            Some(best.map_or((check, compile), |(c, k)| (shorter(c, check), shorter(k, compile))));
        if check.wall > LONG {
            break;
        }
    }
    Ok(best.map(|(check, compile)| Row { name: name.to_owned(), check, compile }))
}

fn run(command: &mut Command) -> std::io::Result<(Cost, Option<i32>)> {
    let start = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let used = child.wait4()?;
    Ok((Cost { wall: start.elapsed(), memory: used.rusage.maxrss }, used.status.code()))
}

/// A device compilation of the file as a build would do it: to PTX, or to SPIR-V.
fn clang(path: &Path) -> Command {
    let mut command = Command::new("clang-22");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("frontend/include");
    match path.extension().and_then(|it| it.to_str()) {
        Some("cu") => {
            command.args([
                "-x",
                "cuda",
                "--cuda-device-only",
                "--cuda-gpu-arch=sm_80",
                "-nocudainc",
                "-nocudalib",
            ]);
            command.args(["-Wno-unknown-cuda-version", "--cuda-feature=+ptx88"]);
            command
                .arg("-idirafter")
                .arg(&include)
                .arg("-include")
                .arg(include.join("heddle/device.h"));
        }
        Some("cl") => {
            command.args(["-x", "cl", "-cl-std=CL2.0", "-target", "spirv64"]);
        }
        _ => {
            command.args(["-x", "ir", "-target", "nvptx64-nvidia-cuda", "-march=sm_80"]);
        }
    }
    // To assembly: `clang -c` would call a toolkit's assembler or a SPIR-V translator, which need
    // not be there.
    command.args(["-O2", "-S", "-o", "/dev/null"]).arg(path);
    command
}

fn corpus() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let folders =
        std::fs::read_dir("tests/kernels").expect("run in the package's folder").flatten();
    for folder in folders.map(|it| it.path()).filter(|it| it.is_dir()) {
        files.extend(std::fs::read_dir(folder).expect("a folder").flatten().map(|it| it.path()));
    }
    files.sort();
    files
}

/// The options of the file's `launch:` line.
fn launch_options(path: &Path) -> std::io::Result<Vec<String>> {
    let words = words::words(&std::fs::read_to_string(path)?)
        .map_err(|error| std::io::Error::other(format!("{}: {error}", path.display())))?;
    let options = words.into_iter().flat_map(|(name, value)| [Some(format!("--{name}")), value]);
    Ok(options.flatten().collect())
}

/// Kernels that grow in one direction each.
fn generated() -> Vec<(&'static str, Vec<(String, String)>)> {
    let wide = [10, 100, 1000].map(|count| (format!("accesses_{count}"), wide(count)));
    let deep = [1, 2, 3, 4, 5, 6].map(|depth| (format!("depth_{depth}"), deep(depth)));
    let many = [100, 1000, 2000, 5000].map(|count| (format!("kernels_{count}"), many(count)));
    let chain = [60, 120, 180].map(|count| (format!("branches_{count}"), chain(count)));
    let own = [1000, 10_000, 50_000].map(|count| (format!("terms_{count}"), sum(count, "i + ")));
    let same = [1000, 10_000].map(|count| (format!("terms_{count}"), sum(count, "")));
    vec![
        ("accesses in one barrier interval", wide.into()),
        ("depth of loops", deep.into()),
        ("kernels of one file", many.into()),
        ("branches of one chain of else-if", chain.into()),
        ("terms of one sum, at places of each thread", own.into()),
        ("terms of one sum, at places of all threads", same.into()),
    ]
}

/// So many kernels.
fn many(count: usize) -> String {
    let kernel = |n| {
        format!(
            "__global__ void k{n}(float *x, int n) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] *= {n};\n}}\n"
        )
    };
    (0..count).map(kernel).collect()
}

/// A store in each branch.
fn chain(count: usize) -> String {
    let branch = |n| format!("if (v < {}) x[i] = {n};\n  else ", n * 7);
    let branches: String = (0..count).map(branch).collect();
    format!(
        "__global__ void k(int *x, const int *y) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x, v = y[i];\n  {branches}x[i] = -1;\n}}\n"
    )
}

/// A load for each term, so far from a place.
fn sum(count: usize, place: &str) -> String {
    let terms: String = (0..count).map(|n| format!("  s += y[{place}{n}];\n")).collect();
    format!(
        "__global__ void k(int *x, const int *y) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;\n{terms}  x[i] = s;\n}}\n"
    )
}

/// So many accesses between two barriers, half of them writes, each thread in its own row.
fn wide(count: usize) -> String {
    let at = |n: usize| format!("s[threadIdx.x * 12 + {}]", n % 12);
    let body: String =
        (0..count / 2).map(|n| format!("  {} = {} + {n};\n", at(n * 7), at(n * 5 + 1))).collect();
    format!(
        "__global__ void k(int *out) {{\n  __shared__ int s[64 * 12];\n{body}  __syncthreads();\n  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];\n}}\n"
    )
}

/// So many loops around an access, with a barrier in the innermost.
fn deep(depth: usize) -> String {
    let names: Vec<_> = (0..depth).map(|n| format!("i{n}")).collect();
    let open: String =
        names.iter().map(|i| format!("for (int {i} = 0; {i} < n; {i}++)\n  ")).collect();
    let sum = names.join(" + ");
    format!(
        "__global__ void k(int *out, int n) {{\n  __shared__ int s[64];\n  int t = threadIdx.x;\n  s[t] = t;\n  __syncthreads();\n  {open}{{\n    int v = s[(t + {sum}) & 63];\n    __syncthreads();\n    s[t] = v;\n    __syncthreads();\n  }}\n  out[blockIdx.x * 64 + t] = s[t];\n}}\n"
    )
}
