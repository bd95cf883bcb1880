// A matrix of 4 by 8, transposed through shared memory.
// run: grid=1 block=32 gives 0 f1 e3 d5 9e 8f 81 73 3c 2e 1f 11 da cc be af 78 6a 5c 4e 17 8 fa ec b5 a7 98 8a 53 45 36 28
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void transpose(unsigned *out) {
  unsigned t = threadIdx.x;
  __shared__ unsigned s[4][9];
  s[t / 8][t % 8] = x(t);
  __syncthreads();
  out[t] = s[t % 4][t / 4];
}
