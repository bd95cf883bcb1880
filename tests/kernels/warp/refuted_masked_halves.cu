// Each half of a warp waits for itself only but reads the buffer of the other half.
// launch: grid=1 block=32
__global__ void k(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned half = t < 16 ? 0x0000ffffu : 0xffff0000u;
  s[t] = data[t];   // ~ HD0104
  __syncwarp(half);
  data[t] = s[t ^ 16];
}
