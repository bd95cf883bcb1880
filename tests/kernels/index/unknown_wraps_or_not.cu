// Rows of a buffer whose length is rounded up: a run in which the sum wraps around has a race, and whether one without has is too hard.
// launch: grid=4 block=64 passes=races
__global__ void k(unsigned *out, unsigned n, unsigned m, unsigned rows) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && rows >= (n + m - 1) / m) out[i % m * rows + i / m] = i; // ~ HD0003
}
