//! What the plugin costs: processor time of clang's device compilation with it, over that without
//! it, side by side.
//!
//! Two sets: the CUDA and OpenCL kernels of `tests/kernels`, and five OpenCL programs of more than
//! 1,000 lines that Debian's `darktable` ships. The package is fetched into the target folder, not
//! installed; without network or apt that set is left out, and the bench says so. Each file is
//! compiled with and without in turn, several times, and the shortest of each counts. The plugin is
//! the one that cargo has built for this bench, and decides with the budget that it has in a build.
//!
//! **Promises**: it ends: after [`TIME`] it measures no further kernels, and says how many it
//! measured; those left out are spread over the topics. A file that does not compile is left out
//! and counted.
//!
//! In `cargo test` it takes the first kernels once, none of darktable, and fails if none compiles
//! with the plugin. `make bench` runs this in full; the numbers of the last run are in
//! `docs/evaluation.md`.

mod form;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// Times that each file is compiled with the plugin, and without.
const RUNS: usize = 3;
/// How long kernels are measured.
const TIME: Duration = Duration::from_secs(240);
/// Kernels are measured in so many rounds, of which each takes one of so many.
const ROUNDS: usize = 8;
/// Programs of darktable with more than 1,000 lines after preprocessing.
const LARGE: [&str; 5] = ["basic", "blendop", "filmic", "extended", "basecurve"];
/// So many kernels are enough to see that the bench works.
const FEW: usize = 4;
/// What is aimed at: the median and the 90th percentile.
const GOALS: (f64, f64) = (1.15, 1.5);

/// A file's processor times.
struct Row {
    name: String,
    without: Duration,
    with: Duration,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.with.as_secs_f64() / self.without.as_secs_f64().max(1e-6)
    }
}

fn main() -> io::Result<()> {
    if !form::is_asked_for("plugin") {
        return Ok(());
    }
    let plugin = std::env::current_exe()?.with_file_name("libheddle.so");
    assert!(plugin.exists(), "{} is missing: cargo builds it with this bench", plugin.display());
    if form::is_short() {
        let few: Vec<_> = kernels()?.into_iter().take(FEW).collect();
        let rows = measured(&plugin, &few, &kernel_arguments, None)?;
        assert!(!rows.is_empty(), "no kernel compiles with the plugin");
        let text = summary("some kernels, once", &rows, few.len() - rows.len());
        return io::stdout().write_all(text.as_bytes());
    }
    let build = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    let mut out = format!("plugin: the {build} build, {RUNS} runs of each, shortest taken\n");
    match darktable() {
        Ok(folder) => {
            let files: Vec<_> =
                LARGE.iter().map(|name| folder.join(format!("{name}.cl"))).collect();
            let rows = measured(&plugin, &files, &large_arguments, None)?;
            out.push_str(&summary("programs of more than 1,000 lines (darktable)", &rows, 0));
        }
        Err(why) => out.push_str(&format!("programs of more than 1,000 lines: left out: {why}\n")),
    }
    let kernels = kernels()?;
    let rows = measured(&plugin, &kernels, &kernel_arguments, Some(TIME))?;
    out.push_str(&summary("kernels of tests/kernels", &rows, kernels.len() - rows.len()));
    io::stdout().write_all(out.as_bytes())
}

/// The figures of a set, and a line for each file, the dearest first.
fn summary(title: &str, rows: &[Row], left_out: usize) -> String {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()).then_with(|| a.name.cmp(&b.name)));
    // Of the files, so many in a hundred cost no more.
    let at = |part: usize| {
        let rank = (sorted.len() * part).div_ceil(100).max(1);
        sorted.get(sorted.len().checked_sub(rank)?).map(|row| row.ratio())
    };
    let (Some(median), Some(high), Some(most)) = (at(50), at(90), at(100)) else {
        return format!("plugin: {title}: no file compiled\n");
    };
    let met = |is: f64, goal: f64| if is <= goal { "met" } else { "missed" };
    let mut out = format!(
        "plugin: {title}: {} files ({left_out} left out), processor time with / without: median {median:.2} ({} {}), \
         90th percentile {high:.2} ({} {}), most {most:.2}\n",
        rows.len(),
        GOALS.0,
        met(median, GOALS.0),
        GOALS.1,
        met(high, GOALS.1),
    );
    for row in sorted {
        let Row { name, without, with } = row;
        out.push_str(&format!("  {:5.2}  {without:8.1?}  {with:8.1?}  {name}\n", row.ratio()));
    }
    out
}

/// The files' times, until the time is up. Files that clang does not compile down to code (an
/// undefined function, say) are left out.
fn measured(
    plugin: &Path,
    files: &[PathBuf],
    arguments: &dyn Fn(&Path) -> Vec<String>,
    time: Option<Duration>,
) -> io::Result<Vec<Row>> {
    let load = [
        format!("-fpass-plugin={}", plugin.display()),
        // An error would end the compilation early, and so make it cheap.
        "-mllvm".to_owned(),
        "-heddle-refuted=remark".to_owned(),
    ];
    let since = Instant::now();
    let mut rows = Vec::new();
    for (index, file) in files.iter().enumerate() {
        if time.is_some_and(|time| since.elapsed() > time) {
            break;
        }
        let mut best: Option<(Duration, Duration)> = None;
        for _ in 0..if form::is_short() { 1 } else { RUNS } {
            let plain = clang(file, &arguments(file), &[])?;
            let checked = clang(file, &arguments(file), &load)?;
            let (Some(plain), Some(checked)) = (plain, checked) else {
                best = None;
                break;
            };
            best = Some(best.map_or((plain, checked), |(a, b)| (a.min(plain), b.min(checked))));
        }
        if let Some((without, with)) = best {
            let shown = file.iter().rev().take(2).map(|part| part.to_string_lossy());
            let name = shown.collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("/");
            rows.push(Row { name, without, with });
        }
        if (index + 1) % 20 == 0 {
            writeln!(io::stderr(), "plugin: {} of {} files", index + 1, files.len())?;
        }
    }
    Ok(rows)
}

/// Processor time of one compilation, `None` if it fails.
fn clang(file: &Path, arguments: &[String], more: &[String]) -> io::Result<Option<Duration>> {
    let mut command = Command::new("clang-22");
    command.args(arguments).args(more).args(["-O2", "-S", "-w", "-o", "/dev/null"]).arg(file);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let used = child.wait4()?;
    let time = used.rusage.utime + used.rusage.stime;
    Ok(used.status.success().then_some(time))
}

fn kernel_arguments(file: &Path) -> Vec<String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("frontend/include");
    let include = include.display();
    let text = match file.extension().is_some_and(|it| it == "cl") {
        true => "-x cl -cl-std=CL2.0 -target spirv64".to_owned(),
        false => format!(
            "-x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib --cuda-feature=+ptx88 \
             -idirafter {include} -include {include}/heddle/device.h"
        ),
    };
    text.split(' ').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

fn large_arguments(file: &Path) -> Vec<String> {
    let folder = file.parent().unwrap_or(Path::new(".")).display();
    let text = format!("-x cl -cl-std=CL1.2 -target spirv64 -I{folder}");
    text.split(' ').map(str::to_owned).collect()
}

/// All of them, so that the first of the list are from all topics.
fn kernels() -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for topic in std::fs::read_dir("tests/kernels")?.flatten().filter(|it| it.path().is_dir()) {
        files.extend(std::fs::read_dir(topic.path())?.flatten().map(|it| it.path()));
    }
    files.retain(|path| path.extension().is_some_and(|it| it == "cu" || it == "cl"));
    files.sort();
    let round = |round: usize| files.iter().skip(round).step_by(ROUNDS).cloned();
    Ok((0..ROUNDS).flat_map(round).collect())
}

/// The folder of darktable's kernels: installed, or fetched before, or fetched now.
fn darktable() -> Result<PathBuf, String> {
    const INSIDE: &str = "usr/share/darktable/kernels";
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("darktable");
    let places = [Path::new("/").join(INSIDE), target.join(INSIDE)];
    if let Some(found) = places.iter().find(|it| it.join("basic.cl").exists()) {
        return Ok(found.clone());
    }
    std::fs::create_dir_all(&target).map_err(|error| error.to_string())?;
    let run = |program: &str, arguments: &[&str]| match Command::new(program)
        .args(arguments)
        .current_dir(&target)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
    {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{program} {}` ended with {status}", arguments.join(" "))),
        Err(error) => Err(format!("`{program}`: {error}")),
    };
    run("apt-get", &["download", "darktable"])?;
    let package = std::fs::read_dir(&target)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|it| it.path())
        .find(|path| path.extension().is_some_and(|it| it == "deb"))
        .ok_or("apt-get brought no package")?;
    run("dpkg-deb", &["-x", &package.display().to_string(), "."])?;
    if places[1].join("basic.cl").exists() {
        Ok(places[1].clone())
    } else {
        Err("the package has no kernels where they used to be".to_owned())
    }
}
