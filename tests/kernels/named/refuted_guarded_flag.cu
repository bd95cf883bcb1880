// The same flag, where the scale is written once more after the hand-over.
// launch: grid=any block=64
__global__ void k(int *out, bool scales, int factor) {
  __shared__ int scale;
  if (threadIdx.x < 32) {
    if (scales && threadIdx.x == 0) scale = factor;
    asm volatile("bar.arrive 3, 64;" ::: "memory");
    if (scales && threadIdx.x == 0) scale = 1; // ~ HD0101
  } else {
    asm volatile("bar.sync 3, 64;" ::: "memory");
    int lane = threadIdx.x - 32;
    out[blockIdx.x * 32 + lane] = scales ? scale * lane : lane;
  }
}
