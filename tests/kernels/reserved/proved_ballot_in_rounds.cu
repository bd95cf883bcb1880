// A warp reserves anew in each round.
// launch: grid=any block=128
__global__ void compact(const int *__restrict__ in, int *out, int *tail, int rounds) {
  int lane = threadIdx.x & 31;
  for (int r = 0; r < rounds; r++) {
    bool p = in[r * 128 + threadIdx.x] > 0;
    unsigned ballot = __ballot_sync(0xffffffff, p);
    int base = 0;
    if (lane == 0)
      base = atomicAdd(tail, __popc(ballot));
    base = __shfl_sync(0xffffffff, base, 0);
    if (p)
      out[base + __popc(ballot & ((1u << lane) - 1))] = r;
  }
}
