// Each lane takes the place after the last one of its warp.
// launch: grid=any block=128
__global__ void compact(const int *__restrict__ in, int *out, int *tail, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, base = 0;
  bool p = i < n && in[i] > 0;
  unsigned ballot = __ballot_sync(~0u, p);
  if (lane == 0)
    base = atomicAdd(tail, __popc(ballot));
  base = __shfl_sync(~0u, base, 0);
  if (p)
    out[base + __popc(ballot)] = i;   // ~ HD0104
}
