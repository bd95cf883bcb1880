//! The Bazel example under the real Bazel, without network: in its sandbox, from its cache, and
//! with a finding.
//!
//! `make test` installs Bazel where Debian has it. Without it the command line of the rule is still
//! run, and each test that needs Bazel says that it was not run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::Project;
use crate::integration::EXAMPLES;

/// The example as a workspace with the binary in it, and a folder for what Bazel keeps.
struct Workspace {
    project: Project,
    kept: PathBuf,
}

impl Workspace {
    /// `None` if there is no Bazel; then the test is said not to have run.
    fn new(name: &str) -> Option<Workspace> {
        if Command::new("bazel").arg("--version").output().is_err() {
            let _unheard = writeln!(
                std::io::stderr(),
                "not run: the test `bazel-{name}`, because Bazel is not installed (`make test-deps`)"
            );
            return None;
        }
        let project = Project::example(&format!("bazel-{name}"), &["bazel"]);
        std::fs::copy(env!("CARGO_BIN_EXE_heddle"), project.root.join("bazel/tools/heddle"))
            .expect("the binary is there");
        let kept = project.root.join("kept");
        Some(Workspace { project, kept })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.project.root.join("bazel").join(name)
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.file(name)).expect("there");
        assert!(text.contains(from), "{name} has no {from}");
        std::fs::write(self.file(name), text.replace(from, to)).expect("writable");
    }

    fn bazel(&self, arguments: &[&str]) -> Output {
        Command::new("bazel")
            .arg(format!("--output_user_root={}", self.kept.display()))
            .args(["--batch", "--nohome_rc"])
            .args(arguments)
            .current_dir(self.file(""))
            .output()
            .expect("bazel starts")
    }

    /// Whether the build of everything succeeded, and all it said. An action that ran is counted
    /// under the name of its sandbox: `linux-sandbox`, or `processwrapper-sandbox` where there are
    /// no namespaces.
    fn build(&self, more: &[&str]) -> (bool, String) {
        let done = self.bazel(&[&["build", "//...", "--nosandbox_debug"], more].concat());
        let said = [done.stdout, done.stderr].concat();
        (done.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    fn outputs(&self) -> [Vec<u8>; 2] {
        ["record.json", "sarif"].map(|it| {
            let path = self.file(&format!("bazel-bin/kernels_check.{it}"));
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        })
    }
}

impl Drop for Workspace {
    /// The binary, its copies in Bazel's folders, and files that Bazel makes read-only.
    fn drop(&mut self) {
        let _as_far_as_it_goes =
            Command::new("chmod").arg("-R").arg("u+w").arg(&self.kept).status();
        let _no_matter = std::fs::remove_dir_all(&self.project.root);
    }
}

#[test]
fn a_check_that_passes_runs_in_the_sandbox_once() {
    let Some(workspace) = Workspace::new("passes") else { return };
    let log = workspace.file("log.json");
    let log_option = format!("--execution_log_json_file={}", log.display());
    let (success, said) = workspace.build(&[&log_option]);
    assert!(
        success && said.contains("2 kernels: 8 properties proved, 0 refuted, 0 unknown"),
        "{said}"
    );
    assert!(said.contains("-sandbox"), "{said}");
    let written = workspace.outputs();

    // One action, which another machine could run: all that it names is declared, and from the root
    // of the workspace.
    let action: Value =
        serde_json::from_slice(&std::fs::read(&log).expect("written")).expect("one action");
    let texts = |it: &Value| {
        let list = it.as_array().expect("a list").iter();
        list.map(|it| it.as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    let command = texts(&action["commandArgs"]);
    assert!(
        !command
            .iter()
            .any(|it| it.contains("/home") || it.contains(&*workspace.kept.to_string_lossy()))
    );
    assert!(
        !command.iter().any(|it| it.starts_with('/') || it.contains("=/") || it.contains("-I/")),
        "{command:?}"
    );
    let inputs: Vec<_> =
        action["inputs"].as_array().expect("inputs").iter().map(|it| it["path"].clone()).collect();
    assert_eq!(inputs, ["include/index.cuh", "kernels/saxpy.cu", "kernels/sum.cu", "tools/heddle"]);
    assert_eq!(action["environmentVariables"], serde_json::json!([]));
    assert_eq!((&action["remotable"], &action["cacheable"]), (&true.into(), &true.into()));

    let (success, said) = workspace.build(&[]);
    assert!(
        success && !said.contains("-sandbox") && !said.contains("proved"),
        "nothing ran: {said}"
    );
    assert_eq!(workspace.outputs(), written);
}

#[test]
fn a_check_that_fails_fails_the_build_with_the_finding() {
    let Some(workspace) = Workspace::new("fails") else { return };
    workspace.edit("kernels/sum.cu", "    __syncthreads();\n", "");
    for _ in 0..2 {
        let (success, said) = workspace.build(&[]);
        assert!(!success && said.contains("error[HD0101]: "), "a failure is never cached: {said}");
        assert!(said.contains("--> kernels/sum.cu:"), "{said}");
        assert!(
            said.contains("Checking the kernels of //:kernels_check failed: (Exit 1)"),
            "{said}"
        );
    }
    // What a project decides is an input as any other: the records of such actions are what `heddle
    // merge` reads.
    workspace.edit("BUILD.bazel", "includes = ", "config = \"heddle.toml\",\n    includes = ");
    std::fs::write(workspace.file("heddle.toml"), "fail-on = \"never\"\n").expect("writable");
    let (success, said) = workspace.build(&[]);
    assert!(success && said.contains("error[HD0101]: "), "{said}");
    let merged = workspace
        .project
        .shell("bazel", "heddle merge --no-config --format short bazel-bin/*.record.json");
    let out = String::from_utf8_lossy(&merged.stdout);
    assert!(merged.status.code() == Some(1) && out.contains("kernels/sum.cu:"), "{merged:?}");
}

#[test]
fn only_what_is_declared_is_there_and_another_folder_takes_the_answer_from_the_cache() {
    let Some(workspace) = Workspace::new("declared") else { return };
    workspace.edit("BUILD.bazel", "    hdrs = glob([\"include/*.cuh\"]),\n", "");
    let (success, said) = workspace.build(&[]);
    assert!(!success && said.contains("'index.cuh' file not found"), "{said}");
    workspace.edit(
        "BUILD.bazel",
        "    includes",
        "    hdrs = glob([\"include/*.cuh\"]),\n    includes",
    );

    let Some(other) = Workspace::new("other") else { return };
    let cache = format!("--disk_cache={}", workspace.kept.join("disk").display());
    let (success, said) = workspace.build(&[&cache]);
    assert!(success && said.contains("-sandbox"), "{said}");
    let (success, said) = other.build(&[&cache]);
    assert!(success && said.contains("1 remote cache hit") && !said.contains("-sandbox"), "{said}");
    assert_eq!(other.outputs(), workspace.outputs());
}

#[test]
fn the_command_line_of_the_rule_runs_without_an_environment() {
    let rule =
        std::fs::read_to_string(Path::new(EXAMPLES).join("bazel/heddle.bzl")).expect("there");
    // The options in the order of the rule's text, as its actions add them.
    let mut rest = &rule[..];
    for option in [
        "\"check\"",
        "\"--jobs\", \"1\"",
        "\"--format\", \"human\"",
        "\"--format=record=%s\"",
        "\"--format=sarif=%s\"",
        "\"--no-config\"",
        "\"--\"",
        "\"-I\"",
    ] {
        let (_, after) = rest.split_once(option).unwrap_or_else(|| panic!("{option} is not there"));
        rest = after;
    }
    let project = Project::example("bazel", &["bazel"]);
    let run = || {
        Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(["check", "kernels/saxpy.cu", "kernels/sum.cu", "--jobs", "1"])
            .args(["--format", "human", "--format=record=k.record.json", "--format=sarif=k.sarif"])
            .args(["--no-config", "--", "-Iinclude"])
            .current_dir(project.root.join("bazel"))
            .env_clear()
            .output()
            .expect("the binary starts")
    };
    let first = run();
    assert!(first.status.success(), "{first:?}");
    let outputs = || {
        ["k.record.json", "k.sarif"]
            .map(|it| std::fs::read(project.root.join("bazel").join(it)).expect("written"))
    };
    let written = outputs();
    assert_eq!((run(), outputs()), (first, written), "the same inputs give the same bytes");
}
