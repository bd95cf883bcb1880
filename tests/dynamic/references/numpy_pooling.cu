// The greater of each two.
// run: grid=1 block=32 gives 9e da 78 b5 f1 cc 6a a7 e3 be fa 98 d5 af ec 8a
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void pooling(unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned most = max(x(t), __shfl_xor_sync(~0u, x(t), 1));
  if (t % 2 == 0) out[t / 2] = most;
}
