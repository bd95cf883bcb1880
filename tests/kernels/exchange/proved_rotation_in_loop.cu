// Values rotate through shared memory with one barrier after the read and one after the write.
// launch: grid=1 block=any
__global__ void k(int *data, int rounds) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    int v = s[(t + 1) % blockDim.x];
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  data[t] = s[t];
}
