//! A test as an OpenCL C 2.0 kernel. Launch it with a local size of one.

use super::{CSyntax, Layout, comment, kernel_name};
use crate::axb::Test;

const ORDER: &str = "memory_order_relaxed, memory_scope_device";

const SYNTAX: CSyntax = CSyntax {
    load: |location| format!("atomic_load_explicit(&at[{location}], {ORDER})"),
    exchange: |location, value| {
        format!("atomic_exchange_explicit(&at[{location}], {value}u, {ORDER})")
    },
    store: |location, value| format!("atomic_store_explicit(&at[{location}], {value}u, {ORDER})"),
};

pub(super) fn kernel(test: &Test, layout: Layout) -> String {
    let name = kernel_name(test);
    let (thread, instance) = layout.c_indices("block", test.threads.len());
    let locations = test.locations.len();
    let threads = SYNTAX.threads(test, "return;");
    let head = comment(test, layout, "//");
    format!(
        "{head}\
__kernel void {name}(__global atomic_uint *memory) {{
  uint block = (uint)get_group_id(0);
  uint thread = {thread};
  __global atomic_uint *at = memory + ({instance}) * {locations}u;
  (void)at;
{threads}}}
"
    )
}
