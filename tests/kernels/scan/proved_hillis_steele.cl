// The OpenCL scan swaps two local buffers and needs one barrier per step.
// launch: grid=1 block=any
__kernel void k(__global int *data, __local int *from, __local int *to) {
  int t = get_local_id(0), n = get_local_size(0);
  from[t] = data[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < n; d <<= 1) {
    to[t] = t >= d ? from[t] + from[t - d] : from[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *swap = from;
    from = to;
    to = swap;
  }
  data[t] = from[t];
}
