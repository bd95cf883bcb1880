// The threads would meet forty megabytes beyond the start of memory that no block has so much of.
// launch: grid=1 block=64
__global__ void k(int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t < 2 ? 10000000 : t] = t;
}
