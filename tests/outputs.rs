//! What `heddle check` writes for other programs, through the binary. `tests/kernels.rs` does the
//! same for the whole corpus.

mod schema;

use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use schema::{errors, ours, validator};
use serde_json::Value;

const RACE: &str = "tests/demo/neighbour.cu";
const UNKNOWN: &str = "tests/kernels/llvm/unknown_indirect_call.ll";

/// Runs the binary; the exit code and standard output.
fn heddle(arguments: &[&str]) -> (i32, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(arguments)
        .output()
        .expect("the binary starts");
    (done.status.code().unwrap_or(-1), String::from_utf8(done.stdout).expect("UTF-8"))
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn each_format_through_the_binary() {
    let validator = validator();
    let [document, line] = ["document", "line"].map(ours);
    for (arguments, code) in [
        (["check", RACE].as_slice(), 1),
        (&["check", UNKNOWN, "--block", "64"], 3),
        (&["check", RACE, "no/such/file.cu"], 2),
    ] {
        let run = |format: &str| {
            let (ended, out) = heddle(&[arguments, &["--format", format]].concat());
            assert_eq!(ended, code, "{arguments:?} {format}: {out}");
            assert_eq!(
                heddle(&[arguments, &["--format", format]].concat()).1,
                out,
                "the same bytes"
            );
            let here = env!("CARGO_MANIFEST_DIR");
            assert!(!out.contains(here), "{format} names a folder of this machine: {out}");
            out
        };
        assert_eq!(errors(&validator, &run("sarif")), Vec::<String>::new());
        assert_eq!(errors(&document, &run("json")), Vec::<String>::new());
        let last = run("jsonl");
        for text in last.lines() {
            assert_eq!(errors(&line, text), Vec::<String>::new(), "{text}");
        }
        let last: Value = serde_json::from_str(last.lines().last().expect("lines")).expect("JSON");
        assert_eq!(last["exit_code"], code);
        assert!(run("junit").starts_with("<?xml"));
        assert!(run("github").lines().all(|line| line.starts_with("::")));
    }
}

#[test]
fn a_race_as_annotation_and_as_test_case() {
    assert_snapshot!(heddle(&["check", RACE, "--format", "github"]).1);
    assert_snapshot!(heddle(&["check", RACE, "--format", "junit"]).1);
}

#[test]
fn the_sarif_of_a_race_has_both_accesses_and_the_run_of_each_thread() {
    let (_, text) = heddle(&["check", RACE, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"HD0101".into(), &"error".into()));
    let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!(line(&result["locations"][0]), Some(8));
    assert_eq!(line(&result["relatedLocations"][0]), Some(10));
    let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("two threads");
    assert_eq!(flows.len(), 2);
    for (flow, at) in flows.iter().zip([8, 10]) {
        let last = flow["locations"].as_array().and_then(|it| it.last()).expect("steps");
        assert_eq!(line(&last["location"]), Some(at));
        assert!(flow["immutableState"]["blockDim"].is_object(), "{flow}");
    }
    let rule = &log["runs"][0]["tool"]["driver"]["rules"]
        [usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small")];
    assert_eq!(rule["id"], "HD0101");
    assert!(rule["help"]["markdown"].as_str().is_some_and(|it| it.contains("## How to fix it")));
}

#[test]
fn fingerprints_survive_edits_elsewhere() {
    let text = std::fs::read_to_string(RACE).expect("the demo");
    let folder = temporary("fingerprints");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("k.cu").display().to_string();
    let names = |text: &str| -> Vec<String> {
        std::fs::write(&path, text).expect("writable");
        let (_, out) = heddle(&["check", &path, "--format", "json"]);
        let document: Value = serde_json::from_str(&out).expect("JSON");
        let kernels = document["kernels"].as_array().expect("kernels").iter();
        let findings = kernels.flat_map(|it| it["findings"].as_array().expect("findings"));
        findings.map(|it| it["fingerprint"].as_str().expect("one").to_owned()).collect()
    };
    let before = names(&text);
    assert!(!before.is_empty());
    let edited =
        format!("// A remark.\n__global__ void other() {{}}\n\n{}", text.replace("  ", "      "));
    assert_eq!(names(&edited), before, "lines above and blanks change nothing");
    let fixed = text.replace("// __syncthreads();", "__syncthreads();");
    assert_ne!(names(&fixed), before);

    // Two kernels, one with the same race twice: each finding has a name of its own, which moves
    // with its kernel.
    let one = |name: &str, stores: usize| {
        format!(
            "__global__ void {name}(int *p) {{\n{}}}\n",
            "  p[0] = threadIdx.x;\n".repeat(stores)
        )
    };
    let sorted = |text: &str| {
        let mut names = names(text);
        names.sort();
        names
    };
    let both = sorted(&format!("{}{}", one("a", 1), one("b", 2)));
    let mut distinct = both.clone();
    distinct.dedup();
    assert!(both.len() >= 3 && distinct == both, "{both:?}");
    assert_eq!(sorted(&format!("{}// moved\n{}", one("b", 2), one("a", 1))), both);
    let renamed = sorted(&format!("{}{}", one("c", 1), one("b", 2)));
    assert_eq!(renamed.iter().filter(|it| both.contains(it)).count(), both.len() - 1);
}

#[test]
fn names_of_files_and_texts_of_kernels_cannot_break_a_form() {
    let folder = temporary("odd");
    let _was_not_there = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("f\u{fc} 1/sub")).expect("a folder");
    let text = "__global__ void k(int *p) {\n  asm volatile(\"frob\\a\\001%% ::error::x\\n]]> %0;\" :: \"r\"(p[0]));\n  p[0] = threadIdx.x;\n}\n";
    let validator = validator();
    for (name, uri) in [
        ("f\u{fc} 1/k \u{20ac}.cu", "f%C3%BC%201/k%20%E2%82%AC.cu"),
        ("100% a:b,c.cu", "100%25%20a%3Ab%2Cc.cu"),
        ("new\nline.cu", "new%0Aline.cu"),
    ] {
        std::fs::write(folder.join(name), text).expect("writable");
        let run = |name: &str, format: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
            command.args(["check", name, "--format", format]).current_dir(&folder);
            String::from_utf8(command.output().expect("it starts").stdout).expect("UTF-8")
        };
        let log = run(name, "sarif");
        assert_eq!(errors(&validator, &log), Vec::<String>::new(), "{name}");
        let log: Value = serde_json::from_str(&log).expect("JSON");
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        let file = &place["artifactLocation"];
        assert_eq!((&file["uri"], &file["uriBaseId"]), (&uri.into(), &"%SRCROOT%".into()));

        // One line each, with what the runner takes for a command at its start alone.
        let lines = run(name, "github");
        assert!(lines.lines().count() >= 2, "{lines}");
        for line in lines.lines() {
            let (properties, message) = line[2..].split_once("::").expect("a command");
            let file = properties.split([' ', ',']).find_map(|it| it.strip_prefix("file="));
            let encoded = name.replace('%', "%25").replace('\n', "%0A");
            let encoded = encoded.replace(':', "%3A").replace(',', "%2C");
            assert!(properties.contains(&format!("file={encoded},")), "{file:?}: {line}");
            assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
            assert!(!message.contains("% ::") && !message.is_empty(), "{line}");
        }
        let xml = run(name, "junit");
        let plain = |c: char| c == '\n' || !c.is_control();
        assert!(xml.starts_with("<?xml") && xml.chars().all(plain), "{xml:?}");
        assert!(!xml.contains("]]>"), "{xml}");
        assert_eq!(run(name, "short").lines().count(), lines.lines().count(), "a line each");
    }
    // Another way to the same file, and a file outside of the folder.
    let here = folder.join("f\u{fc} 1/sub");
    let run = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
        command.args(["check", name, "--format", "sarif"]).current_dir(&here);
        let out = String::from_utf8(command.output().expect("it starts").stdout).expect("UTF-8");
        let log: Value = serde_json::from_str(&out).expect("JSON");
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].clone()
    };
    let outside = run("../sub/../k \u{20ac}.cu");
    let uri = outside["uri"].as_str().expect("a uri");
    assert!(uri.starts_with("file:///") && uri.ends_with("/f%C3%BC%201/k%20%E2%82%AC.cu"), "{uri}");
    assert_eq!(outside["uriBaseId"], Value::Null);
}

#[test]
fn two_names_of_one_place_and_odd_characters_are_seen_through() {
    let folder = temporary("one-place");
    let _was_not_there = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = "__global__ void k(int *p) { __shared__ int s[64]; s[threadIdx.x] = 1;\n\
        p[threadIdx.x] = s[threadIdx.x ^ 1]; } // \u{9b}31m \u{7f} \u{2028}\n\
        void h(int *p) { k<<<1, 64>>>(p); }\n";
    std::fs::write(folder.join("k\u{9b}.cu"), text).expect("writable");
    std::fs::write(folder.join("x"), "").expect("writable");
    std::os::unix::fs::symlink("x", folder.join("lx")).expect("writable");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
        command.args(["check", "k\u{9b}.cu"]).args(arguments).current_dir(&folder);
        command.output().expect("it starts")
    };
    for place in ["/dev/fd/1", "/proc/self/fd/1"] {
        let done = run(&["--format", &format!("json={place}"), "--format", "sarif"]);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!((done.status.code(), done.stdout.len()), (Some(2), 0), "{place}: {said}");
        assert!(said.contains("two reports go to"), "{said}");
    }
    let done = run(&["--format", "json=x", "--format", "sarif=lx"]);
    assert_eq!(done.status.code(), Some(2), "a link and its file");
    for format in ["human", "short", "github", "json", "jsonl", "sarif", "junit", "record"] {
        let done = run(&["--format", format]);
        assert_eq!(done.status.code(), Some(1), "{format}");
        let text = String::from_utf8(done.stdout).expect("UTF-8");
        let odd = |c: char| matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}');
        assert!(!text.contains(odd), "{format}: {text:?}");
    }
}

#[test]
fn outputs_that_cannot_be_are_refused_before_the_work() {
    let folder = temporary("refused");
    std::fs::create_dir_all(&folder).expect("a folder");
    let kernel = "__global__ void k(int *p) { p[0] = threadIdx.x; }\n";
    std::fs::write(folder.join("k.cu"), kernel).expect("writable");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
        command.args(["check", "k.cu"]).args(arguments).current_dir(&folder);
        let done = command.output().expect("it starts");
        (done.status.code(), String::from_utf8(done.stderr).expect("UTF-8"))
    };
    for (arguments, part) in [
        (["-o", "k.cu"].as_slice(), "`k.cu` is one of the inputs; give another file"),
        (&["--format", "sarif=../refused/k.cu"], "is one of the inputs"),
        (&["--format", "json=a", "--format", "sarif=./a"], "two reports go to `./a`"),
        (&["--format", "json=a", "-o", "a"], "two reports go to `a`"),
        (
            &["--format", "json=none/a"],
            "`none/a` cannot be written: its folder does not exist; give a file in a folder that exists",
        ),
        (&["--format", "json=."], "`.` cannot be written"),
        (&["--format", "json=/dev/full"], "`/dev/full` cannot be written: No space left"),
    ] {
        let (code, said) = run(arguments);
        assert!(code == Some(2) && said.contains(part), "{arguments:?}: {said}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("k.cu")).expect("there"), kernel);
    assert!(!folder.join("a").exists(), "nothing was written");
    assert_eq!(run(&["--format", "json=/dev/null", "--format", "sarif=/dev/null"]).0, Some(1));
}

#[test]
fn several_forms_go_to_several_files() {
    let [sarif, junit, text] = ["several.sarif", "several.xml", "several.txt"].map(temporary);
    let (code, out) = heddle(&[
        "check",
        RACE,
        "--format",
        &format!("sarif={}", sarif.display()),
        "--format",
        &format!("junit={}", junit.display()),
        "--format",
        "short",
        "--format",
        "human",
        "-o",
        &text.display().to_string(),
    ]);
    assert_eq!((code, out.as_str()), (1, ""));
    let read = |path: &Path| std::fs::read_to_string(path).expect("it was written");
    assert_eq!(read(&sarif), heddle(&["check", RACE, "--format", "sarif"]).1);
    assert_eq!(read(&junit), heddle(&["check", RACE, "--format", "junit"]).1);
    let both = heddle(&["check", RACE, "--format", "short"]).1 + &heddle(&["check", RACE]).1;
    assert_eq!(read(&text), both);
    for arguments in [
        ["check", RACE, "--format", "xml"].as_slice(),
        &["check", RACE, "--format", "sarif="],
        &["check", RACE, "--format", "sarif=no/such/folder/x.sarif"],
    ] {
        assert_eq!(heddle(arguments).0, 2, "{arguments:?}");
    }
}
