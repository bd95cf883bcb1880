// Each arm of a branch has a barrier of its own, and the second writes before it what the first writes after its own.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t < 32) {
    __syncthreads(); // ~ HD0201
    out[t] = 1;
  } else {
    out[t] = 2;
    __syncthreads();
  }
}
