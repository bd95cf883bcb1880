// Work items write different components of the same vector through a pointer to its scalars.
// launch: grid=1 block=64
__kernel void k(__global const int *in, __global int *out) {
  __local int2 s[32];
  __local int *scalars = (__local int *)s;
  int t = get_local_id(0);
  if (t < 32)
    scalars[2 * t] = in[t];
  else
    scalars[2 * (t - 32) + 1] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = t < 32 ? s[t].y : s[t - 32].x;
}
