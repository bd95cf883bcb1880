// Lane 1 waits for lane 0 before its load.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x, v = 0;
  if (lane == 0) { z = 1; __syncwarp(3); }
  if (lane == 1) { __syncwarp(3); v = z; }
  out[lane] = v;
}
