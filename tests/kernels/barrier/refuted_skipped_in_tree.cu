// The textbook's mistake: the barrier of a tree reduction stands under the condition of its work.
// launch: grid=4 block=256
__global__ void dot(const float *a, const float *b, float *c, int n) {
  __shared__ float cache[256];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  while (i < n) {
    sum += a[i] * b[i];
    i += blockDim.x * gridDim.x;
  }
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half != 0; half /= 2)
    if (threadIdx.x < half) {
      cache[threadIdx.x] += cache[threadIdx.x + half];
      __syncthreads();  // ~ HD0201
    }
  if (threadIdx.x == 0)
    c[blockIdx.x] = cache[0];
}
