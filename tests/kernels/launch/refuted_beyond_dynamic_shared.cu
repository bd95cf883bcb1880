// The threads meet where a launch with enough dynamic shared memory has a word.
// launch: grid=1 block=64
__global__ void k(int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t < 2 ? 10000 : t] = t;                // ~ HD0101
}
