// A plain load polls one element while the loop writes others of the same array.
// launch: grid=3 block=1 passes=progress
__global__ void k(int *lock, int *flag) {
  if (blockIdx.x == 2) flag[0] = 1;
  int i = 0;
  if (blockIdx.x == 0) {
    while (flag[0] == 0) {  // ~ HD0002
      flag[1 + (i & 7)] = i;
      i++;
    }
  }
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  atomicExch(lock, 0);
}
