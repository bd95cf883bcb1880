// The host passes one half, whose sign is known.
// launch: as-launched
__global__ void k(int *out, float f) {
  if (__float_as_int(f) < 0)
    out[0] = threadIdx.x;
}
void go(int *out) {
  float zero = 0;
  k<<<1, 64>>>(out, 0.5f + zero);
}
