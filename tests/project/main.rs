//! Whole projects through the binary: compilation databases of CMake and of nvcc ([`commands`]),
//! units, and what can be wrong; answers that are kept ([`cache`], [`reads`]), runs in parts
//! ([`parts`]), files that are written ([`written`]), projects that are not to be trusted
//! ([`hostile`], [`options`]), the fault campaign ([`faults`]), what is made of the command line
//! itself ([`manual`]), files of a project by themselves ([`supplied`]), what is said of files that
//! do not compile ([`messages`]), and the examples of the documentation ([`integration`],
//! [`bazel`]) and its command lines ([`documented`]).

mod bazel;
mod cache;
mod commands;
mod documented;
mod faults;
mod hostile;
mod integration;
mod manual;
mod messages;
mod options;
mod outside;
mod parts;
mod reads;
mod supplied;
mod written;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of files for one test, and the binary run in it.
struct Project {
    root: PathBuf,
}

#[derive(Debug, PartialEq, Eq)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

const SCAN: &str = "#pragma once
__global__ static void in_header(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
";
const RACE: &str = "#include \"scan.cuh\"
__global__ void race(int *out) {
  __shared__ int s[256];
  s[threadIdx.x] = SCALE;
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[(threadIdx.x + 1) % 256];
}
void host(int *p) { in_header<<<1, 32>>>(p); race<<<1, 256>>>(p); }
";
const FINE: &str = "#include \"scan.cuh\"
__global__ void fine(int *out, int n) { out[blockIdx.x * blockDim.x + threadIdx.x] = n; }
void host(int *p) { in_header<<<1, 32>>>(p); fine<<<1, 2>>>(p, 1); }
";
const OPENCL: &str = "__kernel void c(__global int *o) { o[get_global_id(0)] = 1; }\n";

impl Project {
    /// An empty folder.
    fn new(name: &str) -> Project {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("project-{name}"));
        let _was_not_there = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).expect("the folder for tests is writable");
        Project { root }
    }

    /// Sources that two databases below compile: a race, a proof, and a kernel in a header of both.
    fn with_sources(name: &str) -> Project {
        let project = Project::new(name);
        project.file("include/scan.cuh", SCAN);
        project.file("src/race.cu", RACE);
        project.file("src/fine.cu", FINE);
        project.file("src/c.cl", OPENCL);
        project.file("src/main.cpp", "int main() { return 0; }\n");
        project
    }

    /// nvcc's and clang's commands as a build in `build/` would run them.
    fn with_database(name: &str) -> Project {
        let project = Project::with_sources(name);
        project.file("build/includes.rsp", "-I\"../include\"");
        project.database(&[
            ("../src/race.cu", "nvcc -forward-unknown-to-host-compiler -DSCALE=2 --options-file includes.rsp -gencode arch=compute_70,code=sm_70 -gencode arch=compute_80,code=[compute_80,sm_80] -O3 -std=c++17 -x cu -rdc=false -Xcompiler=-fPIC -Wall -c ../src/race.cu -o race.o"),
            ("../src/fine.cu", "/usr/bin/ccache clang++ @includes.rsp -x cuda --offload-arch=sm_90 -O2 -MD -MF d -c ../src/fine.cu -o fine.o"),
            ("../src/c.cl", "clang -cl-std=CL1.2 -c ../src/c.cl"),
            ("../src/main.cpp", "g++ -c ../src/main.cpp"),
        ]);
        project
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    }

    /// `build/compile_commands.json` with these files and commands.
    fn database(&self, commands: &[(&str, &str)]) {
        let directory = self.root.join("build");
        let entries: Vec<_> = commands
            .iter()
            .map(|(file, command)| serde_json::json!({ "directory": directory, "file": file, "command": command }))
            .collect();
        self.file("build/compile_commands.json", &serde_json::Value::from(entries).to_string());
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
        command.args(arguments).current_dir(&self.root).env_remove("RUST_BACKTRACE");
        command
    }

    fn heddle(&self, arguments: &[&str]) -> Ran {
        let done = self.command(arguments).output().expect("the binary starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        Ran {
            code: done.status.code().unwrap_or(-1),
            out: text(done.stdout),
            err: text(done.stderr),
        }
    }
}

const TABLE: &str = "\
file              kernels  proved  refuted  unknown
include/scan.cuh        1       4        0        0
src/c.cl                1       4        0        0
src/fine.cu             1       4        0        0
src/race.cu             1       2        2        0
total                   4      14        2        0
3 device units checked; skipped: 1 unit of host code
";

#[test]
fn a_project_of_cmake_and_ninja_is_checked_by_its_database() {
    let project = Project::with_sources("cmake");
    project.file(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)
project(example CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_library(kernels OBJECT src/race.cu src/fine.cu src/c.cl)
set_source_files_properties(src/race.cu src/fine.cu PROPERTIES LANGUAGE CXX
  COMPILE_OPTIONS \"-x;cuda;--cuda-gpu-arch=sm_80;-nocudainc;-nocudalib\")
set_source_files_properties(src/c.cl PROPERTIES LANGUAGE CXX COMPILE_OPTIONS \"-x;cl\")
target_include_directories(kernels PRIVATE include)
target_compile_definitions(kernels PRIVATE SCALE=3)
add_executable(main src/main.cpp)
",
    );
    let done = Command::new("cmake")
        .args(["-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-22"])
        .current_dir(&project.root)
        .output()
        .expect("cmake and ninja are installed (`make test-deps`)");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let ran = project.heddle(&["check", "-p", "build"]);
    assert!(ran.out.ends_with(TABLE), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("error[HD0101]: ") && ran.out.contains("--> src/race.cu:4:"),
        "{}",
        ran.out
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(project.heddle(&["check", "-p", "build"]), ran, "two runs print the same bytes");
    let file = project.heddle(&["check", "-p", "build/compile_commands.json", "-j", "1"]);
    assert_eq!(file, ran, "the file instead of its folder, and one job");
}

#[test]
fn commands_of_nvcc_clang_and_gcc_are_understood() {
    let project = Project::with_database("nvcc");
    let ran = project.heddle(&["check", "-p", "build"]);
    assert!(ran.out.ends_with(TABLE), "{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 1);
    let units = project.heddle(&["units", "-p", "build"]);
    assert_eq!((units.code, units.err.as_str()), (0, ""));
    let build = project.root.join("build");
    let race = format!(
        "src/race.cu (CUDA, sm_80)\n  in        {}\n  clang     -D SCALE=2 -I ../include -std=c++17\n  \
         left out  -O 3: no optimiser runs before the check\n  \
         left out  -fPIC: for the host compiler\n  \
         left out  -c: the output is Heddle's own\n  \
         left out  -o race.o: the output is Heddle's own\n  \
         left out  -Wall: nvcc hands it to the host compiler\n",
        build.display()
    );
    assert!(units.out.ends_with(&race), "{}\n{race}", units.out);
    assert!(units.out.starts_with("src/c.cl (OpenCL, spirv64)\n"), "{}", units.out);
    assert!(units.out.contains("\nsrc/fine.cu (CUDA, sm_90)\n"), "{}", units.out);
}

#[test]
fn architectures_are_chosen() {
    let project = Project::with_database("archs");
    let heads = |arguments: &[&str]| {
        let ran = project.heddle(&[&["units", "-p", "build", "src/race.cu"], arguments].concat());
        let heads = ran.out.lines().filter(|line| !line.starts_with(' '));
        heads.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(heads(&[]), ["src/race.cu (CUDA, sm_80)"]);
    assert_eq!(heads(&["--each-arch"]), ["src/race.cu (CUDA, sm_70)", "src/race.cu (CUDA, sm_80)"]);
    assert_eq!(heads(&["--arch", "sm_89"]), ["src/race.cu (CUDA, sm_89)"]);
    let each = project.heddle(&["check", "-p", "build", "--each-arch"]);
    assert!(
        each.out.ends_with("4 device units checked; skipped: 1 unit of host code\n"),
        "{}",
        each.out
    );
}

#[test]
fn files_beside_the_database_choose_units() {
    let project = Project::with_database("files");
    let ran = project.heddle(&["check", "-p", "build", "src/fine.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.ends_with("1 device unit checked\n"), "{}", ran.out);
    let ran = project.heddle(&["check", "-p", "build", "src/none.cu"]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("src/none.cu: the compilation database build/compile_commands.json has no command for this file"), "{}", ran.out);
}

#[test]
fn what_is_wrong_with_a_database_is_said_with_its_line() {
    let project = Project::new("wrong");
    for (name, text, part) in [
        ("absent.json", None, "absent.json: there is no such compilation database"),
        (
            "broken.json",
            Some("[\n  {\"directory\": \"/\",\n"),
            "broken.json:3:0: not a compilation database: EOF",
        ),
        (
            "typed.json",
            Some("[\n\n {\"directory\": 3}]"),
            "typed.json:3:16: not a compilation database: invalid type",
        ),
        (
            "lacks.json",
            Some("[{\"directory\": \".\", \"file\": \"k.cu\"}]"),
            "lacks.json: command 1: there is neither `command` nor `arguments`",
        ),
        (
            "quote.json",
            Some("[{\"directory\": \".\", \"file\": \"k.cu\", \"command\": \"cc 'k.cu\"}]"),
            "quote.json: command 1: a quote is not closed",
        ),
    ] {
        if let Some(text) = text {
            project.file(name, text);
        }
        let ran = project.heddle(&["check", "-p", name]);
        assert!(ran.out.contains(&format!("error[HD0901]: {part}")), "{name}: {}", ran.out);
        assert!(ran.out.contains("= help: "), "{name}: {}", ran.out);
        assert_eq!(ran.code, 2, "{name}");
    }
    assert_eq!(project.heddle(&["check"]).code, 2);
}

#[test]
fn a_unit_that_cannot_be_read_stops_no_other() {
    let project = Project::with_database("units");
    project.file("src/bad.cu", "__global__ void k(int *p) { *p = missing; }\n");
    project.database(&[
        ("../src/fine.cu", "clang++ -I../include -c ../src/fine.cu"),
        ("../src/bad.cu", "clang++ -c ../src/bad.cu"),
        ("../src/gone.cu", "nvcc -c ../src/gone.cu"),
        ("../src/race.cu", "nvcc --such-an-option -c ../src/race.cu"),
        ("../src/race.cu", "nvcc --options-file none.rsp -c ../src/race.cu"),
    ]);
    let ran = project.heddle(&["check", "-p", "build", "--format", "short"]);
    for part in [
        "src/bad.cu: clang finds an error in this file",
        "src/gone.cu: there is no such file",
        "src/race.cu: the command that compiles this cannot be read: nvcc's option `--such-an-option` is not known here",
        "none.rsp` is not there; configure or build the project first",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert_eq!(ran.code, 2);
    let human = project.heddle(&["check", "-p", "build"]);
    assert!(human.out.contains("\nsrc/fine.cu "), "{}", human.out);
    assert!(human.out.contains("use of undeclared identifier 'missing'"), "{}", human.out);
}
