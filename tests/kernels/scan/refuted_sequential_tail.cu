// Threads store their results while one thread is still scanning the shared values.
// launch: grid=1 block=any
__global__ void k(int *data) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  if (t == 0)
    for (unsigned i = 1; i < blockDim.x; i++)
      s[i] += s[i - 1];   // ~ HD0101
  data[t] = s[t];
}
