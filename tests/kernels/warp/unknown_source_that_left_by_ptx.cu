// A lane leaves by inline PTX before the whole warp exchanges.
// launch: grid=any block=64
__global__ void append(const int *in, int *out, int *tail) {
  int t = threadIdx.x, lane = t & 31, base = 0;
  if (lane == 7 && in[t] > 5) asm volatile("exit;");
  unsigned ballot = __ballot_sync(~0u, in[t] > 0);
  if (lane == 0) base = atomicAdd(tail, __popc(ballot));
  base = __shfl_sync(~0u, base, 0);
  if (in[t] > 0) out[base + __popc(ballot & ((1u << lane) - 1))] = t; // ~ HD0002
}
