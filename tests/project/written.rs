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

/// Each command that writes a file, with a place for the file's name.
const WRITERS: [&[&str]; 5] = [
    &["instrument", "k.cu", "-o", "OUT"],
    &["instrument", "k.cu", "--ptx", "-o", "OUT"],
    &["run", "k.cu", "--block", "4", "--fill", "i32[4096]", "--out", "p=OUT"],
    &["baseline", "k.cu", "-o", "OUT"],
    &["barriers", "k.cu", "--svg", "OUT"],
];

#[test]
fn every_command_writes_whole_files_and_none_through_a_link_that_leads_nowhere() {
    for (index, words) in WRITERS.iter().enumerate() {
        let project = Project::new(&format!("written-whole-{index}"));
        project.file("k.cu", RACY);
        project.file("precious", "precious");
        symlink("new", project.root.join("lost")).expect("writable");
        let line = |out: &str| words.join(" ").replace("OUT", out).replace("[", "\\[");
        let ran = project.shell("", &format!("heddle {}", line("lost")));
        assert_eq!(ran.status.code(), Some(2), "{words:?}: {ran:?}");
        // The limit on the size of files fails a write as a full disk does.
        let full = format!("trap '' XFSZ; ulimit -f 0; heddle {}", line("precious"));
        let ran = project.shell("", &full);
        assert_eq!(ran.status.code(), Some(2), "{words:?}: {ran:?}");
        let text = std::fs::read_to_string(project.root.join("precious")).expect("readable");
        assert_eq!(text, "precious", "{words:?}");
        assert_eq!(project.names(), ["k.cu", "lost", "precious"], "{words:?}");
        let ran = project.shell("", &format!("heddle {}", line("precious")));
        assert!(ran.status.code() != Some(2), "{words:?}: {ran:?}");
        let bytes = std::fs::read(project.root.join("precious")).expect("readable");
        assert_ne!(bytes, b"precious", "{words:?}");
    }
}

#[test]
fn files_that_a_command_reads_are_not_written_over() {
    let project = Project::new("written-inputs");
    project.file("h.cuh", RACY);
    project.file("k.cu", "#include \"h.cuh\"\n");
    project.file("heddle.toml", "");
    project.file("launch.toml", "block = 4\n[buffers]\np = \"i32[64]\"\n");
    project.database(&[("../k.cu", "clang++ -c ../k.cu")]);
    assert_eq!(project.heddle(&["baseline", "k.cu", "-o", "known.json"]).code, 0);
    std::fs::hard_link(project.root.join("k.cu"), project.root.join("hard.cu")).expect("writable");
    let known = ["check", "k.cu", "--baseline", "known.json", "--format"];
    let database = ["check", "-p", "build", "--format"];
    let run = ["run", "k.cu", "--launch", "launch.toml", "--out"];
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["instrument", "k.cu", "-o", "k.cu"], "k.cu"),
        (vec!["instrument", "k.cu", "-o", "h.cuh"], "h.cuh"),
        (vec!["instrument", "k.cu", "--plan", "-o", "h.cuh"], "h.cuh"),
        (vec!["instrument", "k.cu", "--ptx", "--all", "-o", "h.cuh"], "h.cuh"),
        (vec!["barriers", "k.cu", "--svg", "k.cu"], "k.cu"),
        (vec!["barriers", "k.cu", "--svg", "h.cuh"], "h.cuh"),
        (vec!["baseline", "k.cu", "-o", "hard.cu"], "k.cu"),
        (vec!["baseline", "k.cu", "-o", "heddle.toml"], "heddle.toml"),
        (vec!["baseline", "k.cu", "-o", "h.cuh"], "h.cuh"),
        ([&known[..], &["json=known.json"]].concat(), "known.json"),
        ([&known[..], &["json=heddle.toml"]].concat(), "heddle.toml"),
        ([&known[..], &["sarif=h.cuh"]].concat(), "h.cuh"),
        (
            [&database[..], &["json=build/compile_commands.json"]].concat(),
            "build/compile_commands.json",
        ),
        ([&database[..], &["json=k.cu"]].concat(), "k.cu"),
        ([&run[..], &["p=launch.toml"]].concat(), "launch.toml"),
        ([&run[..], &["p=h.cuh"]].concat(), "h.cuh"),
        ([&run[..], &["p=k.cu"]].concat(), "k.cu"),
    ];
    for (words, file) in cases {
        let read = || std::fs::read(project.root.join(file)).expect("readable");
        let before = read();
        let ran = project.heddle(&words);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(ran.code == 2 && said.contains("is one of the inputs"), "{words:?}: {said}");
        assert_eq!(read(), before, "{words:?}");
    }
    // A baseline that is not read may be written anew.
    assert_eq!(project.heddle(&["baseline", "k.cu", "-o", "known.json"]).code, 0);
}

#[test]
fn names_cannot_add_lines_or_colours_to_what_is_printed() {
    let project = Project::new("written-controls");
    project.file("k.cu", KERNEL);
    let odd = "-fpl\\u001b[31m\\n::error::x=x";
    project.file("heddle.toml", &format!("clang-args = [\"{odd}\"]\n"));
    project.file("build/compile_commands.json", &format!(
        "[{{\"directory\": \"..\", \"file\": \"k.cu\", \"arguments\": [\"clang++\", \"-c\", \"k.cu\", \"{odd}\"]}}]"
    ));
    let name = "k\\1B[31m\\0A::error::x";
    project.file(
        "k.ll",
        &format!(
            "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @\"{name}\"(ptr %p) {{\n  \
             store i32 1, ptr %p\n  ret void\n}}\n"
        ),
    );
    let commands: [&[&str]; 10] = [
        &["check", "k.cu"],
        &["check", "-p", "build", "--no-config"],
        &["units", "-p", "build"],
        &["progress", "k.ll"],
        &["instrument", "k.ll", "--plan"],
        &["check", "k.ll", "--no-config", "--format", "junit"],
        &["check", "k.ll", "--no-config", "--format", "short"],
        &["check", "k.ll", "--no-config", "--format", "github", "--why"],
        &["check", "k.ll", "--no-config", "--timings", "--profile"],
        &["check", "k.ll", "--no-config", "--format", "record"],
    ];
    for words in commands {
        let ran = project.heddle(words);
        let said = ran.out + &ran.err;
        assert!(!said.is_empty() && !said.contains('\u{1b}'), "{words:?}: {said}");
        let added = said.lines().any(|line| line.starts_with("::error::x"));
        assert!(!added, "{words:?}: {said}");
    }
}

#[test]
fn a_file_under_two_names_is_checked_once_where_it_means_the_same() {
    let project = Project::new("written-twice");
    project.file("a/k.cu", "#include \"h.cuh\"\n");
    project.file("a/h.cuh", KERNEL);
    project.file("b/h.cuh", RACY);
    let at = |name: &str| project.root.join(name);
    std::fs::hard_link(at("a/k.cu"), at("a/l.cu")).expect("writable");
    let ran = project.heddle(&["check", "a/k.cu", "a/l.cu"]);
    assert!(ran.code == 0 && ran.out.contains("1 kernel: "), "{}", ran.out);
    // In another folder the same text includes another file.
    std::fs::hard_link(at("a/k.cu"), at("b/k.cu")).expect("writable");
    assert_eq!(project.heddle(&["check", "a/k.cu", "b/k.cu"]).code, 1);
    std::fs::remove_file(at("b/k.cu")).expect("it is ours");
    symlink("../a/k.cu", at("b/k.cu")).expect("writable");
    assert_eq!(project.heddle(&["check", "a/k.cu", "b/k.cu"]).code, 1);
}
