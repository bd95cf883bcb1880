//! NVIDIA's assembler and mathematics, where they are at hand: `HEDDLE_PTXAS_TOOL`, the folder that
//! `tools/install-deps --tests` fills from PyPI, or the path.
//!
//! **Promises**: what was assembled says registers, spills and stack of each kernel. **Does not**:
//! decide what a test does without it; such a test says that it was not run.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The release that `tools/install-deps` pins: what is recorded of registers is its.
pub(crate) const RELEASE: &str = "V12.9.86";

/// The assembler.
#[derive(Clone, Debug)]
pub(crate) struct Ptxas {
    /// Its file.
    pub(crate) path: PathBuf,
    /// Whether it is [`RELEASE`].
    pub(crate) pinned: bool,
}

/// What a kernel takes on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Its entry.
    pub(crate) entry: String,
    /// Registers of a thread.
    pub(crate) registers: u32,
    /// Bytes of stack, and bytes of registers that are stored there and loaded again.
    pub(crate) stack: [u32; 3],
}

impl Ptxas {
    /// Finds it.
    ///
    /// # Errors
    /// There is none: why a test that needs it is not run.
    pub(crate) fn find() -> Result<Ptxas, String> {
        let named = std::env::var_os("HEDDLE_PTXAS_TOOL").map(PathBuf::from);
        let installed = folder().map(|it| it.join("ptxas"));
        let candidates = match named {
            Some(named) => vec![named],
            None => installed.into_iter().chain(["ptxas".into()]).collect(),
        };
        for path in candidates {
            let said = Command::new(&path).arg("--version").output();
            if let Some(said) = said.ok().filter(|it| it.status.success()) {
                let pinned = String::from_utf8_lossy(&said.stdout).contains(RELEASE);
                return Ok(Ptxas { path, pinned });
            }
        }
        Err("no ptxas is found (`make test-deps` takes it from PyPI)".to_owned())
    }

    /// Assembles PTX.
    ///
    /// # Errors
    /// What the assembler says of it.
    pub(crate) fn assemble(&self, arch: &str, ptx: &str) -> Result<Vec<Usage>, String> {
        let mut child = Command::new(&self.path)
            .args([&format!("-arch={arch}"), "-v", "-o", "/dev/null", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut input = child.stdin.take().expect("it is piped");
        // An assembler that gives up early closes its end; what it says of that is read below.
        let _unheard = input.write_all(ptx.as_bytes());
        drop(input);
        let mut said = String::new();
        let mut output = child.stderr.take().expect("it is piped");
        output.read_to_string(&mut said).map_err(|error| error.to_string())?;
        match child.wait().map_err(|error| error.to_string())?.success() {
            true => Ok(usages(&said)),
            false => Err(format!("ptxas: {said}")),
        }
    }
}

/// What `tools/install-deps` fills.
fn folder() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("heddle/ptxas-12.9.86"))
}

/// A folder that has NVIDIA's `libdevice` where a toolkit has it.
pub(crate) fn toolkit() -> Option<PathBuf> {
    folder().filter(|it| it.join("nvvm/libdevice/libdevice.10.bc").is_file())
}

/// What `-v` prints for each entry.
fn usages(said: &str) -> Vec<Usage> {
    let mut found: Vec<Usage> = Vec::new();
    let number = |text: &str, before: &str| {
        let end = text.split(before).next().filter(|it| it.len() < text.len());
        let word = end.and_then(|it| it.split_whitespace().last()?.parse().ok());
        word.unwrap_or(0)
    };
    let (mut entry, mut function) = (None, "");
    let mut stack = [0; 3];
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            entry = rest.split('\'').next().map(str::to_owned);
            stack = [0; 3];
        } else if let Some((_, name)) = line.split_once("Function properties for ") {
            function = name.trim();
        } else if line.contains("bytes stack frame") && entry.as_deref() == Some(function) {
            stack = [" bytes stack", " bytes spill stores", " bytes spill loads"]
                .map(|it| number(line, it));
        } else if line.contains(" registers")
            && let Some(entry) = entry.take()
        {
            found.push(Usage { entry, registers: number(line, " registers"), stack });
        }
    }
    found.sort_by(|a, b| a.entry.cmp(&b.entry));
    found
}
