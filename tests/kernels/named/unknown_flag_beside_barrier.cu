// One warp polls a flag that another sets, and both come to a named barrier.
// launch: grid=1 block=64 passes=named-barriers
__global__ void k(int *out) {
  __shared__ int s[32];
  __shared__ volatile int flag;
  int t = threadIdx.x, lane = t % 32;
  if (t == 0)
    flag = 0;
  __syncthreads();
  if (t < 32) {
    s[lane] = 5 + lane;
    __syncwarp();
    if (lane == 0) {
      __threadfence_block();
      flag = 1;
    }
    asm volatile("bar.arrive 1, 64;");
  } else {
    while (flag == 0)   // ~ HD0001
      ;
    __threadfence_block();
    out[lane] = s[31 - lane];
    asm volatile("bar.sync 1, 64;");
  }
}
