// Neighbours touch the same field of the same structure.
// launch: grid=1 block=64
struct Cell { int left, right; };
__global__ void k(const int *in, int *out) {
  __shared__ Cell s[65];
  int t = threadIdx.x;
  s[t].right = in[t];   // ~ HD0101
  s[t + 1].right = 2 * in[t];
  __syncthreads();
  out[t] = s[t].right;
}
