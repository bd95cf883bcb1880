// A row's length is even whatever the argument is, and at least one pair.
// launch: grid=1 block=64 assume=n>=0
__global__ void k(float *out, int n) {
  int t = threadIdx.x;
  *(float2 *)(out + (2 * n + 2) * t) = make_float2(t, 1);
}
