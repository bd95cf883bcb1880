// The flag is read by threads that no barrier keeps from coming before the one that clears it.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(int *out) {
  __shared__ int found;
  int before = found;   // ~ HD0302
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  out[threadIdx.x] = found + before;
}
