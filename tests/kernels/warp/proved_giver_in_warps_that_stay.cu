// Whole warps return; in those that stay, lane 0 gives the others a row to write to.
// launch: grid=1 block=128
__global__ void k(int *out, const int *in) {
  int t = threadIdx.x, lane = t % 32;
  if (t / 32 >= in[0]) return;
  int row = __shfl_sync(0xffffffff, in[t], 0);
  if (t < 32) {
    row += __shfl_sync(0xffffffff, in[t + 1], 31);
    out[row + lane] = t;
  }
}
