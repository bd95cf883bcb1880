// OpenCL 2.0 atomics of device scope count over all work groups.
// launch: grid=any block=any
__kernel void k(__global const int *in, __global atomic_int *count) {
  if (in[get_global_id(0)] > 0)
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
}
