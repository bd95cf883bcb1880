// Work items store their sums for the next row while others still add up the last one.
// launch: grid=8 block=64
__kernel void k(__global const float *m, __global const float *x, __global float *y, uint rows) {
  __local float s[64];
  uint t = get_local_id(0);
  for (uint row = get_group_id(0); row < rows && row < 100000; row += get_num_groups(0)) {
    s[t] = m[(size_t)row * 64 + t] * x[t];   // ~ HD0101
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
      float sum = 0;
      for (int i = 0; i < 64; i++)
        sum += s[i];
      y[row] = sum;
    }
  }
}
