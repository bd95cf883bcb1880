// Two work groups use halves of a global scratch array of their own between barriers with the global flag.
// launch: grid=2 block=64
__kernel void k(__global int *scratch, __global int *out) {
  int t = get_local_id(0), base = get_group_id(0) * 64;
  scratch[base + t] = t;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + t] = scratch[base + 63 - t];
}
