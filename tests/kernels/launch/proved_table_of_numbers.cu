// The table holds what its initialiser says, and a zero in its fourth place.
// launch: grid=1 block=64
static __constant__ const int table[6] = {3, 1, 4, 0, 5, 9};
__global__ void k(int *out) {
  __shared__ int s;
  if (table[3]) s = threadIdx.x;
  out[threadIdx.x] = table[threadIdx.x % 6];
}
