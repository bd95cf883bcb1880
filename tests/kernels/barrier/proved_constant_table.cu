// The table of constants says yes for each thread.
// launch: grid=1 block=64
__constant__ const bool meets[2] = {true, true};
__global__ void k(int *a) {
  if (meets[threadIdx.x & 1]) __syncthreads();
  a[threadIdx.x] = 1;
}
