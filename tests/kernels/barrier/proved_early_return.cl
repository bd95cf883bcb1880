// Work items past the end skip the work but not the barrier.
// launch: grid=1 block=64
__kernel void k(__global const int *in, __global int *out, int n) {
  __local int s[64];
  int t = get_local_id(0);
  if (t < n)
    s[t] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < n)
    out[t] = s[t];
}
