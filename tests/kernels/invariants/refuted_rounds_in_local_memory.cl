// Without the second barrier a work-item of the next round meets one that still reads.
// launch: grid=1 block=64
__kernel void k(__global int *out, __global const int *in, int n) {
  int l = get_local_id(0);
  __local int s[256];
  int at = l;
  for (int i = 0; i < n; i++) {
    s[at] = i;   // ~ HD0101
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[(l + 1) % 64];
    if (in[i] > 0) at = at < 192 ? at + 64 : l;
  }
}
