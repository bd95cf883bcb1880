//! What is emitted means what the test means: LLVM's optimiser and verifier, compilers, and a run.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use heddle_progress::axb::{Axb, Test, parse};
use heddle_progress::blocks::{BlockProgram, Blocks};
use heddle_progress::emit::{Language, Layout, Target, emit, kernel_name, llvm_module};
use heddle_progress::oracle::Oracle;
use heddle_progress::synth::{Constraints, Found, Request, Shard, Verdicts, synthesise};
use heddle_progress::system::{Program, explore};

use crate::llvm_text;

/// A program of the machine, if it is there; else says that the test is skipped.
fn tool(names: &[&'static str]) -> Option<&'static str> {
    let found = names.iter().copied().find(|name| {
        let mut probe = Command::new(name);
        probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    });
    if found.is_none() {
        println!("skipped: no {}", names.join(" or "));
    }
    found
}

/// Runs a tool on a text given at its standard input; gives its output, or panics with its errors.
fn pipe(command: &mut Command, text: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the tool ends");
    writer.join().expect("the writer ends").expect("the tool reads its input");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn optimised(module: &str) -> String {
    pipe(Command::new("opt-22").args(["-O3", "-S", "-o", "-", "-"]), module)
}

fn tests_of(threads: usize, instructions: usize, shard: Option<Shard>) -> Vec<Test> {
    let request = Request {
        threads,
        instructions,
        constraints: Constraints::Paper,
        rename_threads: false,
        irredundant: false,
        shard,
        workers: 1,
    };
    let mut tests = Vec::new();
    let mut each = |found: &Found| {
        tests.push(found.candidate.test());
        ControlFlow::Continue(())
    };
    synthesise(&request, &mut each, &mut |_| {}).expect("a supported size");
    tests
}

fn verdicts<P: Program>(program: &P) -> Verdicts {
    let explored = explore(program, 100_000).expect("small");
    Verdicts::of(&mut Oracle::of(&explored.system))
}

fn verdicts_of_blocks(program: &BlockProgram) -> Verdicts {
    verdicts(&Blocks::new(program).expect("well-formed"))
}

/// Emits, optimises, reads back, and compares verdicts. Gives how many tests were compared.
fn round_trip(tests: &[Test], target: Target) -> usize {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let share = tests.len().div_ceil(workers).max(1);
    std::thread::scope(|scope| {
        for tests in tests.chunks(share) {
            scope.spawn(move || compare(tests, target));
        }
    });
    tests.len()
}

fn compare(tests: &[Test], target: Target) {
    let references: Vec<&Test> = tests.iter().collect();
    let module = optimised(&llvm_module(&references, target, Layout::Plain));
    let functions = llvm_text::functions(&module);
    for test in tests {
        let function = &functions[kernel_name(test).as_str()];
        let ids: Vec<u32> = (0..test.threads.len() as u32).collect();
        let program = llvm_text::block_program(function, &ids, test.locations.len());
        assert_eq!(verdicts_of_blocks(&program), verdicts(&Axb::new(test)), "{target:?}\n{test}");
    }
}

#[test]
fn optimised_llvm_means_the_same() {
    let Some(_) = tool(&["opt-22"]) else { return };
    let mut compared = 0;
    for (threads, instructions) in [(2, 2), (2, 3), (2, 4), (3, 3)] {
        compared += round_trip(&tests_of(threads, instructions, None), Target::Nvptx);
    }
    assert_eq!(compared, 8 + 176 + 6946 + 60);
    // A sample of the rest, and of the other targets.
    let sample = |count| Some(Shard { index: 1, count });
    compared = round_trip(&tests_of(3, 4, sample(7)), Target::Nvptx);
    compared += round_trip(&tests_of(2, 5, sample(2111)), Target::Nvptx);
    for target in [Target::Amdgcn, Target::Spirv] {
        compared += round_trip(&tests_of(2, 3, None), target);
        compared += round_trip(&tests_of(3, 3, None), target);
        compared += round_trip(&tests_of(2, 4, sample(40)), target);
    }
    println!("{compared} more tests compared");
    assert!(compared > 1000, "{compared}");
}

#[test]
fn layouts_give_each_instance_its_own_memory() {
    let Some(_) = tool(&["opt-22"]) else { return };
    let tests = tests_of(3, 4, Some(Shard { index: 3, count: 97 }));
    assert!(tests.len() > 10);
    let references: Vec<&Test> = tests.iter().collect();
    for (layout, blocks_of) in [
        (Layout::RoundRobin { instances: 5 }, [6, 7, 8]),
        (Layout::Chunked { instances: 5 }, [2, 7, 12]),
    ] {
        let module = optimised(&llvm_module(&references, Target::Nvptx, layout));
        let functions = llvm_text::functions(&module);
        for test in &tests {
            // Instance 2 of 5: its blocks behave as the test, on the words that are its own.
            let function = &functions[kernel_name(test).as_str()];
            let locations = test.locations.len();
            let program = llvm_text::block_program(function, &blocks_of, 5 * locations);
            assert_eq!(verdicts_of_blocks(&program), verdicts(&Axb::new(test)), "{test}");
            let blocks = Blocks::new(&program).expect("well-formed");
            let own: Vec<String> =
                (0..locations).map(|at| format!("memory[{}]", 2 * locations + at)).collect();
            let explored = explore(&blocks, 100_000).expect("small");
            for (state, number) in explored.states.iter().zip(0..) {
                for thread in explored.system.live(number).iter() {
                    let touched = blocks.action(state, thread).location;
                    assert!(own.contains(&touched), "{touched}\n{test}");
                }
            }
        }
    }
}

#[test]
fn a_wrong_program_is_noticed() {
    let Some(_) = tool(&["opt-22"]) else { return };
    let test = parse("thread\n store x = 1\nthread\n L: load x, if 0 goto L\n").expect("a test");
    let module = emit(&test, Language::LlvmNvptx, Layout::Plain).expect("a layout");
    let wrong = module.replace("store atomic i32 1", "store atomic i32 0");
    assert_ne!(module, wrong);
    let wrong = optimised(&wrong);
    let functions = llvm_text::functions(&wrong);
    let program = llvm_text::block_program(&functions["progress_test"], &[0, 1], 1);
    assert_ne!(verdicts_of_blocks(&program), verdicts(&Axb::new(&test)));
}

const LAYOUTS: [Layout; 3] =
    [Layout::Plain, Layout::RoundRobin { instances: 4 }, Layout::Chunked { instances: 4 }];

/// The tests of `tests/progress`, which have values, names and sizes the enumeration has not.
fn own_tests() -> Vec<Test> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/progress");
    let entries = std::fs::read_dir(folder).expect("the folder of tests");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "axb"));
    let read =
        |file: &PathBuf| parse(&std::fs::read_to_string(file).expect("text")).expect("a test");
    files.iter().map(read).collect()
}

/// A file of its own for a tool that reads no standard input.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("heddle-progress-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a scratch folder");
        Self(folder)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a scratch file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that is left over does no harm.
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn llvm_accepts_the_modules_and_makes_code_of_them() {
    let (Some(_), Some(llc)) = (tool(&["llvm-as-22"]), tool(&["llc-22"])) else { return };
    let tests = own_tests();
    let references: Vec<&Test> = tests.iter().collect();
    for target in Target::EACH {
        for layout in LAYOUTS {
            let module = llvm_module(&references, target, layout);
            // The assembler runs the verifier.
            pipe(Command::new("llvm-as-22").args(["-o", "/dev/null", "-"]), &module);
            let code = pipe(Command::new(llc).args(["-O2", "-o", "-", "-"]), &module);
            assert!(code.contains(&kernel_name(&tests[0])), "{target:?}");
        }
    }
}

fn accepts(scratch: &Scratch, command: &mut Command, file: &str, text: &str) {
    let path = scratch.file(file, text);
    let output = command.arg(&path).output().expect("the tool starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{errors}\n{}\n{text}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn compilers_accept_cuda_and_opencl() {
    let Some(clang) = tool(&["clang-22", "clang"]) else { return };
    let scratch = Scratch::new("clang");
    // What the CUDA headers would declare, as far as a kernel needs it.
    let header = scratch.file(
        "cuda.h",
        "#define __global__ __attribute__((global))\n\
         struct Index { unsigned x, y, z; };\n\
         extern const __attribute__((device)) Index blockIdx;\n\
         __attribute__((device)) unsigned atomicAdd(unsigned *, unsigned);\n\
         __attribute__((device)) unsigned atomicExch(unsigned *, unsigned);\n",
    );
    for test in own_tests() {
        for layout in LAYOUTS {
            let cuda = emit(&test, Language::Cuda, layout).expect("a layout");
            let mut command = Command::new(clang);
            command.args(["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only"]);
            command.args([
                "--cuda-gpu-arch=sm_80",
                "-DHEDDLE_KERNEL_ONLY",
                "-fsyntax-only",
                "-Werror",
            ]);
            command.arg("-include").arg(&header);
            accepts(&scratch, &mut command, "test.cu", &cuda);
            let opencl = emit(&test, Language::OpenCl, layout).expect("a layout");
            let mut command = Command::new(clang);
            command.args(["-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header"]);
            command.args(["--target=spirv64-unknown-unknown", "-fsyntax-only", "-Werror"]);
            accepts(&scratch, &mut command, "test.cl", &opencl);
        }
    }
}

#[test]
fn shader_compilers_accept_wgsl() {
    let Some(naga) = tool(&["naga"]) else { return };
    let scratch = Scratch::new("shader");
    for test in own_tests() {
        for layout in LAYOUTS {
            let wgsl = emit(&test, Language::Wgsl, layout).expect("a layout");
            accepts(&scratch, &mut Command::new(naga), "test.wgsl", &wgsl);
        }
    }
}

/// What a GLSL shader needs to be C++.
const GLSL_AS_CPP: &str = "
#include <atomic>
#include <thread>
#include <vector>
typedef unsigned uint;
typedef volatile std::atomic<unsigned> Word;
static thread_local struct { uint x; } gl_WorkGroupID;
static uint atomicAdd(Word &at, uint value) { return at.fetch_add(value); }
static uint atomicExchange(Word &at, uint value) { return at.exchange(value); }
static void launch(uint blocks, void (*shader)()) {
  std::vector<std::thread> threads;
  for (uint block = 0; block < blocks; ++block)
    threads.emplace_back([=] { gl_WorkGroupID.x = block; shader(); });
  for (auto &thread : threads) thread.join();
}
";

#[test]
fn glsl_runs_as_cpp() {
    // No GLSL compiler is at hand that knows atomics; the body of a shader is C++ as well.
    let Some(compiler) = tool(&["clang++-22", "clang++", "g++"]) else { return };
    let (mut text, mut main) = (GLSL_AS_CPP.to_owned(), String::new());
    let tests = own_tests();
    for test in tests.iter().filter(|test| test.name != "locks_in_opposite_order") {
        let layout = Layout::RoundRobin { instances: 2 };
        let glsl = emit(test, Language::Glsl, layout).expect("a layout");
        let body = glsl[glsl.find("void main").expect("a main function")..].replace("main", "body");
        let (name, words) = (&test.name, 2 * test.locations.len());
        text += &format!("namespace {name} {{ static Word memory[{words}];\n{body}}}\n");
        main += &format!("  launch({}, {name}::body);\n", layout.blocks(test));
    }
    text += &format!("int main() {{\n{main}}}\n");
    let scratch = Scratch::new("glsl");
    let source = scratch.file("test.cpp", &text);
    let program = scratch.0.join("test");
    let mut command = Command::new(compiler);
    command.args(["-std=c++11", "-O1", "-pthread", "-o"]).arg(&program).arg(&source);
    let output = command.output().expect("the compiler starts");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    assert!(Command::new(&program).status().expect("the program starts").success());
}

#[test]
fn cpp_programs_compile_and_end() {
    let Some(compiler) = tool(&["clang++-22", "clang++", "g++"]) else { return };
    let scratch = Scratch::new("cpp");
    let own = own_tests();
    let named = |name: &str| own.iter().find(|test| test.name == name).expect("a test");
    let runs = [
        ("wait_for_higher", Layout::Plain, "pass\n"),
        ("spin_lock", Layout::RoundRobin { instances: 4 }, "pass\n"),
        ("chain", Layout::Chunked { instances: 4 }, "pass\n"),
        ("back_off", Layout::Plain, "pass\n"),
    ];
    for (name, layout, expected) in runs {
        let text = emit(named(name), Language::Cpp, layout).expect("a layout");
        let source = scratch.file("test.cpp", &text);
        let program = scratch.0.join("test");
        let mut command = Command::new(compiler);
        command.args(["-std=c++11", "-O2", "-Wall", "-Werror", "-pthread", "-o"]).arg(&program);
        let output = command.arg(&source).output().expect("the compiler starts");
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
        let run = Command::new(&program).output().expect("the program starts");
        assert_eq!(String::from_utf8_lossy(&run.stdout), expected, "{name}");
        assert!(run.status.success());
    }
}

#[test]
fn a_cpp_program_that_cannot_end_says_so() {
    let Some(compiler) = tool(&["clang++-22", "clang++", "g++"]) else { return };
    let scratch = Scratch::new("hang");
    let test = parse("thread\n L: load x, if 0 goto L\n").expect("a test");
    let text = emit(&test, Language::Cpp, Layout::Plain).expect("a layout");
    // The limit is ten seconds in the program; a test has no time for that.
    let text = text.replace("tick < 10000", "tick < 200");
    let source = scratch.file("test.cpp", &text);
    let program = scratch.0.join("test");
    let mut command = Command::new(compiler);
    command.args(["-std=c++11", "-O1", "-pthread", "-o"]).arg(&program).arg(&source);
    assert!(command.status().expect("the compiler starts").success());
    let run = Command::new(&program).output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "hang\n");
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn a_layout_without_instances_is_refused() {
    let test = parse("thread\n store x = 1\n").expect("a test");
    for language in Language::EACH {
        assert!(emit(&test, language, Layout::Chunked { instances: 0 }).is_err());
        assert!(emit(&test, language, Layout::Plain).is_ok());
    }
}
