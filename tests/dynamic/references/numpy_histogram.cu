// How many elements end in each three bits, by atomics of shared memory.
// run: grid=1 block=32 gives 5 3 4 3 4 3 5 5
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void histogram(unsigned *out) {
  unsigned t = threadIdx.x;
  __shared__ unsigned bins[8];
  if (t < 8) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[x(t) % 8], 1);
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}
