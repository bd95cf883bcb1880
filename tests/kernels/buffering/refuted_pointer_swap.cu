// Two pointers that change places are only half a buffer apart.
// launch: grid=1 block=64
__global__ void k(int *data, int rounds) {
  __shared__ int buffer[128];
  int t = threadIdx.x;
  int *from = buffer, *to = buffer + 32;
  from[t] = data[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    to[t] = from[t] + from[(t + 1) % 64];   // ~ HD0101
    __syncthreads();
    int *swap = from;
    from = to;
    to = swap;
  }
  data[t] = from[t];
}
