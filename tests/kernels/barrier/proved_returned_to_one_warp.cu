// All warps but one return; the one that is left meets at a barrier.
// launch: grid=1 block=any
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t >= 32)
    return;
  out[t] = t;
  __syncthreads();  // ~ HD0203
}
