//! The binary as a user meets it: exit codes, formats, bad input, several files, standard input,
//! arguments for clang.

#[path = "harness/binary.rs"]
mod binary;

use std::process::Command;

use self::binary::{Ran, file, heddle, heddle_with};

const PROVED: &str = "tests/kernels/exchange/proved_neighbour_after_barrier.cu";
const REFUTED: &str = "tests/kernels/exchange/refuted_neighbour_before_barrier.cu";
const UNKNOWN: &str = "tests/kernels/llvm/unknown_indirect_call.ll";
const LAUNCH: [&str; 4] = ["--grid", "1", "--block", "64"];

/// `check` of these files under the launch that they are written for.
fn check(arguments: &[&str]) -> Ran {
    let all: Vec<_> = ["check"].iter().chain(arguments).chain(&LAUNCH).copied().collect();
    heddle(&all)
}

#[test]
fn the_exit_code_says_how_it_went() {
    for (arguments, code) in [
        ([PROVED].as_slice(), 0),
        (&[REFUTED], 1),
        (&[UNKNOWN], 3),
        (&[PROVED, REFUTED], 1),
        (&[REFUTED, UNKNOWN], 1),
        (&[PROVED, UNKNOWN], 3),
        (&[REFUTED, "no/such/file.cu"], 2),
    ] {
        let ran = check(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_template_that_nothing_instantiates_is_no_proof() {
    let source = "__global__ void empty() {}\n\
                  template <class T> __global__ void k(T *p) { p[threadIdx.x] = 1; }\n";
    let file = file("never_instantiated.cu", source);
    let ran = check(&[&file]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    let said = "the kernel `k` is not checked: nothing in this file instantiates it";
    assert!(ran.out.contains(said), "{}", ran.out);
    assert_eq!(check(&[&file, "--allow-missing"]).code, 0);
    assert_eq!(check(&[&file, "--kernel", "empty"]).code, 0, "it was not asked for");
}

#[test]
fn one_line_per_finding_shows_what_clang_says() {
    let file = file("no_name.cu", "__global__ void k(int *p) { *p = nowhere; }\n");
    let ran = check(&[&file, "--format", "short"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.out.contains(":1:34: error: use of undeclared identifier 'nowhere'"),
        "{}",
        ran.out
    );
}

#[test]
fn names_that_nvcc_brings_along_need_no_include() {
    let source = "__global__ void k(int *p, float *f, size_t n) {
          static_assert(INT_MAX == 2147483647 && sizeof(NAN) == 4 && sizeof(INFINITY) == 4 && sizeof(M_PI) == 8);
          static_assert(NAN != NAN && INFINITY > FLT_MAX && FLT_MAX > 3.4028e38f && DBL_MAX > 1.79e308);
          static_assert(M_PI > 3.14159265358979 && M_PI < 3.14159265358980 && FLT_EPSILON == 0x1p-23f);
          static_assert(M_E > 2.718 && M_SQRT2 > 1.414 && M_PI_2 * 2 == M_PI && M_LN2 < 0.6932 && M_2_SQRTPI > 1.128);
          static_assert(INT8_MIN == -128 && UINT16_MAX == 65535 && INT32_MAX == 2147483647 && INT32_MIN == -INT32_MAX - 1);
          static_assert(UINT32_MAX == 0xffffffffu && INT64_MAX == LLONG_MAX && INT64_MIN == LLONG_MIN);
          static_assert(UINT64_MAX == ULLONG_MAX && SIZE_MAX == ~(size_t)0 && INTMAX_MAX == (intmax_t)PTRDIFF_MAX);
          static_assert(sizeof(INT64_MIN) == 8 && sizeof(UINT32_MAX) == 4 && UINTPTR_MAX == UINTMAX_MAX);
          static_assert(FLT_DIG == 6 && DBL_DIG == 15 && FLT_MANT_DIG == 24 && DBL_MAX_EXP == 1024 && FLT_RADIX == 2);
          static_assert(FLT_MIN_10_EXP == -37 && FLT_TRUE_MIN == 0x1p-149f && CHAR_MIN == SCHAR_MIN && CHAR_MAX == 127);
          p[threadIdx.x] = INT_MAX - (int)UINT_MAX + SHRT_MIN; f[threadIdx.x] = INFINITY + NAN + FLT_MAX + M_PI; }
        int main() { return (int)strlen(\"x\") + printf(\"%d\", INT_MIN); }\n";
    let bare = file("bare_names.cu", source);
    assert_eq!(check(&[&bare]).code, 0);
    let headers = "#include <limits>\n#include <climits>\n#include <cfloat>\n#include <cmath>\n#include <cstring>\n\
                   #include <cstdint>\n#include <stdint.h>\n#include <cstdio>\n";
    let included = file("included_names.cu", format!("{headers}{source}"));
    let clang = ["--", "-Wall", "-Werror=macro-redefined"];
    let arguments: Vec<&str> =
        ["check", &included].into_iter().chain(LAUNCH).chain(clang).collect();
    let ran = heddle(&arguments);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn findings_of_good_files_are_shown_beside_bad_input() {
    let ran = check(&[REFUTED, "no/such/file.cu"]);
    assert!(
        ran.out.contains("error[HD0901]: no/such/file.cu: there is no such file"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("error[HD0101]"), "{}", ran.out);
}

#[test]
fn the_formats_tell_the_same() {
    let human = check(&[REFUTED]).out;
    assert!(human.contains("error[HD0101]: ") && human.contains("1 kernel: "), "{human}");
    let short = check(&[REFUTED, "--format", "short"]).out;
    assert!(
        short.starts_with(&format!("{REFUTED}:")) && short.contains(": error[HD0101]: "),
        "{short}"
    );
    assert_eq!(short.lines().count(), human.matches("[HD0").count(), "a line each: {short}");
    let json = check(&[REFUTED, "--format", "json"]).out;
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(document["exit_code"], 1);
    assert_eq!(document["kernels"][0]["findings"][0]["code"], "HD0101");
    let quiet = check(&[REFUTED, "--quiet"]).out;
    assert!(quiet.contains("error[HD0101]") && !quiet.contains("1 kernel: "), "{quiet}");
}

#[test]
fn colours_are_there_when_asked_for() {
    let escape = '\u{1b}';
    assert!(!check(&[REFUTED]).out.contains(escape), "a pipe is no terminal");
    assert!(check(&[REFUTED, "--color", "always"]).out.contains(escape));
    assert!(!check(&[REFUTED, "--color", "never"]).out.contains(escape));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let files = [REFUTED, PROVED, UNKNOWN, "tests/demo/neighbour.cu"];
    let run = |jobs: &str, files: &[&str]| check(&[files, &["--jobs", jobs]].concat());
    let first = run("1", &files);
    assert!(first.out.contains("4 kernels: "), "{}", first.out);
    assert_eq!(run("1", &files), first);
    assert_eq!(run("2", &files), first);
    let reversed: Vec<_> = files.iter().rev().copied().collect();
    assert_eq!(run("2", &reversed).out, first.out, "the order of files changes nothing");
    assert_eq!(
        run("2", &[&files[..], &files[..1]].concat()).out,
        first.out,
        "a file is checked once"
    );
}

#[test]
fn bad_input_has_one_message_and_a_way_out() {
    let host = "target triple = \"x86_64-pc-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n";
    let other = "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f() {\n  ret void\n}\n";
    let kernelless = "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @f() {\n  ret void\n}\n";
    for (name, bytes, message) in [
        ("empty.cu", b"".as_slice(), "no kernel"),
        ("prose.ll", b"This is not IR at all.\n", "this is not LLVM IR"),
        ("cut.bc", b"BC\xC0\xDE\x35\x14\x00\x00", "damaged or cut short"),
        ("host.ll", host.as_bytes(), "is for the CPU"),
        ("other.ll", other.as_bytes(), "amdgcn"),
        ("kernelless.ll", kernelless.as_bytes(), "no kernel"),
        ("broken.cu", b"__global__ void k() { int x = ; }\n", "clang"),
        ("broken.cl", b"__kernel void k() { int x = ; }\n", "clang"),
        ("unknown.txt", b"hello\n", "which language"),
    ] {
        let ran = heddle(&["check", &file(name, bytes)]);
        assert_eq!(ran.code, 2, "{name}: {}{}", ran.out, ran.err);
        assert!(
            ran.out.contains("error[HD0901]: ") && ran.out.contains(message),
            "{name}: {}",
            ran.out
        );
        assert!(ran.out.contains("help: "), "{name}: no way out in {}", ran.out);
        assert_eq!(ran.out.matches("error[HD").count(), 1, "{name}: one message, not {}", ran.out);
    }
    let folder = heddle(&["check", "tests"]);
    assert!(folder.code == 2 && folder.out.contains("help: "), "{folder:?}");
}

#[test]
fn a_kernel_without_a_name_is_checked() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @0(ptr %p) {\n  store i32 0, ptr %p\n  ret void\n}\n";
    let ran = check(&[&file("unnamed.ll", text)]);
    assert!(ran.code == 0 && ran.out.contains("HD0103"), "{ran:?}");
}

#[test]
fn clang_errors_are_shown_as_clang_says_them() {
    let ran =
        heddle(&["check", &file("undeclared.cu", "__global__ void k() { undeclared = 1; }\n")]);
    assert!(
        ran.code == 2 && ran.out.contains("use of undeclared identifier 'undeclared'"),
        "{ran:?}"
    );
}

#[test]
fn options_that_fit_no_kernel_are_bad_input() {
    for (arguments, parts) in [
        (["--arg", "k=1"].as_slice(), ["no parameter of this name", "`out`"].as_slice()),
        (&["--arg", "out=1"], &["is a pointer"]),
        (&["--assume", "1 +"], &["column 4", "^ here"]),
        (&["--assume", "rows > 0"], &["no parameter `rows`"]),
        (&["--kernel", "other"], &["no kernel has this name", "the kernels are"]),
    ] {
        let ran = check(&[&[PROVED], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.out, ran.err);
        for part in parts {
            assert!(ran.out.contains(part), "{arguments:?}: {part} is not in {}", ran.out);
        }
    }
    let bounded = file(
        "bounded.cu",
        "__global__ void __launch_bounds__(128) k(int *out) { out[threadIdx.x] = 1; }\n",
    );
    let ran = heddle(&["check", &bounded, "--block", "256"]);
    assert!(ran.code == 2 && ran.out.contains("at most 128"), "{ran:?}");
}

#[test]
fn a_wrong_command_line_says_what_would_be_right() {
    for (arguments, part) in [
        (["check"].as_slice(), "<FILE|--project <PATH>>"),
        (&["check", PROVED, "--block", "0"], "at least 1"),
        (&["check", PROVED, "--block", "any,16"], "--assume"),
        (&["check", PROVED, "--arg", "n"], "name=value"),
        (&["check", PROVED, "--passes", "rares"], "the passes are"),
        (&["check", PROVED, "--budget", "0"], "above 0"),
        (&["check", PROVED, "--max-time", "0"], "seconds above 0"),
        (&["check", PROVED, "--warp-size", "33"], "1, 2, 4"),
        (&["check", PROVED, "--jobs", "0"], "--jobs"),
        (&["chek"], "check"),
        (&["explain", "HD9999"], "intra-block-race"),
    ] {
        let ran = heddle(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {part} is not in {}", ran.err);
        assert!(ran.out.is_empty(), "{arguments:?}: an error goes to standard error: {}", ran.out);
    }
}

#[test]
fn a_limit_of_time_leaves_questions_open() {
    let ran = check(&[PROVED, "--max-time", "0.000001"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the time allowed for one kernel is over"), "{}", ran.out);
    assert_eq!(check(&[PROVED, "--max-time", "600"]).code, 0);
}

#[test]
fn a_profile_names_the_questions_that_took_longest() {
    let (plain, ran) = (check(&[PROVED]), check(&[PROVED, "--profile"]));
    assert_eq!(plain.out, ran.out, "who measures changes no answer");
    let at = format!("races at {PROVED}:");
    assert!(ran.err.contains(" ms  k: ") && ran.err.contains(&at), "{}", ran.err);
    assert!((1..=10).contains(&ran.err.lines().count()), "{}", ran.err);
}

#[test]
fn the_environment_asks_for_a_log_that_changes_no_answer() {
    let logged = |level: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
        command.args(["check", PROVED]).args(LAUNCH).env("HEDDLE_LOG", level);
        let ran = command.output().expect("the binary was built");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    };
    let (code, plain, nothing) = logged("off");
    assert_eq!((code, nothing.as_str()), (Some(0), ""));
    let (code, out, log) = logged("debug");
    assert_eq!((code, &out), (Some(0), &plain));
    for part in [&format!("read{{source=\"{PROVED}\"}}"), "name=\"intra-block-race\"", "question{"]
    {
        assert!(log.lines().any(|it| it.contains(part) && it.contains("time.busy=")), "{log}");
    }
    let (code, _, refused) = logged("loud");
    assert_eq!(code, Some(2));
    assert!(refused.contains("HEDDLE_LOG is `off`, `info`, `debug` or `trace`"), "{refused}");
}

#[test]
fn what_nvcc_reads_and_clang_does_not_is_named() {
    let source =
        "__global__ void k(int *p) { p[threadIdx.x] = 1; }\nint main() { k << <1, 64 >> > (0); }\n";
    let kernel = file("spelt.cu", source);
    let ran = heddle(&["check", &kernel]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("spelt.cu:2: warning: read as nvcc does"), "{}", ran.err);
    assert!(ran.out.contains("grid=1 block=64"), "{}", ran.out);
    // With an error in what the device runs the file is shown as it stands.
    let other = "__device__ int other() { return nowhere; }";
    let kernel = file("wrong.cu", format!("{source}{other}\n"));
    let ran = heddle(&["check", &kernel]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("wrong.cu:2:") && ran.out.contains("nowhere"), "{}", ran.out);
    let from_input = heddle_with(&["check", "-"], source.as_bytes());
    assert_eq!(from_input.code, 0, "{}{}", from_input.out, from_input.err);
}

#[test]
fn what_no_edition_of_opencl_takes_is_shown_alone() {
    let private = "void add(uchar *to, const uchar data[4]) { to[0] ^= data[1]; }\n\
                   typedef struct { uchar of[4]; } All;\nvoid twice(All *a) { add(a->of, a->of); }\n";
    let kernel = "__kernel void k(__global uchar *out) {\n  All a;\n  a.of[0] = WIDTH;\n  \
                  twice(&a);\n  out[get_global_id(0)] = a.of[0];\n}\n";
    let kernel = file("private_and_macro.cl", format!("{private}{kernel}"));
    let ran = heddle(&["check", "--block", "64", &kernel]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("identifier 'WIDTH'"), "{}", ran.out);
    assert!(ran.out.contains("note: read as OpenCL C 1.2, in which"), "{}", ran.out);
    assert!(!ran.out.contains("changes address space"), "{}", ran.out);
    let ran = heddle(&["check", "--block", "64", &kernel, "--", "-DWIDTH=2"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn standard_input_is_a_file_called_stdin() {
    let text = std::fs::read(REFUTED).expect("the kernel");
    let ran = heddle_with(&["check", "-", "--grid", "1", "--block", "64"], &text);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("<stdin>:") && ran.out.contains("__shared__") | ran.out.contains("s["),
        "{}",
        ran.out
    );
    let ir = std::fs::read("tests/kernels/llvm/proved_neighbour.ll").expect("the kernel");
    assert_eq!(heddle_with(&["check", "-", "--grid", "1", "--block", "64"], &ir).code, 0);
    assert_eq!(heddle_with(&["check", "-"], b"").code, 2);
}

#[test]
fn arguments_behind_the_dashes_reach_clang() {
    let kernel = file(
        "defined.cu",
        "__global__ void k(int *out) {\n#ifdef RACE\n  out[0] = threadIdx.x;\n#else\n  if (threadIdx.x == 0) out[blockIdx.x] = 0;\n#endif\n}\n",
    );
    assert_eq!(check(&[&kernel]).code, 0);
    let all: Vec<_> =
        ["check", &kernel].into_iter().chain(LAUNCH).chain(["--", "-DRACE"]).collect();
    assert_eq!(heddle(&all).code, 1);
}

#[test]
fn kernels_are_chosen_by_name() {
    let kernels = file(
        "two.cu",
        "__global__ void good(int *out) { if (threadIdx.x == 0) out[blockIdx.x] = 0; }\n\
         __global__ void bad(int *out) { out[blockIdx.x] = threadIdx.x; }\n",
    );
    assert_eq!(check(&[&kernels]).code, 1);
    assert_eq!(check(&[&kernels, "--kernel", "good"]).code, 0);
    assert_eq!(check(&[&kernels, "--kernel", "b?d"]).code, 1);
    assert_eq!(check(&[&kernels, "--kernel", "good", "--kernel", "*"]).code, 1);
}

#[test]
fn assumptions_and_arguments_reach_the_check() {
    let kernel = file(
        "offset.cu",
        "__global__ void k(int *out, int n) { out[threadIdx.x] = 1; out[threadIdx.x + n] = 2; }\n",
    );
    assert_eq!(check(&[&kernel]).code, 1);
    let given = check(&[&kernel, "--arg", "n=64"]);
    assert!(given.code == 0 && given.out.contains("n = 64"), "{}", given.out);
    let assumed = check(&[&kernel, "--assume", "n >= 64 && n < 1000"]);
    assert!(assumed.code == 0 && assumed.out.contains("n >= 64"), "{}", assumed.out);
}

#[test]
fn selected_passes_alone_answer() {
    let ran = check(&[REFUTED, "--passes", "barrier-divergence"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("barrier-divergence") && !ran.out.contains("race"), "{}", ran.out);
}

#[test]
fn lift_prints_ir_that_parses_back() {
    let ran = heddle(&["lift", PROVED, REFUTED]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let kernels = heddle_ir::parse_kernels(&ran.out).expect("it parses");
    assert_eq!(kernels.len(), 2);
    let bad = heddle(&["lift", "no/such/file.cu"]);
    assert!(bad.code == 2 && bad.out.is_empty() && bad.err.contains("no such file"), "{bad:?}");
}

#[test]
fn help_passes_and_pages_are_printed() {
    for (arguments, part) in [
        (["--help"].as_slice(), "Exit codes"),
        (&["check", "--help"], "--assume"),
        (&["--version"], "heddle "),
        (&["passes"], "intra-block-race"),
        (&["explain"], "HD0101"),
        (&["explain", "HD0101"], "# HD0101: intra-block-race"),
        (&["explain", "barrier-divergence"], "# HD0201"),
    ] {
        let ran = heddle(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        assert!(ran.out.contains(part), "{arguments:?}: {}", ran.out);
    }
}

#[test]
fn progress_names_what_its_launch_takes_for_granted() {
    let granted = |file: &str| heddle(&["progress", file, "--blocks", "2", "--block", "1"]).out;
    let offset = granted("tests/kernels/progress/proved_offset_unsaid.cl");
    assert!(offset.contains("\n  the global offset is zero\n"), "{offset}");
    let apart = granted("tests/kernels/progress/proved_spin_lock.cu");
    assert!(apart.contains("\n  pointer arguments do not overlap\n"), "{apart}");
}

#[test]
fn litmus_tests_are_answered() {
    let test = "tests/progress/spin_lock.axb";
    let ran = heddle(&["progress", test]);
    assert!(ran.code == 0 && ran.out.contains("needs obe"), "{ran:?}");
    let drawn = heddle(&["progress", test, "--draw", "dot"]);
    assert!(drawn.out.starts_with("digraph"), "{drawn:?}");
    let kernel = "tests/kernels/progress/refuted_split_k.cu";
    let drawn = heddle(&["progress", kernel, "--blocks", "2", "--draw", "svg"]);
    let shown =
        std::fs::read_to_string("docs/progress.svg").expect("the picture of docs/progress.md");
    assert_eq!(drawn.out, shown, "`heddle progress {kernel} --blocks 2 --draw svg` draws it anew");
    let program = heddle(&["progress", test, "--emit", "cuda"]);
    assert!(program.out.contains("__global__"), "{program:?}");
    let memory = "tests/litmus/mp_fences.litmus";
    let ptx = heddle(&["litmus", "--ptx", memory]);
    assert!(ptx.code == 0 && ptx.out.contains(".visible .entry heddle_litmus("), "{ptx:?}");
    let two_devices = heddle(&["litmus", "--ptx", "tests/litmus/mp_other_device.litmus"]);
    assert!(
        two_devices.code == 2 && two_devices.err.contains("more than one device"),
        "{two_devices:?}"
    );
    let two = heddle(&["litmus", "--ptx", memory, memory]);
    assert!(two.code == 2 && two.err.contains("one test is written"), "{two:?}");
    let all = heddle(&["progress", "synth", "2", "2"]);
    assert!(all.code == 0 && !all.out.is_empty(), "{all:?}");
    for arguments in [
        &["progress", "no/such.axb"][..],
        &["progress", test, "--assume", "no-model"],
        &["progress"],
    ] {
        let ran = heddle(arguments);
        assert!(
            ran.code == 2 && ran.out.is_empty() && !ran.err.is_empty(),
            "{arguments:?}: {ran:?}"
        );
    }
}

/// `heddle <command> --help` on a terminal of 80 columns, or that of `heddle` itself.
fn help(command: &str) -> String {
    let arguments: &[&str] = if command.is_empty() { &["--help"] } else { &[command, "--help"] };
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(arguments)
        .env("COLUMNS", "80")
        .output()
        .expect("the binary starts");
    assert!(done.status.success(), "{command}");
    String::from_utf8(done.stdout).expect("output is UTF-8")
}

#[test]
fn examples_of_help_fit_a_terminal_and_name_options_that_are_there() {
    let mut examples = 0;
    for page in ["", "check", "run", "instrument", "merge"] {
        let text = help(page);
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "`heddle {page} --help`: wider than 80 columns");
        let (_, behind) = text.split_once("\nExamples:\n").expect("examples");
        for line in behind.lines().take_while(|line| !line.is_empty()) {
            examples += 1;
            let said = line.strip_prefix("  heddle ");
            let said = said.unwrap_or_else(|| panic!("`heddle {page} --help` wraps at: {line}"));
            let (own, _for_clang) = said.split_once(" -- ").unwrap_or((said, ""));
            let command = own.split_whitespace().next().expect("a command");
            let known = help(command);
            for option in own.split_whitespace().filter(|word| word.starts_with('-')) {
                let is_known = known
                    .lines()
                    .filter(|line| line.trim_start().starts_with('-'))
                    .flat_map(|line| line.split([' ', ',']))
                    .any(|word| word == option);
                assert!(is_known, "`heddle {page} --help`: {command} has no `{option}`");
            }
        }
    }
    assert!(examples >= 20, "{examples}");
}

#[test]
fn a_run_that_finds_nothing_says_what_it_looked_at() {
    let kernel = "__global__ void k(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = n; }\n";
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("quiet_{}.cu", std::process::id()));
    std::fs::write(&path, kernel).expect("the folder is cargo's for tests");
    let said = |more: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(["run", "--block", "64", "--buffer", "x=i32[64]"])
            .args(more)
            .arg(&path)
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let all = "nothing found: 1 block of 64 threads, 64 accesses checked\n";
    assert_eq!(said(&["--arg", "n=64"]), all);
    let none = "nothing found, but no access was checked: 1 block of 64 threads, 2 runs; `--arg` gives scalars values other than 0\n";
    assert_eq!(said(&["--arg", "n=0", "--seeds", "2"]), none);
    let unchecked = "ran without checks: 1 block of 64 threads\n";
    assert_eq!(said(&["--arg", "n=64", "--no-checks"]), unchecked);
    std::fs::remove_file(&path).expect("it is ours");
}
