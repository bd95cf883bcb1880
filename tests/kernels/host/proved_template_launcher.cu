// A template launches the instance for its own size of the block.
// launch: as-launched
template <int B> __global__ void k(int *out) {
  __shared__ int s[B];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * B + threadIdx.x] = s[B - 1 - threadIdx.x];
}
template <int B> void launch(int *out, int n) { k<B><<<n / B, B>>>(out); }
void run(int *out, int n) {
  if (n > 4096) launch<256>(out, n); else launch<64>(out, n);
}
