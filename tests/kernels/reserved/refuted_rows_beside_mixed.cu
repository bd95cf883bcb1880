// Rows mixed from a ticket are left open between blocks, and a race on another array is found all the same.
// launch: grid=any block=64
__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 15) * 0x2c1b3c6d;
  x = (x ^ x >> 12) * 0x297a2d39;
  return x ^ x >> 15;
}
__global__ void k(unsigned *count, int *rows, const int *in, int *out, unsigned n) {
  __shared__ unsigned row;
  unsigned t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
  if (t == 0)
    row = mixed(atomicAdd(count, 1));
  __syncthreads();
  rows[row * 64ull + t] = at;   // ~ HD0003
  if (at < n)
    out[at / 2] = in[at] + 1;   // ~ HD0101
}
