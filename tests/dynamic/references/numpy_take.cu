// Elements by an index.
// run: grid=1 block=32 gives da 2e 81 d5 28 b5 8 5c af 3c 8f e3 36 8a 17 6a be 11 9e f1 45 98 ec 78 cc 1f 73 0 53 a7 fa 4e
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void take(unsigned *out) {
  unsigned t = threadIdx.x;
  out[t] = __shfl_sync(~0u, x(t), (t * 7 + 3) % 32);
}
