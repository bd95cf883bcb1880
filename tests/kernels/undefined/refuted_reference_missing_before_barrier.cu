// A function that gives a reference lacks its `return` on one of two ways, and a barrier that some threads leave out comes after it.
// launch: grid=2 block=64 passes=barrier-divergence
__device__ int &larger(int &a, int &b) {
  if (a > b)
    return a;
}
__global__ void k(int *out) {
  int a = threadIdx.x, b = 64;
  larger(a, b);
  if (threadIdx.x < 7)
    __syncthreads(); // ~ HD0201
  __syncthreads();
}
