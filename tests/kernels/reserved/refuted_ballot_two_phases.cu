// Two phases number one array with two counters; the barrier between them does not order blocks.
// launch: grid=2 block=64
__global__ void compact(const int *__restrict__ in, int *out, int *tail, int *other) {
  int t = threadIdx.x, lane = t & 31, base = 0;
  bool p = in[blockIdx.x * 64 + t] > 0;
  unsigned ballot = __ballot_sync(~0u, p);
  if (lane == 0)
    base = atomicAdd(tail, __popc(ballot));
  base = __shfl_sync(~0u, base, 0);
  if (p)
    out[base + __popc(ballot & ((1u << lane) - 1))] = t;   // ~ HD0102
  __syncthreads();
  if (t == 0)
    out[atomicAdd(other, 1)] = t;
}
