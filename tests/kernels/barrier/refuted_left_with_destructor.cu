// A thread leaves a loop by `break`, out of a scope whose object has a destructor.
// launch: grid=1 block=64 passes=barrier-divergence
struct Count {
  int *to;
  __device__ ~Count() { atomicAdd(to, 1); }
};
__global__ void k(int *out, int n) {
  for (int i = 0; i < n; i++) {
    Count count{out};
    if (threadIdx.x == i)
      break;
    __syncthreads();  // ~ HD0201
  }
}
