// Lanes meet by mask, wherever the barrier stands: lane 0 reads, meets lane 2, which writes, then meets lane 1, which reads.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z[2];
  int lane = threadIdx.x, v = 0;
  if (lane == 1) __syncwarp(0x6);
  if (lane < 2) v = z[0];
  if (lane == 0) __syncwarp(0x5);
  if (lane == 2) { __syncwarp(0x5); z[0] = 1; __syncwarp(0x6); }
  out[lane] = v;
}
