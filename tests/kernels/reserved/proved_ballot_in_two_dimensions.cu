// Lanes are numbered along the whole block.
// launch: grid=any block=16,4
__global__ void compact(const int *__restrict__ in, int *out, int *tail) {
  int t = threadIdx.y * blockDim.x + threadIdx.x, lane = t & 31, base = 0;
  bool p = in[blockIdx.x * 64 + t] > 0;
  unsigned ballot = __ballot_sync(~0u, p);
  if (lane == 0)
    base = atomicAdd(tail, __popc(ballot));
  base = __shfl_sync(~0u, base, 0);
  if (p)
    out[base + __popc(ballot & ((1u << lane) - 1))] = t;
}
