// A matrix product in tiles of 16 by 16.
#define T 16
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float sa[T][T], sb[T][T];
  int x = get_local_id(0), y = get_local_id(1);
  int row = get_group_id(1) * T + y, col = get_group_id(0) * T + x;
  float sum = 0;
  for (int m = 0; m < n; m += T) {
    sa[y][x] = a[row * n + m + x];
    sb[y][x] = b[(m + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < T; k++)
      sum += sa[y][k] * sb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}
