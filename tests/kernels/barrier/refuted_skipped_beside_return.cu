// All threads return, or none, before one side of a branch comes to a barrier and the other to the end.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  if (n > 3)
    return;
  if (threadIdx.x < n)
    out[1] = 1;
  else
    __syncthreads();  // ~ HD0201
}
