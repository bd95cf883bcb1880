// The last block reads volatile pairs of words where others store words of 64 bits: not strong for each other.
// launch: grid=any block=128
__device__ unsigned finished;
__global__ void k(const long long *in, volatile long long *sums, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = in[blockIdx.x];   // ~ HD0002
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; b++) {
      int low, high;
      asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(low), "=r"(high) : "l"(sums + b) : "memory");
      total += low + high;
    }
    out[0] = total;
  }
}
