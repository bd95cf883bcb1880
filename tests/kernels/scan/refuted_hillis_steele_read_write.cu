// The single-buffer Hillis-Steele scan adds in place while neighbours still read the old sum.
// launch: grid=1 block=128
__global__ void k(int *data) {
  __shared__ int s[128];
  int t = threadIdx.x, n = blockDim.x;
  s[t] = data[t];
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    s[t] += v;   // ~ HD0101
    __syncthreads();
  }
  data[t] = s[t];
}
