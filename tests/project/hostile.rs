//! A project that is checked is not trusted: what its files say runs no code, writes no file, shows
//! no text that is not its own, and takes down no run.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::Project;

pub(crate) const KERNEL: &str =
    "__global__ void k(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
void host(int *p) { k<<<2, 64>>>(p); }
";

/// Options that load code or write files; `@` stands for the project's folder.
const OPTIONS: [&str; 18] = [
    "-fplugin=@/p.so",
    "-fpass-plugin=@/p.so",
    "-Xclang -fpass-plugin=@/p.so",
    "-Xclang -load -Xclang @/p.so",
    "-Xarch_device -fplugin=@/p.so",
    "--config=@/p.cfg",
    "-foptimization-record-file=@/written",
    "-fsave-optimization-record",
    "-fproc-stat-report=@/written",
    "-ftime-trace=@/written",
    "-fcrash-diagnostics-dir=@/written",
    "-Xclang -stats-file=@/written",
    "-Xclang -dependency-file -Xclang @/written",
    "-Xclang -fixit",
    "-fmodules -fmodules-cache-path=@/written",
    "-ivfsoverlay @/p.yaml",
    "-serialize-diagnostics=@/written",
    "-save-stats=obj",
];

impl Project {
    /// A shared object that leaves a file when it is loaded, and a file of options that loads it.
    pub(crate) fn with_plugin(name: &str) -> Project {
        let project = Project::new(name);
        let root = project.root.display().to_string();
        project.file(
            "p.c",
            &format!("#include <stdio.h>\n__attribute__((constructor)) static void loaded(void) {{ fopen(\"{root}/written\", \"w\"); }}\n"),
        );
        let made = Command::new("cc")
            .args(["-shared", "-fPIC", "-o", "p.so", "p.c"])
            .current_dir(&project.root)
            .status()
            .expect("a C compiler is installed");
        assert!(made.success());
        std::fs::remove_file(project.root.join("p.c")).expect("it is there");
        project.file("p.cfg", &format!("-fplugin={root}/p.so\n"));
        project.file("p.yaml", "{ 'version': 0, 'roots': [] }\n");
        project.file("k.cu", KERNEL);
        project
    }

    /// All files below the project's folder, sorted.
    pub(crate) fn listed(&self) -> String {
        let found = Command::new("find").arg(&self.root).args(["-type", "f"]).output();
        let text = String::from_utf8(found.expect("`find` is there").stdout).expect("UTF-8");
        let mut lines: Vec<_> = text.lines().collect();
        lines.sort_unstable();
        lines.join("\n")
    }
}

#[test]
fn options_of_a_project_load_no_code_and_write_no_file() {
    let project = Project::with_plugin("hostile-options");
    let root = project.root.display().to_string();
    for option in OPTIONS {
        let option = option.replace('@', &root);
        let name = option.split(' ').next().expect("a word");
        let words: Vec<_> = option.split(' ').map(|it| format!("{it:?}")).collect();
        project.file("heddle.toml", &format!("clang-args = [{}]\n", words.join(", ")));
        project.database(&[("../k.cu", &format!("clang++ {option} -c ../k.cu"))]);
        let before = project.listed();
        for arguments in [&["check", "k.cu"][..], &["check", "-p", "build", "--no-config"]] {
            let ran = project.heddle(arguments);
            assert_eq!(ran.code, 0, "{option}: {}{}", ran.out, ran.err);
            assert_eq!(project.listed(), before, "{option}");
            let inner = option.split(' ').nth(1).unwrap_or(name);
            let is_named = [name, inner].iter().any(|it| ran.err.contains(&format!("`{it}")));
            assert!(is_named, "{option} is named: {}", ran.err);
            assert!(ran.err.contains("is left out: a project may not"), "{option}: {}", ran.err);
        }
    }
    // What the user types is his own.
    project.file("heddle.toml", "");
    let ran = project.heddle(&["check", "k.cu", "--", &format!("-fplugin={root}/p.so")]);
    assert!(!ran.err.contains("left out"), "{}", ran.err);
}

#[test]
fn lines_of_other_files_are_not_shown() {
    let project = Project::new("hostile-lines");
    let secret = std::env::temp_dir().join(format!("heddle-secret-{}", std::process::id()));
    // As `/etc/passwd` is: what its lines say looks like places, and like what clang says itself.
    let words =
        "qwertz1:x:0:0:qwertz1:/qwertz1:/bin/sh\nqwertz2:x:1:1: 2 qwertz errors generated.\n";
    std::fs::write(&secret, words).expect("writable");
    let path = secret.display();
    let race = "__global__ void k(int *p) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}
void host(int *p) { k<<<1, 64>>>(p); }
";
    project.file("line.cu", &format!("#line 1 \"{path}\"\n{race}"));
    project.file("include.cu", &format!("#include \"{path}\"\n{race}"));
    std::os::unix::fs::symlink(&secret, project.root.join("link.h")).expect("writable");
    project.file("link.cu", &format!("#include \"link.h\"\n{race}"));
    project.file(
        "folder.cu",
        &format!("#include <{}>\n{race}", secret.file_name().expect("a name").display()),
    );
    // A name that looks like a place, and one with a line break.
    for name in ["a:1:b", "a\nb"] {
        std::os::unix::fs::symlink(&secret, project.root.join(name)).expect("writable");
    }
    project.file("place.cu", &format!("#include \"a:1:b\"\n{race}"));
    project.file("debug.ll", &debug_info(&secret.display().to_string()));
    project.file("plain.cu", race);
    let folder = std::env::temp_dir().display().to_string();
    let include = format!("-I{folder}");
    for arguments in [
        &["check", "line.cu"][..],
        &["check", "include.cu"],
        &["check", "include.cu", "--", "-fno-diagnostics-show-line-numbers"],
        &["check", "line.cu", "--", "-include", &path.to_string()],
        &["check", "place.cu"],
        &["check", "line.cu", "--", "-include", "a\nb"],
        &["check", "link.cu"],
        &["check", "folder.cu", "--", &include],
        &["check", "debug.ll", "--block", "64"],
    ] {
        for format in ["human", "json", "sarif", "short", "github", "junit"] {
            let ran =
                project.heddle(&[&arguments[..2], &["--format", format], &arguments[2..]].concat());
            assert_ne!(ran.code, 0, "{arguments:?}");
            let said = ran.out + &ran.err;
            assert!(!said.contains("qwertz"), "{arguments:?}: {said}");
        }
    }
    // A run shows no more, and an instrumentation: its messages and the places of its races.
    for name in ["line.cu", "include.cu", "link.cu", "place.cu", "debug.ll"] {
        for arguments in [
            &["run", name, "--block", "64", "--fill", "i32[64]"][..],
            &["run", name, "--block", "64", "--fill", "i32[64]", "--prune"],
            &["instrument", name, "--plan"],
            &["lift", name],
            &["barriers", name],
            &["progress", name],
        ] {
            let ran = project.heddle(arguments);
            let said = ran.out + &ran.err;
            assert!(!said.contains("qwertz"), "{arguments:?}: {said}");
        }
    }
    let ran = project.heddle(&["run", "plain.cu", "--block", "64", "--fill", "i32[64]"]);
    assert!(ran.out.contains("p[threadIdx.x] = s[threadIdx.x ^ 1];"), "{}", ran.out);
    // Settings that are a link out of the project, and settings that are the project's.
    std::os::unix::fs::symlink(&secret, project.root.join("heddle.toml")).expect("writable");
    let ran = project.heddle(&["check", "plain.cu"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("heddle.toml: line 1: ") && !ran.err.contains("qwertz"),
        "{}",
        ran.err
    );
    std::fs::remove_file(project.root.join("heddle.toml")).expect("it is ours");
    project.file("settings.toml", "qwertz = 1\n");
    let own = project.root.join("settings.toml");
    std::os::unix::fs::symlink(own, project.root.join("heddle.toml")).expect("writable");
    let ran = project.heddle(&["check", "plain.cu"]);
    assert!(ran.err.contains("qwertz = 1"), "{}", ran.err);
    std::fs::remove_file(project.root.join("heddle.toml")).expect("it is ours");
    // A project's own lines are shown, in a header beside and in one above.
    let ran = project.heddle(&["check", "plain.cu"]);
    assert!(ran.out.contains("p[threadIdx.x] = s[threadIdx.x ^ 1];"), "{}", ran.out);
    project.file("heddle.toml", "");
    project.file("inc/race.h", race);
    project.file("src/k.cu", "#include \"../inc/race.h\"\n");
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert!(ran.out.contains("p[threadIdx.x] = s[threadIdx.x ^ 1];"), "{}", ran.out);
    std::fs::remove_file(secret).expect("it is ours");
}

/// A racy kernel whose debug info names this file.
fn debug_info(file: &str) -> String {
    format!(
        r#"target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(ptr %p) !dbg !4 {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !6
  %x = xor i32 %t, 1
  %a = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  %b = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %x
  store i32 1, ptr addrspace(3) %a, !dbg !6
  %v = load i32, ptr addrspace(3) %b, !dbg !7
  store i32 %v, ptr %p, !dbg !7
  ret void, !dbg !7
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2, !3}}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "x", emissionKind: FullDebug)
!1 = !DIFile(filename: "{file}", directory: "/")
!2 = !{{i32 7, !"Dwarf Version", i32 2}}
!3 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !8)
!6 = !DILocation(line: 1, column: 1, scope: !4)
!7 = !DILocation(line: 2, column: 1, scope: !4)
!8 = !{{null}}
"#
    )
}

#[test]
fn a_file_that_ends_clang_ends_no_run() {
    let project = Project::new("hostile-crash");
    let nested = |open: &str, count: usize, close: &str| {
        format!(
            "__global__ void deep(int *p) {{ *p = {}1{}; }}\nvoid host(int *p) {{ deep<<<1, 1>>>(p); }}\n",
            open.repeat(count),
            close.repeat(count)
        )
    };
    project.file("fine.cu", KERNEL);
    project.file("deep.cu", &nested("(", 2000, ")"));
    // More than any stack holds.
    project.file("crash.cu", &nested("- ", 1_000_000, ""));
    let ran = project.heddle(&["check", "deep.cu", "fine.cu"]);
    assert_eq!(ran.code, 0, "2,000 parentheses compile: {}{}", ran.out, ran.err);
    let ran = project.heddle(&["check", "crash.cu", "fine.cu"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("error[HD0901]: crash.cu: clang "), "{}", ran.out);
    assert!(ran.out.contains("kernel `k` at fine.cu:1:"), "{}", ran.out);
    let alone = project.heddle(&["check", "crash.cu"]);
    assert_eq!(alone.code, 2, "{}{}", alone.out, alone.err);
    assert!(alone.out.contains("error[HD0901]: crash.cu: clang "), "{}", alone.out);
    // As units of a project, with a report of those that are sound.
    project
        .database(&[("../crash.cu", "nvcc -c ../crash.cu"), ("../fine.cu", "nvcc -c ../fine.cu")]);
    let ran = project.heddle(&["check", "-p", "build", "--format", "json"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.out.contains("crash.cu: clang ") && ran.out.contains("\"proved\""), "{}", ran.out);
}

/// Types and constants that nest deeper than a stack: an error of the file, with its name.
#[test]
fn a_module_that_nests_without_end_ends_no_run() {
    let project = Project::new("hostile-nests");
    let module = |text: String| format!("target triple = \"nvptx64-nvidia-cuda\"\n{text}");
    let constant = |depth: usize| {
        let (open, close) = ("add (i64 ".repeat(depth), ", i64 1)".repeat(depth));
        module(format!(
            "@g = global i32 0\ndefine ptx_kernel void @k(ptr %p) {{\n\
             store i64 {open}ptrtoint (ptr @g to i64){close}, ptr %p\nret void\n}}\n"
        ))
    };
    let of_type = |depth: usize| {
        let ty = "{".repeat(depth) + "i32" + &"}".repeat(depth);
        module(format!(
            "define ptx_kernel void @k(ptr %p) {{\n%v = load {ty}, ptr %p\nstore {ty} %v, ptr %p\nret void\n}}\n"
        ))
    };
    project.file("fine.cu", KERNEL);
    project.file("constant.ll", &constant(100_000));
    project.file("type.ll", &of_type(10_000));
    project.file("deep.ll", &constant(500));
    let since = Instant::now();
    for name in ["constant.ll", "type.ll"] {
        for arguments in [
            &["check", name, "fine.cu"][..],
            &["run", name, "--block", "32", "--fill", "i32[64]"],
            &["instrument", name],
            &["instrument", name, "--plan"],
            &["instrument", name, "--ptx"],
            &["lift", name],
        ] {
            let ran = project.heddle(arguments);
            let said = ran.out + &ran.err;
            assert_eq!(ran.code, 2, "{arguments:?}: {said}");
            let why = "types or constants nest more than 1000 deep";
            assert!(said.contains(name) && said.contains(why), "{arguments:?}: {said}");
        }
    }
    let ran = project.heddle(&["check", "type.ll", "fine.cu"]);
    assert!(ran.out.contains("kernel `k` at fine.cu:1:"), "{}", ran.out);
    for arguments in
        [&["run", "deep.ll", "--block", "1", "--fill", "i64[4]"][..], &["instrument", "deep.ll"]]
    {
        let ran = project.heddle(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    }
    assert!(since.elapsed() < Duration::from_secs(60), "{:?}", since.elapsed());
}

/// Each function calls the one before twice: a million calls, if all are inlined.
#[test]
fn a_chain_of_calls_that_doubles_ends_no_run() {
    let project = Project::new("hostile-doubling");
    let mut text = "__device__ int f0(int x) { return x; }\n".to_owned();
    for n in 1..=25 {
        let before = n - 1;
        text += &format!(
            "__device__ __forceinline__ int f{n}(int x) {{ return f{before}(x) + f{before}(x + 1); }}\n"
        );
    }
    project
        .file("doubling.cu", &(text + "__global__ void k(int *p) { p[f25(threadIdx.x)] = 1; }\n"));
    project.file("fine.cu", KERNEL);
    let ran = project.heddle(&["check", "doubling.cu", "fine.cu"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("f25"), "what is not followed is named: {}", ran.out);
    assert!(ran.out.contains("at fine.cu:1:"), "{}", ran.out);
    let ran = project.heddle(&["run", "doubling.cu", "--block", "32"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    let why = "the calls of a function bring more than 524288 instructions when they are inlined";
    assert!((ran.out.clone() + &ran.err).contains(why), "{}{}", ran.out, ran.err);
}

#[test]
fn a_file_that_takes_forever_or_all_memory_is_an_error_of_its_own() {
    let project = Project::new("hostile-limits");
    project.file("fine.cu", KERNEL);
    // Each level instantiates two of the next: clang's limit on depth does not end it.
    project.file(
        "forever.cu",
        "template <int N, unsigned M> struct T { static const unsigned v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; };
template <unsigned M> struct T<0, M> { static const unsigned v = M; };
__global__ void k(int *p) { *p = T<28, 1>::v; }\n",
    );
    let limited = |limits: &str| {
        let mut command = project.command(&["check", "forever.cu", "fine.cu"]);
        let done = command.env("HEDDLE_COMPILE_LIMITS", limits).output().expect("it starts");
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        assert_eq!(done.status.code(), Some(2), "{text}");
        assert!(text.contains("kernel `k` at fine.cu:1:"), "{text}");
        text
    };
    // Limits that are none, and folders that cannot be, are told before the work.
    for said in ["x", "1", "-1,5", "0,0"] {
        let mut command = project.command(&["check", "fine.cu"]);
        let done = command.env("HEDDLE_COMPILE_LIMITS", said).output().expect("it starts");
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(2) && text.contains("write seconds and"), "{text}");
    }
    for option in ["--cache", "--smt"] {
        assert_eq!(project.heddle(&["check", "fine.cu", option, "fine.cu"]).code, 2, "{option}");
    }
    let text = limited("2,16384");
    assert!(text.contains("forever.cu: clang was stopped after 2 seconds"), "{text}");
    let text = limited("200,1024");
    assert!(text.contains("1024 MiB of memory") && text.contains("forever.cu: clang "), "{text}");
}

#[test]
fn what_is_no_file_is_an_error_at_once() {
    let project = Project::new("hostile-files");
    project.file("fine.cu", KERNEL);
    std::fs::create_dir(project.root.join("folder.cu")).expect("writable");
    let made = Command::new("mkfifo").arg(project.root.join("pipe.cu")).status();
    assert!(made.expect("`mkfifo` is there").success());
    std::os::unix::fs::symlink("/dev/zero", project.root.join("zero.cu")).expect("writable");
    project.file("includes.cu", &format!("#include \"pipe.cu\"\n{KERNEL}"));
    for large in ["large.ll", "large.cu"] {
        project.file(large, KERNEL);
        let file = std::fs::File::options().write(true).open(project.root.join(large));
        file.and_then(|it| it.set_len((512 << 20) + 1)).expect("a file with a hole");
    }
    let since = Instant::now();
    for (file, part) in [
        ("folder.cu", "folder.cu: this is a folder, not a file"),
        ("pipe.cu", "pipe.cu: "),
        ("zero.cu", "zero.cu: "),
        ("/dev/zero", "/dev/zero: "),
        // It says that it is regular, and waits for what the kernel has to say.
        ("/proc/kmsg", "/proc/kmsg: "),
        ("large.ll", "large.ll: the file is not read: it has more than 512 MiB"),
        ("large.cu", "large.cu: the file is not read: it has more than 512 MiB"),
        ("includes.cu", "includes.cu: clang finds an error"),
    ] {
        let ran = project.heddle(&["check", file, "fine.cu"]);
        assert_eq!(ran.code, 2, "{file}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(part), "{file}: {}", ran.out);
        assert!(ran.out.contains("kernel `k` at fine.cu:1:"), "{file}: {}", ran.out);
    }
    // Other doors, and outputs that nobody reads.
    let run = ["run", "fine.cu", "--block", "64"];
    let filled = [&run[..], &["--fill", "i32[64]"]].concat();
    for arguments in [
        &["litmus", "pipe.cu"][..],
        &["litmus", "--ptx", "/dev/zero"],
        &["progress", "/dev/zero"],
        &["merge", "pipe.cu"],
        &["merge", "/dev/zero"],
        &["run", "pipe.cu", "--block", "64"],
        &["instrument", "/dev/zero"],
        &[&filled[..], &["--launch", "pipe.cu"]].concat(),
        &[&run[..], &["--buffer", "p=file:pipe.cu"]].concat(),
        &[&run[..], &["--buffer", "p=i32:file:/dev/zero"]].concat(),
        &[&filled[..], &["--out", "p=pipe.cu"]].concat(),
        &["baseline", "fine.cu", "-o", "pipe.cu"],
        &["instrument", "fine.cu", "-o", "pipe.cu"],
        &["check", "fine.cu", "--format", "json=pipe.cu"],
    ] {
        let ran = project.heddle(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.out, ran.err);
        assert!((ran.out + &ran.err).contains("this is a pipe"), "{arguments:?}");
    }
    // What is included or embedded by what is run. Of what cannot be read, clang embeds nothing.
    for (name, text) in [
        ("includes.cu", "#include \"pipe.cu\"\n"),
        ("angled.cu", "#include <pipe.cu>\n"),
        ("embeds.cu", "__device__ const char bytes[] = {\n#embed \"pipe.cu\"\n};\n"),
        ("zeros.cu", "__device__ const char bytes[] = {\n#embed \"zero.cu\"\n};\n"),
    ] {
        project.file(name, &format!("{text}{KERNEL}"));
        for arguments in [
            &["run", name, "--block", "64", "--fill", "i32[64]"][..],
            &["run", name, "--block", "64", "--fill", "i32[64]", "--prune"],
            &["instrument", name],
            &["instrument", name, "--plan"],
            &["instrument", name, "--ptx", "--all"],
            &["lift", name],
            &["check", name],
        ] {
            let ran = project.heddle(&[arguments, &["--", "-I."]].concat());
            let wanted = if text.contains("#embed") { 0 } else { 2 };
            assert_eq!(ran.code, wanted, "{arguments:?}: {}{}", ran.out, ran.err);
        }
    }
    // A pipe that is read is written to.
    let shown = project.heddle(&["check", "fine.cu", "--format", "json=/dev/fd/1"]);
    assert!(shown.code == 0 && shown.out.starts_with('{'), "{}{}", shown.out, shown.err);
    // A database and an options file that are pipes.
    std::fs::create_dir(project.root.join("build")).expect("writable");
    let made =
        Command::new("mkfifo").arg(project.root.join("build/compile_commands.json")).status();
    assert!(made.expect("`mkfifo` is there").success());
    assert_eq!(project.heddle(&["check", "-p", "build"]).code, 2);
    assert!(since.elapsed() < Duration::from_secs(60), "{:?}", since.elapsed());
}
