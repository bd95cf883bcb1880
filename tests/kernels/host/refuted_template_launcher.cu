// A template launches twice the threads that the instance is made for.
// launch: as-launched
template <int B> __global__ void k(int *out) {
  out[blockIdx.x * B + threadIdx.x] = threadIdx.x;  // ~ HD0102
}
template <int B> void launch(int *out, int n) { k<B><<<n / B, B * 2>>>(out); }
void run(int *out) { launch<64>(out, 4096); }
