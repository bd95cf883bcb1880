//! The fault campaign: what may happen to a cache, a process, a disk or a file, drawn from seeds.
//!
//! In each case a check ends by itself, with an exit code that is documented and without an
//! internal error; where the fault leaves the question as it was, the report has the same bytes.
//! `make faults` draws many more than a run of the tests does (`HEDDLE_FAULTS`, rounds).
//! **Does not**: repeat what other tests hold about single faults; `docs/testing.md` lists those.

use std::fs::DirEntry;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Project;

/// Rounds of each kind.
fn rounds() -> u64 {
    std::env::var("HEDDLE_FAULTS").ok().and_then(|it| it.parse().ok()).unwrap_or(2)
}

/// Numbers from a seed (xorshift64*).
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % most.max(1)
    }
}

const CHECK: [&str; 5] = ["check", "-p", "build", "--cache", "kept"];

/// What a command gave, and that it ended as a command may.
fn done(mut command: Command, what: &str) -> (i32, String) {
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(code.is_some_and(|code| (0..=4).contains(&code)), "{what}: {:?} {said}", output.status);
    assert!(!said.contains("internal error") && !said.contains("panicked"), "{what}: {said}");
    (code.unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// All files of a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Damages one file of a cache; says how.
fn damage(draw: &mut Draw, path: &Path) -> &'static str {
    let mut bytes = std::fs::read(path).unwrap_or_default();
    let how = draw.below(7);
    let at = draw.below(bytes.len());
    let _was_there = std::fs::remove_file(path);
    let said = match how {
        0 => {
            bytes.truncate(at);
            "cut"
        }
        1 => {
            bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << draw.below(8));
            "a bit"
        }
        2 => {
            bytes.fill(0);
            "zeros"
        }
        3 => {
            bytes.extend_from_within(..at);
            "longer"
        }
        4 => return "gone",
        5 => {
            std::fs::create_dir_all(path).expect("writable");
            return "a folder";
        }
        _ => {
            std::os::unix::fs::symlink("/dev/zero", path).expect("writable");
            return "a link";
        }
    };
    std::fs::write(path, bytes).expect("writable");
    said
}

#[test]
fn a_damaged_cache_answers_as_none() {
    let project = Project::with_database("faults-cache");
    let clean = done(project.command(&["check", "-p", "build"]), "without a cache");
    for round in 0..rounds() * 4 {
        let mut draw = Draw(0x9e37_79b9 + round);
        let filled = done(project.command(&CHECK), "to fill it");
        assert_eq!(filled, clean, "round {round}");
        let kept = files(&project.root.join("kept"));
        assert!(!kept.is_empty());
        let mut how = Vec::new();
        for _ in 0..1 + draw.below(3) {
            let which = draw.below(kept.len());
            how.push(damage(&mut draw, &kept[which]));
        }
        let again = done(project.command(&CHECK), "damaged");
        assert_eq!(again, clean, "round {round}: {how:?}");
        // What stands in the way of an entry stays there; the next round starts anew.
        let _was_there = std::fs::remove_dir_all(project.root.join("kept"));
    }
}

#[test]
fn a_check_that_is_killed_leaves_a_cache_that_answers_right() {
    let project = Project::with_database("faults-kill");
    let clean = done(project.command(&["check", "-p", "build"]), "without a cache");
    let mut killed = 0;
    for round in 0..rounds() * 4 {
        let mut draw = Draw(0xb5ad_4ece + round);
        let mut command = project.command(&CHECK);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
        std::thread::sleep(Duration::from_millis(draw.below(120) as u64));
        let _has_ended = child.kill();
        killed += usize::from(child.wait().expect("it ends").signal() == Some(9));
        assert_eq!(done(project.command(&CHECK), "after a kill"), clean, "round {round}");
        let _was_there = std::fs::remove_dir_all(project.root.join("kept"));
    }
    assert!(killed > 0, "no run was killed");
}

const ENDLESS: &str = "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr %p) {
start:
  br label %loop
loop:
  %i = phi i32 [ 1, %start ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 2
  br label %loop
}
";

/// The process that a run started.
fn process_of(child: &Child) -> String {
    // Whichever of its threads started it.
    let threads = format!("/proc/{}/task", child.id());
    // As soon as it is there: its first steps are to be met as well.
    let until = Instant::now() + Duration::from_secs(10);
    let found =
        std::iter::repeat_with(Instant::now).take_while(|now| *now < until).find_map(|_| {
            let of_thread = |it: DirEntry| std::fs::read_to_string(it.path().join("children")).ok();
            let started = std::fs::read_dir(&threads).ok()?.flatten().filter_map(of_thread);
            let mut started =
                started.filter_map(|it| it.split_whitespace().next().map(str::to_owned));
            started.next()
        });
    found.expect("the run is a process of its own")
}

#[test]
fn a_run_whose_process_is_killed_says_so() {
    let project = Project::new("faults-run");
    // IR, for which no compiler is started.
    project.file("k.ll", ENDLESS);
    let arguments = ["run", "k.ll", "--buffer", "p=i32[1]", "--timeout", "30"];
    let child = project.command(&arguments).stdout(Stdio::piped()).spawn().expect("it starts");
    let run = process_of(&child);
    assert!(Command::new("kill").args(["-9", &run]).status().expect("`kill` is there").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("SIGKILL"), "{text}");
    // And nothing of a run is left when the one that asked for it is killed, however early.
    for round in 0..rounds() * 8 {
        let mut child =
            project.command(&arguments).stdout(Stdio::null()).spawn().expect("it starts");
        let run = process_of(&child);
        child.kill().expect("it runs");
        let _killed = child.wait();
        let state = || std::fs::read_to_string(format!("/proc/{run}/stat")).unwrap_or_default();
        let is_gone = || state().is_empty() || state().contains(") Z ");
        let ends = (0..400).any(|_| {
            std::thread::sleep(Duration::from_millis(5));
            is_gone()
        });
        assert!(ends, "round {round}: {}", state());
    }
}

#[test]
fn limits_and_full_disks_end_in_a_documented_way() {
    let project = Project::with_database("faults-limits");
    let clean = done(project.command(&["check", "-p", "build"]), "without limits");
    let heddle = env!("CARGO_BIN_EXE_heddle");
    let under = |limit: &str, rest: &str| {
        let mut command = Command::new("bash");
        command
            .args(["-c", &format!("{limit} && exec {heddle} {rest}")])
            .current_dir(&project.root);
        command.env_remove("RUST_BACKTRACE");
        done(command, limit)
    };
    assert_eq!(under("true", "check -p build"), clean);
    for files in [12, 16, 24, 64] {
        let (code, out) = under(&format!("ulimit -n {files}"), "check -p build --cache few");
        assert!(code != 0, "a race is there, or an error: {out}");
    }
    for stack in [256, 1024] {
        let answer = under(&format!("ulimit -s {stack}"), "check -p build");
        assert_eq!(answer, clean, "stack of {stack} KiB");
    }
    let fine = "check src/fine.cu --no-config -q";
    let (code, _) = under("true", &format!("{fine} --format json=/dev/full -- -Iinclude"));
    assert_eq!(code, 2, "a report that cannot be written is no clean run");
    let (code, _) = under("true", &format!("{fine} --format json -- -Iinclude > /dev/full"));
    assert_eq!(code, 4, "neither is one that nobody gets");
    // A cache on a disk of 16 KiB. Where the system gives no such disk, this is said.
    let disk = "mkdir -p small && exec unshare -rm bash -c 'mount -t tmpfs -o size=16k none small";
    let mut probe = Command::new("bash");
    probe.args(["-c", &format!("{disk} && true'")]).current_dir(&project.root);
    let may = probe.stderr(Stdio::null()).status().expect("bash is there");
    if !may.success() {
        let text = "left out: this system mounts no disk for users; caches on a full one";
        writeln!(std::io::stderr(), "{text}").expect("standard error is there");
        return;
    }
    for round in 0..rounds() {
        let filler = round * 3;
        let rest = format!(
            "&& head -c {filler}k /dev/zero > small/filler; {heddle} check -p build --cache small/kept'"
        );
        let mut command = Command::new("bash");
        command.args(["-c", &format!("{disk} {rest}")]).current_dir(&project.root);
        assert_eq!(done(command, "full disk"), clean, "round {round}");
    }
}

#[test]
fn odd_files_are_answered_or_explained() {
    let project = Project::new("faults-odd");
    let kernel = "__global__ void k(int *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
    let long = format!("// {}\n{kernel}", "x".repeat(1 << 20));
    let odd: [(&str, Vec<u8>, i32); 9] = [
        ("empty.cu", Vec::new(), 2),
        ("zeros.cu", vec![0; 4096], 2),
        (
            "bits.cu",
            (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect(),
            2,
        ),
        ("long.cu", long.into_bytes(), 0),
        ("carriage.cu", kernel.replace('\n', "\r\n").into_bytes(), 0),
        ("mark.cu", [b"\xef\xbb\xbf".as_slice(), kernel.as_bytes()].concat(), 0),
        ("latin.cu", [b"// \xe9\n".as_slice(), kernel.as_bytes()].concat(), 0),
        ("empty.ll", Vec::new(), 2),
        ("bitcode.bc", b"BC\xc0\xde\0\0\0\0".to_vec(), 2),
    ];
    for (name, bytes, expected) in &odd {
        std::fs::write(project.root.join(name), bytes).expect("writable");
        let (code, out) = done(project.command(&["check", name]), name);
        assert_eq!(code, *expected, "{name}: {out}");
        let (code, out) = done(project.command(&["run", name, "--fill", "i32[64]"]), name);
        assert_eq!(code, *expected, "{name}: {out}");
    }
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"\xff\xfe.cu");
    std::fs::write(project.root.join(name), kernel).expect("writable");
    let mut command = project.command(&["check"]);
    command.arg(name);
    assert_eq!(done(command, "a name that is no text").0, 0);
}
