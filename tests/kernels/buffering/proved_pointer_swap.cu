// Two pointers into shared memory change places after every barrier.
// launch: grid=1 block=64
__global__ void k(int *data, int rounds) {
  __shared__ int first[64], second[64];
  int t = threadIdx.x;
  int *from = first, *to = second;
  from[t] = data[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    to[t] = from[t] + from[(t + 1) % 64];
    __syncthreads();
    int *swap = from;
    from = to;
    to = swap;
  }
  data[t] = from[t];
}
