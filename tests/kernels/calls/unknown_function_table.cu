// A function pointer that is loaded from memory may lead anywhere.
// launch: grid=1 block=64
typedef void (*Step)(int *);
__device__ Step steps[4];
__global__ void k(int *out, int which) {
  steps[which](out);   // ~ HD0001
}
