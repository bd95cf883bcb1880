// Whether rows are aligned depends on an argument: those who pass an even number of pairs keep it.
// launch: grid=1 block=64
__global__ void k(int2 *out, int n, int m) {
  int t = threadIdx.x;
  if (m > 0)
    *(int4 *)(out + (long long)n * m + 2 * t) = make_int4(t, 1, 2, 3);
}
