//! The `heddle-device` binary: runs a kit (`make gpu-kit`) on the first NVIDIA GPU, and writes what
//! that gives to a record.
//!
//! It needs the CUDA driver and nothing else, LLVM and Heddle's front end no more than CUDA's
//! toolkit: the kit was made where those are. docs/gpu.md says what is in a kit and in a record.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use heddle_runtime::gpu::meet::{Meeting, Nothing, machine, meet};
use heddle_runtime::gpu::worker;

const HELP: &str = "\
Runs a kit of kernels on the first NVIDIA GPU, and writes a record of what it gave.

Usage: heddle-device KIT [--out FILE|FOLDER] [--seconds N] [--cuda-driver FILE]

  --out            where the record goes; in a folder it is named by device, driver and day [default: .]
  --seconds        time for all steps [default: 540]
  --cuda-driver    load this driver, instead of the one that the system has

The record has a line for each task as it ends: a run that is cut off keeps what it has.
Exit codes: 0 all was run, 2 there is no driver or device, or a file is wrong.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["-h" | "--help"] => {
            let _unheard = std::io::stdout().write_all(HELP.as_bytes());
            Ok(())
        }
        ["machine", driver @ ..] => describe(driver.first().map(Path::new)),
        ["worker", kit, driver @ ..] => {
            std::thread::spawn(ends_with_parent);
            let (mut input, mut out) = (std::io::stdin().lock(), std::io::stdout().lock());
            worker::serve(Path::new(kit), driver.first().map(Path::new), &mut input, &mut out)
        }
        _ => asked(&words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _unheard = writeln!(std::io::stderr(), "heddle-device: {why}");
            ExitCode::from(2)
        }
    }
}

/// Ends a worker whose record nobody writes any more: one that waits for the device, or for its
/// driver, would hold both for ever.
fn ends_with_parent() {
    let parent = std::os::unix::process::parent_id();
    while std::os::unix::process::parent_id() == parent {
        std::thread::sleep(Duration::from_millis(200));
    }
    // Not `exit`: what the driver does then may wait for what it waits for already.
    std::process::abort();
}

fn describe(driver: Option<&Path>) -> Result<(), String> {
    let text = serde_json::to_string(&machine(driver)?).map_err(|error| error.to_string())?;
    writeln!(std::io::stdout(), "{text}").map_err(|error| error.to_string())
}

fn asked(words: &[&str]) -> Result<(), String> {
    let mut meeting = Meeting {
        kit: PathBuf::new(),
        driver: None,
        worker: (
            std::env::current_exe().map_err(|error| error.to_string())?,
            vec!["worker".to_owned()],
        ),
        time: Duration::from_secs(540),
        out: PathBuf::from("."),
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("`{word}` needs a value"));
        match *word {
            "--out" => meeting.out = value()?.into(),
            "--cuda-driver" => meeting.driver = Some(value()?.into()),
            "--seconds" => {
                let text = value()?;
                let seconds =
                    text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
                meeting.time = Duration::from_secs(seconds);
            }
            word if word.starts_with('-') => {
                return Err(format!("`{word}` is no option (`--help`)"));
            }
            kit if meeting.kit.as_os_str().is_empty() => meeting.kit = kit.into(),
            more => return Err(format!("one kit is run at a time, and `{more}` is another")),
        }
    }
    if meeting.kit.as_os_str().is_empty() {
        return Err("no kit is named (`--help`)".to_owned());
    }
    let mut say = |text: &str| {
        let _unheard = writeln!(std::io::stderr(), "{text}");
    };
    match meet(&meeting, &mut say) {
        Ok(path) => writeln!(std::io::stdout(), "{}", path.display()).map_err(|it| it.to_string()),
        Err(Nothing::NoDevice(why)) => Err(format!(
            "{why}\nnothing was run: this needs an NVIDIA GPU of compute capability 7.0 or later, and its driver \
             (`nvidia-smi` shows both); `heddle run` without `--device gpu` runs kernels on the CPU"
        )),
        Err(Nothing::Files(why)) => Err(why),
    }
}
