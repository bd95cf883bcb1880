// Lane 1 waits once more before: its first barrier meets lane 0's barrier in the middle, after which lane 0 reads at once.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x, v = 0;
  if (lane == 1) { __syncwarp(3); z = 1; } // ~ HD0104
  if (lane < 2) __syncwarp(3);
  if (lane == 0) { v = z; __syncwarp(3); }
  out[lane] = v;
}
