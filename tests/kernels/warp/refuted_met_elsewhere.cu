// Lane 2 writes before it meets lane 0, which reads before that.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z[2];
  int lane = threadIdx.x, v = 0;
  if (lane == 1) __syncwarp(0x6);
  if (lane < 2) v = z[0];
  if (lane == 0) __syncwarp(0x5);
  if (lane == 2) { z[0] = 1; __syncwarp(0x5); __syncwarp(0x6); } // ~ HD0104
  out[lane] = v;
}
