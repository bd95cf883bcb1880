// The first lane of each warp stores a value that its warp reads without a barrier.
// launch: grid=1 block=256
__global__ void k(const int *in, int *out) {
  __shared__ int base[8];
  int t = threadIdx.x, warp = t / 32;
  if (t % 32 == 0)
    base[warp] = in[warp];   // ~ HD0101
  out[t] = base[warp] + t % 32;
}
