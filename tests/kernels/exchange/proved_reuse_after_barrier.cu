// A slot is overwritten only after a barrier has ended all reads of its first value.
// launch: grid=any block=any
__global__ void k(const int *in, int *out) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x, b = blockDim.x;
  unsigned long long g = (unsigned long long)blockIdx.x * b + t;
  s[t] = in[g];
  __syncthreads();
  int left = s[(t + 1) % b];
  __syncthreads();
  s[t] = left * 2;
  __syncthreads();
  out[g] = s[b - 1 - t];
}
