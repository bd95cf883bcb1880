//! Launches as data: a folder that a machine with a GPU can run which has neither Heddle's front
//! end nor a compiler.
//!
//! ```text
//! KIT/tasks.jsonl   one task on each line, in the order of their value
//! KIT/blobs/HASH    PTX, and what buffers hold at first
//! ```
//!
//! **Promises**: a task names its PTX and buffers by their hash, so what was run can be told later.
//! **Does not**: say what should come of it; whoever reads the record of a run knows that.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What a task is about. Steps are run in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// A kernel without checks: what it computes.
    Plain,
    /// A kernel with checks: what they find, and that it computes the same.
    Checked,
    /// A litmus test of the memory model: outcomes.
    Litmus,
    /// A litmus test of forward progress: whether it ends.
    Progress,
    /// What checks cost.
    Slow,
    /// A hang, a storm of races, an access to nothing, too much memory; and what is after them.
    Faults,
    /// What each instruction computes.
    Vectors,
    /// What `compute-sanitizer` takes for the same.
    Sanitizer,
}

impl Step {
    /// All of them, in order.
    pub const EACH: [Step; 8] = [
        Step::Plain,
        Step::Checked,
        Step::Litmus,
        Step::Progress,
        Step::Slow,
        Step::Faults,
        Step::Vectors,
        Step::Sanitizer,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Step::Plain => "plain",
            Step::Checked => "checked",
            Step::Litmus => "litmus",
            Step::Progress => "progress",
            Step::Slow => "slow",
            Step::Faults => "faults",
            Step::Vectors => "vectors",
            Step::Sanitizer => "sanitizer",
        }
    }

    /// How many of its tasks may have the device at the same time: one where time is measured, the
    /// device must be undisturbed, or it is asked whether blocks make progress. Contexts that take
    /// turns end runs that hang without others: of 1,642 tests 34 hung beside three others on an
    /// H200, and of the first 278 alone 52.
    pub fn hands(self) -> usize {
        match self {
            Step::Plain | Step::Checked | Step::Litmus | Step::Vectors => 12,
            Step::Progress | Step::Slow | Step::Faults | Step::Sanitizer => 1,
        }
    }

    /// Hundredths of the time that it may take.
    pub fn share(self) -> u32 {
        match self {
            Step::Plain => 19,
            Step::Checked => 34,
            Step::Litmus => 12,
            Step::Progress => 13,
            Step::Slow => 8,
            Step::Faults => 6,
            Step::Vectors => 2,
            Step::Sanitizer => 6,
        }
    }
}

/// A value that a kernel is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Given {
    /// The address of the n-th buffer.
    Buffer(usize),
    /// These bytes.
    Bytes(Vec<u8>),
    /// The number of the run, from 1, in four bytes.
    Run,
}

/// What is counted after each run: the words of each instance, as one outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Instances in one launch.
    pub instances: usize,
    /// Of each word of an outcome: buffer, first byte, bytes to that of the next instance.
    pub words: Vec<(usize, usize, usize)>,
    /// Words that are not zero where an instance gave up.
    pub flags: Vec<(usize, usize, usize)>,
}

impl Tally {
    /// Adds the outcomes that the buffers hold.
    pub fn count(&self, buffers: &[Vec<u8>], into: &mut BTreeMap<Vec<u32>, u64>) {
        for instance in 0..self.instances {
            let read = |(buffer, first, stride): &(usize, usize, usize)| {
                let at = first + instance * stride;
                let bytes = buffers.get(*buffer).and_then(|it| it.get(at..at + 4)?.try_into().ok());
                bytes.map(u32::from_le_bytes)
            };
            if self.flags.iter().all(|it| read(it) == Some(0)) {
                let words: Option<Vec<u32>> = self.words.iter().map(read).collect();
                *into.entry(words.unwrap_or_default()).or_default() += 1;
            }
        }
    }
}

/// A launch, some times over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What it is about.
    pub step: Step,
    /// Its name: for a reader, and for who judges the record.
    pub name: String,
    /// The hash of the text that it was made of.
    pub of: String,
    /// The hash of its PTX; none for [`Task::memory`].
    pub ptx: String,
    /// The kernel's symbol.
    pub kernel: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The hashes of what buffers hold.
    pub buffers: Vec<String>,
    /// The arguments, in order.
    pub arguments: Vec<Given>,
    /// Variables of the module that have a shadow.
    pub variables: Vec<String>,
    /// The bytes that a cell of the shadow stands for, as a power of two.
    pub shift: u32,
    /// Whether an address outside of all memory is an error.
    pub bounds: bool,
    /// Sites of checks; none without checks.
    pub sites: u32,
    /// Milliseconds of one run.
    pub timeout: u64,
    /// Launches, numbered from 1; the first with a finding ends them where `until_found`.
    pub runs: u32,
    /// Whether the number of a run also delays blocks and threads (instrumented code alone).
    pub delays: bool,
    /// Whether runs end with the first that finds something.
    pub until_found: bool,
    /// What is counted.
    pub tally: Option<Tally>,
    /// Instead of a launch, this number of bytes of memory is asked for.
    pub memory: Option<u64>,
}

/// The short hash of bytes, by which blobs and texts are named.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// A kit that is being written.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    tasks: Vec<Task>,
}

impl Writer {
    /// Starts a kit in a folder, whose contents go.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new(folder: &Path) -> std::io::Result<Writer> {
        if folder.join("blobs").is_dir() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder.join("blobs"))?;
        Ok(Writer { folder: folder.to_owned(), tasks: Vec::new() })
    }

    /// Puts bytes among the blobs; their name.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn blob(&self, bytes: &[u8]) -> std::io::Result<String> {
        let name = hash(bytes);
        let path = self.folder.join("blobs").join(&name);
        if !path.exists() {
            std::fs::write(path, bytes)?;
        }
        Ok(name)
    }

    /// Adds a task.
    pub fn add(&mut self, task: Task) {
        self.tasks.push(task);
    }

    /// Writes the list, by step; how many there are.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> std::io::Result<usize> {
        self.tasks.sort_by_key(|it| it.step);
        let mut file = std::fs::File::create(self.folder.join("tasks.jsonl"))?;
        for task in &self.tasks {
            writeln!(file, "{}", serde_json::to_string(task)?)?;
        }
        file.sync_all()?;
        Ok(self.tasks.len())
    }
}

/// A kit that is read.
#[derive(Debug)]
pub struct Kit {
    folder: PathBuf,
    /// Its tasks.
    pub tasks: Vec<Task>,
    /// The hash of the list.
    pub hash: String,
}

impl Kit {
    /// Reads the list of a kit.
    ///
    /// # Errors
    /// It is none: what is wrong, and where.
    pub fn open(folder: &Path) -> Result<Kit, String> {
        let path = folder.join("tasks.jsonl");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
        let read = |(n, line): (usize, &str)| {
            serde_json::from_str(line)
                .map_err(|error| format!("`{}`, line {}: {error}", path.display(), n + 1))
        };
        let tasks = text.lines().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Kit { folder: folder.to_owned(), tasks, hash: hash(text.as_bytes()) })
    }

    /// The bytes of a blob, which are those that its name says.
    ///
    /// # Errors
    /// It is gone, or is another.
    pub fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join("blobs").join(name);
        let bytes = std::fs::read(&path)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
        match hash(&bytes) == name {
            true => Ok(bytes),
            false => Err(format!("`{}` has other contents than its name says", path.display())),
        }
    }
}
