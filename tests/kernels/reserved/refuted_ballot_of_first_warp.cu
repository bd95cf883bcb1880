// The first warp alone reserves; the others take the start.
// launch: grid=1 block=64
__global__ void compact(const int *__restrict__ in, int *out, int *tail, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, base = 0;
  bool p = i < n && in[i] > 0;
  unsigned ballot = __ballot_sync(~0u, p);
  if (threadIdx.x == 0)
    base = atomicAdd(tail, __popc(ballot));
  base = __shfl_sync(~0u, base, 0);
  if (p)
    out[base + __popc(ballot & ((1u << lane) - 1))] = i;   // ~ HD0101
}
