//! What the plugin costs: processor time of clang's device compilation with it, over that without it, side by side.
//!
//! Two sets: the CUDA and OpenCL kernels of `tests/kernels` (one in so many), and five OpenCL programs of more than 1,000
//! lines that Debian's `darktable` ships. The package is fetched into the target folder, not installed; without network or
//! apt that set is left out, and the bench says so. Each compilation is timed several times and the shortest counts.
//!
//! `make bench` runs this; the numbers of the last run are in `docs/evaluation.md`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

/// Of the kernels, one in so many is compiled.
const SAMPLE: usize = 4;
/// Times that each compilation is made.
const RUNS: usize = 3;
/// Programs of darktable with more than 1,000 lines after preprocessing.
const LARGE: [&str; 5] = ["basic", "blendop", "filmic", "extended", "basecurve"];

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

fn main() -> std::io::Result<()> {
    let mut out = String::new();
    let kernels: Vec<_> = kernels()?.into_iter().step_by(SAMPLE).collect();
    let rows = measured(&kernels, &kernel_arguments)?;
    out.push_str(&summary("kernels of tests/kernels", &rows));
    match darktable() {
        Ok(folder) => {
            let files: Vec<_> =
                LARGE.iter().map(|name| folder.join(format!("{name}.cl"))).collect();
            let rows = measured(&files, &large_arguments)?;
            out.push_str(&summary("programs of more than 1,000 lines (darktable)", &rows));
            for Row { name, without, with } in &rows {
                out.push_str(&format!("    {name}: {without:.2?} without, {with:.2?} with\n"));
            }
        }
        Err(why) => out.push_str(&format!("programs of more than 1,000 lines: left out: {why}\n")),
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())
}

fn summary(title: &str, rows: &[Row]) -> String {
    let mut ratios: Vec<_> = rows.iter().map(Row::ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let at =
        |part: usize| ratios.get((ratios.len() * part / 100).min(ratios.len().saturating_sub(1)));
    match (at(50), at(90), ratios.last()) {
        (Some(median), Some(high), Some(most)) => format!(
            "plugin: {title}: {} files, processor time with / without: median {median:.2}, 90th percentile {high:.2}, \
             most {most:.2}\n",
            rows.len()
        ),
        _ => format!("plugin: {title}: no file compiled\n"),
    }
}

/// Files that clang does not compile down to code (an undefined function, say) are left out.
fn measured(
    files: &[PathBuf],
    arguments: &dyn Fn(&Path) -> Vec<String>,
) -> std::io::Result<Vec<Row>> {
    let plugin = std::env::current_exe()?.with_file_name("libheddle.so");
    assert!(plugin.exists(), "{} is missing: cargo builds it with this bench", plugin.display());
    let load = [
        format!("-fpass-plugin={}", plugin.display()),
        // An error would end the compilation early, and so make it cheap.
        "-mllvm".to_owned(),
        "-heddle-refuted=remark".to_owned(),
    ];
    let mut rows = Vec::new();
    for file in files {
        let mut best: Option<(Duration, Duration)> = None;
        for _ in 0..RUNS {
            let plain = clang(file, &arguments(file), &[])?;
            let checked = clang(file, &arguments(file), &load)?;
            let (Some(plain), Some(checked)) = (plain, checked) else {
                best = None;
                break;
            };
            best = Some(best.map_or((plain, checked), |(a, b)| (a.min(plain), b.min(checked))));
        }
        if let Some((without, with)) = best {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            rows.push(Row { name, without, with });
        }
    }
    Ok(rows)
}

/// Processor time of one compilation, `None` if it fails.
fn clang(file: &Path, arguments: &[String], more: &[String]) -> std::io::Result<Option<Duration>> {
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

fn kernels() -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for topic in std::fs::read_dir("tests/kernels")?.flatten().filter(|it| it.path().is_dir()) {
        files.extend(std::fs::read_dir(topic.path())?.flatten().map(|it| it.path()));
    }
    files.retain(|path| path.extension().is_some_and(|it| it == "cu" || it == "cl"));
    files.sort();
    Ok(files)
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
