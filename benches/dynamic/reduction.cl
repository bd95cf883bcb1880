// Each work group adds up its elements in a tree.
__kernel void reduction(__global const float *in, __global float *out, int n) {
  __local float s[256];
  int t = get_local_id(0), i = get_global_id(0);
  s[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    out[get_group_id(0)] = s[0];
}
