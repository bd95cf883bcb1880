// Lane 31 gives all lanes a row to write to; the second warp has 16 lanes, and gets anything.
// launch: grid=1 block=48
__global__ void k(int *out, const int *in) {
  int t = threadIdx.x, lane = t % 32;
  int row = __shfl_sync(0xffffffff, in[t], 31);
  if (t >= 32) out[row + lane] = t; // ~ HD0002
}
