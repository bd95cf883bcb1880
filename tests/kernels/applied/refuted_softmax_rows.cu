// The four warps of a block share the one slot in which each leaves the sum of its row.
// launch: grid=4 block=32,4
__global__ void k(const float *in, float *out) {
  __shared__ float total;
  int lane = threadIdx.x, at = (blockIdx.x * 4 + threadIdx.y) * 32 + lane;
  float sum = in[at];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0)
    total = sum;   // ~ HD0101
  __syncthreads();
  out[at] = in[at] / total;
}
