// A single thread scans the block's shared values between two barriers.
// launch: grid=1 block=any
__global__ void k(int *data) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  if (t == 0)
    for (unsigned i = 1; i < blockDim.x; i++)
      s[i] += s[i - 1];
  __syncthreads();
  data[t] = s[t];
}
