// A race on the side of a test for null where the pointer is one that may be used.
// launch: grid=2 block=64
__global__ void k(int *out, const int *bias) {
  int at = threadIdx.x;
  if (bias != nullptr)
    out[at] = bias[at] + blockIdx.x;  // ~ HD0102
}
