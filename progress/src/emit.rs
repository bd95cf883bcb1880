//! A test as a program that a compiler takes.
//!
//! Each thread of the test becomes a block (work-group) of one thread, so that the scheduler of the
//! device is what is tested. Instances of one test may run side by side on memory of their own, to
//! press the scheduler; [`Layout`] says which block is which thread of which instance.
//!
//! Memory is one array of 32-bit words: location `x` of instance `i` is word
//! `i * locations + x`, zero at the start. All accesses are atomic and relaxed: progress asks for
//! one order per location only, which coherence gives.
//!
//! A kernel that was emitted never ends if the device starves a thread the test waits for; whoever
//! runs it must have a time limit. The C++ and CUDA programs bring one.

mod cpp;
mod cuda;
mod llvm;
mod opencl;
mod shader;

use std::fmt::Write;

use crate::axb::{Instruction, Test};

/// A language, and for LLVM IR a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// LLVM IR for NVIDIA GPUs.
    LlvmNvptx,
    /// LLVM IR for AMD GPUs.
    LlvmAmdgcn,
    /// LLVM IR for SPIR-V with OpenCL's memory model.
    LlvmSpirv,
    /// CUDA, with a host program.
    Cuda,
    /// An OpenCL C kernel.
    OpenCl,
    /// A C++ program whose threads are `std::thread`.
    Cpp,
    /// A WGSL compute shader.
    Wgsl,
    /// A GLSL compute shader for Vulkan.
    Glsl,
}

impl Language {
    /// Each of them.
    pub const EACH: [Self; 8] = [
        Self::LlvmNvptx,
        Self::LlvmAmdgcn,
        Self::LlvmSpirv,
        Self::Cuda,
        Self::OpenCl,
        Self::Cpp,
        Self::Wgsl,
        Self::Glsl,
    ];

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::LlvmNvptx => "llvm-nvptx64",
            Self::LlvmAmdgcn => "llvm-amdgcn",
            Self::LlvmSpirv => "llvm-spirv64",
            Self::Cuda => "cuda",
            Self::OpenCl => "opencl",
            Self::Cpp => "cpp",
            Self::Wgsl => "wgsl",
            Self::Glsl => "glsl",
        }
    }

    /// The file extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::LlvmNvptx | Self::LlvmAmdgcn | Self::LlvmSpirv => "ll",
            Self::Cuda => "cu",
            Self::OpenCl => "cl",
            Self::Cpp => "cpp",
            Self::Wgsl => "wgsl",
            Self::Glsl => "comp",
        }
    }
}

/// Which block is which thread of which instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One instance: block `t` is thread `t`, and the blocks beyond have nothing to do.
    Plain,
    /// Block `b` is thread `b % threads` of instance `b / threads`: an instance is spread over
    /// neighbouring blocks.
    RoundRobin {
        /// How many instances.
        instances: u32,
    },
    /// Block `b` is thread `b / instances` of instance `b % instances`: all blocks of thread 0
    /// come first, then those of thread 1.
    Chunked {
        /// How many instances.
        instances: u32,
    },
}

impl Layout {
    /// How many instances of the test there are.
    pub fn instances(self) -> u32 {
        match self {
            Self::Plain => 1,
            Self::RoundRobin { instances } | Self::Chunked { instances } => instances,
        }
    }

    /// How many blocks to launch for a test.
    pub fn blocks(self, test: &Test) -> u32 {
        self.instances() * test.threads.len() as u32
    }

    /// The thread and the instance of block `block`, as C expressions.
    fn c_indices(self, block: &str, threads: usize) -> (String, String) {
        match self {
            Self::Plain => (block.to_owned(), "0u".to_owned()),
            Self::RoundRobin { .. } => {
                (format!("{block} % {threads}u"), format!("{block} / {threads}u"))
            }
            Self::Chunked { instances } => {
                (format!("{block} / {instances}u"), format!("{block} % {instances}u"))
            }
        }
    }
}

/// Why a test cannot be emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The layout has no instances.
    NoInstances,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoInstances => f.write_str("a layout needs at least one instance"),
        }
    }
}

/// The test in a language.
///
/// # Errors
/// When the layout has no instances.
pub fn emit(test: &Test, language: Language, layout: Layout) -> Result<String, Refused> {
    if layout.instances() == 0 {
        return Err(Refused::NoInstances);
    }
    Ok(match language {
        Language::LlvmNvptx => llvm_module(&[test], llvm::Target::Nvptx, layout),
        Language::LlvmAmdgcn => llvm_module(&[test], llvm::Target::Amdgcn, layout),
        Language::LlvmSpirv => llvm_module(&[test], llvm::Target::Spirv, layout),
        Language::Cuda => cuda::program(test, layout),
        Language::OpenCl => opencl::kernel(test, layout),
        Language::Cpp => cpp::program(test, layout),
        Language::Wgsl => shader::wgsl(test, layout),
        Language::Glsl => shader::glsl(test, layout),
    })
}

pub use llvm::{Target, llvm_module};

/// The name of the kernel of a test: its name with everything but letters and digits replaced.
pub fn kernel_name(test: &Test) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = test.name.chars().map(keep).collect();
    if name.is_empty() { "progress_test".to_owned() } else { format!("progress_{name}") }
}

/// The test itself, as comment lines.
fn comment(test: &Test, layout: Layout, sign: &str) -> String {
    let mut out = String::new();
    let blocks = layout.blocks(test);
    let mut line = |text: &str| {
        writeln!(out, "{sign} {text}").expect("writing to a string does not fail");
    };
    line(&format!("A forward-progress test. Launch {blocks} blocks of one thread each."));
    line(&format!("Layout: {layout:?}. It ends unless a thread is starved."));
    test.to_string().lines().for_each(&mut line);
    out
}

/// How a C-like language writes what an instruction does.
struct CSyntax {
    /// The value at a location: `{}` is the location's number.
    load: fn(u8) -> String,
    /// Writes a value and gives the old one.
    exchange: fn(u8, u8) -> String,
    /// Writes a value.
    store: fn(u8, u8) -> String,
}

impl CSyntax {
    /// The threads of a test as labels and jumps; each ends with `leave`.
    fn threads(&self, test: &Test, leave: &str) -> String {
        let mut out = String::new();
        for (thread, code) in test.threads.iter().enumerate() {
            out += &format!("  if (thread == {thread}u) {{\n");
            for (position, instruction) in code.iter().enumerate() {
                let label = if is_target(code, position) {
                    format!("t{thread}_{position}:")
                } else {
                    String::new()
                };
                let text = self.instruction(*instruction, thread, code.len());
                out += &format!("    {label:<6} {text}\n");
            }
            let label =
                if is_target(code, code.len()) { format!("t{thread}_end:") } else { String::new() };
            out += &format!("    {label:<6} {leave}\n  }}\n");
        }
        out
    }

    fn instruction(&self, instruction: Instruction, thread: usize, length: usize) -> String {
        let Instruction { location, exchange, branch } = instruction;
        let Some(branch) = branch else {
            return match exchange {
                Some(value) => format!("{};", (self.store)(location, value)),
                None => format!("(void){};", (self.load)(location)),
            };
        };
        let value = match exchange {
            Some(value) => (self.exchange)(location, value),
            None => (self.load)(location),
        };
        let target = match branch.target as usize {
            target if target == length => format!("t{thread}_end"),
            target => format!("t{thread}_{target}"),
        };
        format!("if ({value} == {}u) goto {target};", branch.value)
    }
}

fn is_target(code: &[Instruction], position: usize) -> bool {
    code.iter().any(|one| one.branch.is_some_and(|branch| branch.target as usize == position))
}
