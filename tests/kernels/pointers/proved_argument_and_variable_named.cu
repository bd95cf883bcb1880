// An argument may lead into a variable of the program: the answer names that it takes them apart.
// launch: grid=1 block=64
__device__ int arr[64];
__global__ void k(int *p) {
  int t = threadIdx.x;
  p[t] = t;
  arr[(t + 1) & 63] = 2 * t;
}
