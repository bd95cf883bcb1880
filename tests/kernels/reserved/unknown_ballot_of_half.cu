// Half of the warp votes and exchanges; the other half does so apart.
// launch: grid=any block=64
__global__ void compact(const int *__restrict__ in, int *out, int *tail, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, base = 0;
  bool p = i < n && in[i] > 0;
  unsigned ballot = __ballot_sync(lane < 16 ? 0xffffu : 0xffff0000u, p);
  if ((lane & 15) == 0)
    base = atomicAdd(tail, __popc(ballot));
  base = __shfl_sync(lane < 16 ? 0xffffu : 0xffff0000u, base, lane & 16);
  if (p)
    out[base + __popc(ballot & ((1u << lane) - 1))] = i;   // ~ HD0002
}
