// Each half of a warp meets its own masked warp barrier and works on its own half of the buffer.
// launch: grid=1 block=32
__global__ void k(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned half = t < 16 ? 0x0000ffffu : 0xffff0000u;
  s[t] = data[t];
  __syncwarp(half);
  data[t] = s[t ^ 8];
}
