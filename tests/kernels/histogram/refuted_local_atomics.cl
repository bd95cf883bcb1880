// Work items count by atomics, but the barrier before the merge orders global memory only.
// launch: grid=any block=64
__kernel void k(__global const uchar *in, __global int *hist) {
  __local int bins[64];
  int t = get_local_id(0);
  bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)] & 63]);   // ~ HD0101
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_add(&hist[t], bins[t]);
}
