// An array that the host may leave out: where it is given, two threads write each of its elements.
// launch: as-launched
__global__ void k(int *out, int *extra) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (extra != nullptr)
    extra[threadIdx.x / 2] = threadIdx.x;  // ~ HD0101
}
void run(int *out, int *extra) { k<<<1, 64>>>(out, extra); }
