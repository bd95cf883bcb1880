// A barrier with the global flag does not order the work groups that share a scratch array.
// launch: grid=2 block=64
__kernel void k(__global int *scratch, __global int *out) {
  int t = get_local_id(0), base = get_group_id(0) * 64;
  scratch[base + t] = t;   // ~ HD0102
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + t] = scratch[127 - base - t];
}
