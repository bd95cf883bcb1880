//! What the stub (`stub.c`) plays for the tasks of a kit: a device that does as it must.
//!
//! A script is a file that is named by the first line of the task's PTX and by its kernel. **Does
//! not**: limit anything but the runs of a task and their time ([`shortened`]): the stub plays a
//! launch in no time, so few runs show all that it does.

use std::path::{Path, PathBuf};

use heddle_runtime::gpu::kit::{Given, Kit, Tally, Task, hash};
use heddle_runtime::gpu::record::End;

use crate::kit::{Allowed, Expects, Kind, Prepared};

/// A task as the stub is given it: few runs, and little time for one that hangs.
pub(crate) fn shortened(task: Task) -> Task {
    Task { runs: task.runs.min(3), timeout: task.timeout.min(300), ..task }
}

/// Where the scripts of a kit are.
pub(crate) struct Scripts {
    kit: Kit,
    folder: PathBuf,
}

impl Scripts {
    /// Those of a kit that was written.
    pub(crate) fn new(kit: &Path, folder: &Path) -> Scripts {
        std::fs::create_dir_all(folder).expect("the folder is ours");
        Scripts { kit: Kit::open(kit).expect("it was written"), folder: folder.to_owned() }
    }

    /// Has the stub do for each task what a device must do.
    pub(crate) fn as_they_must(&self, tasks: &[Prepared]) {
        for it in tasks {
            self.play(&it.task, &self.right(it));
        }
    }

    /// Has the stub play this text for a task.
    pub(crate) fn play(&self, task: &Task, text: &str) {
        let ptx = String::from_utf8(self.kit.blob(&task.ptx).expect("a blob")).expect("text");
        let key = ptx.lines().next().and_then(|it| it.strip_prefix("// kit ")).expect("a key");
        let path = self.folder.join(format!("{key}.{}", task.kernel));
        std::fs::write(path, text).expect("the folder is ours");
    }

    /// What the stub plays where a device does as it must.
    fn right(&self, prepared: &Prepared) -> String {
        match &prepared.expects {
            Expects::Same(buffers) => self.puts(&prepared.task, buffers),
            Expects::Found(Kind::Race, _) => "race\n".to_owned(),
            Expects::Found(Kind::Barrier, _) => "barrier\n".to_owned(),
            Expects::Found(Kind::Outside, _) => "outside\n".to_owned(),
            Expects::Allowed(Allowed(_, example)) => self.ends_with(&prepared.task, example),
            Expects::Like(End::Hangs) => "hang\n".to_owned(),
            Expects::Like(End::Stopped) => "endless\n".to_owned(),
            Expects::Like(End::Failed) => "fail\n".to_owned(),
            Expects::Quiet
            | Expects::Like(_)
            | Expects::Ends { .. }
            | Expects::Returns
            | Expects::Refused(_) => String::new(),
        }
    }

    /// A script by which each instance ends with these words.
    pub(crate) fn ends_with(&self, task: &Task, words: &[u32]) -> String {
        let tally = task.tally.as_ref().expect("outcomes are counted");
        let buffers: Vec<Vec<u8>> =
            task.buffers.iter().map(|it| self.kit.blob(it).expect("a blob")).collect();
        self.puts(task, &with_outcome(&buffers, tally, words))
    }

    /// A script that leaves buffers like this.
    fn puts(&self, task: &Task, buffers: &[Vec<u8>]) -> String {
        let mut text = String::new();
        for (n, given) in task.arguments.iter().enumerate() {
            if let Given::Buffer(buffer) = given {
                let bytes = &buffers[*buffer];
                let path = self.folder.join(hash(bytes));
                if !path.exists() {
                    std::fs::write(&path, bytes).expect("the folder is ours");
                }
                text += &format!("put {n} {}\n", path.display());
            }
        }
        text
    }
}

/// Words that the model forbids.
pub(crate) fn forbidden(tally: &Tally, Allowed(is_allowed, _): &Allowed) -> Option<Vec<u32>> {
    let count = tally.words.len() as u32;
    let words = |n: u32| (0..count).map(|at| n / 3u32.pow(at) % 3).collect::<Vec<_>>();
    (0..3u32.pow(count)).map(words).find(|it| !is_allowed(it))
}

/// Buffers in which each instance has ended with these words.
fn with_outcome(buffers: &[Vec<u8>], tally: &Tally, words: &[u32]) -> Vec<Vec<u8>> {
    let mut buffers = buffers.to_vec();
    for instance in 0..tally.instances {
        for ((buffer, first, stride), word) in tally.words.iter().zip(words) {
            let at = first + instance * stride;
            buffers[*buffer][at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
    }
    buffers
}
