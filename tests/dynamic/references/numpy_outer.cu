// All products of two vectors.
// run: grid=1 block=32 gives 0 0 0 0 0 0 0 0 4a10 e32 6fb6 333a 94be 5842 1c64 7de8 1c20 564 2a6c 1374 387c 2184 ac8 2fd0 6630 1396 9a22 46ae cd3a 79c6 272c adb8
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void outer(unsigned *out) {
  unsigned t = threadIdx.x;
  out[t] = x(t / 8) * x(4 + t % 8);
}
