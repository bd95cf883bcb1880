// The Gray code of the thread index is a permutation.
// launch: grid=1 block=256
__global__ void k(int *out) {
  unsigned t = threadIdx.x;
  out[t ^ (t >> 1)] = t;
}
