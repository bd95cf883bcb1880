// The table of constants says no for every other thread.
// launch: grid=1 block=64
__constant__ const bool meets[2] = {true, false};
__global__ void k(int *a) {
  if (meets[threadIdx.x & 1]) __syncthreads(); // ~ HD0201
  a[threadIdx.x] = 1;
}
