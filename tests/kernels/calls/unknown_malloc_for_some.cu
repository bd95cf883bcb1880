// Memory of the device's heap is there for some threads of a warp and not for others.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int *p = (int *)malloc(1 << 16);
  if (p)
    out[1 + threadIdx.x] = 1; // ~ HD0002
  if (!p)
    out[1 + (threadIdx.x ^ 1)] = threadIdx.x;
}
