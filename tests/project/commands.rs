//! Command lines as builds of real projects write them, each with what becomes of it: units, or
//! errors that name the way out.

use crate::Project;

/// A name for the row, its command (the file is `../src/k.cu`, or what is named), and a line that
/// `heddle units` prints.
const READ: &[(&str, &str, &str)] = &[
    (
        "as CMake writes it",
        "nvcc -forward-unknown-to-host-compiler -DN=1 --options-file in.rsp -O3 -std=c++17 --generate-code=arch=compute_80,code=[compute_80,sm_80] -Xcompiler=-fPIC -x cu -dc ../src/k.cu -o k.o",
        "clang     -D N=1 -I ../include -std=c++17 -fgpu-rdc -D__CUDACC_RDC__",
    ),
    (
        "separate compilation",
        "nvcc -dc -rdc=true ../src/k.cu",
        "clang     -fgpu-rdc -D__CUDACC_RDC__",
    ),
    (
        "two architectures",
        "nvcc -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_90a,code=sm_90a -c ../src/k.cu",
        "src/k.cu (CUDA, sm_90a)",
    ),
    ("PTX alone", "nvcc -arch=compute_75 -ptx ../src/k.cu", "src/k.cu (CUDA, sm_75)"),
    (
        "the host's compiler",
        "nvcc -ccbin /usr/bin/g++-12 -Xcompiler -fPIC,-Wall -Xcompiler=\"-O3 -march=native\" -c ../src/k.cu",
        "left out  -march=native: for the host compiler",
    ),
    (
        "MSVC's options",
        "nvcc.exe --use-local-env -Xcompiler \"/EHsc /W3 /MD\" -c ../src/k.cu",
        "left out  /MD: for the host compiler",
    ),
    ("a response file", "clang++ @in.rsp -x cuda -c ../src/k.cu", "clang     -I ../include"),
    (
        "blanks in quotes",
        "nvcc \"-I../an include\" '-DS=\"a b\"' -c \"../src/k.cu\"",
        "clang     -I '../an include' -D 'S=\"a b\"'",
    ),
    (
        "launchers",
        "/usr/bin/cmake -E env CUDA=1 /usr/bin/ccache /usr/local/cuda/bin/nvcc -DL -c ../src/k.cu",
        "clang     -D L",
    ),
    ("a line for the shell", "cd ../src && nvcc -DL -c k.cu -o k.o && :", "clang     -D L"),
    (
        "Kokkos",
        "nvcc_wrapper -DL -Wall -fPIC -arch=sm_70 -c ../src/k.cpp",
        "src/k.cpp (CUDA, sm_70)",
    ),
    ("CUDA in a C++ file", "nvcc -x cu -DL -c ../src/k.cpp", "clang     -D L"),
    (
        "a plugin of clang's",
        "clang++ -x cuda -Xclang -load -Xclang p.so -DL -c ../src/k.cu",
        "left out  -Xclang -load p.so: a project may not give clang this option; if you trust it, give it on the command line after `--`",
    ),
];

/// A command, and the error or the count that it becomes.
const NOT_READ: &[(&str, &str, &str)] = &[
    (
        "an option of no nvcc",
        "nvcc --frobnicate -c ../src/k.cu",
        "nvcc's option `--frobnicate` is not known here",
    ),
    (
        "a response file that lacks",
        "nvcc --options-file gone.rsp -c ../src/k.cu",
        "gone.rsp` is not there; configure or build the project first",
    ),
    ("an open quote", "nvcc \"-I../include -c ../src/k.cu", "command 1: a quote is not closed"),
    ("nothing", "", "command 1: the command is empty"),
    ("NVIDIA's other compiler", "nvc++ -cuda -c ../src/k.cu", "the NVIDIA HPC compilers"),
    (
        "a folder that lacks",
        "cd ../gone && nvcc -c k.cu",
        "gone` is not there; configure the project first",
    ),
    ("HIP", "hipcc -c ../src/k.cu", "skipped: 1 unit of HIP, which is not read"),
    ("a link", "nvcc ../src/k.o -o k", "skipped: 1 unit of host code"),
    (
        "a header that lacks",
        "nvcc -include gone.h -c ../src/k.cu",
        "build what makes the missing header, or add its folder",
    ),
    (
        "an architecture of no clang",
        "nvcc -arch=sm_999 -c ../src/k.cu",
        "choose another architecture with `--arch`",
    ),
    ("a file that lacks", "nvcc -c ../src/generated.cu", "src/generated.cu: there is no such file"),
];

fn project(name: &str) -> Project {
    let project = Project::new(name);
    project.file("build/in.rsp", "-I\"../include\"\n");
    for file in ["k.cu", "k.cpp"] {
        let text = "__global__ void k(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
        project.file(&format!("src/{file}"), text);
    }
    project
}

/// The file that a command compiles.
fn compiled(command: &str) -> &'static str {
    ["../src/k.cpp", "../src/k.o", "../src/generated.cu"]
        .into_iter()
        .find(|file| command.contains(file))
        .unwrap_or("../src/k.cu")
}

#[test]
fn commands_of_real_builds_become_units() {
    let project = project("commands");
    for (row, command, line) in READ {
        project.database(&[(compiled(command), command)]);
        let ran = project.heddle(&["units", "-p", "build"]);
        let lines: Vec<_> = ran.out.lines().map(str::trim_start).collect();
        assert!(ran.code == 0 && lines.contains(line), "{row}: {}{}", ran.out, ran.err);
        let ran = project.heddle(&["check", "-p", "build"]);
        assert_eq!(ran.code, 0, "{row}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn commands_that_cannot_be_read_name_the_way_out() {
    let project = project("refused");
    for (row, command, part) in NOT_READ {
        project.database(&[(compiled(command), command)]);
        let ran = project.heddle(&["check", "-p", "build"]);
        assert!(ran.code == 2 && ran.out.contains(part), "{row}: {}{}", ran.out, ran.err);
        let told = ran.out.contains("= help: ") || ran.out.contains("; skipped: ");
        assert!(told, "{row}: {}", ran.out);
        // Beside it stands one that can be read.
        project
            .database(&[(compiled(command), command), ("../src/k.cu", "nvcc -DX -c ../src/k.cu")]);
        let ran = project.heddle(&["check", "-p", "build"]);
        assert!(
            ran.out.contains("\nsrc/k.cu ") || ran.out.starts_with("file"),
            "{row}: {}",
            ran.out
        );
    }
}

#[test]
fn one_file_in_two_configurations_is_two_units() {
    let project = project("twice");
    let text = "__global__ void k(int *p) {\n#ifdef BAD\n  p[0] = threadIdx.x;\n#endif\n}\n__global__ void same(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
    project.file("src/k.cu", text);
    let (plain, bad) = ("nvcc -c ../src/k.cu -o a.o", "nvcc -DBAD -c ../src/k.cu -o b.o");
    project.database(&[("../src/k.cu", plain), ("../src/k.cu", bad)]);
    let both = project.heddle(&["check", "-p", "build"]);
    assert!(both.code == 1 && both.out.ends_with("2 device units checked\n"), "{}", both.out);
    assert_eq!(both.out.matches("error[HD0101]").count(), 1, "{}", both.out);
    // What differs in the output's name alone is one.
    project.database(&[("../src/k.cu", plain), ("../src/k.cu", "nvcc -O3 -c ../src/k.cu -o c.o")]);
    let one = project.heddle(&["check", "-p", "build"]);
    assert!(one.code == 0 && one.out.ends_with("1 device unit checked\n"), "{}", one.out);
}

#[test]
fn a_configuration_that_does_nothing_for_a_project_is_told() {
    let project = project("idle");
    project.database(&[
        ("../src/k.cu", "nvcc -c ../src/k.cu"),
        ("../src/k.cpp", "nvcc -x cu -DL -c ../src/k.cpp"),
    ]);
    project.file(
        "heddle.toml",
        "include = [\"src\", \"gone\"]\nexclude = [\"src/*.cpp\", \"third_party/**\"]\n\n[launch]\nblock = 64\n\n\
         [[kernel]]\nname = \"k\"\ngrid = 2\n\n[[kernel]]\nname = \"nobody*\"\ngrid = 3\n",
    );
    let ran = project.heddle(&["check", "-p", "build"]);
    assert_eq!(
        ran.err,
        "warning: heddle.toml: `include`: there is no folder `gone`\n\
         warning: heddle.toml: `exclude`: `third_party/**` is no file of the project\n\
         1 file is left out by `exclude` of heddle.toml\n\
         warning: heddle.toml: [[kernel]]: `nobody*` is no kernel of the project\n"
    );
    assert_eq!(ran.code, 0, "{}", ran.out);
    // Of a part of the project nothing of the kind can be said.
    for part in [["src/k.cu"].as_slice(), &["--shard", "1/2"]] {
        let ran = project.heddle(&[&["check", "-p", "build"], part].concat());
        assert!(!ran.err.contains("of the project"), "{part:?}: {}", ran.err);
    }
    assert_eq!(project.heddle(&["check", "-p", "build", "--quiet"]).err, "");
}
