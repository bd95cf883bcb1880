// A kernel writes constant memory, which its threads read by another way.
// launch: grid=1 block=32 passes=bounds
__constant__ int table[32];
__global__ void k(int *out) {
  table[threadIdx.x] = 1; // ~ HD0301
  out[threadIdx.x] = table[threadIdx.x];
}
