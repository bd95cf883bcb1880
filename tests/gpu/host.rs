//! `heddle run --device gpu` against a driver that plays scripts: `stub.c`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What the stub pretends to run. Its sites: 1 and 2 are of shared memory, 3 is `out`, 4 the
/// barrier.
const KERNEL: &str = "__global__ void k(int *out, int n) {\n\
                      __shared__ int s[64];\n\
                      s[threadIdx.x] = n;\n\
                      out[threadIdx.x] = s[threadIdx.x ^ 32];\n\
                      __syncthreads();\n\
                      }\n";

fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stub_{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("the folder is cargo's for tests");
    path
}

/// The stub and the kernel's file, made once.
fn made() -> &'static (PathBuf, PathBuf) {
    static MADE: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    MADE.get_or_init(|| {
        let (stub, kernel) = (folder().join("libcuda_stub.so"), folder().join("k.cu"));
        let built = Command::new("clang-22")
            .args(["-shared", "-fPIC", "-O1", "-pthread", "tests/gpu/stub.c", "-o"])
            .arg(&stub)
            .status()
            .expect("clang 22 is installed");
        assert!(built.success(), "the stub compiles");
        std::fs::write(&kernel, KERNEL).expect("the folder is ours");
        (stub, kernel)
    })
}

/// The driver that plays scripts.
pub(crate) fn stub() -> &'static Path {
    &made().0
}

struct Ran {
    code: i32,
    told: String,
    errors: String,
    calls: Vec<String>,
    out: Vec<i32>,
}

fn ran(script: &str, grid: u32, extra: &[&str]) -> Ran {
    let (stub, kernel) = made();
    let (log, out) =
        (folder().join(format!("{script}.log")), folder().join(format!("{script}.bin")));
    let _none = std::fs::remove_file(&log);
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args([
            "run",
            "--block",
            "64",
            "--arg",
            "n=7",
            "--buffer",
            "out=i32[64]",
            "--device",
            "gpu",
        ])
        .args(["--grid", &grid.to_string()])
        .arg("--cuda-driver")
        .arg(stub)
        .arg("--out")
        .arg(format!("out={}", out.display()))
        .args(extra)
        .arg(kernel)
        .env("HEDDLE_STUB", script)
        .env("HEDDLE_STUB_LOG", &log)
        .output()
        .expect("heddle starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let words = std::fs::read(&out).unwrap_or_default();
    Ran {
        code: status.code().unwrap_or(-1),
        told: text(stdout),
        errors: text(stderr),
        calls: std::fs::read_to_string(&log)
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect(),
        out: words
            .chunks_exact(4)
            .map(|it| i32::from_le_bytes([it[0], it[1], it[2], it[3]]))
            .collect(),
    }
}

/// Codes of findings, each with the lines of the kernel that it names.
fn places(told: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in told.lines() {
        let code = line.split_once("[HD").and_then(|(_, rest)| rest.split_once(']'));
        if let Some((code, _)) = code {
            found.push((format!("HD{code}"), Vec::new()));
        } else if let (Some((number, _)), Some((_, lines))) =
            (line.split_once(" | "), found.last_mut())
        {
            let source = line.split_once(" | ").is_some_and(|(_, it)| it.contains("threadIdx"));
            if source && number.trim().parse::<u32>().is_ok() {
                lines.push(number.trim().to_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_quiet_kernel_computes_and_finds_nothing() {
    let ran = ran("quiet", 1, &["--stats"]);
    assert_eq!(ran.code, 0, "{}{}", ran.told, ran.errors);
    assert_eq!(ran.out, [7; 64]);
    let count = |name: &str| ran.calls.iter().filter(|it| it.starts_with(name)).count();
    assert_eq!(count("launch"), 1);
    assert!(count("alloc") > 0 && count("alloc") == count("free"), "{:?}", ran.calls);
}

#[test]
fn races_are_told_as_on_the_cpu() {
    let ran = ran("race", 2, &[]);
    let (_, kernel) = made();
    let cpu = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["run", "--grid", "2", "--block", "64", "--arg", "n=7", "--buffer", "out=i32[64]"])
        .arg(kernel)
        .output()
        .expect("heddle starts");
    let cpu = String::from_utf8(cpu.stdout).expect("UTF-8");
    assert_eq!(ran.code, 1, "{}{}", ran.told, ran.errors);
    assert!(ran.told.contains("threads of one block race on `s["), "{}", ran.told);
    assert!(ran.told.contains("race on `out["), "{}", ran.told);
    assert!(ran.told.contains("grid=2 block=64 on a GPU (stub); met "), "{}", ran.told);
    let codes = |text: &str| places(text).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    let of_races =
        |text: &str| codes(text).into_iter().filter(|it| it != "HD0302").collect::<Vec<_>>();
    assert!(of_races(&ran.told).contains(&"HD0101".to_owned()), "{}", ran.told);
    // The executor sees that both blocks store the same value; the stub does not hand values over.
    assert!(of_races(&cpu).contains(&"HD0101".to_owned()), "{cpu}");
    let race = |text: &str| places(text).into_iter().find(|(code, _)| code == "HD0101");
    assert_eq!(race(&ran.told), race(&cpu), "{}\n{cpu}", ran.told);
}

#[test]
fn a_storm_of_races_is_one_finding_with_a_count() {
    let ran = ran("storm", 2, &[]);
    assert_eq!(ran.code, 1, "{}{}", ran.told, ran.errors);
    assert_eq!(ran.told.matches("race on `out[0]`").count(), 1, "{}", ran.told);
    assert!(ran.errors.contains("reports did not fit the ring"), "{}", ran.errors);
    let times = ran.told.split("; met ").nth(1).and_then(|it| it.split(' ').next());
    let times: u64 = times.and_then(|it| it.parse().ok()).expect("a count");
    assert!((500_000..=1_500_000).contains(&times), "{times}");
}

#[test]
fn a_kernel_that_hangs_is_told_with_who_waits_where() {
    let ran = ran("hang", 2, &["--timeout", "0.3"]);
    assert_eq!(ran.code, 1, "{}{}", ran.told, ran.errors);
    assert!(ran.told.contains("deadlock"), "{}", ran.told);
    assert!(
        ran.told.contains("of block 0, warps [1] wait for lanes of their warp"),
        "{}",
        ran.told
    );
    assert!(ran.told.contains("of block 0, warps [0] wait at barrier 0, line 5"), "{}", ran.told);
    assert!(ran.told.contains("race on `out["), "what was met before is told: {}", ran.told);
    assert!(ran.calls.iter().any(|it| it.starts_with("ask ")), "it was asked to end first");
    assert!(
        !ran.calls.iter().any(|it| it.starts_with("free ")),
        "the device still uses its memory"
    );
}

#[test]
fn a_hang_whose_other_threads_may_run_is_no_deadlock() {
    let ran = ran("stuck", 1, &["--timeout", "0.3"]);
    assert!(!ran.told.contains("deadlock"), "{}", ran.told);
    assert!(ran.told.contains("the run did not end within its time"), "{}", ran.told);
    assert!(ran.told.contains("of block 0, warps [0] wait at barrier 0, line 5"), "{}", ran.told);
}

#[test]
fn a_kernel_that_loops_for_ever_ends_when_asked() {
    let ran = ran("endless", 1, &["--timeout", "0.3"]);
    assert_eq!(ran.code, 1, "a race was met before: {}{}", ran.told, ran.errors);
    assert!(ran.told.contains("the run did not end within its time"), "{}", ran.told);
    assert!(ran.calls.iter().any(|it| it.starts_with("free ")), "{:?}", ran.calls);
}

#[test]
fn an_access_outside_and_a_fault_of_the_device_are_errors_of_the_kernel() {
    let outside = ran("outside", 1, &[]);
    assert_eq!(outside.code, 1, "{}{}", outside.told, outside.errors);
    assert!(
        outside.told.contains("HD0301") && outside.told.contains("thread (5,0,0)"),
        "{}",
        outside.told
    );
    let fault = ran("fail", 1, &[]);
    assert_eq!(fault.code, 1, "{}{}", fault.told, fault.errors);
    assert!(fault.told.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), "{}", fault.told);
}

#[test]
fn what_cannot_be_run_says_why_and_what_to_do() {
    for (script, words) in [
        ("none", "CUDA_ERROR_NO_DEVICE"),
        ("refuse", "line 7; fatal: Parsing error"),
        ("version", "is of version 7 of the ABI"),
        ("missing", "has no `__heddle_abi_2`"),
    ] {
        let ran = ran(script, 1, &[]);
        assert_eq!(ran.code, 2, "{script}: {}{}", ran.told, ran.errors);
        assert!(ran.told.contains(words), "{script}: {}", ran.told);
        assert!(!ran.calls.iter().any(|it| it.starts_with("launch")), "{script}: nothing ran");
    }
    let (_, kernel) = made();
    let run = |extra: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(["run", "--block", "64", "--arg", "n=7", "--buffer", "out=i32[64]"])
            .args(extra)
            .arg(kernel)
            .output()
            .expect("heddle starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let (code, text) = run(&["--device", "gpu", "--cuda-driver", "no/such/driver.so"]);
    assert!(
        code == Some(2) && text.contains("no CUDA driver found: tried `no/such/driver.so`"),
        "{text}"
    );
    assert!(text.contains("run without `--device=gpu` to use the CPU"), "{text}");
    let (code, text) = run(&["--device", "gpu", "--schedule", "random"]);
    assert!(code == Some(2) && text.contains("`--schedule` is for runs on the CPU"), "{text}");
    let (code, text) = run(&["--cuda-driver", "x.so"]);
    assert!(code == Some(2) && text.contains("`--cuda-driver` is for `--device gpu`"), "{text}");
}

#[test]
fn gpu_check_says_what_works_and_what_to_do_where_nothing_does() {
    let run = |script: &str, driver: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(["gpu-check", "--cuda-driver"])
            .arg(driver)
            .env("HEDDLE_STUB", script)
            .output()
            .expect("heddle starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, told, errors) = run("probes", stub());
    assert_eq!(code, Some(0), "{told}{errors}");
    assert!(
        told.starts_with("driver: CUDA 12.8\ndevice: stub, compute capability 9.0, "),
        "{told}"
    );
    assert_eq!(told.matches("works: ").count(), 5, "{told}");
    // A device on which all kernels race, or none does what it must.
    let (code, told, errors) = run("storm", stub());
    assert_eq!(code, Some(1), "{told}{errors}");
    assert!(
        told.contains("DOES NOT WORK: kernels compute what they do on the CPU: HD01"),
        "{told}"
    );
    let (code, told, errors) = run("quiet", stub());
    assert_eq!(code, Some(1), "{told}{errors}");
    assert!(told.contains("works: kernels compute"), "{told}");
    assert!(told.contains("DOES NOT WORK: races of a block are found: nothing is found"), "{told}");
    assert!(errors.contains("`heddle run` without `--device gpu`"), "{errors}");
    for (script, words) in [
        ("none", "has no device that can be used: `cuInit` gave CUDA_ERROR_NO_DEVICE"),
        ("old-device", "stub has compute capability 6.0, and checks on a device need 7.0 or later"),
        ("old-driver", "the driver is for CUDA 11.8, and the code of checks needs 12.0 or later"),
    ] {
        let (code, told, errors) = run(script, stub());
        assert_eq!(code, Some(2), "{script}: {told}{errors}");
        assert!(errors.contains(words) && errors.contains("= help: "), "{script}: {errors}");
    }
    let (code, _, errors) = run("quiet", Path::new("no/such.so"));
    assert!(
        code == Some(2) && errors.contains("no CUDA driver found: tried `no/such.so`"),
        "{errors}"
    );
    assert!(errors.contains("= help: install NVIDIA's driver"), "{errors}");
}
