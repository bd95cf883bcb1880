//! What the command line answers of launches that the host's part of a file has.

#[path = "harness/binary.rs"]
mod binary;

use self::binary::{file, heddle};

#[test]
fn launches_are_read_whatever_clang_is_told() {
    let source = "__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }\n\
                  int main() { k<<<1, 64>>>(0); }\n";
    let file = file("launched_by_all_means.cu", source);
    let letters = ('A'..='Z').map(|letter| format!("-D{letter}=7"));
    let others = ["-w", "-Wno-everything", "-O2"].map(str::to_owned);
    for argument in letters.chain(others) {
        let ran = heddle(&["check", &file, "--", &argument]);
        assert!(ran.out.contains("grid=1 block=64; launched as in its source"), "{}", ran.out);
        assert_eq!(ran.code, 0, "{argument}: {}{}", ran.out, ran.err);
    }
}

/// A kernel for blocks of 64, and the host that launches it with `threads`.
fn launched(threads: &str) -> String {
    format!(
        "__global__ void copy(int *out, const int *in) {{\n  int i = blockIdx.x * 64 + threadIdx.x;\n  out[i] = in[i] + threadIdx.x;\n}}\n\
         int main(int argc, char **argv) {{\n  int *p = 0;\n  int threads = 64;\n  {threads}\n  \
         copy<<<argc, threads>>>(p, p);\n}}\n"
    )
}

/// A kernel that writes rows of `n`, and needs `n` to be a block's.
const ROWS: &str = "__global__ void rows(int *out, int n) {\n  \
     if (threadIdx.x < n) out[blockIdx.x * n + threadIdx.x] = blockIdx.x;\n  else out[0] = 1;\n}\n";

#[test]
fn variables_that_a_header_names_may_be_set_elsewhere() {
    let header = file("named_in_header_sizes.h", "extern int size;\n");
    let main = "int size = 64;\nint main() { rows<<<8, 64>>>(0, size); }\n";
    let alone = file("named_nowhere.cu", format!("{ROWS}{main}"));
    let named = file("named_in_header.cu", format!("#include \"{header}\"\n{ROWS}{main}"));
    let ran = heddle(&["check", &alone]);
    assert!(ran.out.contains("`n == 64`") && ran.code == 0, "{}{}", ran.out, ran.err);
    let ran = heddle(&["check", &named]);
    assert!(!ran.out.contains("`n == 64`") && ran.code == 1, "{}{}", ran.out, ran.err);
}

#[test]
fn launches_are_read_in_code_of_several_files() {
    let main = "int main(int argc, char **argv) { rows<<<argc, 64>>>(0, 64); }\n";
    let local = format!("namespace {{\n{ROWS}}}\n{main}");
    let path = file("launched_in_several.cu", format!("{ROWS}{main}"));
    let path_of_local = file("launched_in_several_local.cu", local);
    for path in [&path, &path_of_local] {
        let ran = heddle(&["check", path, "--", "-fgpu-rdc"]);
        assert!(ran.out.contains("launched as at"), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("4 properties proved") && ran.code == 0, "{}", ran.out);
        assert!(!ran.out.contains("__intern__"), "{}", ran.out);
    }
    // A kernel that the device launches with one block, and one that is given away, where clang
    // adds the flag.
    let parent = "__global__ void parent(int *p) { rows<<<1, 64>>>(p, 64); }\n";
    let other = "void *kept[] = {(void *)other};\n";
    let of_other = ROWS.replace("rows", "other");
    let source = format!("{ROWS}{of_other}{parent}{other}{}", main.replace("rows", "other"));
    let path = file("launched_in_several_by_device.cu", source);
    let ran = heddle(&["check", &path]);
    assert!(ran.out.contains("5 refuted") && !ran.out.contains("launched as at"), "{}", ran.out);
    assert!(ran.out.contains("proved   grid=1 block=64; "), "{}", ran.out);
}

#[test]
fn a_source_that_is_not_utf_8_is_read_as_nvcc_does() {
    let source = format!("// gr\u{f6}\u{df}e\n{ROWS}#include \"latin1_name.h\"\n");
    let latin1 = |text: &str| text.chars().map(|it| it as u8).collect::<Vec<u8>>();
    let main = "int main(int argc, char **argv) { /* \u{fc}ber */ rows<< <argc, 64>> >(0, 64); }\n";
    let header = "// \u{e4}\nextern const dim3 blockDim;\n";
    let header = file("latin1_name.h", latin1(header));
    let path = file("latin1_name.cu", latin1(&format!("{source}{main}")));
    let ran = heddle(&["check", &path]);
    assert!(ran.out.contains("4 properties proved") && ran.code == 0, "{}{}", ran.out, ran.err);
    let said = "a declaration of what CUDA declares itself is left out";
    assert!(ran.err.contains(said) && ran.err.contains("latin1_name.h:2"), "{header} {}", ran.err);
    assert!(ran.err.contains("the brackets of a launch are put together"), "{}", ran.err);
}

#[test]
fn a_hosts_part_that_does_not_compile_is_said_not_to_be_read() {
    let path = file("device_only.cu", launched("\n#ifndef __CUDA_ARCH__\n  missing();\n#endif\n"));
    let ran = heddle(&["check", &path]);
    let said = "device_only.cu does not compile, so that none of its launches is read and kernels get any arguments: ";
    assert!(ran.err.contains(said) && ran.err.contains("'missing'"), "{}{}", ran.out, ran.err);
    let path = file("both_parts.cu", launched(""));
    let ran = heddle(&["check", &path]);
    assert!(!ran.err.contains("not read"), "{}", ran.err);
}

/// Two kernels, of which `by` launches one with a name that is nowhere declared, and `other` both.
fn beside_broken(by: &str, other: &str) -> String {
    format!(
        "__global__ void store(int *p) {{ p[threadIdx.x] = threadIdx.x; }}\n\
         __global__ void copy(int *p) {{ p[threadIdx.x] = threadIdx.x; }}\n\
         static int threads = 64;\n\
         #define STORE store\n\
         {by}\n{other}\n"
    )
}

#[test]
fn kernels_are_checked_beside_functions_that_do_not_compile() {
    let by = "void broken(int *p) { missing(); STORE<<<1, 64>>>(p); }";
    let other = "void whole(int *p) { store<<<1, 64>>>(p); copy<<<1, threads>>>(p); }";
    let path = file("beside_broken.cu", beside_broken(by, other));
    let ran = heddle(&["check", &path]);
    let said = "`broken` does not compile, so that it, its launches and kernels that only it instantiates are left out: ";
    let why = "beside_broken.cu:5:23: use of undeclared identifier 'missing'";
    assert!(ran.err.contains(&format!("warning: {said}")), "{}", ran.err);
    assert!(ran.err.contains(why), "{}", ran.err);
    // What `broken` launches, also by a macro, may be launched in any way; `copy` only by `whole`.
    let of = |kernel: &str| {
        let from = ran.out.find(&format!("kernel `{kernel}`")).expect("it is checked");
        ran.out[from..].lines().nth(4).expect("one property a line").to_owned()
    };
    assert!(of("store").contains("any launch"), "{}", ran.out);
    let of_whole = of("copy");
    assert!(of_whole.contains("grid=1 block=any; ") && of_whole.contains("as at "), "{of_whole}");
    // Nor does a template show all of its instances.
    let template = "template <int N> void run(int *p) { copy<<<1, N>>>(p); }\n";
    let by = format!("{template}void broken(int *p) {{ missing(); run<128>(p); }}");
    let path =
        file("beside_broken_template.cu", beside_broken(&by, "void whole(int *p) { run<64>(p); }"));
    let ran = heddle(&["check", &path]);
    assert!(!ran.out.contains("as in its source"), "{}{}", ran.out, ran.err);
    // Nor does what a template says outside of its functions.
    let template = "template <class T> struct Runs { void (*run)(T *) = copy; };\n";
    let by = format!("{template}void broken(int *p) {{ missing(); Runs<int>().run(p); }}");
    let path = file("beside_broken_member.cu", beside_broken(&by, other));
    let ran = heddle(&["check", &path]);
    assert!(ran.out.contains("any launch"), "{}{}", ran.out, ran.err);
    // Nor is a file that only the host's part includes.
    let by =
        "void broken() { missing(); }\n#ifndef __CUDA_ARCH__\n#include \"launches.inc\"\n#endif";
    file("launches.inc", "void more(int *p) { copy<<<1, 128>>>(p); }\n");
    let path = file("beside_broken_include.cu", beside_broken(by, other));
    let ran = heddle(&["check", &path]);
    assert!(!ran.out.contains("as in its source"), "{}{}", ran.out, ran.err);
    // Nor is a launch seen that is made by name.
    let by = "void broken(void *f) { missing(); cuModuleGetFunction(&f, 0, \"_Z4copyPi\"); }";
    let path = file("beside_broken_name.cu", beside_broken(by, other));
    let ran = heddle(&["check", &path]);
    assert!(!ran.out.contains("as in its source"), "{}{}", ran.out, ran.err);
    // Nor is a variable of the device what its initialiser says.
    let by = "static __constant__ int step = 1;\n\
              __global__ void strided(int *p) { p[threadIdx.x * step] = threadIdx.x; }\n\
              void broken(int to) { missing(); cudaMemcpyToSymbol(step, &to, 4); }";
    let path = file("beside_broken_constant.cu", beside_broken(by, other));
    assert_eq!(heddle(&["check", &path]).code, 1, "the step may be zero");
    // Nor is a variable that it names what it was set to.
    let by = "void broken(int *p) { missing(); threads = 128; }";
    let path = file("beside_broken_variable.cu", beside_broken(by, other));
    let ran = heddle(&["check", &path]);
    assert!(ran.out.contains("grid=1 block=any"), "{}{}", ran.out, ran.err);
}

/// A kernel that is right where `n` is 1024, a function that does not compile, and what starts it.
fn scaled(broken: &str, main: &str) -> String {
    let go = "static void go(float *p, int n) { scale<<<4, 256>>>(p, n); }\n";
    let go = if [broken, main].iter().any(|it| it.contains("go(")) { go } else { "" };
    format!(
        "__global__ void scale(float *p, int n) {{\n  \
           int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < 1024) p[i % n] = i;\n}}\n\
         static int size = 1024;\n{go}{broken}\n{main}\n"
    )
}

#[test]
fn launches_are_read_beside_functions_that_do_not_compile() {
    let proved = |name: &str, broken: &str, main: &str| {
        let path = file(name, scaled(broken, main));
        let ran = heddle(&["check", &path]);
        assert!(ran.err.contains("`broken` does not compile, so that it, "), "{}", ran.err);
        (ran.out.contains("4 properties proved"), format!("{}{}", ran.out, ran.err))
    };
    let by_number = "int main() { float *p; cudaMalloc(&p, 4096); scale<<<4, 256>>>(p, 1024); }";
    let by_number = by_number.to_owned();
    let broken = "void broken(const char *name) { Mat m(name); m.show(); }";
    let (is_proved, said) = proved("rest_of_host.cu", broken, &by_number);
    assert!(is_proved && said.contains("`n == 1024`"), "{said}");
    let spaced = by_number.replace("<<<4, 256>>>", "<< <4, 256>> >");
    let (is_proved, said) = proved("rest_of_host_spaced.cu", broken, &spaced);
    assert!(is_proved && said.contains("put together"), "{said}");
    // What is left out may call any function of the file, and set any variable of it.
    let by_variable = by_number.replace("(p, 1024)", "(p, size)");
    let by_function = by_number.replace("scale<<<4, 256>>>(p, 1024)", "go(p, 1024)");
    for (name, broken, main) in [
        ("rest_of_host_sets.cu", "void broken() { Mat m; size = m.rows; }", &by_variable),
        ("rest_of_host_calls.cu", "void broken(float *p) { Mat m; go(p, 1); }", &by_function),
        // What nothing else calls is not in the module.
        ("rest_of_host_hidden.cu", "void broken(float *p) { Mat m; go(p, 1); }", &by_number),
        (
            "rest_of_host_lambda.cu",
            "static auto other = [](float *p, int n) { scale<<<4, 256>>>(p, n); };\n\
             void broken(float *p) { Mat m; other(p, 1); }",
            &by_number,
        ),
        (
            "rest_of_host_launches.cu",
            "void broken(float *p) { Mat m; scale<<<4, 256>>>(p, m.n); }",
            &by_number,
        ),
        (
            "rest_of_host_instance.cu",
            "template <class T> void run(T *p, int n) { scale<<<4, 256>>>(p, n); }\n\
             void broken(float *p) { Mat m; run(p, m.n); }",
            &by_number,
        ),
        // Nor is it one of a library whose effects are known.
        (
            "rest_of_host_replaced.cu",
            "#include <cstdlib>\n\
             void *operator new(size_t n) { Mat m; size = 1; return malloc(n); }",
            &by_variable.replace("scale<<<", "size = 1024;\nint *q = new int(3);\nscale<<<"),
        ),
        (
            "rest_of_host_member.cu",
            "struct Sizes { int n; void broken(); };\nvoid Sizes::broken() { Mat m; n = m.n; }",
            &by_number
                .replace("scale<<<", "Sizes s{1024};\ns.broken();\nscale<<<")
                .replace("(p, 1024)", "(p, s.n)"),
        ),
    ] {
        let path = file(name, scaled(broken, main));
        let ran = heddle(&["check", &path]);
        let said = format!("{name}: {}{}", ran.out, ran.err);
        assert!(ran.code == 1 && ran.err.contains("` does not compile, so that it, "), "{said}");
    }
}

#[test]
fn nothing_of_a_header_of_the_system_is_left_out() {
    // It may launch what it is instantiated for.
    let main = "int main() { float *p; cudaMalloc(&p, 4096); scale<<<4, 256>>>(p, 1024); }";
    let header = "#pragma GCC system_header\n\
                  template <class T> void run(T *p, int n) { scale<<<4, 256>>>(p, n); }\n";
    file("rest_of_host.h", header);
    let broken = "#include \"rest_of_host.h\"\nvoid broken(float *p) { Mat m; run(p, m.n); }";
    let path = file("rest_of_host_system.cu", scaled(broken, main));
    let ran = heddle(&["check", &path]);
    assert!(ran.code == 1 && ran.err.contains("broken` does not"), "{}{}", ran.out, ran.err);
    file("rest_of_host_broken.h", "#pragma GCC system_header\nvoid broken() { Mat m; }\n");
    let broken = "#include \"rest_of_host_broken.h\"";
    let path = file("rest_of_host_header.cu", scaled(broken, main));
    let ran = heddle(&["check", &path]);
    assert!(ran.code == 2 && ran.out.contains("'Mat'"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_function_with_another_name_may_launch_unseen() {
    // g++ knows the static function as `go`; Clang leaves out both, without a word.
    let kernel = "__global__ void scale(float *p, int n) { p[threadIdx.x % n] = threadIdx.x; }\n";
    let go = "static void go(float *p, int n) { scale<<<1, 64>>>(p, n); }";
    let main = "int main() { float *p; cudaMalloc(&p, 4096); scale<<<1, 64>>>(p, 1024); }\n";
    let of = |alias: &str| format!("{kernel}extern \"C\" {{ {go}\n{alias} }}\n{main}");
    let source = file("without_alias.cu", of(""));
    let ran = heddle(&["check", &source]);
    assert!(ran.code == 0 && ran.out.contains("launched as at"), "{}{}", ran.out, ran.err);
    let alias = "void other(float *, int) __attribute__((alias(\"go\")));";
    let source = file("with_alias.cu", of(alias));
    let ran = heddle(&["check", &source]);
    assert!(ran.code == 1 && !ran.out.contains("launched as at"), "{}{}", ran.out, ran.err);
}

#[test]
fn templates_that_nothing_uses_may_name_what_is_not_there() {
    let unused = "template <class T> struct R { __device__ void never(int *p) { low = p[0]; } };\n";
    let kernel = "static __constant__ int stride = 1;\n\
                  __global__ void k(int *p) { p[threadIdx.x * stride] = threadIdx.x; }\n\
                  void run(int *p) { k<<<1, 64>>>(p); }\n";
    let flag = "-fdelayed-template-parsing";
    let source = file("unused_template.cu", format!("{unused}{kernel}"));
    let ran = heddle(&["check", &source]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(flag) && ran.err.lines().count() == 1, "{}", ran.err);
    assert!(ran.out.contains("grid=1 block=64; launched as"), "{}", ran.out);
    // What else stands in a template that nobody read may set what the kernel reads.
    let set = "template <class T> void set(T to) { cudaMemcpyToSymbol(stride, &to, 4); }\n";
    let source = file("unused_template_sets.cu", format!("{unused}{kernel}{set}"));
    let ran = heddle(&["check", &source]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    // One that is used is read, and its error shown as clang says it without the option.
    let used = "__global__ void other(int *p) { R<int>().never(p); }\n";
    let source = file("used_template.cu", format!("{unused}{kernel}{used}"));
    let ran = heddle(&["check", &source]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("'low'") && !ran.out.contains("delayed"), "{}", ran.out);
    // A file that compiles is read as ever.
    let source = file("used_as_ever.cu", kernel);
    assert_eq!(heddle(&["check", &source]).err, "");
}

#[test]
fn what_the_device_needs_is_not_left_out() {
    let kept = |name: &str, by: &str| {
        let path = file(name, beside_broken(by, ""));
        let ran = heddle(&["check", &path]);
        assert_eq!(ran.code, 2, "{by}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("'missing'") && !ran.err.contains("left out"), "{}", ran.out);
    };
    kept("broken_device.cu", "__device__ void broken(int *p) { *p = missing; }");
    kept("broken_kernel.cu", "__global__ void broken(int *p) { *p = missing; }");
    kept("broken_both.cu", "__host__ __device__ void broken(int *p) { *p = missing; }");
    kept("broken_constant.cu", "constexpr int broken() { return missing; }");
    kept("broken_type.cu", "auto broken() { return missing; }");
    kept("broken_variable.cu", "int broken = missing;");
    kept("broken_here_too.cu", "void f() { missing(); }\n__device__ void g() { missing(); }");
    let path = file("broken_alone.cu", "void broken() { missing(); }\n");
    let ran = heddle(&["check", &path]);
    assert!(ran.code == 2 && ran.out.contains("'missing'"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_kernel_is_checked_as_its_source_launches_it() {
    let path = file("launched.cu", launched(""));
    let ran = heddle(&["check", &path]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(
        ran.out.contains("block=64") && ran.out.contains("launched as in its source"),
        "{}",
        ran.out
    );
    let ran = heddle(&["check", "--block", "any", &path]);
    assert_eq!(ran.code, 1, "other blocks race: {}", ran.out);
    let ran = heddle(&["check", "--block", "128", &path]);
    assert_eq!(ran.code, 1, "what the user says counts more: {}", ran.out);
    let path = file("launched_with_more.cu", launched("if (argc > 8) threads = 128;"));
    assert_eq!(heddle(&["check", &path]).code, 1, "the block is not known");
}

#[test]
fn a_launch_that_fails_is_said_to_be_left_out() {
    let source = |block: &str| {
        format!(
            "__global__ void k(int *p) {{ p[threadIdx.x] = threadIdx.x; }}\n\
             int main() {{\n  int side = 64;\n  k<<<1, {block}>>>(0);\n}}\n"
        )
    };
    let path = file("too_many_threads.cu", source("dim3(side, side)"));
    let ran = heddle(&["check", &path]);
    let said = "`k` is launched with 4096 threads in a block at ";
    assert!(ran.err.contains(said) && ran.err.contains("too_many_threads.cu:4"), "{}", ran.err);
    assert!(ran.err.contains("at most 1024: the launch fails"), "{}", ran.err);
    for (n, block, what) in [
        (0, "dim3(1, 1, 65)", "65 threads in z"),
        (1, "64, 1 << 30", "1073741824 bytes of dynamic shared memory beside 0 of its own"),
    ] {
        let path = file(&format!("too_much_{n}.cu"), source(block));
        let ran = heddle(&["check", &path]);
        assert!(ran.err.contains(&format!("`k` is launched with {what} at ")), "{}", ran.err);
    }
    let path = file("too_many_blocks.cu", source("64").replace("<<<1", "<<<dim3(1, 70000)"));
    let ran = heddle(&["check", &path]);
    assert!(ran.err.contains("70000 blocks in y at "), "{}", ran.err);
    assert!(!ran.out.contains("70000"), "{}", ran.out);
    let path = file("enough_threads.cu", source("dim3(side, side / 4)"));
    let ran = heddle(&["check", &path]);
    assert!(!ran.err.contains("launch fails"), "{}", ran.err);
}

#[test]
fn a_check_of_the_host_that_is_not_followed_leaves_open_what_it_checks() {
    let source = |check: &str| {
        format!(
            "#include <cstdlib>\n__global__ void k(int *out, int n) {{ out[threadIdx.x * n] = threadIdx.x; }}\n\
             int main(int, char **given) {{\n  int *out, n = atoi(given[1]);\n  cudaMalloc(&out, 1 << 20);\n\
             {check}  k<<<1, 64>>>(out, n);\n}}\n"
        )
    };
    let told = |name: &str, check: &str| {
        let ran = heddle(&["check", &file(name, source(check))]);
        let [open, does] = ["decides `n`, and was not followed", "excludes the run"]
            .map(|it| ran.out.contains(it));
        assert!(ran.out.contains("HD0101") && open != does, "{}{}", ran.out, ran.err);
        open
    };
    // Nothing is checked, or something else.
    assert!(!told("checks_nothing.cu", ""));
    assert!(!told("checks_a_clock.cu", "  if (double(clock()) > 1e6) return 1;\n"));
    // What `n` is was computed of it, in ways that are not followed.
    assert!(told("checks_a_double.cu", "  if (!(double(n) >= 1.0)) return 1;\n"));
    assert!(told("checks_bits.cu", "  if (__builtin_popcount(n) != 2) return 1;\n"));
    // Where nothing of it was followed, the launch says its sizes only, and no more is told.
    let lost = heddle(&["check", &file("may_be_zero.cu", source("  n = abs(n % 100);\n"))]);
    let is_told = lost.out.contains("the program does this launch");
    assert!(lost.out.contains("HD0101") && !is_told, "{}{}", lost.out, lost.err);
    // Without a zero, only runs that wrap around are left to show.
    let distance = file("is_a_distance.cu", source("  n = abs(n % 100) + 1;\n"));
    let ran = heddle(&["check", &distance]);
    let is_open = ran.out.contains("a run in which index arithmetic wraps around has it");
    assert!(is_open && !ran.out.contains("HD0101"), "{}{}", ran.out, ran.err);
}

#[test]
fn the_global_offset_of_a_run_is_an_option_or_in_its_file() {
    let source =
        "kernel void k(global int *p) { p[get_global_id(0)] = get_global_offset(0) + 1; }\n";
    let (kernel, out) = (file("offset.cl", source), file("offset.raw", ""));
    let (buffer, out_of) = ("p=i32[8]:zeros", format!("p={out}"));
    let launch = "block = 4\nglobal_offset = 3\n[buffers]\np = \"i32[8]:zeros\"\n";
    let launch = file("offset.toml", launch);
    let given = ["--block", "4", "--buffer", buffer, "--global-offset", "3"];
    for said in [&given[..], &["--launch", &launch]] {
        let ran = heddle(&[&["run", &kernel, "--out", &out_of], said].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let bytes = std::fs::read(&out).expect("the run has written it");
        let numbers: Vec<u8> = bytes.chunks(4).map(|it| it[0]).collect();
        assert_eq!(numbers, [0, 0, 0, 4, 4, 4, 4, 0], "{said:?}");
    }
    let ran = heddle(&["run", &kernel, "--block", "4", "--global-offset", "any"]);
    assert!(ran.err.contains("one to three numbers"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_trace_says_which_global_offset_it_followed() {
    let source = "kernel void k(global int *p) {\n  if (get_global_id(0) < 64)\n    \
                  __asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n  p[get_global_id(0)] = 1;\n}\n";
    let kernel = file("offset_named.cl", source);
    let told = |offset: &[&str]| {
        let check = ["check", "--target", "nvptx64", "--block", "64", "--grid", "2", &kernel];
        let ran = heddle(&[&check, offset].concat());
        let told = ran.out.lines().find(|it| it.trim_start().starts_with("named-barriers"));
        told.unwrap_or_else(|| panic!("{}{}", ran.out, ran.err)).to_owned()
    };
    let unsaid = told(&[]);
    assert!(unsaid.contains("proved") && unsaid.contains("the global offset is zero"), "{unsaid}");
    let any = told(&["--global-offset", "any"]);
    assert!(any.contains("unknown") && any.contains("--global-offset"), "{any}");
    let torn = told(&["--global-offset", "32"]);
    assert!(torn.contains("refuted"), "{torn}");
}

/// What `nvcc` takes where clang has another opinion.
#[test]
fn names_and_constants_of_old_programs_are_read() {
    let source = "struct S { template <class T> static __device__ T twice(T x) { return x * 2; } };\n\
         enum { STEPS = 5, MASK = ((-1 << STEPS) & 31) << 8 };\n\
         static inline unsigned long long __rdtsc() { return 0; }\n\
         __global__ void k(int *p) { p[threadIdx.x] = S::template twice(threadIdx.x) + MASK; }\n\
         int main() { k<<<1, 64>>>(0); return __rdtsc(); }\n";
    let path = file("old_names.cu", source);
    let ran = heddle(&["check", &path]);
    assert!(ran.out.contains("4 properties proved") && ran.code == 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("grid=1 block=64; launched as in its source"), "{}", ran.out);
}
