//! A test as a CUDA program: the kernel, and a host that launches it and gives it ten seconds.
//!
//! The host prints `pass` or `hang` and ends with status 0 or 1; 2 says that CUDA failed.

use super::{CSyntax, Layout, comment, kernel_name};
use crate::axb::Test;

/// Loads are atomic additions of zero, as in the published tests: nothing else is a relaxed
/// atomic load on every architecture.
const SYNTAX: CSyntax = CSyntax {
    load: |location| format!("atomicAdd(&at[{location}], 0u)"),
    exchange: |location, value| format!("atomicExch(&at[{location}], {value}u)"),
    store: |location, value| format!("atomicExch(&at[{location}], {value}u)"),
};

pub(super) fn program(test: &Test, layout: Layout) -> String {
    let name = kernel_name(test);
    let (thread, instance) = layout.c_indices("block", test.threads.len());
    let locations = test.locations.len();
    let words = locations * layout.instances() as usize;
    let blocks = layout.blocks(test);
    let threads = SYNTAX.threads(test, "return;");
    let head = comment(test, layout, "//");
    format!(
        "{head}\
extern \"C\" __global__ void {name}(unsigned int *memory) {{
  unsigned int block = blockIdx.x;
  unsigned int thread = {thread};
  unsigned int *at = memory + ({instance}) * {locations}u;
  (void)at;
{threads}}}

#ifndef HEDDLE_KERNEL_ONLY
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

static void check(cudaError_t error) {{
  if (error != cudaSuccess) {{
    std::fprintf(stderr, \"%s\\n\", cudaGetErrorString(error));
    std::_Exit(2);
  }}
}}

int main() {{
  unsigned int *memory = nullptr;
  cudaEvent_t done;
  check(cudaMalloc(&memory, {words} * sizeof(unsigned int)));
  check(cudaMemset(memory, 0, {words} * sizeof(unsigned int)));
  check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  {name}<<<{blocks}, 1>>>(memory);
  check(cudaGetLastError());
  check(cudaEventRecord(done));
  for (int tick = 0; tick < 1000; ++tick) {{
    cudaError_t state = cudaEventQuery(done);
    if (state == cudaSuccess) {{
      std::puts(\"pass\");
      return 0;
    }}
    if (state != cudaErrorNotReady) check(state);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }}
  std::puts(\"hang\");
  std::fflush(stdout);
  std::_Exit(1);
}}
#endif
"
    )
}
