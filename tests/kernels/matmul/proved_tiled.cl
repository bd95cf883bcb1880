// The OpenCL tiled matrix product has a local barrier after the loads and one after the products.
// launch: grid=any,any block=16,16 assume="n > 0 && n % 16 == 0"
__kernel void k(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float as[16][16], bs[16][16];
  int tx = get_local_id(0), ty = get_local_id(1);
  size_t row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
  float sum = 0;
  for (int m = 0; m < n; m += 16) {
    as[ty][tx] = a[row * n + m + tx];
    bs[ty][tx] = b[(m + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++)
      sum += as[ty][i] * bs[i][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}
