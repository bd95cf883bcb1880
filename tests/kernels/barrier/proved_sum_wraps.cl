// With this argument no sum of any work item wraps around.
// launch: grid=1 block=64 n=4294967232
kernel void k(global int *out, uint n) {
  uint t = get_local_id(0);
  if (t + n < n) barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = 2;
}
