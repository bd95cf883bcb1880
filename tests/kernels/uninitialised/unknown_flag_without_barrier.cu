// The first thread clears a flag, and nothing says that it does before the others read it.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(int *out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  out[threadIdx.x] = found;   // ~ HD0002
}
