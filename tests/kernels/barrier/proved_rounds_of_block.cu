// The same rounds, whose number is one for the block.
// launch: grid=1 block=64
__global__ void k(float *data, int n) {
  for (int base = 0; base < n; base += 64) {
    int i = base + threadIdx.x;
    if (i < n) data[i] += 1.0f;
    __syncthreads();
  }
}
