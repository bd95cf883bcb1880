//! What the command line refuses of a run, before anything runs, and never with exit code 4.

use std::path::PathBuf;
use std::process::Command;

const TEXT: &str = "struct P { int a; float b; };\n\
    __global__ void k(int *out, P p, int n) { extern __shared__ int s[]; s[threadIdx.x] = n;\n\
    out[threadIdx.x] = s[threadIdx.x] + p.a + (int)p.b; }\n\
    __global__ void other(int *out) { out[threadIdx.x] = 1; }";

/// A folder with the source in it.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder of tests");
    std::fs::write(folder.join("k.cu"), TEXT).expect("a folder of tests");
    folder
}

/// The exit code of a command in that folder, and all it says.
fn heddle(folder: &PathBuf, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    let output = command.args(arguments).current_dir(folder).output().expect("the binary starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn what_is_no_argument_is_refused_by_name() {
    let folder = folder("refused");
    std::fs::write(folder.join("garbage.npy"), "garbage").expect("a folder of tests");
    std::fs::write(folder.join("odd.bin"), [1, 2, 3]).expect("a folder of tests");
    let good = ["--arg", "n=1", "--arg", "p=hex:0500000000008040", "--dynamic-shared", "64"];
    let run = |more: &[&str]| {
        let is_sized = more.contains(&"--block");
        let block: &[&str] = if is_sized { &[] } else { &["--block", "4"] };
        heddle(&folder, &[&["run", "k.cu", "--kernel", "k"], block, more].concat())
    };
    let whole = [&good[..], &["--buffer", "out=i32[4]", "--out", "out=whole.npy"]].concat();
    assert_eq!(run(&whole).0, Some(0), "{}", run(&whole).1);
    let bytes = std::fs::read(folder.join("whole.npy")).expect("written");
    assert_eq!(bytes[bytes.len() - 16..], [10, 0, 0, 0].repeat(4), "a structure was given");
    std::fs::write(folder.join("cut.npy"), &bytes[..bytes.len() - 6]).expect("a folder of tests");
    let cases: &[(&[&str], &str)] = &[
        (&["--buffer", "out=file:garbage.npy"], "is not a plain NumPy array"),
        (&["--buffer", "out=file:cut.npy"], "is not whole"),
        (&["--buffer", "out=f64:file:odd.bin"], "no multiple of"),
        (&["--buffer", "out=i32[4]:value(x)"], "no integer"),
        (&["--buffer", "out=i32[4]", "--arg", "n=4294967296"], "beyond the parameter's range"),
        (&["--buffer", "out=i32[4]", "--arg", "n=--1"], "no integer"),
        (&["--buffer", "out=i32[4]", "--arg", "p=hex:05"], "the structure has 8 bytes"),
        (&["--buffer", "out=i32[4]", "--dynamic-shared", "1073741824"], "more than a block"),
        (&["--buffer", "out=i32[4]", "--dynamic-shared", "232449"], "more than a block"),
        (&["--buffer", "out=i32[4]", "--out", "out=k.cu"], "`k.cu` is one of the inputs"),
        (&["--buffer", "out=i32[4]", "--out", "out=./no/x.npy"], "folder does not exist"),
        (&["--buffer", "out=i32[4]", "--out", "out=."], "this is a folder"),
        (&["--buffer", "out=i32[4]", "--out", "x=x.npy"], "no buffer has this name"),
        (&["--buffer", "out=i32[4]", "--grid", "1,70000"], "takes more than 65535 in y"),
        (&["--buffer", "out=i32[4]", "--grid", "1,1,65536"], "takes more than 65535 in z"),
        (&["--buffer", "out=i32[4]", "--block", "1,1,65"], "takes more than 64 in z"),
        (&["--buffer", "out=i32[4]", "--block", "32,33"], "has 1056 threads"),
        (&["--buffer", "out=i32[4]", "--block", "65536,65536"], "has 4294967296 threads"),
        (&["--buffer", "out=i32[4]", "--out", "out=a", "--out", "out=./a"], "writes this file"),
    ];
    for (arguments, told) in cases {
        // What is given twice counts as it is given first.
        let (code, text) = run(&[arguments, &good[..4]].concat());
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(told), "{arguments:?}: {text}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("k.cu")).expect("there"), TEXT);
    let (code, text) = run(&["--buffer", "out=i32[4]", "--arg", "n=1"]);
    assert!(code == Some(2) && text.contains("--arg p=hex:0000000000000000"), "{text}");
}

#[test]
fn a_plan_is_of_the_kernels_that_are_named() {
    let folder = folder("planned");
    let plan = |names: &[&str]| {
        let kernels = names.iter().flat_map(|it| ["--kernel", it]);
        let all: Vec<_> = ["instrument", "k.cu", "--plan"].into_iter().chain(kernels).collect();
        heddle(&folder, &all)
    };
    assert_eq!(plan(&[]).1.matches("plan for").count(), 2);
    let (code, text) = plan(&["other"]);
    assert_eq!((code, text.matches("plan for").count()), (Some(0), 1), "{text}");
    assert!(text.contains("plan for _Z5otherPi"), "{text}");
    // The module and its notes are of these kernels too.
    for (more, marks) in
        [(&[][..], "ptx_kernel void @"), (&["--ptx"], ".entry"), (&["--ptx", "--all"], ".entry")]
    {
        let of =
            |kernels: &[&str]| heddle(&folder, &[&["instrument", "k.cu"], more, kernels].concat());
        assert_eq!(of(&[]).1.matches(marks).count(), 2, "{more:?}");
        let (code, text) = of(&["--kernel", "other"]);
        assert_eq!((code, text.matches(marks).count()), (Some(0), 1), "{more:?}: {text}");
        assert!(text.contains("_Z5otherPi") && !text.contains("left out of `_Z1k"), "{text}");
        let (code, text) = of(&["--kernel", "nobody"]);
        assert!(code == Some(2) && text.contains("nobody"), "{more:?}: {text}");
    }
    let (code, text) = plan(&["nobody"]);
    assert!(
        code == Some(2) && text.contains("`nobody`") || text.contains("--kernel nobody"),
        "{text}"
    );
    let (code, text) = heddle(&folder, &["instrument", "k.cu", "-o", "no/k.ll"]);
    assert!(code == Some(2) && text.contains("its folder does not exist"), "{text}");
}

#[test]
fn buffers_that_break_what_is_said_of_arrays_are_refused_with_two_elements() {
    let folder = folder("arrays");
    let source = "#include \"heddle.h\"\n\
        __global__ void k(int *out, const int *perm, int n) { heddle_injective(perm, n);\n\
        if (threadIdx.x < n) out[perm[threadIdx.x]] = 1; }";
    std::fs::write(folder.join("a.cu"), source).expect("a folder of tests");
    let good = ["run", "a.cu", "--block", "8", "--arg", "n=8", "--buffer", "out=i32[8]"];
    let run = |more: &[&str]| heddle(&folder, &[&good[..], more].concat());
    let numbers = |name: &str, numbers: [i32; 8]| {
        let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes).expect("a folder of tests");
    };
    numbers("twice.bin", [3, 1, 4, 0, 5, 1, 2, 6]);
    numbers("once.bin", [3, 1, 4, 0, 5, 7, 2, 6]);
    let once = "perm=i32:file:once.bin";
    let cases: &[(&[&str], &str)] = &[
        (&["--buffer", "perm=i32:file:twice.bin"], "`perm[1]` and `perm[5]` are both 1"),
        (&["--buffer", "perm=i32[7]:range"], "`perm` has 7 elements, and it speaks of 8"),
        (&["--buffer", once, "--assume", "sorted(perm, n)"], "`perm[0]` is 3, and `perm[1]` is 1"),
        (
            &["--buffer", once, "--assume", "range(perm, n, 0, 7)"],
            "`perm[5]` is 7, not from 0 to 6",
        ),
        (&["--buffer", once, "--assume", "sorted(perm"], "expected `,`"),
    ];
    for (arguments, told) in cases {
        let (code, text) = run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(told), "{arguments:?}: {text}");
    }
    let (code, text) = run(&["--buffer", once, "--assume", "range(perm, n, 0, n)"]);
    assert_eq!(code, Some(0), "{text}");
}

/// Two buffers that go to one file under two names: the second would overwrite the first.
#[test]
fn two_outputs_to_one_place_are_refused_under_whatever_names() {
    let folder = folder("refused-outs");
    let text = "__global__ void k(int *p, int *q) { p[threadIdx.x] = 1; q[threadIdx.x] = 2; }\n";
    std::fs::write(folder.join("k.cu"), text).expect("a folder of tests");
    std::fs::write(folder.join("there.npy"), "old").expect("a folder of tests");
    let _gone = std::fs::remove_file(folder.join("new.npy"));
    for (from, to) in [
        ("link.npy", "there.npy"),
        ("dangling.npy", "new.npy"),
        ("again.npy", "dangling.npy"),
        ("here", "."),
    ] {
        let _gone = std::fs::remove_file(folder.join(from));
        std::os::unix::fs::symlink(to, folder.join(from)).expect("a folder of tests");
    }
    let _gone = std::fs::remove_file(folder.join("hard.npy"));
    std::fs::hard_link(folder.join("there.npy"), folder.join("hard.npy")).expect("same disk");
    let ran = |first: &str, second: &str| {
        let outs = [format!("p={first}"), format!("q={second}")];
        let run = ["run", "k.cu", "--block", "64", "--fill", "i32[64]"];
        heddle(&folder, &[&run[..], &["--out", &outs[0], "--out", &outs[1]]].concat())
    };
    for (first, second) in [
        ("there.npy", "there.npy"),
        ("there.npy", "../refused-outs/there.npy"),
        ("there.npy", "link.npy"),
        ("hard.npy", "there.npy"),
        ("new.npy", "./new.npy"),
        ("new.npy", "here/new.npy"),
    ] {
        let (code, text) = ran(first, second);
        assert_eq!(code, Some(2), "{first} {second}: {text}");
        assert!(text.contains("another `--out` writes this file"), "{first} {second}: {text}");
        assert!(!folder.join("new.npy").exists(), "nothing was written");
    }
    assert_eq!(std::fs::read_to_string(folder.join("there.npy")).expect("there"), "old");
    for (first, second) in [("other.npy", "dangling.npy"), ("again.npy", "other.npy")] {
        let (code, text) = ran(first, second);
        assert!(code == Some(2) && text.contains("leads nowhere"), "{first} {second}: {text}");
    }
    assert!(!folder.join("new.npy").exists() && !folder.join("other.npy").exists());
    let (code, text) = ran("new.npy", "link.npy");
    assert_eq!(code, Some(0), "{text}");
    let replaced = std::fs::read(folder.join("there.npy")).expect("there");
    assert!(replaced != b"old" && folder.join("link.npy").is_symlink(), "where the link leads");
}

/// A launch that the source names, and that no device runs.
#[test]
fn instrumentation_refuses_launches_that_no_device_runs() {
    let folder = folder("refused-launches");
    for (launch, told) in [
        ("HEDDLE_BLOCK(1, 1, 65)", "64"),
        ("HEDDLE_GRID(1, 70000)", "65535"),
        ("HEDDLE_BLOCK(64, 64)", "1024"),
    ] {
        let text = format!(
            "#include \"heddle.h\"\n{launch} __global__ void k(int *p) {{ p[threadIdx.x] = 1; }}\n"
        );
        std::fs::write(folder.join("k.cu"), text).expect("a folder of tests");
        for more in [&[][..], &["--plan"], &["--ptx"]] {
            let (code, text) = heddle(&folder, &[&["instrument", "k.cu"], more].concat());
            assert_eq!(code, Some(2), "{launch} {more:?}: {text}");
            assert!(text.contains(told), "{launch} {more:?}: {text}");
        }
    }
}

/// OpenCL has functions of these names, and a CUDA file means others by them.
#[test]
fn a_function_of_another_file_is_not_that_of_opencl() {
    let folder = folder("refused_names");
    for (name, declared, call) in [
        ("step", "__device__ float step(float, float);", "step(0.5f, 1.0f)"),
        ("barrier", "__device__ int barrier(unsigned);", "barrier(1)"),
        ("get_local_id", "__device__ int get_local_id(unsigned);", "get_local_id(0)"),
    ] {
        let text = format!("{declared}\n__global__ void k(float *out) {{ out[0] = {call}; }}\n");
        std::fs::write(folder.join("named.cu"), text).expect("a folder of tests");
        let arguments = ["run", "named.cu", "--block", "1", "--buffer", "out=f32[1]"];
        let (code, said) = heddle(&folder, &arguments);
        assert!(code != Some(0) && said.contains(name), "{name}: {code:?} {said}");
    }
}
