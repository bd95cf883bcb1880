//! A test as a C++11 program: `std::atomic` memory, a `std::thread` for each block, ten seconds.
//!
//! It prints `pass` or `hang` and ends with status 0 or 1. An operating system schedules threads
//! fairly, so a test that passes weak fairness passes here; one that needs strong fairness does so
//! with overwhelming probability.

use super::{CSyntax, Layout, comment};
use crate::axb::Test;

const SYNTAX: CSyntax = CSyntax {
    load: |location| format!("at[{location}].load(std::memory_order_relaxed)"),
    exchange: |location, value| {
        format!("at[{location}].exchange({value}u, std::memory_order_relaxed)")
    },
    store: |location, value| format!("at[{location}].store({value}u, std::memory_order_relaxed)"),
};

pub(super) fn program(test: &Test, layout: Layout) -> String {
    let (thread, instance) = layout.c_indices("block", test.threads.len());
    let locations = test.locations.len();
    let words = locations * layout.instances() as usize;
    let blocks = layout.blocks(test);
    let threads = SYNTAX.threads(test, "return;");
    let head = comment(test, layout, "//");
    format!(
        "{head}\
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

// Volatile: a compiler that sees that nobody writes a location must still read it each time.
static volatile std::atomic<unsigned> memory[{words}];
static std::atomic<unsigned> finished;

static void run(unsigned block) {{
  unsigned thread = {thread};
  volatile std::atomic<unsigned> *at = memory + ({instance}) * {locations}u;
  (void)at;
{threads}}}

int main() {{
  for (unsigned block = 0; block < {blocks}u; ++block)
    std::thread([block] {{ run(block); ++finished; }}).detach();
  for (int tick = 0; tick < 10000; ++tick) {{
    if (finished == {blocks}u) {{
      std::puts(\"pass\");
      std::fflush(stdout);
      std::_Exit(0);
    }}
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }}
  std::puts(\"hang\");
  std::fflush(stdout);
  std::_Exit(1);
}}
"
    )
}
