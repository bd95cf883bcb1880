// A slot is overwritten while a neighbour may still be reading its first value.
// launch: grid=any block=any
__global__ void k(const int *in, int *out) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x, b = blockDim.x;
  unsigned long long g = (unsigned long long)blockIdx.x * b + t;
  s[t] = in[g];
  __syncthreads();
  int left = s[(t + 1) % b];
  s[t] = left * 2;   // ~ HD0101
  __syncthreads();
  out[g] = s[b - 1 - t];
}
