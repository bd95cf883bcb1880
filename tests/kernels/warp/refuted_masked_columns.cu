// Lanes of one parity wait for each other, and read what the other parity stores.
// launch: grid=1 block=8,8
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.y * 8 + threadIdx.x;
  s[t] = t;                                // ~ HD0104
  __syncwarp(0x55555555u << (threadIdx.x & 1));
  out[t] = s[t ^ 1];
}
