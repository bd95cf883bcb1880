// An unsigned sum wraps around for the last work items only, where the argument is near 2^32.
// launch: grid=1 block=64
kernel void k(global int *out, uint n) {
  uint t = get_local_id(0);
  if (t + n < n) barrier(CLK_LOCAL_MEM_FENCE);   // ~ HD0201
  out[t] = 2;
}
