// The reader takes the flag by a compare-and-swap.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    __threadfence();
    atomicExch(flag + b, 1);
    if (b > 0) {
      while (atomicCAS(flag + b - 1, 1, 2) != 1) {
        }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
