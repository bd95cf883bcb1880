// The plain read of a counter meets the atomic addition of another work item.
// launch: grid=1 block=64
__kernel void k(__global const int *in, __global int *out, volatile __global int *next) {
  size_t g = get_global_id(0);
  int slot = next[0];
  if (in[g] != 0)
    atomic_add(next, 1);   // ~ HD0101
  out[g] = slot;
}
