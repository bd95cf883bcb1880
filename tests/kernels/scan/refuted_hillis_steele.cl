// The OpenCL scan forgets to swap its buffers and so reads what other work items store.
// launch: grid=1 block=128
__kernel void k(__global int *data, __local int *from) {
  int t = get_local_id(0), n = get_local_size(0);
  from[t] = data[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < n; d <<= 1) {
    from[t] += t >= d ? from[t - d] : 0;   // ~ HD0101
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[t] = from[t];
}
