// A condition on a product that does not wrap around.
// launch: grid=1 block=64 assume="s == 1 && t == s * s"
__global__ void k(int *out, int s, int t) {
  if (t == 1)
    out[threadIdx.x * s] = threadIdx.x;
}
