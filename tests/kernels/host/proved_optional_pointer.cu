// An array that the host leaves out: nothing is written there.
// launch: as-launched
__global__ void k(int *out, int *extra) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (extra != nullptr)
    extra[threadIdx.x / 2] = threadIdx.x;
}
void run(int *out) { k<<<1, 64>>>(out, nullptr); }
