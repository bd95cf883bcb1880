// No barrier stands between what a leader adds and the next round.
// launch: grid=2 block=32
__global__ void k(const unsigned *keys, unsigned *out, int rounds) {
  __shared__ unsigned count[16];
  int lane = threadIdx.x;
  if (lane < 16)
    count[lane] = 0;
  __syncwarp();
  for (int i = 0; i < rounds; i++) {
    unsigned digit = keys[i * 32 + lane] % 16, same = __match_any_sync(~0u, digit);
    unsigned before = count[digit];
    __syncwarp();
    if (lane == __ffs(same) - 1)
      count[digit] = before + __popc(same);   // ~ HD0104
    out[(i * gridDim.x + blockIdx.x) * 32 + lane] = before + __popc(same & ((1u << lane) - 1));
  }
}
