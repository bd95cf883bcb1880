// A sum with a product is tested for overflow: where it wraps around, each thread takes a cell of another half.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n, unsigned m) {
  unsigned offset = n * m, end = offset + threadIdx.x;
  out[end < offset ? 64 + threadIdx.x : threadIdx.x] = threadIdx.x;
}
