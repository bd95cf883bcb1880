// A reader says that it is done before it has read.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    __threadfence();
    flag[0] = 1;
    out[0] = data[0];
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (flag[0] == 0) {
    }
    __threadfence();
    data[0] = 5;   // ~ HD0102
  }
}
