// A work group reduces in local memory but orders its levels with a barrier for global memory only.
// launch: grid=any block=256
__kernel void k(__global const int *in, __global int *out, __local int *s) {
  uint t = get_local_id(0);
  s[t] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = get_local_size(0) / 2; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];   // ~ HD0101
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (t == 0)
    out[get_group_id(0)] = s[0];
}
