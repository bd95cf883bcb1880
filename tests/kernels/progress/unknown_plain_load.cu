// The flag is read by a plain load, which the compiler may take out of the loop.
// launch: grid=3 block=64 passes=progress
__global__ void k(int *flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) *flag = 1;
  else while (*flag == 0) {}   // ~ HD0002
}
