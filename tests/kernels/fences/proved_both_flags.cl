// A barrier with both flags orders local and global memory.
// launch: grid=1 block=64
__kernel void k(__global int *a, __global int *out, __local int *s) {
  int t = get_local_id(0);
  s[t] = t;
  a[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[t] = s[63 - t] + a[63 - t];
}
