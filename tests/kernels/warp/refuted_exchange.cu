// Lanes of a warp exchange values through shared memory and trust the order of the instructions.
// launch: grid=4 block=128
__global__ void k(int *data) {
  __shared__ int s[128];
  int t = threadIdx.x, g = blockIdx.x * 128 + t;
  s[t] = data[g];   // ~ HD0101
  data[g] = s[t ^ 1];
}
