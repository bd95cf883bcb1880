// A row's length is three more than a multiple of four: of two rows one is not aligned.
// launch: grid=1 block=64
__global__ void k(float *out, int n, int m) {
  int t = threadIdx.x;
  *(float2 *)(out + (n * 4 + 3) * t + m * 2) = make_float2(t, 1); // ~ HD0003 HD0101
}
