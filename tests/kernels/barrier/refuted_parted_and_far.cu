// Threads of one block come to two barriers, each of which waits for all; a read lies far from the writes.
// launch: grid=1 block=512 passes=barrier-divergence,intra-block-race
__global__ void k(unsigned *out) {
  __shared__ unsigned part[2048];
  unsigned t = threadIdx.x;
  for (int i = 0; i < 4; i++) part[t + 512 * i] = i;
  __syncthreads();
  for (int n = 0; n < 5; n++) {
    if (t < 256) {
      __syncthreads(); // ~ HD0201
      for (int i = 0; i < 8; i++) part[(t >> 7 << 10) + ((i << 7) | (t & 127))] += i;
    } else {
      __syncthreads(); // ~ HD0201
    }
    __syncthreads();
  }
  for (int i = t; i <= 500; i += blockDim.x) {
    unsigned sum = 0;
    for (int j = 0; j < 1024; j++) sum -= j == 0 ? part[0] : -part[1024 - j];
    out[i] = sum;
  }
}
