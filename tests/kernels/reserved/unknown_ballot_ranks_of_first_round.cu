// From the second round on the ranks are those of the first round.
// launch: grid=1 block=64
__global__ void compact(const int *__restrict__ in, int *out, int *tail) {
  int lane = threadIdx.x & 31, rank = 0;
  for (int r = 0; r < 3; r++) {
    bool p = in[r * 64 + threadIdx.x] > 0;
    unsigned ballot = __ballot_sync(0xffffffff, p);
    int base = 0;
    if (lane == 0)
      base = atomicAdd(tail, __popc(ballot));
    base = __shfl_sync(0xffffffff, base, 0);
    if (r == 0)
      rank = __popc(ballot & ((1u << lane) - 1));
    if (p)
      out[base + rank] = r;   // ~ HD0002
  }
}
