// A pointer is used only where it is null: the test is the wrong way round.
// launch: grid=1 block=64 passes=bounds check-bounds
__global__ void k(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  if (!out) out[threadIdx.x] = s[threadIdx.x]; // ~ HD0301
}
