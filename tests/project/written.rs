//! What is written: files whole or not at all, wherever links lead; reports that say why they are
//! red; names as they are.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::{FINE, Project, RACE, SCAN};

const KERNEL: &str = "__global__ void k(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
void host(int *p) { k<<<2, 64>>>(p); }
";
const RACY: &str = "__global__ void k(int *p) { p[0] = threadIdx.x; }
void host(int *p) { k<<<2, 64>>>(p); }
";

impl Project {
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.root).expect("readable");
        let name = |it: std::io::Result<std::fs::DirEntry>| {
            it.expect("readable").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }
}

#[test]
fn links_and_modes_of_outputs_stay_and_nothing_is_left_over() {
    let project = Project::new("written-links");
    project.file("k.cu", KERNEL);
    project.file("real.json", "before");
    let real = project.root.join("real.json");
    let mode = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&real, mode).expect("it is ours");
    symlink("real.json", project.root.join("out.json")).expect("writable");
    let ran = project.heddle(&["check", "k.cu", "--format", "json=out.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&real).expect("readable");
    assert!(text.contains("\"proved\""), "the file that the link leads to: {text}");
    assert_eq!(real.metadata().expect("there").permissions().mode() & 0o777, 0o600);
    assert!(project.root.join("out.json").is_symlink());
    assert_eq!(project.names(), ["k.cu", "out.json", "real.json"]);
    // A link that leads nowhere.
    symlink("nowhere/x.json", project.root.join("lost.json")).expect("writable");
    let ran = project.heddle(&["check", "k.cu", "--format", "json=lost.json"]);
    assert!(ran.code == 2 && ran.err.contains("`lost.json` cannot be written"), "{}", ran.err);
    assert_eq!(project.names(), ["k.cu", "lost.json", "out.json", "real.json"]);
    // A disk that is full: the limit on the size of files fails a write in the same way.
    let heddle = env!("CARGO_BIN_EXE_heddle");
    let line = format!("trap '' XFSZ; ulimit -f 1; {heddle} check k.cu --format sarif=out.json");
    let full = Command::new("bash").args(["-c", &line]).current_dir(&project.root).output();
    let full = full.expect("bash is there");
    assert_eq!(full.status.code(), Some(2), "{full:?}");
    assert_eq!(std::fs::read_to_string(&real).expect("readable"), text, "what was there stays");
    assert_eq!(project.names(), ["k.cu", "lost.json", "out.json", "real.json"]);
}

#[test]
fn standard_output_gets_one_document() {
    let project = Project::new("written-two");
    project.file("k.cu", KERNEL);
    for (more, part) in [
        (&[][..], "two reports go to standard output"),
        (&["--output", "o"], "two reports go to `o`"),
    ] {
        let formats = ["check", "k.cu", "--format", "json", "--format", "sarif"];
        let ran = project.heddle(&[&formats[..], more].concat());
        assert!(ran.code == 2 && ran.out.is_empty() && ran.err.contains(part), "{}", ran.err);
    }
}

#[test]
fn names_are_shown_as_they_are_and_files_once() {
    let project = Project::new("written-names");
    project.file("k.cu", RACY);
    project.file("sub/here.cu", KERNEL);
    let ran = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["check", "../k.cu", "--format", "short"])
        .current_dir(project.root.join("sub"))
        .output()
        .expect("it starts");
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(out.starts_with("../k.cu:1:"), "{out}");
    project.file("a\\b.cu", RACY);
    let ran = project.heddle(&["check", "a\\b.cu", "--format", "short"]);
    assert!(ran.out.starts_with("a\\b.cu:1:"), "{}", ran.out);
    symlink("k.cu", project.root.join("l.cu")).expect("writable");
    let ran = project.heddle(&["check", "k.cu", "l.cu", "./k.cu"]);
    assert!(ran.out.ends_with("unknown\n") && ran.out.contains("1 kernel: "), "{}", ran.out);
    // Control characters of a name come out visible, in every form.
    project.file("e\u{1b}[31m.cu", RACY);
    for format in ["human", "short", "json", "jsonl", "sarif", "github", "junit", "record"] {
        let ran = project.heddle(&["check", "e\u{1b}[31m.cu", "--format", format]);
        assert_eq!(ran.code, 1, "{format}");
        assert!(!(ran.out + &ran.err).contains('\u{1b}'), "{format}");
    }
}

#[test]
fn a_run_over_nothing_says_why_it_is_red() {
    let project = Project::new("written-nothing");
    project.file("main.cpp", "int main() { return 0; }\n");
    project.database(&[("../main.cpp", "g++ -c ../main.cpp")]);
    for format in ["short", "github", "junit"] {
        let ran = project.heddle(&["check", "-p", "build", "--format", format]);
        assert_eq!(ran.code, 2, "{format}");
        assert!(ran.out.contains("no device code was checked"), "{format}: {}", ran.out);
        assert!(ran.out.contains("error"), "{format}: {}", ran.out);
    }
}

#[test]
fn findings_come_by_place_whichever_kernel_they_are_of() {
    let project = Project::new("written-order");
    project.file(
        "k.cu",
        "__device__ void late(int *p);
__global__ void first(int *p, int *q) { q[blockIdx.x * blockDim.x + threadIdx.x] = 1; late(p); }
__global__ void second(int *p) { p[1] = threadIdx.x; }
__device__ void late(int *p) { p[0] = threadIdx.x; }
void host(int *p, int *q) { first<<<2, 64>>>(p, q); second<<<2, 64>>>(p); }
",
    );
    let ran = project.heddle(&["check", "k.cu", "--format", "short"]);
    let lines = ran.out.lines().filter_map(|line| line.split(':').nth(1)?.parse::<u32>().ok());
    let lines: Vec<_> = lines.collect();
    assert!(lines.len() >= 2 && lines.is_sorted(), "{}", ran.out);
}

#[test]
fn parts_of_other_sources_or_commands_are_not_merged() {
    for change in ["source", "command"] {
        let project = Project::new(&format!("written-parts-{change}"));
        project.file("include/scan.cuh", SCAN);
        project.file("src/race.cu", RACE);
        project.file("src/fine.cu", FINE);
        let database = |more: &str| {
            let command =
                |file: &str| format!("clang++ -I../include -DSCALE=1 {more} -c ../src/{file}");
            let (race, fine) = (command("race.cu"), command("fine.cu"));
            project.database(&[("../src/race.cu", &race), ("../src/fine.cu", &fine)]);
        };
        let part = |index: &str| {
            let record = format!("record={}.json", &index[..1]);
            project.heddle(&["check", "-p", "build", "--shard", index, "--format", &record])
        };
        database("");
        part("1/2");
        part("2/2");
        assert_eq!(project.heddle(&["merge", "1.json", "2.json"]).code, 1);
        match change {
            "source" => project.file("src/race.cu", &format!("{RACE}\n// changed\n")),
            _ => database("-DMORE"),
        }
        part("2/2");
        let ran = project.heddle(&["merge", "1.json", "2.json"]);
        assert!(ran.code == 2 && ran.out.contains("not of the same run"), "{}", ran.out);
    }
}

#[test]
fn a_baseline_tells_files_of_one_name_apart() {
    let project = Project::new("written-baseline");
    project.file("d1/main.cu", RACY);
    project.file("d2/main.cu", KERNEL);
    let both = ["d1/main.cu", "d2/main.cu"];
    assert_eq!(project.heddle(&["baseline", both[0], both[1]]).code, 0);
    let check = |files: &[&str]| {
        let ran =
            project.heddle(&[&["check", "--baseline", "heddle-baseline.json"], files].concat());
        ran.code
    };
    assert_eq!(check(&both), 0);
    // The race goes from one to the other.
    project.file("d1/main.cu", KERNEL);
    project.file("d2/main.cu", RACY);
    assert_eq!(check(&both), 1);
    assert_eq!(check(&["d2/main.cu"]), 1);
    // A file that moved is known still.
    project.file("d1/main.cu", RACY);
    std::fs::rename(project.root.join("d1"), project.root.join("d3")).expect("writable");
    assert_eq!(check(&["d3/main.cu"]), 0);
}
