// The host looks at the pointer as well, and launches only without the array.
// launch: as-launched
__global__ void k(int *out, int *extra) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (extra)
    extra[threadIdx.x / 2] = threadIdx.x;
}
void run(int *out, int *extra) {
  if (!extra)
    k<<<1, 64>>>(out, extra);
}
