// One thread of each warp does all the work.
// launch: grid=1 block=64
__global__ void k(int *data, int n) {
  if (threadIdx.x % 32 != 0)
    return;
  for (int i = 1; i < n; i++)
    data[i] += data[i - 1];   // ~ HD0101
}
