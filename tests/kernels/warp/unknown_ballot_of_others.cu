// The mask is of a vote on another condition than the one that leads to the barrier.
// launch: grid=2 block=32
__global__ void k(int *out, const int *in) {
  __shared__ int word[32];
  int lane = threadIdx.x;
  bool takes = in[lane] > 0;
  unsigned those = __ballot_sync(~0u, in[lane] > 1);
  word[lane] = lane;
  __syncwarp();
  int v = word[lane ^ 16];
  __syncwarp();
  if (takes) {
    word[lane] = v;   // ~ HD0002
    __syncwarp(those);
    v += word[31 - __clz(those)];
  }
  out[blockIdx.x * 32 + lane] = v;
}
