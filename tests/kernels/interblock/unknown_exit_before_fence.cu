// A thread ends in inline PTX before the fence that would release what it wrote to the last block.
// launch: grid=4 block=64
__global__ void k(int *x, unsigned *count, int *out) {
  __shared__ bool last;
  int t = threadIdx.x;
  x[blockIdx.x * 64 + t] = t; // ~ HD0002
  if (t == 5)
    asm volatile("exit;");
  __threadfence();
  __syncthreads();
  if (t == 0)
    last = atomicAdd(count, 1) == 3;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (int i = t; i < 256; i += 64)
      sum += x[i];
    out[t] = sum; // ~ HD0002
  }
}
