// A function that lacks its return gives some value, and the kernel goes on after the call.
// launch: grid=any block=64
__device__ int larger(int a, int b) { a = a > b ? a : b; }
__global__ void k(int *out, int n) {
  larger(n, blockIdx.x);
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
}
