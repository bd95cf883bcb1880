// Lane 0 waits for lane 1 after its store; lane 1 waits only after its load, at a barrier of its own.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x, v = 0;
  if (lane == 0) { z = 1; __syncwarp(3); } // ~ HD0104
  if (lane == 1) { v = z; __syncwarp(3); }
  out[lane] = v;
}
