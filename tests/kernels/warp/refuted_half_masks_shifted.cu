// Each half of a warp meets at a barrier of its own, and reads what the other half wrote.
// launch: grid=1 block=32
__global__ void k(int *out, int shift) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
  s[t] = 3 * t; // ~ HD0104
  __syncwarp(half);
  out[t] = s[(t + shift) & 31];
}
