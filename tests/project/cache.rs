//! Answers that are kept: found again to the byte, computed again when anything they depend on
//! changes.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

use crate::Project;

const CHECK: [&str; 5] = ["check", "-p", "build", "--cache", "kept"];

impl Project {
    /// A check with the cache: what it printed, its exit code, and what it says of the cache.
    fn cached(&self, more: &[&str]) -> (String, i32, String) {
        let ran = self.heddle(&[&CHECK[..], &["--timings"], more].concat());
        let said =
            ran.err.lines().filter(|line| line.starts_with("cache: ") || line.contains("warning"));
        let said = said.collect::<Vec<_>>().join("\n");
        (ran.out, ran.code, said)
    }

    /// Files under the cache's folder of a kind.
    pub(crate) fn kept(&self, kind: &str) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for folder in read(&self.root.join("kept").join(kind)) {
            files.extend(read(&folder).into_iter().filter(|it| it.extension().is_none()));
        }
        files
    }
}

fn read(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|it| Some(it.ok()?.path())).collect()
}

fn tally(
    sources_known: usize,
    sources_read: usize,
    kernels_known: usize,
    checked: usize,
) -> String {
    format!(
        "cache: {sources_known} sources known and {sources_read} read; of the kernels read {kernels_known} known and \
         {checked} checked"
    )
}

#[test]
fn a_second_run_compiles_and_checks_nothing() {
    let project = Project::with_database("kept");
    let plain = project.heddle(&["check", "-p", "build"]);
    // `in_header` is compiled for two architectures by the two units, so it is two kernels.
    let (out, code, said) = project.cached(&[]);
    assert_eq!((out.as_str(), code, said), (plain.out.as_str(), plain.code, tally(0, 3, 0, 5)));
    let (out, code, said) = project.cached(&[]);
    assert_eq!((out.as_str(), code, said), (plain.out.as_str(), plain.code, tally(3, 0, 0, 0)));
    for format in ["json", "short", "sarif"] {
        let with = project.cached(&["--format", format]).0;
        assert_eq!(
            with,
            project.heddle(&["check", "-p", "build", "--format", format]).out,
            "{format}"
        );
    }
}

#[test]
fn kernels_that_several_units_include_are_checked_once() {
    let project = Project::with_sources("once");
    let command = |file: &str| format!("clang++ -I../include -DSCALE=1 -c ../src/{file}");
    let commands = [command("race.cu"), command("fine.cu")];
    project.database(&[("../src/race.cu", &commands[0]), ("../src/fine.cu", &commands[1])]);
    let ran = project.heddle(&["check", "-p", "build", "--timings"]);
    assert!(ran.out.contains("\ninclude/scan.cuh        1 "), "{}", ran.out);
    assert_eq!(project.cached(&[]).2, tally(0, 2, 0, 3));
}

#[test]
fn what_changes_is_computed_again() {
    let project = Project::with_database("changes");
    let (first, ..) = project.cached(&[]);
    // A launch is another question; both stay.
    assert_eq!(project.cached(&["--block", "64"]).2, tally(0, 3, 0, 5));
    assert_eq!(project.cached(&["--block", "64"]).2, tally(3, 0, 0, 0));
    assert_eq!(project.cached(&[]), (first.clone(), 1, tally(3, 0, 0, 0)));
    // A unit is read again, and its kernels are known: the lines did not move.
    project.file("src/fine.cu", &format!("{}// the end\n", crate::FINE));
    assert_eq!(project.cached(&[]), (first.clone(), 1, tally(2, 1, 2, 0)));
    // A header that two units include.
    project.file("include/scan.cuh", &crate::SCAN.replace("= 1;", "= 2;"));
    assert_eq!(project.cached(&[]).2, tally(1, 2, 2, 2));
    // A header in front of it.
    project.file("src/scan.cuh", crate::SCAN);
    let (out, _, said) = project.cached(&[]);
    assert_eq!(said, tally(1, 2, 2, 2));
    assert!(out.contains("\nsrc/scan.cuh "), "{out}");
    std::fs::remove_file(project.root.join("src/scan.cuh")).expect("it is there");
    // The race is repaired.
    project.file("include/scan.cuh", crate::SCAN);
    project
        .file("src/race.cu", &crate::RACE.replace("s[(threadIdx.x + 1) % 256]", "s[threadIdx.x]"));
    let (out, code, _) = project.cached(&[]);
    assert!(code == 0 && out.contains("\nsrc/race.cu             1       4 "), "{out}");
}

#[test]
fn options_of_names_are_met_by_what_is_known() {
    let project = Project::with_database("names");
    for _ in 0..2 {
        let (out, code, _) =
            project.cached(&["--arg", "n=7", "--kernel", "fine", "--assume", "n > 2"]);
        assert!(code == 0 && out.contains("\ntotal              1 "), "{out}");
    }
    // Read again where nothing that is known meets them, so that the message names all kernels.
    project.cached(&[]);
    for wrong in [["--arg", "m=7"], ["--kernel", "none"], ["--assume", "m > 2"]] {
        let plain = project.heddle(&[&["check", "-p", "build"], &wrong[..]].concat());
        let (out, code, _) = project.cached(&wrong);
        assert_eq!((out, code), (plain.out, 2), "{wrong:?}");
    }
}

#[test]
fn what_is_decided_later_applies_to_what_is_known() {
    let project = Project::with_database("decided-later");
    project.cached(&[]);
    for (toml, code) in [
        ("fail-on = \"never\"\n", 0),
        ("[severity]\nHD0101 = \"note\"\n", 0),
        ("[severity]\nHD0101 = \"warning\"\n", 0),
        ("fail-on = \"warning\"\n[severity]\nHD0101 = \"warning\"\n", 1),
    ] {
        project.file("heddle.toml", toml);
        let plain = project.heddle(&["check", "-p", "build"]);
        assert_eq!(plain.code, code, "{toml}: {}", plain.out);
        assert_eq!(project.cached(&[]), (plain.out, code, tally(3, 0, 0, 0)), "{toml}");
    }
}

#[test]
fn damage_is_a_warning_and_is_mended() {
    let project = Project::with_database("damage");
    let (first, ..) = project.cached(&[]);
    let kernels = project.kept("kernel");
    assert_eq!(kernels.len(), 5);
    std::fs::write(&kernels[0], "heddle-cache 1 nonsense\n{}").expect("writable");
    let text = std::fs::read_to_string(&kernels[1]).expect("readable");
    std::fs::write(&kernels[1], &text[..text.len() / 2]).expect("writable");
    let (out, code, said) = project.cached(&[]);
    assert_eq!((out, code), (first.clone(), 1));
    assert_eq!(said.matches(" is damaged and is computed again").count(), 2, "{said}");
    assert_eq!(project.cached(&[]), (first.clone(), 1, tally(3, 0, 0, 0)));
    for unit in project.kept("unit") {
        std::fs::write(unit, "").expect("writable");
    }
    let (out, _, said) = project.cached(&[]);
    assert!(out == first && said.starts_with(&tally(0, 3, 5, 0)), "{said}");
}

#[test]
fn compile_errors_and_warnings_come_again() {
    let project = Project::with_sources("again");
    project.file("src/bad.cu", "__global__ void k(int *p) { *p = missing; }\n");
    project.file("src/warns.cu", "#warning look here\n__global__ void k(int *p) { p[threadIdx.x + blockIdx.x * blockDim.x] = 1; }\n");
    project.database(&[
        ("../src/bad.cu", "nvcc -c ../src/bad.cu"),
        ("../src/warns.cu", "nvcc -c ../src/warns.cu"),
    ]);
    let first = project.heddle(&CHECK);
    assert!(first.err.contains("look here") && first.out.contains("missing"), "{first:?}");
    assert_eq!(project.heddle(&CHECK), first);
    let said = project.cached(&[]).2;
    assert!(said.starts_with(&tally(1, 1, 0, 0)), "{said}");
}

/// Twenty files, each with a kernel of its own and all with one of a header.
fn twenty(name: &str) -> Project {
    let project = Project::new(name);
    project.file("include/scan.cuh", crate::SCAN);
    let mut commands = Vec::new();
    for index in 0..20 {
        let file = format!("../src/k{index}.cu");
        let text = format!(
            "#include <cmath>\n#include \"scan.cuh\"\n\
             __global__ void __launch_bounds__(256) reverse{index}(const float *in, float *out) {{\n  \
               __shared__ float s[256];\n  \
               int i = blockIdx.x * blockDim.x + threadIdx.x;\n  \
               s[threadIdx.x] = sqrtf(in[i]) + {index};\n  \
               __syncthreads();\n  \
               out[i] = s[255 - threadIdx.x];\n}}\n"
        );
        project.file(&format!("src/k{index}.cu"), &text);
        commands.push((
            file.clone(),
            format!("nvcc -I../include -std=c++17 -arch=sm_80 -c {file} -o k{index}.o"),
        ));
    }
    let commands: Vec<_> = commands.iter().map(|(file, it)| (file.as_str(), it.as_str())).collect();
    project.database(&commands);
    project
}

/// Processor time of a run, with that of the compilers it starts.
fn cost(project: &Project) -> Duration {
    let child = project.command(&CHECK).stdout(Stdio::null()).spawn().expect("the binary starts");
    let used = child.wait4().expect("the binary ends").rusage;
    used.utime + used.stime
}

#[test]
fn a_cached_run_over_twenty_files_costs_at_most_a_tenth() {
    let project = twenty("twenty");
    let cold = cost(&project);
    let (out, code, said) = project.cached(&[]);
    assert_eq!(said, tally(20, 0, 0, 0));
    let plain = project.heddle(&["check", "-p", "build"]);
    assert_eq!((out, code), (plain.out, plain.code));
    // What else runs on the machine can make one run dearer, not cheaper.
    let warm = (0..3).map(|_| cost(&project)).min().expect("three");
    assert!(warm * 10 <= cold, "cold {cold:?}, cached {warm:?}");
}

#[test]
fn an_interrupted_run_loses_nothing_that_was_finished() {
    let project = twenty("interrupted");
    let arguments = [&CHECK[..], &["--jobs", "1"]].concat();
    // By SIGTERM, for a shell that starts tests in the background has SIGINT ignored. Each time
    // with many files to go, for it takes a while to send the signal; each file is finished before
    // the next is read.
    let mut known = 0;
    for wanted in [2, 5, 9] {
        let mut child = project.command(&arguments).stdout(Stdio::null()).spawn().expect("starts");
        while project.kept("kernel").len() < wanted && child.try_wait().expect("runs").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().expect("`kill` is there");
        let ended = child.wait().expect("it ends");
        assert_eq!((sent.success(), ended.signal()), (true, Some(15)), "not interrupted midway");
        let kept = project.kept("kernel").len();
        assert!((wanted..21).contains(&kept) && kept > known, "{kept} kernels, of {known}");
        known = kept;
    }
    let units = project.kept("unit").len();
    let (out, _, said) = project.cached(&[]);
    // The header's kernel was kept with the first file, and is found once; the last file may have
    // been kept without its kernel.
    let files = known - 1;
    assert!((files..=known).contains(&units), "{units} files and {known} kernels");
    assert_eq!(said, tally(files, 20 - files, 1, 21 - known));
    assert_eq!(out, project.heddle(&["check", "-p", "build"]).out);
}
