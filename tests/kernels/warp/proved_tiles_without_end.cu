// A halving that halves by one never ends, and tiles of a warp meet by a mask in each round.
// launch: grid=1 block=64
__device__ int sum(int *x, int lane, int value, unsigned mask) {
  for (int half = 8; half > 0; half /= 1) {
    x[lane] = value;
    __syncwarp(mask);
    if (lane < half)
      value += x[lane + half];
    __syncwarp(mask);
  }
  return value;
}
__global__ void k(int *out) {
  __shared__ int x[64];
  int tile = threadIdx.x / 16, lane = threadIdx.x % 16;
  out[threadIdx.x] = sum(x + 16 * tile, lane, lane, 0xffffu << 16 * (tile % 2));
}
