// A thread reads its neighbour's slot without waiting for the barrier that would publish it.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];   // ~ HD0101
  out[t] = s[(t + 1) % 64];
}
