// The single-buffer Hillis-Steele scan separates reads and writes of a step with two barriers.
// launch: grid=1 block=any
__global__ void k(int *data) {
  __shared__ int s[1024];
  int t = threadIdx.x, n = blockDim.x;
  s[t] = data[t];
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  data[t] = s[t];
}
