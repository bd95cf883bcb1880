// Where each element stood, in the order of their sizes, by counting those before it.
// run: grid=1 block=32 gives 0 d 1a 5 12 1f a 17 2 f 1c 7 14 c 19 4 11 1e 9 16 1 e 1b 6 13 b 18 3 10 1d 8 15
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void argsort(unsigned *out) {
  unsigned t = threadIdx.x;
  int rank = 0;
  for (int i = 0; i < 32; i++) rank += x(i) < x(t) || (x(i) == x(t) && i < t);
  out[rank] = t;
}
