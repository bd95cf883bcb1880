// Partners across a warp boundary exchange values with a barrier in between.
// launch: grid=2 block=128
__global__ void k(int *data) {
  __shared__ int s[128];
  int t = threadIdx.x, g = blockIdx.x * 128 + t;
  s[t] = data[g];
  __syncthreads();
  data[g] = s[t ^ 32];
}
