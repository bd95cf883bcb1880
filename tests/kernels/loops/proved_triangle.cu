// Each thread writes one row of a packed lower triangle.
// launch: grid=1 block=256
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int j = 0; j <= t; j++)
    out[t * (t + 1) / 2 + j] = t;
}
