//! A test as a compute shader. These languages have no jumps: each thread is a loop round a
//! switch over its program counter, as in the published tests.

use super::{Layout, comment};
use crate::axb::{Instruction, Test};

/// What the two shading languages write differently.
struct Syntax {
    variable: &'static str,
    loop_head: &'static str,
    switch: &'static str,
    case_end: &'static str,
    load: fn(u8) -> String,
    exchange: fn(u8, u8) -> String,
    store: fn(u8, u8) -> String,
}

const WGSL: Syntax = Syntax {
    variable: "var pc = 0u;",
    loop_head: "loop {",
    switch: "switch pc {",
    case_end: "}",
    load: |location| format!("atomicLoad(&memory[at + {location}u])"),
    exchange: |location, value| format!("atomicExchange(&memory[at + {location}u], {value}u)"),
    store: |location, value| format!("atomicStore(&memory[at + {location}u], {value}u)"),
};

const GLSL: Syntax = Syntax {
    variable: "uint pc = 0u;",
    loop_head: "while (true) {",
    switch: "switch (pc) {",
    case_end: "break; }",
    load: |location| format!("atomicAdd(memory[at + {location}u], 0u)"),
    exchange: |location, value| format!("atomicExchange(memory[at + {location}u], {value}u)"),
    store: |location, value| format!("atomicExchange(memory[at + {location}u], {value}u)"),
};

/// A WGSL shader; memory is binding 0 of group 0.
pub(super) fn wgsl(test: &Test, layout: Layout) -> String {
    let (thread, instance) = layout.c_indices("block", test.threads.len());
    let locations = test.locations.len();
    let head = comment(test, layout, "//");
    let threads = WGSL.threads(test);
    format!(
        "{head}\
@group(0) @binding(0) var<storage, read_write> memory: array<atomic<u32>>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {{
  let block = group.x;
  let thread = {thread};
  let at = ({instance}) * {locations}u;
{threads}}}
"
    )
}

/// A GLSL shader for Vulkan; memory is binding 0 of set 0.
pub(super) fn glsl(test: &Test, layout: Layout) -> String {
    let (thread, instance) = layout.c_indices("block", test.threads.len());
    let locations = test.locations.len();
    let head = comment(test, layout, "//");
    let threads = GLSL.threads(test);
    format!(
        "#version 450
{head}\
layout(local_size_x = 1, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0) buffer Memory {{ uint memory[]; }};

void main() {{
  uint block = gl_WorkGroupID.x;
  uint thread = {thread};
  uint at = ({instance}) * {locations}u;
{threads}}}
"
    )
}

impl Syntax {
    fn threads(&self, test: &Test) -> String {
        let Self { variable, loop_head, switch, case_end, .. } = self;
        let mut out = String::new();
        for (thread, code) in test.threads.iter().enumerate() {
            let length = code.len();
            out += &format!("  if (thread == {thread}u) {{\n    {variable}\n    {loop_head}\n");
            out += &format!("      {switch}\n");
            for (position, instruction) in code.iter().enumerate() {
                let text = self.instruction(*instruction, position);
                out += &format!("        case {position}u: {{ {text} {case_end}\n");
            }
            out += &format!("        default: {{ {case_end}\n      }}\n");
            out += &format!("      if (pc >= {length}u) {{ break; }}\n    }}\n  }}\n");
        }
        out
    }

    fn instruction(&self, instruction: Instruction, position: usize) -> String {
        let Instruction { location, exchange, branch } = instruction;
        let next = position + 1;
        let value = match (exchange, branch) {
            (Some(value), None) => {
                return format!("{}; pc = {next}u;", (self.store)(location, value));
            }
            (Some(value), Some(_)) => (self.exchange)(location, value),
            (None, _) => (self.load)(location),
        };
        let (check, target) = match branch {
            Some(branch) => (branch.value, branch.target as usize),
            // A load that decides nothing still is a step: both ways lead on.
            None => (0, next),
        };
        format!("if ({value} == {check}u) {{ pc = {target}u; }} else {{ pc = {next}u; }}")
    }
}
