// Work items count into local bins by atomics and merge them by atomics.
// launch: grid=any block=64
__kernel void k(__global const uchar *in, __global int *hist) {
  __local int bins[64];
  int t = get_local_id(0);
  bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)] & 63]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&hist[t], bins[t]);
}
