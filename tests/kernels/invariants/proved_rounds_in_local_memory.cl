// A place that goes on by a row of the group: in other rounds a barrier orders, in one round remainders do.
// launch: grid=1 block=64
__kernel void k(__global int *out, __global const int *in, int n) {
  int l = get_local_id(0);
  __local int s[256];
  int at = l;
  for (int i = 0; i < n; i++) {
    s[at] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[(at + 1) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[i] > 0) at = at < 192 ? at + 64 : l;
  }
}
