// Doubling drops the top bit: with this argument the shifted value is zero for even threads.
// launch: grid=1 block=64 n=31
__global__ void k(int *out, unsigned n) {
  unsigned t = threadIdx.x;
  if (t != 0 && (t << n) == 0) __syncthreads();   // ~ HD0201
  out[t] = 2;
}
