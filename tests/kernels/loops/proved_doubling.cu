// A counter that doubles selects rows of the output that never meet.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (int d = 1; d < n && d < 1000000; d *= 2)
    out[d * 64 + t] = d;
}
