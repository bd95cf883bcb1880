// The OpenCL tiled matrix product lacks the barrier after the products.
// launch: grid=4,4 block=16,16
__kernel void k(__global const float *a, __global const float *b, __global float *c) {
  __local float as[256], bs[256];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
  float sum = 0;
  for (int m = 0; m < 64; m += 16) {
    as[ty * 16 + tx] = a[row * 64 + m + tx];      // ~ HD0101
    bs[ty * 16 + tx] = b[(m + ty) * 64 + col];    // ~ HD0101
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++)
      sum += as[ty * 16 + i] * bs[i * 16 + tx];
  }
  c[row * 64 + col] = sum;
}
