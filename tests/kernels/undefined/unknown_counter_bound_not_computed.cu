// The bound of the additions in one branch overflows where the other one is taken.
// launch: grid=any block=1
__global__ void k(int *data, unsigned *count, int *out, int n) {
  if (n < 21475) {
    if (n > 0 && (int)blockIdx.x < n * 100000) {
      data[blockIdx.x] = 1;
      __threadfence();
      atomicAdd(count, 1); // ~ HD0002
    }
  } else if (blockIdx.x < 4) {
    data[blockIdx.x] = 1; // ~ HD0002
    __threadfence();
    atomicAdd(count, 1);
  }
  if (n >= 21475 && blockIdx.x >= 4) {
    while (*(volatile unsigned *)count < 1) {}
    __threadfence();
    out[blockIdx.x] = data[blockIdx.x & 3];
  }
}
