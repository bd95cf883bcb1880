// A fence without a barrier does not make one work item wait for another.
// launch: grid=1 block=64
__kernel void k(__global int *out, __local int *s) {
  int t = get_local_id(0);
  s[t] = t;   // ~ HD0101
  mem_fence(CLK_LOCAL_MEM_FENCE);
  out[t] = s[63 - t];
}
