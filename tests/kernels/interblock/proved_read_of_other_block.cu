// A block reads the sum that the launch before stored for its neighbour.
// launch: grid=any block=32
__global__ void k(const int *in, const int *before, int *sum) {
  int b = blockIdx.x;
  if (threadIdx.x == 0)
    sum[b] = in[b] + (b > 0 ? before[b - 1] : 0);
}
