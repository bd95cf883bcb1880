// Threads of the block return in the rounds.
// launch: grid=2 block=any passes=races
__global__ void k(float *data, volatile int *ready, float *out, int n, const int *stop) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      if (t == stop[i]) return;
      data[i * blockDim.x + t] = i + t; // ~ HD0002
      __threadfence();
      __syncthreads();
      if (t == 0) ready[i] = 1;
    }
  } else {
    for (int i = 0; i < n; i++) {
      if (t == 0) while (ready[i] == 0) {}
      __syncthreads();
      __threadfence();
      out[i * blockDim.x + t] = data[i * blockDim.x + t];
    }
  }
}
