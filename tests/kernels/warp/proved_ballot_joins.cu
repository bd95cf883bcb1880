// The lanes that voted meet at a barrier of their ballot; those of the whole warp stand before it.
// launch: grid=2 block=32
__global__ void k(int *out, const int *in) {
  __shared__ int word[32];
  int lane = threadIdx.x;
  bool takes = in[lane] > 0;
  unsigned those = __ballot_sync(~0u, takes);
  word[lane] = lane;
  __syncwarp();
  int v = word[lane ^ 16];
  __syncwarp();
  if (takes) {
    word[lane] = v;
    __syncwarp(those);
    v += word[31 - __clz(those)];
  }
  out[blockIdx.x * 32 + lane] = v;
}
