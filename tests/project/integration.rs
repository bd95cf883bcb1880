//! The examples of `docs/integration` as a user runs them: CMake and Ninja for real, the lines of
//! the GitHub workflow in a shell. Bazel's is in [`crate::bazel`].

use std::path::Path;
use std::process::{Command, Output};

use crate::Project;

pub(crate) const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/integration/examples");

impl Project {
    /// A copy of an example, and of those that it uses.
    pub(crate) fn example(name: &str, folders: &[&str]) -> Project {
        let project = Project::new(&format!("example-{name}"));
        for folder in folders {
            copy(&Path::new(EXAMPLES).join(folder), &project.root.join(folder));
        }
        project
    }

    /// A line in a shell that finds this `heddle` first.
    pub(crate) fn shell(&self, folder: &str, line: &str) -> Output {
        let heddle = Path::new(env!("CARGO_BIN_EXE_heddle")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("bash")
            .args(["-e", "-c", line])
            .current_dir(self.root.join(folder))
            .env("PATH", format!("{}:{path}", heddle.display()))
            .env("CXX", "clang++-22")
            .output()
            .expect("bash is installed")
    }

    fn succeeds(&self, folder: &str, line: &str) -> String {
        let done = self.shell(folder, line);
        assert!(done.status.success(), "{line}: {done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    /// Takes the barrier out of the sum.
    fn break_sum(&self, folder: &str) {
        let path = self.root.join(folder).join("kernels/sum.cu");
        let text = std::fs::read_to_string(&path).expect("there");
        assert!(text.contains("__syncthreads();"));
        std::fs::write(&path, text.replace("    __syncthreads();\n", "")).expect("writable");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("writable");
    for entry in std::fs::read_dir(from).expect("the example is there") {
        let path = entry.expect("readable").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(&path, &target).expect("readable")),
        }
    }
}

#[test]
fn cmake_has_the_check_as_a_target_and_as_a_test() {
    let project = Project::example("cmake", &["cmake"]);
    project.succeeds("cmake", "cmake -B build -G Ninja");
    let all = project.succeeds("cmake", "cmake --build build");
    assert!(all.contains("2 device units checked"), "the default target checks: {all}");
    let out = project.succeeds("cmake", "cmake --build build --target heddle");
    assert!(out.contains("kernels/sum.cu ") && out.contains("2 device units checked"), "{out}");
    project.succeeds("cmake", "ctest --test-dir build");
    project.break_sum("cmake");
    let failed = project.shell("cmake", "ctest --test-dir build --output-on-failure");
    let out = String::from_utf8_lossy(&failed.stdout);
    assert!(!failed.status.success() && out.contains("error[HD0101]"), "{out}");
}

#[test]
fn ninja_checks_what_has_changed() {
    let project = Project::example("ninja", &["ninja", "cmake"]);
    let out = project.succeeds("ninja", "ninja check");
    assert!(out.contains("2 device units checked"), "{out}");
    assert!(project.succeeds("ninja", "ninja check").contains("no work to do"));
    // Another policy, and another heddle.
    project.file("ninja/heddle.toml", "fail-on = \"warning\"\n");
    assert!(project.succeeds("ninja", "ninja check").contains("2 device units checked"));
    let script = format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_heddle"));
    project.file("bin/heddle", &script);
    let with_mine =
        "chmod +x ../bin/heddle; touch -d +1hour ../bin/heddle; PATH=$PWD/../bin:$PATH ninja check";
    project.file("ninja/heddle.toml", "fail-on = \"unknown\"\n");
    assert!(project.succeeds("ninja", with_mine).contains("2 device units checked"));
    assert!(
        project.succeeds("ninja", with_mine).contains("2 device units checked"),
        "a newer heddle"
    );
    project.break_sum("cmake");
    for _ in 0..2 {
        let failed = project.shell("ninja", "ninja check");
        let out = String::from_utf8_lossy(&failed.stdout);
        assert!(!failed.status.success() && out.contains("error[HD0101]"), "{out}");
    }
}

#[test]
fn the_lines_of_the_workflow_run() {
    let text = std::fs::read_to_string(Path::new(EXAMPLES).join("github-actions/heddle.yml"))
        .expect("there");
    let workflow: serde_json::Value = serde_yaml_ng::from_str(&text).expect("YAML");
    let lines = |job: &str| {
        let steps = workflow["jobs"][job]["steps"].as_array().expect("steps").iter();
        steps.filter_map(|it| it["run"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(workflow["env"]["CXX"], "clang++-22", "what the shell of this test has");
    assert_eq!(workflow["jobs"]["report"]["if"], "always()", "the parts that ended are reported");
    let parts = workflow["jobs"]["check"]["strategy"]["matrix"]["part"].as_array().expect("parts");
    for broken in [false, true] {
        let project = Project::example("github", &["cmake"]);
        if broken {
            project.break_sum("cmake");
        }
        for part in parts {
            for line in lines("check") {
                project.succeeds("cmake", &line.replace("${{ matrix.part }}", &part.to_string()));
            }
        }
        let [report] = &lines("report")[..] else { panic!("one line reports") };
        let done = project.shell("cmake", report);
        assert_eq!(done.status.code(), Some(i32::from(broken)), "{done:?}");
        let out = String::from_utf8_lossy(&done.stdout);
        assert_eq!(out.contains("::error file=kernels/sum.cu,line="), broken, "{out}");
        assert!(project.root.join("cmake/heddle.sarif").is_file());
    }
}
