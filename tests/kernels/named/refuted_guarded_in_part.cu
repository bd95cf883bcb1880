// The same rounds, where the filling warp does not wait until the tile was read.
// launch: grid=2 block=64
__global__ void k(float *out, const float *in, int n) {
  __shared__ float tile[32];
  int lane = threadIdx.x & 31;
  for (int base = blockIdx.x * 32; base < n; base += gridDim.x * 32) {
    if (threadIdx.x < 32) {
      if (base + lane < n) tile[lane] = in[base + lane]; // ~ HD0101
      asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      if (base + lane < n) out[base + lane] = tile[31 - lane];
    }
  }
}
