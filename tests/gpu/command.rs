//! `make gpu` from its first line to its last, against the driver that plays scripts: what
//! `gpu-check` says, the kit, the record of each step, its judgement.
//!
//! By default a few kernels and a few tasks of each other step; `HEDDLE_MEETING=all` takes all that
//! a device would be given. What is compiled is compiled by then, so `cargo` is a script that
//! starts this test again.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heddle_runtime::gpu::kit::Step;
use heddle_runtime::gpu::record::{Line, read};

use crate::host::stub;

/// A folder with what `make gpu` is given here.
struct Machine {
    root: PathBuf,
    is_whole: bool,
}

impl Machine {
    fn new(name: &str) -> Machine {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("command_{name}_{}", std::process::id()));
        let _none = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("bin")).expect("the folder is cargo's for tests");
        let this = std::env::current_exe().expect("a test has a program");
        let program = |name: &str, text: String| {
            let path = root.join("bin").join(name);
            std::fs::write(&path, text).expect("the folder is ours");
            let may_run = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, may_run).expect("the file is ours");
        };
        program(
            "cargo",
            format!(
                "#!/bin/sh\n[ \"$1\" = build ] && exit 0\nfor name; do :; done\n\
                 exec '{}' --test-threads=1 \"$name\"\n",
                this.display()
            ),
        );
        // NVIDIA's tool says something of its own before what the kernel's program says.
        program(
            "compute-sanitizer",
            "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nshift 2\n\
             echo '========= COMPUTE-SANITIZER'\nexec \"$@\"\n"
                .to_owned(),
        );
        let is_whole = std::env::var("HEDDLE_MEETING").is_ok_and(|it| it == "all");
        Machine { root, is_whole }
    }

    fn make(&self) -> (Output, String, String) {
        let bin = Path::new(env!("CARGO_BIN_EXE_heddle")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut make = Command::new("make");
        // That what it needs is installed is what the tests need, too.
        make.args(["-o", "install-deps", "gpu"])
            .arg(format!("CARGO={}", self.root.join("bin/cargo").display()))
            .arg(format!("GPU_BIN={}", bin.display()))
            .arg(format!("GPU_KIT={}", self.root.join("kit").display()))
            .arg(format!("GPU_RECORDS={}", self.root.join("records").display()))
            .env("PATH", format!("{}:{path}", self.root.join("bin").display()))
            .env("HEDDLE_CUDA_DRIVER", stub())
            .env("HEDDLE_STUB", "kit")
            .env("HEDDLE_STUB_SCRIPTS", self.root.join("scripts"))
            .env_remove("MAKEFLAGS")
            .env_remove("MAKELEVEL");
        if self.is_whole {
            make.env("HEDDLE_GPU_SECONDS", "7200").env_remove("HEDDLE_GPU");
        } else {
            make.env("HEDDLE_GPU", "exchange/").env("HEDDLE_GPU_SHORT", "1");
        }
        let output = make.output().expect("make is installed");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (told, errors) = (text(&output.stdout), text(&output.stderr));
        (output, told, errors)
    }

    fn record(&self) -> (PathBuf, String) {
        let mut files: Vec<PathBuf> = std::fs::read_dir(self.root.join("records"))
            .expect("make makes it")
            .filter_map(|it| Some(it.ok()?.path()))
            .collect();
        assert_eq!(files.len(), 1, "{files:?}");
        let path = files.remove(0);
        let text = std::fs::read_to_string(&path).expect("a record");
        (path, text)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.root);
    }
}

#[test]
fn make_gpu_checks_the_machine_runs_all_steps_and_judges_their_record() {
    let machine = Machine::new("all");
    let (output, told, errors) = machine.make();
    assert!(output.status.success(), "{told}\n{errors}");
    assert!(told.contains("device: stub, compute capability 9.0, "), "{told}");
    assert_eq!(told.matches("works: ").count(), 5, "{told}");
    let (path, record) = machine.record();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    assert!(name.starts_with("stub-12.8-") && told.contains(&*name), "{name}: {told}");
    let (_, lines) = read(&record).expect("a record");
    let count = |step: Step| {
        lines.iter().filter(|it| matches!(it, Line::Task(done) if done.step == step)).count()
    };
    for step in Step::EACH {
        assert!(count(step) > 0, "nothing was run of {}\n{errors}", step.name());
        assert!(errors.contains(&format!("{}: {} tasks", step.name(), count(step))), "{errors}");
    }
    assert!(lines.iter().all(|it| !matches!(it, Line::NotRun { .. })), "{record}");
    assert!(matches!(lines.last(), Some(Line::End { .. })), "{record}");
    // All but what NVIDIA's tool said is judged, and nothing is left out of this short one.
    let judged = lines.len() - 1 - count(Step::Sanitizer);
    assert!(
        errors.contains(&format!(
            ": {judged} tasks judged, 0 of them missed what a device may miss, 0 older than their text, PTX of 0 made anew since; "
        )),
        "{errors}"
    );
    let left_out = std::fs::read_to_string(machine.root.join("kit/left_out.txt")).expect("a list");
    let exchanges = left_out.lines().filter(|it| it.starts_with("exchange/")).count();
    assert!(exchanges < 5, "{left_out}");
    if machine.is_whole {
        use std::io::Write;
        let _unheard = writeln!(std::io::stderr(), "{told}{errors}");
    }
}
