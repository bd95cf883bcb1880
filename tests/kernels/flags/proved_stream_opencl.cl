// A producer publishes item after item, each by a flag of its own.
// launch: grid=2 block=1 passes=races
__kernel void k(__global int *data, __global atomic_int *flag, __global int *out, int n) {
  if (get_group_id(0) == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; atomic_store_explicit(&flag[i], 1, memory_order_release, memory_scope_device); }
  } else {
    for (int i = 0; i < n; i++) { while (atomic_load_explicit(&flag[i], memory_order_acquire, memory_scope_device) == 0) {} out[i] = data[i]; }
  }
}
