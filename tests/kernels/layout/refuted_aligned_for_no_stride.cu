// A row's length is odd whatever the argument is: of two rows next to each other one is not aligned.
// launch: grid=any block=64
__global__ void k(float *out, int n) {
  int t = threadIdx.x;
  *(float2 *)(out + (n | 1) * t) = make_float2(t, 1); // ~ HD0101
}
