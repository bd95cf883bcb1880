// The compiler stores a component by loading and storing the whole vector, so two components of one vector race.
// launch: grid=1 block=64
__kernel void k(__global const int *in, __global int *out) {
  __local int2 s[32];
  int t = get_local_id(0);
  if (t < 32)
    s[t].x = in[t];   // ~ HD0101
  else
    s[t - 32].y = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = t < 32 ? s[t].y : s[t - 32].x;
}
