//! Tests as LLVM IR, written as text: one kernel per test, one basic block per instruction.
//!
//! Address space 1 is global memory on all three targets; the scope is that of the device.

use std::fmt::Write;

use super::{Layout, comment, kernel_name};
use crate::axb::{Instruction, Test};

/// A target of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// nvptx64.
    Nvptx,
    /// amdgcn.
    Amdgcn,
    /// spirv64.
    Spirv,
}

impl Target {
    /// Each of them.
    pub const EACH: [Self; 3] = [Self::Nvptx, Self::Amdgcn, Self::Spirv];

    fn triple(self) -> &'static str {
        match self {
            Self::Nvptx => "nvptx64-nvidia-cuda",
            Self::Amdgcn => "amdgcn-amd-amdhsa",
            Self::Spirv => "spirv64-unknown-unknown",
        }
    }

    fn convention(self) -> &'static str {
        match self {
            Self::Nvptx => "ptx_kernel",
            Self::Amdgcn => "amdgpu_kernel",
            Self::Spirv => "spir_kernel",
        }
    }

    /// The scope of a whole device, in the target's words.
    fn scope(self) -> &'static str {
        match self {
            Self::Nvptx | Self::Spirv => "device",
            Self::Amdgcn => "agent",
        }
    }

    /// Declares what gives the block id.
    fn declaration(self) -> &'static str {
        match self {
            Self::Nvptx => "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
            Self::Amdgcn => "declare i32 @llvm.amdgcn.workgroup.id.x()",
            Self::Spirv => "declare spir_func i64 @_Z12get_group_idj(i32)",
        }
    }

    /// Sets `%block`.
    fn block_id(self) -> &'static str {
        match self {
            Self::Nvptx => "  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n",
            Self::Amdgcn => "  %block = call i32 @llvm.amdgcn.workgroup.id.x()\n",
            Self::Spirv => {
                "  %group = call spir_func i64 @_Z12get_group_idj(i32 0)\n  \
                 %block = trunc i64 %group to i32\n"
            }
        }
    }
}

/// A module with a kernel for each test. Names of tests must differ.
pub fn llvm_module(tests: &[&Test], target: Target, layout: Layout) -> String {
    let mut out = format!("target triple = \"{}\"\n\n{}\n", target.triple(), target.declaration());
    for test in tests {
        out += "\n";
        out += &comment(test, layout, ";");
        kernel(test, target, layout, &mut out).expect("writing to a string does not fail");
    }
    out
}

fn kernel(test: &Test, target: Target, layout: Layout, out: &mut String) -> std::fmt::Result {
    let (threads, locations) = (test.threads.len(), test.locations.len());
    let name = kernel_name(test);
    writeln!(out, "define {} void @{name}(ptr addrspace(1) %memory) {{", target.convention())?;
    write!(out, "start:\n{}", target.block_id())?;
    match layout {
        Layout::Plain => {
            writeln!(out, "  %thread = add i32 %block, 0")?;
            writeln!(out, "  %instance = add i32 0, 0")?;
        }
        Layout::RoundRobin { .. } => {
            writeln!(out, "  %thread = urem i32 %block, {threads}")?;
            writeln!(out, "  %instance = udiv i32 %block, {threads}")?;
        }
        Layout::Chunked { instances } => {
            writeln!(out, "  %thread = udiv i32 %block, {instances}")?;
            writeln!(out, "  %instance = urem i32 %block, {instances}")?;
        }
    }
    writeln!(out, "  %first = mul i32 %instance, {locations}")?;
    for location in 0..locations {
        writeln!(out, "  %index{location} = add i32 %first, {location}")?;
        writeln!(out, "  %wide{location} = zext i32 %index{location} to i64")?;
        writeln!(
            out,
            "  %at{location} = getelementptr i32, ptr addrspace(1) %memory, i64 %wide{location}"
        )?;
    }
    writeln!(out, "  switch i32 %thread, label %end [")?;
    for thread in 0..threads {
        writeln!(out, "    i32 {thread}, label %t{thread}.0")?;
    }
    writeln!(out, "  ]")?;
    for (thread, code) in test.threads.iter().enumerate() {
        for (position, one) in code.iter().enumerate() {
            instruction(*one, target, thread, position, code.len(), out)?;
        }
    }
    writeln!(out, "end:\n  ret void\n}}")
}

fn instruction(
    instruction: Instruction,
    target: Target,
    thread: usize,
    position: usize,
    length: usize,
    out: &mut String,
) -> std::fmt::Result {
    let label = |position: usize| {
        if position == length { "%end".to_owned() } else { format!("%t{thread}.{position}") }
    };
    let Instruction { location, exchange, branch } = instruction;
    let (scope, next) = (target.scope(), label(position + 1));
    let pointer = format!("ptr addrspace(1) %at{location}");
    let order = format!("syncscope(\"{scope}\") monotonic, align 4");
    writeln!(out, "t{thread}.{position}:")?;
    let value = format!("%v{thread}.{position}");
    match (exchange, branch) {
        (Some(new), None) => writeln!(out, "  store atomic i32 {new}, {pointer} {order}")?,
        (Some(new), Some(_)) => {
            writeln!(out, "  {value} = atomicrmw xchg {pointer}, i32 {new} {order}")?;
        }
        (None, _) => writeln!(out, "  {value} = load atomic i32, {pointer} {order}")?,
    }
    match branch {
        None => writeln!(out, "  br label {next}"),
        Some(branch) => {
            let taken = label(branch.target as usize);
            writeln!(out, "  %c{thread}.{position} = icmp eq i32 {value}, {}", branch.value)?;
            writeln!(out, "  br i1 %c{thread}.{position}, label {taken}, label {next}")
        }
    }
}
