// Each work group makes running sums of its elements (Hillis and Steele).
__kernel void scan(__global const int *in, __global int *out, int n) {
  __local int s[256];
  int t = get_local_id(0), i = get_global_id(0);
  s[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 256; d *= 2) {
    int left = t >= d ? s[t - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
    out[i] = s[t];
}
