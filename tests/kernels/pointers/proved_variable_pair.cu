// Two variables of the program never overlap: nothing is taken for granted.
// launch: grid=1 block=64
__device__ int one[64];
__device__ int two[64];
__global__ void k() {
  int t = threadIdx.x;
  one[t] = t;
  two[(t + 1) & 63] = 2 * t;
}
