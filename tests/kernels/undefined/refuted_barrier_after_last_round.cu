// The loop has no further round in which a barrier could order its last store.
// launch: grid=1 block=64
__global__ void k(int *x, int *out, unsigned m, unsigned q, int n) {
  int t = threadIdx.x, i = 0;
  if (n > 31) return;
  do {
    if (__popc(m & ((1 << i) - 1) & q) + __popc(m & i) > 20) __syncthreads();
    if (i == 30) x[t] = t; // ~ HD0101
    i++;
  } while (i < n);
  out[t] = x[t ^ 1];
}
