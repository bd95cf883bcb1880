// The trip count of a barrier loop is computed from a parameter by halving, so it is uniform.
// launch: grid=1 block=any
__global__ void k(int *data, int n) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = data[t];
  for (int left = n; left > 1; left = (left + 1) / 2) {
    __syncthreads();
    int v = s[blockDim.x - 1 - t];
    __syncthreads();
    s[t] += v;
  }
  data[t] = s[t];
}
