// The mask names a lane that has returned, and the others read from it.
// launch: grid=any block=64
__global__ void append(const int *in, int *out, int *tail) {
  int t = threadIdx.x, lane = t & 31, base = 0;
  unsigned mask = __ballot_sync(~0u, in[t] > 5) | 1;
  if (lane == 0) return;
  if (lane == 1) base = atomicAdd(tail, 32);
  base = __shfl_sync(mask, base, 0);
  out[base + lane] = t; // ~ HD0002
}
