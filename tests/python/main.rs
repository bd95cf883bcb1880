//! The Python package, by its own tests: what needs the binary alone, and, where a variable says
//! so, kernels that others compile (wheels from PyPI; no GPU): `HEDDLE_TRITON=1`,
//! `HEDDLE_NUMBA=1`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The versions whose output the tests know, and the variable that has them installed.
struct Wheels {
    folder: &'static str,
    variable: &'static str,
    requirements: &'static [&'static str],
    /// What installs them, for those who did not.
    target: &'static str,
}

const TRITON: Wheels = Wheels {
    folder: "triton",
    variable: "HEDDLE_TRITON",
    requirements: &["triton==3.9.0"],
    target: "`make triton` (a wheel of 286 MB)",
};

/// Numba's compiler is NVVM, which comes with `nvcc`'s wheel.
const NUMBA: Wheels = Wheels {
    folder: "numba",
    variable: "HEDDLE_NUMBA",
    requirements: &["numba-cuda[cu12]==0.30.4", "numba==0.68.1", "cupy-cuda12x==14.2.0"],
    target: "`make numba` (wheels of 700 MB)",
};

/// Runs a file of tests.
fn run(python: &Path, tests: &str) -> Output {
    Command::new(python)
        .args(["-m", "unittest", "-v", tests])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("python/tests"))
        .env("PYTHONPATH", Path::new(env!("CARGO_MANIFEST_DIR")).join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("HEDDLE", env!("CARGO_BIN_EXE_heddle"))
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", python.display()))
}

fn passes(python: &Path, tests: &str) {
    let output = run(python, tests);
    let said = String::from_utf8_lossy(&output.stderr);
    let all = said.contains("\nOK") && !said.contains("skipped");
    assert!(output.status.success() && all, "{said}");
}

/// The tests of kernels that come from wheels, where those are wanted and can be had.
fn passes_with(wheels: &Wheels, tests: &[&str]) {
    let not_run = |why: &str| {
        _ = writeln!(std::io::stderr(), "not run: {}: {why}", tests.join(", "));
    };
    if std::env::var_os(wheels.variable).is_none() {
        return not_run(&format!("{} runs them", wheels.target));
    }
    match installed(wheels) {
        Ok(python) => tests.iter().for_each(|it| passes(&python, it)),
        Err(why) => not_run(&why),
    }
}

#[test]
fn the_package_checks_text_and_files() {
    passes(Path::new("python3"), "test_check");
}

#[test]
fn kernels_of_triton_are_checked_as_they_are_compiled() {
    passes_with(&TRITON, &["test_triton"]);
}

#[test]
fn kernels_of_numba_and_cupy_are_checked() {
    passes_with(&NUMBA, &["test_numba", "test_cupy"]);
}

/// A Python that has the wheels, in a folder of this build.
fn installed(wheels: &Wheels) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(wheels.folder);
    let python = folder.join("bin/python");
    let do_it = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    };
    if !python.exists() {
        do_it(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    do_it(Command::new(&python).args(["-m", "pip", "install", "-q"]).args(wheels.requirements))
        .map_err(|said| format!("PyPI gives no {}: {said}", wheels.requirements.join(", ")))?;
    Ok(python)
}
