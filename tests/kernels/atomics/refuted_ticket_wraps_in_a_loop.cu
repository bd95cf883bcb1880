// A counter that rises by much in each round of a loop wraps around in each run, and slots are given twice.
// launch: grid=1 block=512
__global__ void k(int *out) {
  __shared__ unsigned count;
  __shared__ int s[128];
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    unsigned mine = atomicAdd(&count, 1u << 25);
    s[mine >> 25] = i; // ~ HD0101 HD0002
  }
  out[threadIdx.x] = 1;
}
