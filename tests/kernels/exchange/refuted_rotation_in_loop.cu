// The write of one round of a rotation meets the read of the next, because the loop ends without a barrier.
// launch: grid=1 block=any
__global__ void k(int *data, int rounds) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    int v = s[(t + 1) % blockDim.x];
    __syncthreads();
    s[t] = v;   // ~ HD0101
  }
  data[t] = s[t];
}
