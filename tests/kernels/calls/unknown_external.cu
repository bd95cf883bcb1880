// A function without a body may do anything to the memory it is handed.
// launch: grid=1 block=64
__device__ void elsewhere(int *p);
__global__ void k(int *out) {
  elsewhere(out);   // ~ HD0001
}
