//! The Python package, by its own tests: what needs the binary alone, and, where `HEDDLE_TRITON=1`
//! says so, kernels that Triton compiles (a wheel of 286 MB from PyPI; no GPU).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The version whose output the tests know.
const TRITON: &str = "triton==3.9.0";

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
    assert!(output.status.success() && said.contains("\nOK"), "{said}");
}

fn not_run(why: &str) {
    let _unheard = writeln!(std::io::stderr(), "not run: tests of Python with Triton: {why}");
}

#[test]
fn the_package_checks_text_and_files() {
    passes(Path::new("python3"), "test_check");
}

#[test]
fn kernels_of_triton_are_checked_as_they_are_compiled() {
    if std::env::var_os("HEDDLE_TRITON").is_none() {
        return not_run("`make triton` runs them (a wheel of 286 MB)");
    }
    match with_triton() {
        Ok(python) => {
            let output = run(&python, "test_triton");
            let said = String::from_utf8_lossy(&output.stderr);
            let all = said.contains("\nOK") && !said.contains("skipped");
            assert!(output.status.success() && all, "{said}");
        }
        Err(why) => not_run(&why),
    }
}

/// A Python that has Triton, in a folder of this build.
fn with_triton() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("triton");
    let python = folder.join("bin/python");
    let do_it = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    };
    if !python.exists() {
        do_it(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    do_it(Command::new(&python).args(["-m", "pip", "install", "-q", TRITON]))
        .map_err(|said| format!("PyPI gives no `{TRITON}`: {said}"))?;
    Ok(python)
}
