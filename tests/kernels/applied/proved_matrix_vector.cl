// Each work group of a matrix-vector product reduces one row at a time in local memory.
// launch: grid=8 block=64
__kernel void k(__global const float *m, __global const float *x, __global float *y, uint rows, uint columns) {
  __local float s[64];
  uint t = get_local_id(0);
  for (uint row = get_group_id(0); row < rows && row < 100000; row += get_num_groups(0)) {
    float sum = 0;
    for (uint c = t; c < columns && c < 100000; c += 64)
      sum += m[(size_t)row * columns + c] * x[c];
    s[t] = sum;
    for (uint d = 32; d > 0; d >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (t < d)
        s[t] += s[t + d];
    }
    if (t == 0)
      y[row] = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
